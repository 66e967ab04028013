//! Which variant of feature space search works next.
//!
//! ```text
//!   FairShareQueue of VariantPhases ── the least used for its weight ──▶ VariantSearches: its search ──▶ slice
//! ```
//!
//! Invariant: a variant is worked on by one thread at a time, and only that thread grows its trees. Other threads read
//! them when they have met one of their positions. A thread that holds the lock of the scheduler may lock a search,
//! never the other way round.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::WorkMeter;
use crate::fair_share::{FairShareQueue, FairShareTask};
use crate::fess::shared_tables::SharedTables;
use crate::fess::side_search::SideSearch;
use crate::fess::variant::FessVariant;
use crate::fess::variant_phases::VariantPhases;
use crate::fess::variant_searches::VariantSearches;

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
    queue: FairShareQueue<VariantPhases>,
    searches: VariantSearches<W>,
}

impl<const W: usize> VariantScheduler<W> {
    /// Makes a scheduler of variants that have not begun.
    pub(crate) fn new(variants: &[&'static FessVariant]) -> Self {
        let variants = variants.iter().map(|variant| VariantPhases::new(variant));
        Self { queue: FairShareQueue::new(variants), searches: VariantSearches::new() }
    }

    /// Begins a slice of the variant with the least work for its weight; `None` if no variant waits.
    pub(crate) fn begin_slice(&mut self, shared: &SharedTables<W>, meter: &WorkMeter) -> Option<VariantSlice<W>> {
        let from = meter.ticks();
        loop {
            let variant = self.queue.next()?;
            let until = from + self.queue[variant].slice_length();
            if let Some(search) = self.searches.select(&mut self.queue[variant], shared, meter) {
                self.queue.begin(variant);
                return Some(VariantSlice { variant, from, until, search });
            }
            self.queue[variant].charge(1);
        }
    }

    /// Ends a slice.
    pub(crate) fn end_slice(&mut self, slice: &VariantSlice<W>, is_over: bool, now: u64) {
        self.queue.end(slice.variant, (now - slice.from).max(1)).end_slice(is_over);
    }

    /// Returns all searches, in the order in which they were made.
    pub(crate) fn searches(&self) -> Vec<Arc<Mutex<SideSearch<W>>>> {
        self.searches.all().to_vec()
    }

    /// Returns the name of the variant of a slice.
    pub(crate) fn name(&self, slice: &VariantSlice<W>) -> &'static str {
        self.queue[slice.variant].variant.name
    }
}
