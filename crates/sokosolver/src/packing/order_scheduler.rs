//! The scheduler of order searches: one for each packing order, by turns, in slices that double.
//!
//! ```text
//!   round 0:  200,000 ticks each     task 0 · task 1 · task 2 · ...      a task counts slices, not ticks, so that all
//!   round 1:  400,000 ticks each     task 0 · task 1 · task 2 · ...      have the first round before any the second
//! ```
//!
//! Invariant: an order is made within the slices of the first variant that needs it, and an order equal to an earlier
//! one gets no second search. A search without memory is dropped, so that the others can continue; the last one reports
//! it.

use sokosearch::Stop;
use tracing::debug;

use crate::board::level_tables::LevelTables;
use crate::deadlock::library::DeadlockLibrary;
use crate::fair_share::{FairShareQueue, FairShareTask};
use crate::packing::order_maker::OrderMaker;
use crate::packing::order_search::{OrderSearch, StepEnd};
use crate::packing::variant::PackingVariant;
use crate::{PartTimes, SearchStats, WorkMeter};

/// The order searches of a level, and the orders.
#[derive(Debug)]
pub(crate) struct OrderScheduler {
    queue: FairShareQueue<OrderTask>,
    makers: Vec<OrderMaker>,
    slice: Option<OrderSlice>,
    /// What the searches have counted that are dropped.
    dropped: SearchStats,
    /// Their samples.
    dropped_times: PartTimes,
}

/// The slice that is running.
#[derive(Clone, Copy, Debug)]
struct OrderSlice {
    number: usize,
    until: u64,
}

/// A variant of packing, which shares the ticks with the others.
#[derive(Debug)]
struct OrderTask {
    variant: PackingVariant,
    stage: TaskStage,
    n_slices: u32,
}

/// A search without its order, with it, or dropped.
#[derive(Debug)]
enum TaskStage {
    Ordering,
    Searching(Box<OrderSearch>),
    Dropped,
}

impl OrderTask {
    /// Ticks of the first slice of each task.
    const FIRST_SLICE: u64 = 200_000;

    const fn new(variant: PackingVariant) -> Self {
        Self { variant, stage: TaskStage::Ordering, n_slices: 0 }
    }

    /// Returns the ticks of the next slice.
    const fn slice_length(&self) -> u64 {
        Self::FIRST_SLICE.saturating_mul(2u64.saturating_pow(self.n_slices))
    }

    fn search(&self) -> Option<&OrderSearch> {
        if let TaskStage::Searching(search) = &self.stage { Some(search) } else { None }
    }
}

impl FairShareTask for OrderTask {
    type Usage = ();

    fn virtual_time(&self) -> f64 {
        self.n_slices.into()
    }

    fn charge(&mut self, (): ()) {
        self.n_slices += 1;
    }

    fn is_over(&self) -> bool {
        matches!(self.stage, TaskStage::Dropped)
    }
}

impl OrderScheduler {
    /// Makes a scheduler of variants that have not begun.
    pub(crate) fn new(variants: &[PackingVariant]) -> Self {
        let queue = FairShareQueue::new(variants.iter().copied().map(OrderTask::new));
        Self {
            queue,
            makers: Vec::new(),
            slice: None,
            dropped: SearchStats::default(),
            dropped_times: PartTimes::default(),
        }
    }

    fn searches(&self) -> impl Iterator<Item = &OrderSearch> {
        self.queue.tasks().iter().filter_map(OrderTask::search)
    }

    /// Returns what all searches have counted.
    pub(crate) fn stats(&self) -> SearchStats {
        let mut stats = self.dropped;
        self.searches().for_each(|search| stats += search.stats());
        stats
    }

    /// Returns how some expansions of all searches have divided their time.
    pub(crate) fn part_times(&self) -> PartTimes {
        let mut times = self.dropped_times;
        self.searches().for_each(|search| times += search.part_times());
        times
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
        let Some(slice) = self.slice(meter.ticks()) else { return Ok(StepEnd::Exhausted) };
        let OrderTask { variant, stage, .. } = &mut self.queue[slice.number];
        let TaskStage::Searching(search) = stage else {
            let variant = *variant;
            self.order(slice, variant, tables, library, meter)?;
            return Ok(StepEnd::Advanced);
        };
        match search.step(tables, library, meter) {
            Ok(StepEnd::Exhausted) => {}
            Err(Stop::Memory) => {
                if self.is_alone(slice) {
                    return Err(Stop::Memory);
                }
            }
            Ok(StepEnd::Solved(pushes)) => {
                debug!(variant = ?search.variant(), n_positions = search.n_positions(), stats = ?search.stats(), "solved");
                return Ok(StepEnd::Solved(pushes));
            }
            result => return result,
        }
        self.drop_task(slice);
        Ok(StepEnd::Advanced)
    }

    /// Returns the slice that is running, the next one if it is used up; `None` if no task is left.
    fn slice(&mut self, ticks: u64) -> Option<OrderSlice> {
        if let Some(slice) = self.slice {
            if ticks < slice.until {
                return Some(slice);
            }
            self.queue.end(slice.number, ());
            self.slice = None;
        }
        let number = self.queue.next()?;
        let until = ticks + self.queue.begin(number).slice_length();
        self.slice = Some(OrderSlice { number, until });
        self.slice
    }

    /// Returns whether all other tasks that have begun are dropped.
    fn is_alone(&self, slice: OrderSlice) -> bool {
        let mut others = self.queue.tasks().iter().enumerate().filter(|&(number, _)| number != slice.number);
        others.all(|(_, task)| task.n_slices == 0 || task.is_over())
    }

    /// Continues the order of a variant; once it is made the search begins with a slice of its own, unless an equal one
    /// exists.
    fn order(
        &mut self,
        slice: OrderSlice,
        variant: PackingVariant,
        tables: &LevelTables,
        library: &DeadlockLibrary,
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
            self.drop_task(slice);
            return Ok(());
        }
        let search = OrderSearch::new(tables, library, order, variant, meter.memory())?;
        let task = &mut self.queue[slice.number];
        task.stage = TaskStage::Searching(Box::new(search));
        self.slice = Some(OrderSlice { until: meter.ticks() + task.slice_length(), ..slice });
        Ok(())
    }

    /// Ends the slice and its task.
    fn drop_task(&mut self, slice: OrderSlice) {
        let task = self.queue.end(slice.number, ());
        if let Some(search) = task.search() {
            self.dropped += search.stats();
            self.dropped_times += search.part_times();
        }
        task.stage = TaskStage::Dropped;
        self.slice = None;
    }
}
