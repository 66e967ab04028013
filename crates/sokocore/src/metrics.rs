//! The six metrics of a solution, counted in one pass over its moves.
//!
//! No board is needed: the player's path gives the squares that every pushed box leaves and enters, and a push is of
//! the same box as the push before exactly if that box stands where the push before left it.

use std::fmt;

use crate::{Direction, Metric, Step};

/// The six numbers by which solutions are compared, in the order in which they are always written.
///
/// There is no order among metrics: an [`Objective`](crate::Objective) says what is better. There are six of them by
/// definition, so the fields are complete.
///
/// ```
/// use sokocore::{Lurd, Metrics};
///
/// let moves: Lurd = "drruurDullDrdL".parse()?;
/// let metrics = Metrics::count(moves.steps());
/// assert_eq!((metrics.moves, metrics.pushes, metrics.box_lines), (14, 3, 3));
/// assert_eq!((metrics.box_changes, metrics.pushing_sessions, metrics.player_lines), (2, 3, 11));
/// assert_eq!(metrics.to_string(), "14/3/3/2/3/11");
/// # Ok::<(), sokocore::ParseLurdError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Metrics {
    /// Moves of the player, pushes among them.
    pub moves: u64,
    /// Pushes.
    pub pushes: u64,
    /// Box lines: runs of pushes of one box in one direction. See [`BoxLineRule`].
    pub box_lines: u64,
    /// Box changes: pushes of another box than the push before; the first push counts.
    pub box_changes: u64,
    /// Pushing sessions: runs of pushes without a walk between them.
    pub pushing_sessions: u64,
    /// Player lines: runs of moves in one direction.
    pub player_lines: u64,
}

/// When a new box line starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BoxLineRule {
    /// When the box or the direction differs from the push before, whether or not a walk came between: the count
    /// of YASO and its host programs, and ours.
    #[default]
    BoxOrDirection,
    /// At every run of equal capital letters, so that a walk between ends a line: `JSoko`'s count.
    LetterRuns,
}

impl Metrics {
    /// Counts all six, box lines by the default rule.
    #[must_use]
    pub fn count(steps: &[Step]) -> Self {
        Self::count_by(BoxLineRule::default(), steps)
    }

    /// Returns whether this is as good as another in every metric: as small or smaller.
    ///
    /// ```
    /// use sokocore::Metrics;
    ///
    /// let few_moves = Metrics { moves: 10, pushes: 5, ..Metrics::default() };
    /// let few_pushes = Metrics { moves: 12, pushes: 4, ..Metrics::default() };
    /// assert!(few_moves.dominates(&few_moves));
    /// assert!(!few_moves.dominates(&few_pushes) && !few_pushes.dominates(&few_moves));
    /// ```
    #[must_use]
    pub fn dominates(&self, other: &Self) -> bool {
        Metric::ALL.iter().all(|metric| metric.of(self) <= metric.of(other))
    }

    /// Counts all six, box lines by the given rule.
    #[must_use]
    pub fn count_by(rule: BoxLineRule, steps: &[Step]) -> Self {
        let mut counter = MetricsCounter { rule, ..MetricsCounter::default() };
        steps.iter().for_each(|&step| counter.step(step));
        counter.metrics
    }
}

impl fmt::Display for Metrics {
    /// Writes `moves/pushes/box lines/box changes/pushing sessions/player lines`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, pushes, box_lines, box_changes, pushing_sessions, player_lines } = self;
        write!(f, "{moves}/{pushes}/{box_lines}/{box_changes}/{pushing_sessions}/{player_lines}")
    }
}

/// Counts the metrics of a path step by step.
///
/// ```
/// use sokocore::{Lurd, Metrics, MetricsCounter};
///
/// let moves: Lurd = "dRdrUluR".parse()?;
/// let mut counter = MetricsCounter::default();
/// for step in &moves {
///     counter.step(step);
/// }
/// assert_eq!(counter.metrics(), Metrics::count(moves.steps()));
/// # Ok::<(), sokocore::ParseLurdError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MetricsCounter {
    rule: BoxLineRule,
    metrics: Metrics,
    player: (isize, isize),
    last_step: Option<Step>,
    /// Direction of the last push and place where it left its box.
    last_push: Option<(Direction, (isize, isize))>,
}

impl MetricsCounter {
    /// Returns the metrics of the steps so far.
    #[must_use]
    pub const fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Counts one more step.
    pub fn step(&mut self, step: Step) {
        let dir = step.dir();
        let ahead = |(row, column): (isize, isize)| (row + dir.offset().0, column + dir.offset().1);
        self.player = ahead(self.player);
        self.metrics.moves += 1;
        self.metrics.player_lines += u64::from(self.last_step.map(Step::dir) != Some(dir));
        if step.is_push() {
            let walked = !self.last_step.is_some_and(Step::is_push);
            let same_box = self.last_push.is_some_and(|(_, place)| place == self.player);
            let same_line = same_box && self.last_push.is_some_and(|(last, _)| last == dir);
            let continues_line = same_line && !(walked && self.rule == BoxLineRule::LetterRuns);
            self.metrics.pushes += 1;
            self.metrics.box_lines += u64::from(!continues_line);
            self.metrics.box_changes += u64::from(!same_box);
            self.metrics.pushing_sessions += u64::from(walked);
            self.last_push = Some((dir, ahead(self.player)));
        }
        self.last_step = Some(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lurd;

    fn check(lurd: &str, expect: &str) {
        let lurd: Lurd = lurd.parse().unwrap();
        assert_eq!(Metrics::count(lurd.steps()).to_string(), expect);
        let mut counter = MetricsCounter::default();
        lurd.iter().for_each(|step| counter.step(step));
        assert_eq!(counter.metrics().to_string(), expect);
    }

    #[test]
    fn counts_the_known_solutions() {
        check("dRdrUluR", "8/3/3/1/3/8");
        check("rrddlUluRR", "10/3/2/1/2/7");
        check("drruurDullDrdL", "14/3/3/2/3/11");
        check("UdlluRRU", "8/4/3/3/2/6");
        check("UUddlluRR", "9/4/2/2/2/5");
        check("", "0/0/0/0/0/0");
    }

    #[test]
    fn one_that_is_larger_in_any_metric_dominates_nothing() {
        let one = Metrics { moves: 10, pushes: 5, box_lines: 4, box_changes: 3, pushing_sessions: 2, player_lines: 7 };
        assert!(one.dominates(&one));
        assert!(Metrics { moves: 9, ..one }.dominates(&one) && !one.dominates(&Metrics { moves: 9, ..one }));
        let mixed = Metrics { player_lines: 6, moves: 11, ..one };
        assert!(!one.dominates(&mixed) && !mixed.dominates(&one));
    }

    /// Trap 21: a step back does not end a box line by the default rule, and does by JSoko's.
    #[test]
    fn trap_21_box_line_rules_differ() {
        let lurd: Lurd = "RlrR".parse().unwrap();
        assert_eq!(Metrics::count(lurd.steps()).box_lines, 1);
        assert_eq!(Metrics::count_by(BoxLineRule::LetterRuns, lurd.steps()).box_lines, 2);
    }

    /// Trap 16: turns at both ends of a walk count.
    #[test]
    fn trap_16_player_lines_count_the_turns_at_both_ends() {
        check("dllU", "4/1/1/1/1/3");
        check("ldlU", "4/1/1/1/1/4");
    }

    /// Trap 18: counters do not end at 65,535.
    #[test]
    fn trap_18_counters_are_wide() {
        let steps: Lurd = "lr".repeat(35_000).parse().unwrap();
        assert_eq!(Metrics::count(steps.steps()).moves, 70_000);
        assert_eq!(Metrics::count(steps.steps()).player_lines, 70_000);
    }
}
