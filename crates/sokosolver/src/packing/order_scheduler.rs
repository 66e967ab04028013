//! The scheduler of order searches: one for each packing order, in slices that double.
//!
//! Invariant: an order is made within the slices of the first variant that needs it, and an order equal to an earlier
//! one gets no second search. A search without memory is dropped, so that the others can continue; the last one reports
//! it.

use sokosearch::Stop;
use tracing::debug;

use crate::WorkMeter;
use crate::board::level_tables::LevelTables;
use crate::deadlock::library::DeadlockLibrary;
use crate::packing::order_maker::OrderMaker;
use crate::packing::order_search::{OrderSearch, StepEnd};
use crate::packing::variant::PackingVariant;

/// The tasks, and the variants that have not begun.
#[derive(Debug)]
pub(crate) struct OrderScheduler {
    waiting: Vec<PackingVariant>,
    makers: Vec<OrderMaker>,
    tasks: Vec<OrderTask>,
    /// The task whose slice it is.
    current: usize,
    /// The ticks current which the slice ends.
    until: Option<u64>,
    slice: u64,
    /// Positions expanded by tasks that are dropped.
    n_expanded: u64,
}

/// A variant whose order is still to be made, or its search.
#[derive(Debug)]
enum OrderTask {
    Ordering(PackingVariant),
    Running(Box<OrderSearch>),
}

impl OrderScheduler {
    /// Ticks of the first slice of each task.
    const FIRST_SLICE: u64 = 200_000;

    pub(crate) fn new(variants: &[PackingVariant]) -> Self {
        Self {
            waiting: variants.iter().rev().copied().collect(),
            makers: Vec::new(),
            tasks: Vec::new(),
            current: 0,
            until: None,
            slice: Self::FIRST_SLICE,
            n_expanded: 0,
        }
    }

    fn searches(&self) -> impl Iterator<Item = &OrderSearch> {
        self.tasks.iter().filter_map(|task| match task {
            OrderTask::Running(search) => Some(&**search),
            OrderTask::Ordering(_) => None,
        })
    }

    /// Returns the positions expanded by all searches.
    pub(crate) fn n_expanded(&self) -> u64 {
        self.n_expanded + self.searches().map(OrderSearch::n_expanded).sum::<u64>()
    }

    /// Returns the positions found by the searches that are not dropped.
    #[cfg(test)]
    pub(crate) fn n_positions(&self) -> usize {
        self.searches().map(OrderSearch::n_positions).sum()
    }

    /// Does one step of the task whose slice it is.
    pub(crate) fn step(
        &mut self,
        tables: &LevelTables,
        library: &mut DeadlockLibrary,
        meter: &mut WorkMeter,
    ) -> Result<StepEnd, Stop> {
        if self.until.is_none_or(|until| meter.ticks() >= until) {
            self.begin_slice(meter.ticks());
        }
        let n_tasks = self.tasks.len();
        let search = match self.tasks.get_mut(self.current) {
            None => return Ok(StepEnd::Exhausted),
            Some(OrderTask::Ordering(variant)) => {
                let variant = *variant;
                self.order(tables, library, variant, meter)?;
                return Ok(StepEnd::Advanced);
            }
            Some(OrderTask::Running(search)) => search,
        };
        match search.step(tables, library, meter) {
            Ok(StepEnd::Exhausted) => self.drop_task(),
            Err(Stop::Memory) if n_tasks > 1 => self.drop_task(),
            Ok(StepEnd::Solved(pushes)) => {
                debug!(variant = ?search.variant(), n_positions = search.n_positions(), n_expanded = search.n_expanded(), "solved");
                return Ok(StepEnd::Solved(pushes));
            }
            result => return result,
        }
        Ok(StepEnd::Advanced)
    }

    /// Continues the order of a variant; once it is made the search begins, unless an equal one exists.
    fn order(
        &mut self,
        tables: &LevelTables,
        library: &DeadlockLibrary,
        variant: PackingVariant,
        meter: &mut WorkMeter,
    ) -> Result<(), Stop> {
        let maker = match self.makers.iter().position(|maker| maker.rules() == variant.rules) {
            Some(at) => &mut self.makers[at],
            None => self.makers.push_mut(OrderMaker::new(tables, variant.rules)),
        };
        let Some(order) = maker.step(tables, meter)? else { return Ok(()) };
        let is_equal = |search: &OrderSearch| {
            let other = PackingVariant { rules: variant.rules, ..search.variant() };
            other == variant && search.order().targets() == order.targets()
        };
        if self.searches().any(is_equal) {
            self.drop_task();
            return Ok(());
        }
        let search = OrderSearch::new(tables, library, order, variant, meter.memory())?;
        self.tasks[self.current] = OrderTask::Running(Box::new(search));
        self.until = Some(meter.ticks() + self.slice);
        Ok(())
    }

    fn drop_task(&mut self) {
        if let OrderTask::Running(search) = self.tasks.remove(self.current) {
            self.n_expanded += search.n_expanded();
        }
        self.until = None;
        self.current = self.current.wrapping_sub(1);
    }

    /// Begins a slice of the next task, new variants first; slices double when all tasks have had theirs.
    fn begin_slice(&mut self, ticks: u64) {
        self.current = self.current.wrapping_add(1);
        if let Some(variant) = self.waiting.pop() {
            self.current = self.tasks.len();
            self.tasks.push(OrderTask::Ordering(variant));
        } else if self.current >= self.tasks.len() {
            self.current = 0;
            self.slice = self.slice.saturating_mul(2);
        }
        self.until = Some(ticks + self.slice);
    }
}
