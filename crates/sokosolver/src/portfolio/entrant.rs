//! A strategy that was entered for a run, and one slice of its search.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use sokosearch::{Budget, Cancel, Clock, MemoryAccount, Stop};

use super::shares::{Slice, Weights};
use crate::{Effort, Search, SearchStats, Verdict};

/// Starts a search of its own; what it does before the first slice is charged and ticked like the rest.
pub(crate) type Start = Box<dyn Fn(&mut Effort) -> Result<Box<dyn Search>, Stop> + Send + Sync>;

/// A strategy in a run.
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) weights: Weights,
    /// Whether what it finds is the best there is, by what was asked for. If not, it leaves a run for the best solution once
    /// there is one.
    pub(crate) proves: bool,
    pub(crate) start: Start,
}

impl fmt::Debug for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).field("weights", &self.weights).finish_non_exhaustive()
    }
}

/// A search under way, with what it may use.
pub(crate) struct Runner {
    search: Option<Box<dyn Search>>,
    pub(crate) effort: Effort,
    /// Time on the processor before it could expand a position.
    pub(crate) set_up: Duration,
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("effort", &self.effort).finish_non_exhaustive()
    }
}

/// What came of a slice.
#[derive(Debug)]
pub(crate) struct Played {
    /// `None` if it broke down.
    pub(crate) result: Option<Result<Verdict, Stop>>,
    pub(crate) ticks: u64,
    pub(crate) elapsed: Duration,
}

impl Runner {
    /// Makes a runner that has not begun, with a memory account of its own.
    pub(crate) fn new(budget: &Budget, memory: MemoryAccount, done: Cancel) -> Self {
        let budget = budget.clone().with_memory(memory).with_work(None);
        Self { search: None, effort: Effort::new(budget, done), set_up: Duration::ZERO }
    }

    /// Makes a runner that works on the same search at the same time, if the search allows for it.
    pub(crate) fn another_hand(&self, budget: &Budget, memory: MemoryAccount, done: Cancel) -> Option<Self> {
        let mut hand = Self::new(budget, memory, done);
        if let Some(exchange) = self.effort.exchange() {
            hand.effort.share(exchange.clone());
        }
        hand.search = Some(self.search.as_ref()?.another_hand(&hand.effort)?);
        Some(hand)
    }

    /// Goes on for so long.
    pub(crate) fn play(&mut self, entrant: &Entrant, slice: Slice) -> Played {
        let (clock, before) = (Clock::start(), self.effort.ticks());
        let (began, is_set_up) = (self.effort.budget().elapsed(), self.effort.set_up_at().is_some());
        match slice {
            Slice::Ticks(ticks) => self.effort.start_slice(ticks),
            Slice::Time(time) => self.effort.start_timed_slice(time),
        }
        // A fault of one strategy must not cost the others; what it holds is dropped and never looked at.
        let result = catch_unwind(AssertUnwindSafe(|| self.go_on(entrant)));
        if result.is_err() {
            self.search = None;
        }
        // A slice that counts nothing still takes its turn, so that nobody waits forever.
        let ticks = (self.effort.ticks() - before).max(1);
        let elapsed = clock.elapsed();
        if !is_set_up {
            self.set_up += self.effort.set_up_at().map_or(elapsed, |at| at.saturating_sub(began));
        }
        Played { result: result.ok(), ticks, elapsed }
    }

    fn go_on(&mut self, entrant: &Entrant) -> Result<Verdict, Stop> {
        let search = match &mut self.search {
            Some(search) => search,
            none => none.insert((entrant.start)(&mut self.effort)?),
        };
        search.go_on(&mut self.effort)
    }

    /// Returns how far along it is, 0 to 1.
    pub(crate) fn promise(&self) -> f64 {
        self.search.as_ref().map_or(0.0, |search| search.promise())
    }

    /// Returns what it has counted.
    pub(crate) fn stats(&self) -> SearchStats {
        self.search.as_ref().map_or_else(SearchStats::default, |search| search.stats())
    }

    /// Returns what it has proved that every solution costs, see [`Search::proved_cost`].
    pub(crate) fn proved_cost(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.proved_cost())
    }
}
