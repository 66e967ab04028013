//! The variants of one level, their searches, and which of them works next.
//!
//! ```text
//!   variant:  first ──▶ second ──▶ first ──▶ second ──▶ ...      each slice is longer than the one before
//!             finds a plan,  aims at it
//!             or a position
//! ```
//!
//! The variant with the least work for its weight is next.
//!
//! Invariant: a variant is worked on by one thread at a time, and only that thread grows its trees. Other threads read
//! them when they have met one of their positions. A thread that holds the lock of the scheduler may lock a search,
//! never the other way round.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::deadlock::freeze::Freeze;

use crate::fess::features::overlap::Overlap;
use crate::fess::plan::PackingPlan;
use crate::fess::pull_aim::PullAim;
use crate::fess::pull_search::PullSearch;
use crate::fess::push_aim::PushAim;
use crate::fess::push_search::PushSearch;
use crate::fess::shared_tables::SharedTables;
use crate::fess::side_search::SideSearch;
use crate::fess::variant::{FessVariant, VariantKind};

/// A variant with its searches.
#[derive(Debug)]
struct VariantState {
    variant: &'static FessVariant,
    ticks: u64,
    /// The search of the first phase, and that of the second once there is a target.
    first: Option<usize>,
    second: Option<usize>,
    is_first_over: bool,
    is_second_over: bool,
    /// Ticks of the next slice of the first phase; the second phase gets twice as many.
    slice: u64,
    in_first_phase: bool,
    /// The last slice was one of the first phase.
    first_just_worked: bool,
    is_running: bool,
    is_finished: bool,
}

impl VariantState {
    const fn new(variant: &'static FessVariant) -> Self {
        Self {
            variant,
            ticks: 0,
            first: None,
            second: None,
            is_first_over: false,
            is_second_over: false,
            slice: VariantScheduler::<1>::FIRST_SLICE,
            in_first_phase: true,
            first_just_worked: false,
            is_running: false,
            is_finished: false,
        }
    }
}

/// A slice of work that was begun.
#[derive(Clone, Debug)]
pub(crate) struct VariantSlice<const W: usize> {
    variant: usize,
    from: u64,
    pub(crate) until: u64,
    pub(crate) search: Arc<Mutex<SideSearch<W>>>,
}

/// The variants of a level, with all their searches.
#[derive(Debug)]
pub(crate) struct VariantScheduler<const W: usize> {
    searches: Vec<Arc<Mutex<SideSearch<W>>>>,
    variants: Vec<VariantState>,
    /// Plans and positions that second phases have aimed at.
    plans: Vec<PackingPlan>,
    targets: Vec<BitSet<W>>,
}

impl<const W: usize> VariantScheduler<W> {
    /// Ticks of the first slice of a variant.
    const FIRST_SLICE: u64 = 10_000;
    /// Ticks after which no better plan is searched for.
    const MAX_PLAN_TICKS: u64 = 330_000;

    /// Makes a scheduler of variants that have not begun.
    pub(crate) fn new(variants: &[&'static FessVariant]) -> Self {
        let variants = variants.iter().map(|variant| VariantState::new(variant)).collect();
        Self {
            searches: vec![Arc::new(Mutex::new(SideSearch::Start))],
            variants,
            plans: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Begins a slice of the variant with the least work for its weight; `None` if no variant is free.
    pub(crate) fn begin_slice(&mut self, shared: &SharedTables<W>, meter: &WorkMeter) -> Option<VariantSlice<W>> {
        let now = meter.ticks();
        loop {
            let free =
                (0..self.variants.len()).filter(|&at| !self.variants[at].is_finished && !self.variants[at].is_running);
            let variant = free.min_by_key(|&at| (self.variants[at].ticks / self.variants[at].variant.weight, at))?;
            let VariantState { ticks, slice, in_first_phase, .. } = self.variants[variant];
            let length = match (self.is_plan(variant), in_first_phase) {
                (true, _) => (ticks / 2).max(Self::FIRST_SLICE),
                (false, true) => slice,
                (false, false) => 2 * slice,
            };
            if let Some(search) = self.search(variant, shared, meter) {
                self.variants[variant].is_running = true;
                return Some(VariantSlice {
                    variant,
                    from: now,
                    until: now + length,
                    search: Arc::clone(&self.searches[search]),
                });
            }
        }
    }

    /// Ends a slice.
    pub(crate) fn end_slice(&mut self, slice: &VariantSlice<W>, is_over: bool, now: u64) {
        let is_plan = self.is_plan(slice.variant);
        let variant = &mut self.variants[slice.variant];
        variant.is_running = false;
        variant.ticks += (now - slice.from).max(1);
        let over = if variant.in_first_phase { &mut variant.is_first_over } else { &mut variant.is_second_over };
        *over |= is_over || (variant.in_first_phase && is_plan && variant.ticks >= Self::MAX_PLAN_TICKS);
        variant.first_just_worked = variant.in_first_phase;
        if !variant.in_first_phase {
            variant.slice *= 2;
        }
        variant.in_first_phase = (is_plan || !variant.in_first_phase) && !variant.is_first_over;
        if variant.is_second_over && (variant.is_first_over || is_plan) {
            variant.is_finished = true;
        }
    }

    /// Returns all searches, in the order in which they were made.
    pub(crate) fn searches(&self) -> Vec<Arc<Mutex<SideSearch<W>>>> {
        self.searches.clone()
    }

    /// Returns the name of the variant of a slice.
    pub(crate) fn name(&self, slice: &VariantSlice<W>) -> &'static str {
        self.variants[slice.variant].variant.name
    }

    fn is_plan(&self, variant: usize) -> bool {
        matches!(self.variants[variant].variant.kind, VariantKind::Plan(_))
    }

    fn next_number(&self) -> u16 {
        u16::try_from(self.searches.len()).expect("invariant: slices double, so a level has few searches")
    }

    fn add(&mut self, search: SideSearch<W>) -> usize {
        self.searches.push(Arc::new(Mutex::new(search)));
        self.searches.len() - 1
    }

    /// Returns the search that a variant works on next, made if it does not exist; `None` if there is nothing to do.
    fn search(&mut self, number: usize, shared: &SharedTables<W>, meter: &WorkMeter) -> Option<usize> {
        let VariantState { variant, first, second, in_first_phase, is_first_over, .. } = self.variants[number];
        if in_first_phase {
            if first.is_none() {
                let search = self.first(variant.kind, shared, meter);
                self.variants[number].first = Some(self.add(search));
            }
            return self.variants[number].first;
        }
        let has_new_target = self.has_new_target(number);
        self.variants[number].first_just_worked = false;
        if let (Some(second), false) = (second, has_new_target) {
            return Some(second);
        }
        match self.second(variant, first?, shared, meter) {
            Some(search) => {
                if let Some(before) = second {
                    self.searches[before].lock().drop_pending(meter);
                }
                let search = self.add(search);
                let variant = &mut self.variants[number];
                (variant.second, variant.is_second_over) = (Some(search), false);
            }
            None if second.is_none() => {
                // Another variant has the same target.
                let variant = &mut self.variants[number];
                (variant.in_first_phase, variant.is_finished) = (!is_first_over, is_first_over);
                variant.ticks += 1;
            }
            None => {}
        }
        self.variants[number].second.filter(|_| !self.variants[number].in_first_phase)
    }

    /// Returns whether the first phase has found a better position than the target of the second.
    fn has_new_target(&self, number: usize) -> bool {
        let variant = &self.variants[number];
        if self.is_plan(number) || !variant.first_just_worked {
            return false;
        }
        let best = variant.first.and_then(|first| self.searches[first].lock().best());
        best.is_some_and(|best| !self.targets.contains(&best))
    }

    /// Makes the search of the first phase.
    fn first(&self, kind: VariantKind, shared: &SharedTables<W>, meter: &WorkMeter) -> SideSearch<W> {
        let tables = &shared.tables;
        let number = self.next_number();
        let aim = match kind {
            VariantKind::Reverse => {
                return SideSearch::Push(Box::new(PushSearch::new(
                    shared,
                    number,
                    PushAim::Open(Freeze::default()),
                    meter,
                )));
            }
            VariantKind::Plan(rules) => PullAim::Sink(rules),
            VariantKind::Open { measure, ring } => PullAim::open(tables, measure, ring),
            VariantKind::Near => PullAim::near(tables),
            VariantKind::Value => PullAim::Value,
        };
        SideSearch::Pull(Box::new(PullSearch::new(shared, number, aim, meter)))
    }

    /// Makes the search of the second phase; `None` if another search has the same aim.
    fn second(
        &mut self,
        variant: &FessVariant,
        first: usize,
        shared: &SharedTables<W>,
        meter: &WorkMeter,
    ) -> Option<SideSearch<W>> {
        let number = self.next_number();
        let first = Arc::clone(&self.searches[first]);
        let aim = match (&*first.lock(), variant.kind) {
            (SideSearch::Pull(pulls), VariantKind::Plan(_)) => {
                let plan = pulls.plan();
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.core.tree.len(), "plan");
                if self.plans.contains(&plan) {
                    return None;
                }
                self.plans.push(plan.clone());
                PushAim::plan(&shared.tables, plan)
            }
            (SideSearch::Pull(pulls), VariantKind::Value) => {
                self.targets.push(pulls.core.best()?);
                let (plan, path) = pulls.fill_order()?;
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.core.tree.len(), "order");
                PushAim::Value { plan, overlap: Overlap::new(path, shared.tables.board().n_live()) }
            }
            (SideSearch::Pull(pulls), _) => {
                let target = pulls.core.best()?;
                if self.targets.contains(&target) {
                    return None;
                }
                self.targets.push(target);
                PushAim::position(&shared.tables, target)
            }
            (SideSearch::Push(pushes), _) => {
                let target = pushes.core.best()?;
                self.targets.push(target);
                let aim = PullAim::position(&shared.tables, target);
                return Some(SideSearch::Pull(Box::new(PullSearch::new(shared, number, aim, meter))));
            }
            (SideSearch::Start, _) => return None,
        };
        Some(SideSearch::Push(Box::new(PushSearch::new(shared, number, aim, meter))))
    }
}
