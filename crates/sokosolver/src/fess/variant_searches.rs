//! The searches of a level, and the targets that they have aimed at.
//!
//! Invariant: no two second phases aim at the same plan or position, but for those that aim at a value.

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
use crate::fess::variant_phases::{VariantPhase, VariantPhases};

/// The searches of all variants of a level.
#[derive(Debug)]
pub(crate) struct VariantSearches<const W: usize> {
    /// In the order in which they were made.
    searches: Vec<Arc<Mutex<SideSearch<W>>>>,
    /// Plans and positions that second phases have aimed at.
    plans: Vec<PackingPlan>,
    targets: Vec<BitSet<W>>,
}

impl<const W: usize> VariantSearches<W> {
    /// Begins with the search that is the start position alone.
    pub(crate) fn new() -> Self {
        Self { searches: vec![Arc::new(Mutex::new(SideSearch::Start))], plans: Vec::new(), targets: Vec::new() }
    }

    /// Returns all searches, by number.
    pub(crate) fn all(&self) -> &[Arc<Mutex<SideSearch<W>>>] {
        &self.searches
    }

    /// Returns the search that a variant works on next, made if it does not exist; `None` if another variant has the
    /// same target, so that there is nothing to do.
    pub(crate) fn select(
        &mut self,
        phases: &mut VariantPhases,
        shared: &SharedTables<W>,
        meter: &WorkMeter,
    ) -> Option<Arc<Mutex<SideSearch<W>>>> {
        let number = match phases.phase() {
            VariantPhase::First => self.select_first(phases, shared, meter),
            VariantPhase::Second => self.select_second(phases, shared, meter)?,
        };
        Some(Arc::clone(&self.searches[number]))
    }

    fn select_first(&mut self, phases: &mut VariantPhases, shared: &SharedTables<W>, meter: &WorkMeter) -> usize {
        if let Some(first) = phases.first {
            return first;
        }
        let search = self.first(phases.variant.kind, shared, meter);
        let number = self.add(search);
        phases.first = Some(number);
        number
    }

    fn select_second(
        &mut self,
        phases: &mut VariantPhases,
        shared: &SharedTables<W>,
        meter: &WorkMeter,
    ) -> Option<usize> {
        let has_new_target = self.has_new_target(phases);
        phases.has_first_just_worked = false;
        if phases.second.is_some() && !has_new_target {
            return phases.second;
        }
        if let Some(search) = self.second(phases.variant, phases.first?, shared, meter) {
            if let Some(before) = phases.second {
                self.searches[before].lock().drop_pending(meter);
            }
            phases.begin_second(self.add(search));
        } else if phases.second.is_none() {
            phases.skip_second();
        }
        phases.second
    }

    /// Returns whether the first phase has found a better position than the target of the second.
    fn has_new_target(&self, phases: &VariantPhases) -> bool {
        if phases.is_plan() || !phases.has_first_just_worked {
            return false;
        }
        let best = phases.first.and_then(|first| self.searches[first].lock().best());
        best.is_some_and(|best| !self.targets.contains(&best))
    }

    fn next_number(&self) -> u16 {
        u16::try_from(self.searches.len()).expect("invariant: slices double, so a level has few searches")
    }

    fn add(&mut self, search: SideSearch<W>) -> usize {
        self.searches.push(Arc::new(Mutex::new(search)));
        self.searches.len() - 1
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
            VariantKind::Plan { sinks, .. } => PullAim::Sink(sinks.with_seed(shared.settings.seed)),
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
            (SideSearch::Pull(pulls), VariantKind::Plan { weights, .. }) => {
                let plan = pulls.plan();
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.core.tree.len(), "plan");
                if self.plans.contains(&plan) {
                    return None;
                }
                self.plans.push(plan.clone());
                PushAim::plan(&shared.tables, plan, weights)
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
