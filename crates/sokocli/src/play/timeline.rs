//! Two solutions kept in step: which point of one is shown beside which point of the other.
//!
//! ```text
//!   by pushes     left   l  r  R     u  L  d  R        a walk waits where the other one walks longer,
//!                 right  r  R  .     L  .  .  R        a push never comes before the other's walk to the same push
//! ```
//!
//! Invariant: both numbers of moves never decrease, the first moment is both starts, the last one both ends. While
//! neither has ended, what is kept in step differs by one at most.

use super::move_history::MoveHistory;

/// What is kept in step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum InStep {
    /// The number of pushes.
    #[default]
    Pushes,
    /// The number of boxes that have had their last push.
    Placed,
    /// The number of moves.
    Moves,
}

impl InStep {
    /// Returns the next one in turn.
    pub(super) const fn next(self) -> Self {
        match self {
            Self::Pushes => Self::Placed,
            Self::Placed => Self::Moves,
            Self::Moves => Self::Pushes,
        }
    }

    /// Returns what it is called.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Pushes => "pushes",
            Self::Placed => "boxes placed",
            Self::Moves => "moves",
        }
    }

    fn measure(self, playback: &MoveHistory<'_>) -> Vec<u64> {
        let metrics = playback.all_metrics().iter();
        match self {
            Self::Pushes => metrics.map(|metrics| metrics.pushes).collect(),
            Self::Placed => playback.n_placed(),
            Self::Moves => metrics.map(|metrics| metrics.moves).collect(),
        }
    }
}

/// For each moment the number of moves that each of one or two playbacks has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Timeline(Vec<[usize; 2]>);

impl Timeline {
    /// One playback alone.
    pub(super) fn alone(playback: &MoveHistory<'_>) -> Self {
        Self((0..=playback.n_moves()).map(|at| [at, 0]).collect())
    }

    /// Two playbacks beside each other.
    pub(super) fn beside(left: &MoveHistory<'_>, right: &MoveHistory<'_>, in_step: InStep) -> Self {
        let measures = [in_step.measure(left), in_step.measure(right)];
        let mut at = [0, 0];
        let mut moments = vec![at];
        loop {
            let has_ended = [0, 1].map(|side| at[side] + 1 == measures[side].len());
            let done = [0, 1].map(|side| measures[side][at[side]]);
            let moves = |side: usize| !has_ended[side] && (has_ended[1 - side] || done[side] <= done[1 - side]);
            let steps = [0, 1].map(|side| usize::from(moves(side)));
            if steps == [0, 0] {
                return Self(moments);
            }
            at = [at[0] + steps[0], at[1] + steps[1]];
            moments.push(at);
        }
    }

    /// Returns the last moment.
    pub(super) const fn end(&self) -> usize {
        self.0.len() - 1
    }

    /// Returns the numbers of moves at a moment.
    pub(super) fn moves_at(&self, moment: usize) -> [usize; 2] {
        self.0[moment.min(self.end())]
    }

    /// Returns the first moment at which a side has made so many moves, or the last one.
    pub(super) fn moment_of(&self, side: usize, n_moves: usize) -> usize {
        self.0.partition_point(|at| at[side] < n_moves).min(self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sokocore::{Level, Lurd, PlantSpec, moves_of, planted, pushes_of};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_arrive_in_step((level, moves) in planted(PlantSpec::default())) {
            // The same pushes with shortest walks.
            let short = moves_of(&level, &pushes_of(&level, &moves)).unwrap();
            let sides = [MoveHistory::of(&level, &moves), MoveHistory::of(&level, &short)];
            for in_step in [InStep::Pushes, InStep::Placed, InStep::Moves] {
                let timeline = Timeline::beside(&sides[0], &sides[1], in_step);
                prop_assert_eq!(timeline.moves_at(timeline.end()), [moves.len(), short.len()]);
                let measures = [in_step.measure(&sides[0]), in_step.measure(&sides[1])];
                for moment in 0..=timeline.end() {
                    let at = timeline.moves_at(moment);
                    let done = [measures[0][at[0]], measures[1][at[1]]];
                    let has_ended = at[0] == moves.len() || at[1] == short.len();
                    prop_assert!(has_ended || done[0].abs_diff(done[1]) <= level.n_boxes() as u64);
                    prop_assert!(in_step == InStep::Placed || has_ended || done[0].abs_diff(done[1]) <= 1);
                    let later = timeline.moves_at((moment + 1).min(timeline.end()));
                    prop_assert!((0..2).all(|side| at[side] <= later[side] && later[side] <= at[side] + 1));
                }
            }
        }
    }

    #[test]
    fn a_push_waits_for_the_walk_of_the_other() {
        let level: Level = "#######\n#     #\n#@$ . #\n#######".parse().unwrap();
        let of = |moves: &str| MoveHistory::of(&level, &moves.parse::<Lurd>().unwrap());
        let timeline = Timeline::beside(&of("RR"), &of("udRR"), InStep::Pushes);
        let moments: Vec<_> = (0..=timeline.end()).map(|moment| timeline.moves_at(moment)).collect();
        assert_eq!(moments, [[0, 0], [1, 1], [1, 2], [1, 3], [2, 4]]);
        assert_eq!((timeline.moment_of(0, 1), timeline.moment_of(1, 2), timeline.moment_of(0, 9)), (1, 2, 4));
        assert_eq!(Timeline::alone(&of("RR")).end(), 2);
    }
}
