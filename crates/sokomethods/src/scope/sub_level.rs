//! A part of a game as a level of its own.
//!
//! The level starts in the state before the part. Its goals are those of the whole level, or, for an exact end, the
//! squares of the boxes after the part; the pool then keeps the player's final square. Boxes that the part does not
//! push can become walls.
//!
//! A level is solved as soon as its boxes are on goals. A part that reaches its final boxes early, with the player
//! elsewhere, cannot be a level and has to be cut there (traps 6 and 7).

use std::ops::Range;

use sokocore::{Cell, Grid, Level, Lurd, ParseLevelError, ReplayError, Solution, Step, replay};
use thiserror::Error;

/// The treatment of boxes that a part does not push.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnpushedBoxes {
    /// They may be pushed, and pushed back.
    #[default]
    Free,
    /// They are walls.
    Frozen,
}

/// The states that a part may end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Any solved position.
    Solved,
    /// The state that it ends in now: the boxes, and the player after the last push.
    Exact,
}

/// Why a part of a game cannot be a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CutError {
    /// The game does not have these pushes, or there are none.
    #[error("the game has no such pushes")]
    NoPushes,
    /// The final boxes are reached before the end, with the player elsewhere.
    #[error("the last boxes stand there after push {after} already, with the player elsewhere")]
    PassesEnd {
        /// Number of the push.
        after: usize,
    },
    /// The part is no level.
    #[error("the part is no level")]
    Level(#[from] ParseLevelError),
    /// The moves cannot be made.
    #[error("the moves cannot be replayed")]
    Replay(#[from] ReplayError),
}

/// A part of a game, as a level with a solution.
///
/// ```
/// use sokocore::{Level, Lurd};
/// use sokomethods::{Finish, SubLevel, UnpushedBoxes};
///
/// let level = Level::parse("########\n# @$  .#\n########")?;
/// let moves: Lurd = "RlrRR".parse()?;
/// let part = SubLevel::cut(&level, &moves, 1..3, Finish::Solved, UnpushedBoxes::Free)?;
/// assert_eq!(part.start().lurd().to_string(), "lrRR");
/// assert_eq!(part.spliced(&"RR".parse()?).to_string(), "RRR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubLevel {
    level: Level,
    start: Solution,
    prefix: Vec<Step>,
    suffix: Vec<Step>,
}

impl SubLevel {
    /// Cuts out the part from after push `pushes.start` to after push `pushes.end`. The moves must be legal.
    ///
    /// # Errors
    /// See [`CutError`].
    pub fn cut(
        level: &Level,
        moves: &Lurd,
        pushes: Range<usize>,
        finish: Finish,
        unpushed: UnpushedBoxes,
    ) -> Result<Self, CutError> {
        let mut game = GridGame::start(level);
        let split = |n_pushes: usize| match n_pushes {
            0 => Some(0),
            n => moves.steps().iter().enumerate().filter(|(_, step)| step.is_push()).nth(n - 1).map(|(at, _)| at + 1),
        };
        let (first, last) = split(pushes.start).zip(split(pushes.end)).ok_or(CutError::NoPushes)?;
        if first >= last || pushes.is_empty() {
            return Err(CutError::NoPushes);
        }
        let (prefix, rest) = moves.steps().split_at(first);
        let (part, suffix) = rest.split_at(last - first);
        game.play(prefix);
        let before = game.clone();
        game.forget_pushes();
        game.play(part);
        let sub = Level::from_grid(before.picture(&game, finish, unpushed))?;
        let start = replay(&sub, &part.iter().copied().collect())?;
        if finish == Finish::Exact {
            let mut end = before;
            end.play(start.lurd().steps());
            if end.player != game.player {
                let n = usize::try_from(start.metrics().pushes).expect("invariant: a solution fits into memory");
                return Err(CutError::PassesEnd { after: pushes.start.saturating_add(n) });
            }
        }
        Ok(Self { level: sub, start, prefix: prefix.to_vec(), suffix: suffix.to_vec() })
    }

    /// Returns the part as a level.
    #[must_use]
    pub const fn level(&self) -> &Level {
        &self.level
    }

    /// Returns the moves of the part, as a solution of that level.
    #[must_use]
    pub const fn start(&self) -> &Solution {
        &self.start
    }

    /// Returns the whole game with other moves in the part.
    #[must_use]
    pub fn spliced(&self, part: &Lurd) -> Lurd {
        [&self.prefix[..], part.steps(), &self.suffix].into_iter().flatten().copied().collect()
    }
}

/// A game on the cells of a grid.
#[derive(Clone)]
struct GridGame {
    width: usize,
    walls: Vec<bool>,
    goals: Vec<bool>,
    /// The origin of each box, by the cell that it is on.
    boxes: Vec<Option<usize>>,
    /// Whether the box of an origin was pushed.
    pushed: Vec<bool>,
    player: usize,
}

impl GridGame {
    fn start(level: &Level) -> Self {
        let grid = level.play_grid();
        let cells = grid.cells();
        let player = cells.iter().position(|cell| cell.is_player()).expect("invariant: a level has a player");
        Self {
            width: grid.width(),
            walls: cells.iter().map(|&cell| cell == Cell::Wall).collect(),
            goals: cells.iter().map(|cell| cell.is_goal()).collect(),
            pushed: vec![false; cells.len()],
            boxes: cells.iter().enumerate().map(|(at, cell)| cell.is_box().then_some(at)).collect(),
            player,
        }
    }

    fn play(&mut self, steps: &[Step]) {
        for step in steps {
            let (down, right) = step.dir().offset();
            let stride = isize::try_from(self.width).expect("invariant: a grid fits into memory");
            let ahead = |cell: usize| cell.saturating_add_signed(down * stride + right);
            let next = ahead(self.player);
            if let Some(origin) = self.boxes[next] {
                let to = ahead(next);
                self.pushed[origin] = true;
                self.boxes[to] = self.boxes[next].take();
            }
            self.player = next;
        }
    }

    /// Makes the present cells of the boxes their origins.
    fn forget_pushes(&mut self) {
        self.pushed.fill(false);
        for (at, origin) in self.boxes.iter_mut().enumerate() {
            *origin = origin.map(|_| at);
        }
    }

    /// Draws the level from here to `end`, a later moment of the same game.
    fn picture(&self, end: &Self, finish: Finish, unpushed: UnpushedBoxes) -> Grid {
        let mut grid = Grid::filled(self.width, self.walls.len() / self.width, Cell::Wall);
        for at in (0..self.walls.len()).filter(|&at| !self.walls[at]) {
            let is_goal = match finish {
                Finish::Solved => self.goals[at],
                Finish::Exact => end.boxes[at].is_some(),
            };
            let is_unpushed = self.boxes[at].is_some() && !end.pushed[at];
            let cell = match (self.boxes[at].is_some(), self.player == at, is_goal) {
                _ if is_unpushed && unpushed == UnpushedBoxes::Frozen => Cell::Wall,
                (true, _, true) => Cell::BoxOnGoal,
                (true, _, false) => Cell::Box,
                (_, true, true) => Cell::PlayerOnGoal,
                (_, true, false) => Cell::Player,
                (_, _, true) => Cell::Goal,
                (_, _, false) => Cell::Floor,
            };
            grid.set(at / self.width, at % self.width, cell);
        }
        grid
    }
}
