//! How far a step goes: a move, a push with the walk before it, or a box line.

use sokocore::{Metric, Metrics};

use super::move_history::MoveHistory;

/// How far a step goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stride {
    /// A move.
    #[default]
    Moves,
    /// A push, with the walk before it.
    Pushes,
    /// A box line, with the walks before and in it.
    BoxLines,
}

/// A way through the replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Back,
}

impl Stride {
    const fn metric(self) -> Metric {
        match self {
            Self::Moves => Metric::Moves,
            Self::Pushes => Metric::Pushes,
            Self::BoxLines => Metric::BoxLines,
        }
    }

    /// Returns what it is called.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
            Self::BoxLines => "box lines",
        }
    }

    /// Returns the number of moves after which the `n`-th of these steps is done.
    pub(super) fn end_of(self, n: u64, all: &[Metrics]) -> usize {
        let last = all.partition_point(|metrics| self.metric().of(metrics) <= n).saturating_sub(1);
        if self == Self::Moves {
            return last;
        }
        // Without the walk after it.
        all.partition_point(|metrics| metrics.pushes < all[last].pushes)
    }

    /// Returns where a step from this point leads.
    pub(super) fn step(self, way: Way, playback: &MoveHistory<'_>) -> usize {
        let (at, all) = (playback.at(), playback.all_metrics());
        let n = self.metric().of(&playback.metrics());
        match way {
            Way::Forward => {
                let ends = [n, n + 1].map(|n| self.end_of(n, all));
                ends.into_iter().find(|&end| end > at).unwrap_or(playback.n_moves())
            }
            Way::Back => {
                let ends = [Some(n), n.checked_sub(1)].map(|n| n.map_or(0, |n| self.end_of(n, all)));
                ends.into_iter().find(|&end| end < at).unwrap_or(0)
            }
        }
    }
}
