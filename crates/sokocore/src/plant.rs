//! Levels with a planted solution, made by playing backward from a solved position.
//!
//! A pure function of a stream of choices, which a property test or a seeded generator supplies. Zero is always the
//! plainest choice, so shrinking a stream shrinks the level.
//!
//! The planted solution is poor on purpose: pulls go in random directions, boxes take turns at random, and with
//! *detours* the player walks to random squares between pulls.
//!
//! **Invariant**: the solution was replayed, and the level does not start solved.

mod carve;

use std::ops::RangeInclusive;

use crate::{Cell, Direction, Grid, Level, Lurd, Position, Push, Reach, Square, Step, replay};

/// The size, the walls, the pieces and the length of play of a planted level.
///
/// Its fields are complete: a literal with `..PlantSpec::default()` is the way to make one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlantSpec {
    /// Columns, walls included: 3 to 1,000. The level may come out smaller.
    pub width: RangeInclusive<usize>,
    /// Rows, walls included: 3 to 1,000. The level may come out smaller.
    pub height: RangeInclusive<usize>,
    /// How the floor is made.
    pub carving: Carving,
    /// Boxes.
    pub boxes: RangeInclusive<usize>,
    /// Goals beyond one for each box.
    pub spare_goals: RangeInclusive<usize>,
    /// Pulls of the backward play; the solution has at most as many pushes.
    pub pulls: RangeInclusive<usize>,
    /// Percentage of the pulls before which the player walks to a random square of its region.
    pub detours: usize,
}

/// How the floor of a planted level is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Carving {
    /// Rectangles cut out of the rock, each overlapping the floor that is there.
    Rooms(RangeInclusive<usize>),
    /// One hall with this many of 100 inner cells walled up; only the player's part stays.
    Pillars(usize),
}

impl Default for PlantSpec {
    /// Two or three boxes in 5 to 8 rows and columns: small enough to be solved exactly.
    fn default() -> Self {
        Self {
            width: 5..=8,
            height: 5..=8,
            carving: Carving::Pillars(15),
            boxes: 2..=3,
            spare_goals: 0..=1,
            pulls: 4..=24,
            detours: 30,
        }
    }
}

/// The stream of choices, each brought into the range that is asked for.
struct ChoiceStream<'a>(&'a mut dyn FnMut(usize) -> usize);

impl ChoiceStream<'_> {
    fn below(&mut self, n: usize) -> usize {
        if n <= 1 { 0 } else { (self.0)(n) % n }
    }

    fn within(&mut self, range: &RangeInclusive<usize>) -> usize {
        let (low, high) = (*range.start(), (*range.end()).max(*range.start()));
        low + self.below(high - low + 1)
    }

    /// True `percent` times in a hundred, and never for a choice of zero unless `percent` is 100.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) + percent.min(100) >= 100
    }
}

/// Makes a level and a solution of it. `choose(n)` must return a number below `n`.
///
/// ```
/// use sokocore::{PlantSpec, plant, replay};
///
/// let mut state = 7_u64;
/// let mut choose = |n: usize| {
///     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
///     usize::try_from(state >> 33).unwrap_or(0) % n
/// };
/// let (level, moves) = plant(&PlantSpec::default(), &mut choose).expect("these choices plant a level");
/// assert!(replay(&level, &moves).is_ok());
/// ```
///
/// Returns `None` if the choices give no level: no room for the boxes, no pull possible, or all boxes back on goals.
#[must_use]
pub fn plant(spec: &PlantSpec, choose: &mut dyn FnMut(usize) -> usize) -> Option<(Level, Lurd)> {
    let mut choices = ChoiceStream(choose);
    let mut grid = carve::hollow(spec, &mut choices);
    place_solved(spec, &mut choices, &mut grid)?;
    let level = Level::from_grid(grid).expect("invariant: carved floor is closed and connected");
    let n_pulls = choices.within(&spec.pulls);
    let mut game = BackwardGame::new(&level, spec.detours);
    for _ in 0..n_pulls {
        if !game.pull(&mut choices) {
            break;
        }
    }
    let (start, moves) = game.finish();
    if level.is_solved(&start.boxes) {
        return None;
    }
    let grid = carve::fill_dead_ends(&level, &start, &moves);
    let level = Level::from_grid(grid).expect("invariant: filled dead ends touch nothing that is used");
    let solution = replay(&level, &moves).expect("invariant: a game played backward is legal forward");
    Some((level, solution.into()))
}

/// Puts boxes on goals, spare goals and the player on the floor; `None` if there is no room.
fn place_solved(spec: &PlantSpec, choices: &mut ChoiceStream<'_>, grid: &mut Grid) -> Option<()> {
    let mut free: Vec<usize> = (0..grid.cells().len()).filter(|&cell| grid.cells()[cell] == Cell::Floor).collect();
    let n_boxes = choices.within(&spec.boxes).max(1);
    let n_spare = choices.within(&spec.spare_goals);
    let pieces = [(n_boxes, Cell::BoxOnGoal), (n_spare, Cell::Goal), (1, Cell::Player)];
    if free.len() < n_boxes + n_spare + 2 {
        return None;
    }
    for (count, piece) in pieces {
        for _ in 0..count {
            let cell = free.swap_remove(choices.below(free.len()));
            grid.set(cell / grid.width(), cell % grid.width(), piece);
        }
    }
    Some(())
}

/// A game played from its end to its start.
struct BackwardGame<'a> {
    level: &'a Level,
    detours: usize,
    reach: Reach,
    position: Position,
    /// The moves so far, the last one first.
    steps: Vec<Step>,
    last: Option<Push>,
}

impl<'a> BackwardGame<'a> {
    fn new(level: &'a Level, detours: usize) -> Self {
        let reach = Reach::new(level.board());
        Self { level, detours, reach, position: level.start().clone(), steps: Vec::new(), last: None }
    }

    /// Plays one pull, perhaps after a stroll; false if none is possible.
    fn pull(&mut self, choices: &mut ChoiceStream<'_>) -> bool {
        let board = self.level.board();
        let region = self.position.region(board, &mut self.reach);
        let pulls: Vec<Push> = region.pulls().collect();
        if pulls.is_empty() {
            return false;
        }
        if !self.steps.is_empty() && choices.chance(self.detours) {
            let stroll = region.squares()[choices.below(region.squares().len())];
            self.walk(stroll);
        }
        let further = self.last.and_then(|last| Some(Push { from: last.stand(board)?, dir: last.dir }));
        let same_line = further.filter(|further| pulls.contains(further) && choices.chance(60));
        let push = same_line.unwrap_or_else(|| pulls[choices.below(pulls.len())]);
        self.walk(push.from);
        self.position.pull(board, push);
        self.steps.push(Step::Push(push.dir));
        self.last = Some(push);
        true
    }

    /// Walks to a square of the player's region; in the forward game this is a walk from there.
    fn walk(&mut self, to: Square) {
        let board = self.level.board();
        let region = self.position.region(board, &mut self.reach);
        let mut forward = Vec::new();
        let mut sq = to;
        while let Some(distance) = region.distance(sq).filter(|&distance| distance > 0) {
            let nearer = |dir: &Direction| {
                let next = board.step(sq, *dir);
                next.is_some_and(|next| region.distance(next) == Some(distance - 1))
            };
            let dir = Direction::ALL
                .into_iter()
                .find(nearer)
                .expect("invariant: a flood reaches each square from a nearer one");
            forward.push(Step::Walk(dir));
            sq = board.step(sq, dir).expect("invariant: the nearer square is floor");
        }
        self.steps.extend(forward.into_iter().rev());
        self.position.player = to;
    }

    /// Returns the position reached, which is the forward game's start, and its moves.
    fn finish(self) -> (Position, Lurd) {
        (self.position, self.steps.into_iter().rev().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of choices from a fixed linear congruence.
    fn stream(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed;
        move |n| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % n
        }
    }

    #[test]
    fn most_streams_give_levels_that_their_solutions_solve() {
        let specs = [
            PlantSpec::default(),
            PlantSpec { carving: Carving::Rooms(2..=6), boxes: 1..=8, width: 6..=14, ..PlantSpec::default() },
        ];
        for spec in specs {
            let mut n_levels = 0;
            for seed in 0..200 {
                let Some((level, moves)) = plant(&spec, &mut stream(seed)) else { continue };
                n_levels += 1;
                let solution = replay(&level, &moves).unwrap();
                assert_eq!(solution.lurd(), &moves);
                assert!(!level.is_solved(&level.start().boxes));
                assert!(spec.boxes.contains(&level.n_boxes()));
                assert!(level.grid().width() <= *spec.width.end() && level.grid().height() <= *spec.height.end());
            }
            assert!(n_levels > 150, "{n_levels} of 200 {spec:?}");
        }
    }

    #[test]
    fn the_same_choices_give_the_same_level() {
        let make = || plant(&PlantSpec::default(), &mut stream(7));
        assert!(make().is_some());
        assert_eq!(make(), make());
    }

    #[test]
    fn a_spec_without_room_gives_nothing() {
        let spec = PlantSpec { width: 3..=3, height: 3..=4, ..PlantSpec::default() };
        assert_eq!(plant(&spec, &mut stream(1)), None);
    }
}
