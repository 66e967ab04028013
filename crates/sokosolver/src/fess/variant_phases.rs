//! The phases of a variant: which one is next, and for how long.
//!
//! ```text
//!   aims at a plan:      first ──▶ first ──▶ ... ──▶ second ──▶ second ──▶ ...   until the plan is good enough
//!   aims at a position:  first ──▶ second ──▶ first ──▶ second ──▶ ...           in growing slices
//! ```
//!
//! The first phase finds a plan or a position, the second phase aims at it. A better position found by the first phase
//! begins another search for the second one.

use crate::fair_share::FairShareTask;
use crate::fess::variant::{FessVariant, VariantKind};

/// The phase of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariantPhase {
    First,
    Second,
}

/// A variant with its phases.
#[derive(Debug)]
pub(crate) struct VariantPhases {
    pub(crate) variant: &'static FessVariant,
    ticks: u64,
    /// The number of the search of the first phase, and of that of the second once there is a target.
    pub(crate) first: Option<usize>,
    pub(crate) second: Option<usize>,
    is_first_over: bool,
    is_second_over: bool,
    /// Ticks of the next slice of the first phase; the second phase gets twice as many.
    slice: u64,
    phase: VariantPhase,
    /// The last slice was one of the first phase.
    pub(crate) has_first_just_worked: bool,
    is_finished: bool,
}

impl VariantPhases {
    /// Ticks of the first slice of a variant.
    const FIRST_SLICE: u64 = 10_000;
    /// Ticks after which no better plan is searched for.
    const MAX_PLAN_TICKS: u64 = 330_000;

    /// A variant that has not begun.
    pub(crate) const fn new(variant: &'static FessVariant) -> Self {
        Self {
            variant,
            ticks: 0,
            first: None,
            second: None,
            is_first_over: false,
            is_second_over: false,
            slice: Self::FIRST_SLICE,
            phase: VariantPhase::First,
            has_first_just_worked: false,
            is_finished: false,
        }
    }

    /// Returns the phase of the next slice.
    pub(crate) const fn phase(&self) -> VariantPhase {
        self.phase
    }

    /// Returns whether the first phase searches for a plan; if not, for a position.
    pub(crate) const fn is_plan(&self) -> bool {
        matches!(self.variant.kind, VariantKind::Plan { .. })
    }

    /// Returns the ticks of the next slice.
    pub(crate) fn slice_length(&self) -> u64 {
        match self.phase {
            _ if self.is_plan() => (self.ticks / 2).max(Self::FIRST_SLICE),
            VariantPhase::First => self.slice,
            VariantPhase::Second => 2 * self.slice,
        }
    }

    /// Ends a slice that was charged for; `is_over` if its search is exhausted.
    pub(crate) const fn end_slice(&mut self, is_over: bool) {
        let is_plan = self.is_plan();
        self.has_first_just_worked = matches!(self.phase, VariantPhase::First);
        match self.phase {
            VariantPhase::First => self.is_first_over |= is_over || (is_plan && self.ticks >= Self::MAX_PLAN_TICKS),
            VariantPhase::Second => {
                self.is_second_over |= is_over;
                self.slice *= 2;
            }
        }
        let is_first_next = is_plan || !self.has_first_just_worked;
        self.phase = if is_first_next && !self.is_first_over { VariantPhase::First } else { VariantPhase::Second };
        if self.is_second_over && (self.is_first_over || is_plan) {
            self.is_finished = true;
        }
    }

    /// Takes a new search for the second phase.
    pub(crate) const fn begin_second(&mut self, search: usize) {
        (self.second, self.is_second_over) = (Some(search), false);
    }

    /// Leaves out the second phase, since another variant has the same target.
    pub(crate) const fn skip_second(&mut self) {
        if self.is_first_over {
            self.is_finished = true;
        } else {
            self.phase = VariantPhase::First;
        }
    }
}

impl FairShareTask for VariantPhases {
    type Usage = u64;

    /// In whole ticks, so that the first of two variants with nearly equal shares is next.
    fn virtual_time(&self) -> f64 {
        (self.ticks / self.variant.weight) as f64
    }

    fn charge(&mut self, ticks: u64) {
        self.ticks += ticks;
    }

    fn is_over(&self) -> bool {
        self.is_finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The phases of a variant whose slices are used up.
    fn phases_of(variant: &'static FessVariant, n_slices: usize) -> Vec<(VariantPhase, u64)> {
        let mut phases = VariantPhases::new(variant);
        let slice = |_| {
            let slice = (phases.phase(), phases.slice_length());
            phases.charge(slice.1);
            phases.end_slice(false);
            slice
        };
        (0..n_slices).map(slice).collect()
    }

    #[test]
    fn a_position_is_searched_for_and_aimed_at_by_turns() {
        let expected = [
            (VariantPhase::First, 10_000),
            (VariantPhase::Second, 20_000),
            (VariantPhase::First, 20_000),
            (VariantPhase::Second, 40_000),
        ];
        assert_eq!(phases_of(FessVariant::OPEN, 4), expected);
    }

    #[test]
    fn a_plan_is_searched_for_until_it_is_good_enough() {
        let slices = phases_of(FessVariant::PLAN, 12);
        let n_first = slices.iter().take_while(|(phase, _)| *phase == VariantPhase::First).count();
        assert!(slices[n_first..].iter().all(|(phase, _)| *phase == VariantPhase::Second));
        let ticks: u64 = slices[..n_first].iter().map(|(_, ticks)| ticks).sum();
        let last = slices[n_first - 1].1;
        assert!(ticks >= VariantPhases::MAX_PLAN_TICKS && ticks - last < VariantPhases::MAX_PLAN_TICKS);
    }

    #[test]
    fn a_variant_with_the_target_of_another_searches_on_or_is_finished() {
        let mut phases = VariantPhases::new(FessVariant::OPEN);
        phases.end_slice(false);
        phases.skip_second();
        assert_eq!((phases.phase(), phases.is_over()), (VariantPhase::First, false));
        phases.end_slice(true);
        phases.skip_second();
        assert!(phases.is_over());
    }
}
