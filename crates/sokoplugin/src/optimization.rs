//! What a host wants to be optimized, as bits: one primary metric, and one secondary metric or none.
//!
//! ```text
//!   bit        0         1      2      3          4            5                  6
//!   primary    solution  moves  pushes box lines  box changes  pushing sessions   player lines
//!   bit                  7      8      9          10           11                 12
//!   secondary            moves  pushes box lines  box changes  pushing sessions   player lines
//! ```
//!
//! Interfaces before player lines were known had the secondary metrics from bit 6 on. Flags are read that way only if
//! they say nothing sensible today, since most of the old values have a meaning now: pushes and then moves were 68.

use sokocore::{Metric, Objective, Walks};

/// The bit of a game that solves its level.
pub(crate) const SOLUTION: u32 = 1;
/// The bit of a solution that is known to have the fewest moves.
pub(crate) const MOVE_OPTIMAL: u32 = 2;
/// The bit of a solution that is known to have the fewest pushes.
pub(crate) const PUSH_OPTIMAL: u32 = 4;

/// The first bit of a group, and the number of metrics in it.
#[derive(Clone, Copy, Debug)]
struct BitGroup {
    first: usize,
    n_metrics: usize,
}

/// The places of the two groups in one version of the interface.
#[derive(Clone, Copy, Debug)]
struct FlagLayout {
    primary: BitGroup,
    secondary: BitGroup,
}

const CURRENT: FlagLayout =
    FlagLayout { primary: BitGroup { first: 1, n_metrics: 6 }, secondary: BitGroup { first: 7, n_metrics: 6 } };
const OLD: FlagLayout =
    FlagLayout { primary: BitGroup { first: 1, n_metrics: 5 }, secondary: BitGroup { first: 6, n_metrics: 5 } };

/// What `GetSupportedOptimizations` returns: all primary and secondary bits, and from bit 16 on the metrics that may stand
/// alone.
pub(crate) const ALL_PACKED: u32 = CURRENT.bits() | 0x3F << 16;

/// An objective, and the flags by which the host knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Optimization {
    pub(crate) objective: Objective,
    pub(crate) flags: u32,
}

impl BitGroup {
    const fn bits(self) -> u32 {
        ((1 << self.n_metrics) - 1) << self.first
    }

    /// The metrics whose bits are set.
    fn metrics(self, flags: u32) -> Vec<Metric> {
        let is_set = |place: &usize| flags & 1 << (self.first + place) != 0;
        (0..self.n_metrics).filter(is_set).map(|place| Metric::ALL[place]).collect()
    }
}

impl FlagLayout {
    const fn bits(self) -> u32 {
        self.primary.bits() | self.secondary.bits()
    }

    fn read(self, flags: u32) -> Option<Objective> {
        if flags & !self.bits() != 0 {
            return None;
        }
        match (&self.primary.metrics(flags)[..], &self.secondary.metrics(flags)[..]) {
            ([Metric::Pushes], []) => Some(Objective::PUSHES_ONLY),
            ([first], []) => Some(Objective::starting_with(&[*first])),
            ([first], [second]) if first != second => Some(Objective::starting_with(&[*first, *second])),
            _ => None,
        }
    }
}

impl Optimization {
    /// Reads the flags of a host. Bits that no version of the interface has are left out. `None` if they name no
    /// objective.
    pub(crate) fn of_flags(flags: u32) -> Option<Self> {
        let flags = flags & CURRENT.bits();
        let objective = CURRENT.read(flags).or_else(|| OLD.read(flags))?;
        Some(Self { objective, flags })
    }

    /// Returns the flags of an objective of the settings, which has no metric beside the six.
    pub(crate) fn of_objective(objective: Objective) -> Self {
        let bit = |group: BitGroup, metric: Metric| {
            let place = Metric::ALL.iter().position(|&of_all| of_all == metric);
            place.map_or(0, |place| 1 << (group.first + place))
        };
        let [first, second, ..] = *objective.order();
        let secondary = if objective.walks() == Walks::Ignored { 0 } else { bit(CURRENT.secondary, second) };
        Self { objective, flags: bit(CURRENT.primary, first) | secondary }
    }

    /// Returns what a host should know of the flags that it has set: bits that are left out, or that name no objective, so
    /// that `self` is done instead.
    pub(crate) fn remark(self, asked: u32) -> Option<String> {
        let asked = asked & !SOLUTION;
        let unknown = asked & !CURRENT.bits();
        if asked != unknown && Self::of_flags(asked).is_none() {
            Some(format!("flags {asked:#x} name no optimization known here, {} is done", self.objective))
        } else {
            (unknown != 0).then(|| format!("unknown flags {unknown:#x} are left out"))
        }
    }

    /// Returns whether flags name an objective and nothing else.
    pub(crate) fn is_supported(flags: u32) -> bool {
        flags & !CURRENT.bits() == 0 && Self::of_flags(flags).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(flags: u32) -> Option<String> {
        Optimization::of_flags(flags).map(|wanted| wanted.objective.to_string())
    }

    #[test]
    fn current_flags_name_objectives() {
        let names = [258, 132, 4, 136, 264, 2, 64, 2 | 4096, 64 | 128].map(|flags| name(flags).unwrap());
        let expect = [
            "moves",
            "pushes",
            "pushes-only",
            "boxlines",
            "boxlines/pushes",
            "moves",
            "playerlines",
            "moves/playerlines",
            "playerlines",
        ];
        assert_eq!(names, expect);
    }

    #[test]
    fn old_flags_are_understood_where_they_mean_nothing_now() {
        assert_eq!(name(2 | 128).as_deref(), Some("moves"), "then pushes");
        assert_eq!(name(4 | 64).as_deref(), Some("pushes"), "then moves");
        assert_eq!(name(8 | 64).as_deref(), Some("boxlines"), "then moves");
        assert_eq!(name(8 | 128).as_deref(), Some("boxlines"), "then moves, as it is read today");
    }

    #[test]
    fn senseless_flags_name_nothing() {
        for flags in [0, 1, 128, 6, 2 | 4 | 256, 2 | 256 | 512] {
            assert_eq!(name(flags), None, "{flags}");
        }
        assert!(Optimization::is_supported(258) && !Optimization::is_supported(258 | 1 << 20));
        assert_eq!(name(258 | 1 | 1 << 20).as_deref(), Some("moves"));
    }

    #[test]
    fn flags_that_are_not_followed_are_told() {
        let remark = |asked| Optimization::of_objective(Objective::MOVES).remark(asked);
        for understood in [0, 1, 258, 259, 4, 68] {
            assert_eq!(remark(understood), None, "{understood}");
        }
        assert_eq!(remark(258 | 1 | 1 << 20).as_deref(), Some("unknown flags 0x100000 are left out"));
        assert_eq!(remark(1 << 13).as_deref(), Some("unknown flags 0x2000 are left out"));
        assert_eq!(remark(6).as_deref(), Some("flags 0x6 name no optimization known here, moves is done"));
        assert_eq!(
            remark(u32::MAX).as_deref(),
            Some("flags 0xfffffffe name no optimization known here, moves is done")
        );
    }

    #[test]
    fn an_objective_has_flags_that_read_back() {
        for first in Metric::ALL {
            for second in Metric::ALL.into_iter().filter(|&second| second != first) {
                let objective = Objective::starting_with(&[first, second]);
                let flags = Optimization::of_objective(objective).flags;
                assert_eq!(Optimization::of_flags(flags).map(|wanted| wanted.objective), Some(objective));
            }
        }
        assert_eq!(Optimization::of_objective(Objective::PUSHES_ONLY).flags, 4);
        assert_eq!(ALL_PACKED & 0xFFFF, 0x1FFE);
    }
}
