//! Moves played on their level up to some point, forward and back.
//!
//! ```text
//!   moves    r  R  R  d  l  ...
//!   metrics 0  1  2  3  4  5        after so many moves
//!               at = 2 ▲            boxes and player are those of this point
//! ```
//!
//! Invariant: `metrics` has one entry more than `moves`, and `boxes`, `box_at` and `player` are what `at` moves from the
//! start lead to. A step costs the same everywhere, and a jump what lies between.

use sokocore::{Direction, Level, Lurd, Metrics, MetricsCounter, Square, Step};

/// What is in the way of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// A wall.
    Wall,
    /// A box that cannot be pushed.
    BlockedBox,
}

/// One move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HistoryMove {
    dir: Direction,
    /// The box that it pushes, by its number in the order of the start.
    pushed: Option<usize>,
}

/// A game at some point.
#[derive(Clone, Debug)]
pub(super) struct MoveHistory<'a> {
    level: &'a Level,
    moves: Vec<HistoryMove>,
    metrics: Vec<Metrics>,
    /// For each box its squares, each with the number of moves that bring it there.
    paths: Vec<Vec<(usize, Square)>>,
    /// Has counted all moves.
    counter: MetricsCounter,
    at: usize,
    player: Square,
    /// The square of each box.
    boxes: Vec<Square>,
    /// The box on each square.
    box_at: Vec<Option<usize>>,
    n_on_goals: usize,
}

impl<'a> MoveHistory<'a> {
    /// The start of a level, without moves.
    pub(super) fn start(level: &'a Level) -> Self {
        let boxes: Vec<Square> = level.start().boxes.iter().collect();
        let mut box_at = vec![None; level.board().n_squares()];
        boxes.iter().enumerate().for_each(|(idx, sq)| box_at[sq.idx()] = Some(idx));
        Self {
            level,
            moves: Vec::new(),
            metrics: vec![Metrics::default()],
            paths: boxes.iter().map(|&sq| vec![(0, sq)]).collect(),
            counter: MetricsCounter::default(),
            at: 0,
            player: level.start().player,
            n_on_goals: boxes.iter().filter(|&&sq| level.board().goals().contains(sq)).count(),
            boxes,
            box_at,
        }
    }

    /// All of these moves, at their start. They end before one that is impossible: replay them before.
    pub(super) fn of(level: &'a Level, moves: &Lurd) -> Self {
        let mut playback = Self::start(level);
        let _ = moves.iter().try_for_each(|step| playback.play(step.dir()));
        playback.seek(0);
        playback
    }

    /// Makes a move at this point. Those that were taken back before are forgotten, unless it is the first of them.
    pub(super) fn play(&mut self, dir: Direction) -> Result<(), Obstacle> {
        let board = self.level.board();
        let next = board.step(self.player, dir).ok_or(Obstacle::Wall)?;
        let pushed = self.box_at[next.idx()];
        if pushed.is_some() && board.step(next, dir).is_none_or(|to| self.box_at[to.idx()].is_some()) {
            return Err(Obstacle::BlockedBox);
        }
        if self.moves.get(self.at).is_none_or(|redo| redo.dir != dir) {
            self.forget_rest();
            self.counter.step(if pushed.is_some() { Step::Push(dir) } else { Step::Walk(dir) });
            self.moves.push(HistoryMove { dir, pushed });
            self.metrics.push(self.counter.metrics());
            if let (Some(idx), Some(to)) = (pushed, board.step(next, dir)) {
                self.paths[idx].push((self.moves.len(), to));
            }
        }
        self.forward();
        Ok(())
    }

    /// Takes out the moves after this point.
    fn forget_rest(&mut self) {
        if self.at == self.moves.len() {
            return;
        }
        self.moves.truncate(self.at);
        self.metrics.truncate(self.at + 1);
        for path in &mut self.paths {
            path.truncate(path.partition_point(|(at, _)| *at <= self.at));
        }
        self.counter = MetricsCounter::default();
        self.moves().iter().for_each(|step| self.counter.step(step));
    }

    /// Goes to the point after so many moves, or to the last one.
    pub(super) fn seek(&mut self, at: usize) {
        let at = at.min(self.moves.len());
        while self.at < at {
            self.forward();
        }
        while self.at > at {
            self.back();
        }
    }

    fn forward(&mut self) {
        let HistoryMove { dir, pushed } = self.moves[self.at];
        self.player = self.beside(self.player, dir);
        if let Some(idx) = pushed {
            self.move_box(idx, self.beside(self.player, dir));
        }
        self.at += 1;
    }

    fn back(&mut self) {
        self.at -= 1;
        let HistoryMove { dir, pushed } = self.moves[self.at];
        if let Some(idx) = pushed {
            self.move_box(idx, self.player);
        }
        self.player = self.beside(self.player, dir.opposite());
    }

    fn beside(&self, sq: Square, dir: Direction) -> Square {
        self.level.board().step(sq, dir).expect("invariant: the move was possible")
    }

    fn move_box(&mut self, idx: usize, to: Square) {
        let from = std::mem::replace(&mut self.boxes[idx], to);
        let goals = self.level.board().goals();
        self.n_on_goals = self.n_on_goals + usize::from(goals.contains(to)) - usize::from(goals.contains(from));
        self.box_at[from.idx()] = None;
        self.box_at[to.idx()] = Some(idx);
    }

    /// Returns the level.
    pub(super) const fn level(&self) -> &'a Level {
        self.level
    }

    /// Returns the number of moves before this point.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Returns the number of moves.
    pub(super) const fn n_moves(&self) -> usize {
        self.moves.len()
    }

    /// Returns all moves.
    pub(super) fn moves(&self) -> Lurd {
        let step = |played: &HistoryMove| match played.pushed {
            Some(_) => Step::Push(played.dir),
            None => Step::Walk(played.dir),
        };
        self.moves.iter().map(step).collect()
    }

    /// Returns the moves up to this point.
    pub(super) fn moves_so_far(&self) -> Lurd {
        self.moves().iter().take(self.at).collect()
    }

    /// Returns the metrics up to this point.
    pub(super) fn metrics(&self) -> Metrics {
        self.metrics[self.at]
    }

    /// Returns the metrics after each number of moves.
    pub(super) fn all_metrics(&self) -> &[Metrics] {
        &self.metrics
    }

    /// Returns the metrics of all moves.
    pub(super) fn total(&self) -> Metrics {
        self.metrics[self.moves.len()]
    }

    /// Returns where the player stands.
    pub(super) const fn player(&self) -> Square {
        self.player
    }

    /// Returns the box on a square, by its number in the order of the start.
    pub(super) fn box_at(&self, sq: Square) -> Option<usize> {
        self.box_at[sq.idx()]
    }

    /// Returns the square of each box.
    pub(super) fn boxes(&self) -> &[Square] {
        &self.boxes
    }

    /// Returns the squares of a box from first to last, each with the number of moves that bring it there.
    pub(super) fn path(&self, idx: usize) -> &[(usize, Square)] {
        &self.paths[idx]
    }

    /// Returns the box that was pushed last, or before the first push the one that is pushed first.
    pub(super) fn pushed_box(&self) -> Option<usize> {
        let before = self.moves[..self.at].iter().rev().find_map(|played| played.pushed);
        before.or_else(|| self.moves[self.at..].iter().find_map(|played| played.pushed))
    }

    /// Returns how many boxes stand on goals.
    pub(super) const fn n_on_goals(&self) -> usize {
        self.n_on_goals
    }

    /// Returns whether the level is solved at this point. One that is solved at the start needs a push.
    pub(super) fn is_solved(&self) -> bool {
        self.n_on_goals == self.boxes.len() && self.metrics().pushes > 0
    }

    /// Returns after each number of moves how many boxes have had their last push, those that are never pushed included.
    pub(super) fn n_placed(&self) -> Vec<u64> {
        let mut n_placed = vec![0; self.metrics.len()];
        for path in &self.paths {
            n_placed[path.last().map_or(0, |(at, _)| *at)] += 1;
        }
        let mut sum = 0;
        for n in &mut n_placed {
            sum += *n;
            *n = sum;
        }
        n_placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sokocore::{PlantSpec, planted, replay_snapshot};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_point_is_what_its_moves_lead_to(((level, moves), jumps) in (planted(PlantSpec::default()), prop::collection::vec(0_usize..200, 1..8))) {
            let mut playback = MoveHistory::of(&level, &moves);
            prop_assert_eq!(playback.total(), Metrics::count(moves.steps()));
            for jump in jumps {
                playback.seek(jump);
                let so_far = playback.moves_so_far();
                prop_assert_eq!(so_far.len(), jump.min(moves.len()));
                prop_assert_eq!(playback.metrics(), replay_snapshot(&level, &so_far).unwrap().metrics());
                let mut fresh = MoveHistory::of(&level, &so_far);
                fresh.seek(so_far.len());
                prop_assert_eq!((playback.player(), playback.boxes()), (fresh.player(), fresh.boxes()));
                prop_assert_eq!(playback.n_on_goals(), fresh.boxes().iter().filter(|sq| level.board().goals().contains(**sq)).count());
            }
            playback.seek(usize::MAX);
            prop_assert!(playback.is_solved());
            prop_assert_eq!(playback.n_placed().last().copied(), Some(level.n_boxes() as u64));
        }
    }

    #[test]
    fn moves_that_were_taken_back_are_forgotten_by_another_move() {
        let level: Level = "#######\n#     #\n#@$  .#\n#     #\n#######".parse().unwrap();
        let mut playback = MoveHistory::start(&level);
        for dir in [Direction::Right, Direction::Right] {
            playback.play(dir).unwrap();
        }
        playback.seek(1);
        playback.play(Direction::Right).unwrap();
        assert_eq!((playback.at(), playback.n_moves()), (2, 2));
        playback.seek(1);
        playback.play(Direction::Up).unwrap();
        assert_eq!((playback.moves().to_string().as_str(), playback.path(0).len()), ("Ru", 2));
        assert_eq!(playback.metrics().to_string(), "2/1/1/1/1/2");
        assert_eq!(playback.play(Direction::Up), Err(Obstacle::Wall));
        assert_eq!(playback.pushed_box(), Some(0));
    }

    #[test]
    fn a_box_before_a_wall_or_a_box_is_blocked() {
        let level: Level = "########\n#.@$$ .#\n########".parse().unwrap();
        let mut playback = MoveHistory::start(&level);
        assert_eq!(playback.play(Direction::Right), Err(Obstacle::BlockedBox));
        assert_eq!((playback.n_moves(), playback.at()), (0, 0));
    }
}
