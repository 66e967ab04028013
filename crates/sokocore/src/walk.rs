//! Shortest walks, and among them one with the fewest turns.
//!
//! A walk stands between two pushes whose directions are fixed, so the turn into its first step and the turn out
//! of its last one count, and choosing the best walk for each gap on its own gives the fewest player lines that
//! the order of the pushes allows.

use crate::{Board, Direction, Position, Reach, Square, SquareSet, Step};

/// Scratch space for shortest walks over one board.
///
/// A walk costs time linear in the squares that are nearer than its end.
///
/// ```
/// use sokocore::{Direction, Level, Lurd, Walker};
///
/// let level = Level::parse("#####\n#.###\n#$ @#\n#   #\n#####")?;
/// let board = level.board();
/// let below = board.square_at(3, 1).expect("the square is floor");
/// let mut steps = Vec::new();
/// assert!(Walker::new(board).walk(board, level.start(), below, None, Some(Direction::Up), &mut steps));
/// assert_eq!(Lurd::from(steps).to_string(), "dll");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker {
    reach: Reach,
    /// Squares of the shortest walks but for their beginning, those near the end first.
    on_way: Vec<Square>,
    is_on_way: SquareSet,
    /// Fewest turns of a shortest walk to a square on the way that ends with a step in a direction.
    turns: Vec<[u32; 4]>,
}

const NO_WALK: u32 = u32::MAX;

impl Walker {
    /// Makes scratch space for this board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self {
            reach: Reach::new(board),
            on_way: Vec::new(),
            is_on_way: board.no_squares(),
            turns: vec![[NO_WALK; 4]; board.n_squares()],
        }
    }

    /// Appends to `out` a shortest walk from the position's player to `to`. Among the shortest it takes one with
    /// the fewest turns, counting those after a move in direction `before` and before one in direction `after`.
    /// Returns false, appending nothing, if boxes and walls leave no way.
    ///
    /// # Panics
    /// When `board` has more squares than the board that the scratch space was made for.
    pub fn walk(
        &mut self,
        board: &Board,
        position: &Position,
        to: Square,
        before: Option<Direction>,
        after: Option<Direction>,
        out: &mut Vec<Step>,
    ) -> bool {
        let from = position.player;
        if from == to {
            return true;
        }
        self.reach.flood_until(board, &position.boxes, from, |sq| sq == to);
        if !self.reach.contains(to) {
            return false;
        }
        self.find_way(board, from, to);
        self.count_turns(board, from, before);
        let last = |dir: &Direction| {
            let turns = self.turns[to.idx()][dir.idx()];
            if turns == NO_WALK { NO_WALK } else { turns + u32::from(after.is_some_and(|after| after != *dir)) }
        };
        let mut dir = Direction::ALL.into_iter().min_by_key(last).expect("invariant: there are four directions");
        let start = out.len();
        let mut sq = to;
        loop {
            out.push(Step::Walk(dir));
            let came_from = board.step(sq, dir.opposite()).expect("invariant: walks follow the board");
            if came_from == from {
                break;
            }
            let want = self.turns[sq.idx()][dir.idx()];
            let goes_on = |prior: &Direction| self.after(came_from, *prior, dir) == want;
            dir = Direction::ALL.into_iter().find(goes_on).expect("invariant: every count has a source");
            sq = came_from;
        }
        out[start..].reverse();
        true
    }

    /// Collects the squares of all shortest walks to `to`, backward from there.
    fn find_way(&mut self, board: &Board, from: Square, to: Square) {
        self.on_way.clear();
        self.is_on_way.clear();
        self.on_way.push(to);
        let mut at = 0;
        while let Some(&sq) = self.on_way.get(at) {
            for dir in Direction::ALL {
                let source = self.source(board, sq, dir).filter(|&source| source != from);
                if let Some(source) = source.filter(|&source| self.is_on_way.insert(source)) {
                    self.on_way.push(source);
                }
            }
            at += 1;
        }
    }

    /// Fills `turns` for the squares on the way, those near the beginning first.
    fn count_turns(&mut self, board: &Board, from: Square, before: Option<Direction>) {
        for at in (0..self.on_way.len()).rev() {
            let sq = self.on_way[at];
            for dir in Direction::ALL {
                self.turns[sq.idx()][dir.idx()] = match self.source(board, sq, dir) {
                    None => NO_WALK,
                    Some(source) if source == from => u32::from(before.is_some_and(|before| before != dir)),
                    Some(source) => {
                        let best = Direction::ALL.into_iter().map(|prior| self.after(source, prior, dir)).min();
                        best.unwrap_or(NO_WALK)
                    }
                };
            }
        }
    }

    /// Returns the square from which a shortest walk reaches `sq` by a step in direction `dir`.
    fn source(&self, board: &Board, sq: Square, dir: Direction) -> Option<Square> {
        let distance = self.reach.distance(sq)?;
        let is_nearer = |source: &Square| self.reach.distance(*source).is_some_and(|near| near + 1 == distance);
        board.step(sq, dir.opposite()).filter(is_nearer)
    }

    /// Turns after going on in direction `dir` from a walk that reached `sq` in direction `prior`.
    fn after(&self, sq: Square, prior: Direction, dir: Direction) -> u32 {
        let turns = self.turns[sq.idx()][prior.idx()];
        if turns == NO_WALK { NO_WALK } else { turns + u32::from(prior != dir) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Metrics};

    /// Trap 16: among equal walks the one with the fewest turns, those at both ends included.
    #[test]
    fn trap_16_takes_the_straightest_of_the_shortest_walks() {
        let level = Level::parse("#####\n#.###\n#$ @#\n#   #\n#####").unwrap();
        let board = level.board();
        let mut walker = Walker::new(board);
        let below = board.square_at(3, 1).unwrap();
        let mut steps = Vec::new();
        assert!(walker.walk(board, level.start(), below, None, Some(Direction::Up), &mut steps));
        steps.push(Step::Push(Direction::Up));
        assert_eq!(Metrics::count(&steps).to_string(), "4/1/1/1/1/3");
        let mut after_left = Vec::new();
        assert!(walker.walk(board, level.start(), below, Some(Direction::Left), None, &mut after_left));
        assert_eq!(after_left[0], Step::Walk(Direction::Left));
    }

    #[test]
    fn says_when_there_is_no_way() {
        let level = Level::parse("######\n#@$ .#\n######").unwrap();
        let mut steps = Vec::new();
        let behind = level.board().square_at(1, 3).unwrap();
        assert!(!Walker::new(level.board()).walk(level.board(), level.start(), behind, None, None, &mut steps));
        assert!(steps.is_empty());
    }
}
