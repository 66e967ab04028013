//! What searches by pushes and by pulls have in common: a tree that grows in slices of work.
//!
//! ```text
//!   next move ──▶ closed? ──▶ child node ──▶ visit: solved, expanded and added, or lost ──▶ bill the ticks
//!      ▲                                                                                       │
//!      └───────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Invariant: ticks are billed after the work, at the top of the loop, so a pause loses no work and repeats none.

use sokosearch::{Charge, Stop};

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::fess::macro_move::MacroMove;
use crate::fess::shared_tables::SharedTables;
use crate::fess::slice_end::{Meeting, SliceEnd};
use crate::fess::tree::fess_tree::FessTree;
use crate::fess::tree::nodes::FessNode;
use crate::fess::tree::pending_moves::PendingMove;
use crate::part_times::Part;
use crate::stats::SearchCounts;

/// The state of a search that does not depend on its direction.
#[derive(Debug)]
pub(crate) struct SearchCore<const W: usize> {
    pub(crate) tree: FessTree<W>,
    /// The number of this search among those of its level.
    number: u16,
    charge: Charge,
    /// Work not yet told to the meter.
    pub(crate) unbilled_ticks: u64,
    /// What was counted since it was last taken. Macro moves that are generated again count once.
    pub(crate) counts: SearchCounts,
    is_begun: bool,
    meeting: Option<Meeting<W>>,
}

/// What depends on the direction of a search.
pub(crate) trait DirectedSearch<const W: usize> {
    /// Returns the common state.
    fn core(&mut self) -> &mut SearchCore<W>;

    /// Adds the nodes without a parent.
    fn add_roots(&mut self, shared: &mut SharedTables<W>);

    /// Selects the next macro move, with the number of its node.
    fn next_move(&mut self, shared: &mut SharedTables<W>) -> Option<(u32, PendingMove)>;

    /// Visits the new node that a macro move leads to: adds it to the tree, or marks it lost. Returns how the search
    /// ends, if it does.
    fn visit(&mut self, shared: &mut SharedTables<W>, node: FessNode<W>, pending: &PendingMove) -> Option<SliceEnd<W>>;
}

/// Grows the tree of a search up to this tick of the meter.
pub(crate) fn resume<const W: usize, E: DirectedSearch<W>>(
    search: &mut E,
    shared: &mut SharedTables<W>,
    meter: &mut WorkMeter,
    until: u64,
) -> Result<SliceEnd<W>, Stop> {
    if !std::mem::replace(&mut search.core().is_begun, true) {
        search.add_roots(shared);
    }
    loop {
        let core = search.core();
        meter.ticks_of(std::mem::take(&mut core.unbilled_ticks))?;
        if let Some(meeting) = core.meeting.take() {
            return Ok(SliceEnd::Met(meeting));
        }
        if meter.ticks() >= until {
            return Ok(SliceEnd::Paused);
        }
        core.tree.charge(&mut core.charge)?;
        shared.sampler.begin(Part::Storage);
        let Some((parent, pending)) = search.next_move(shared) else { return Ok(SliceEnd::Exhausted) };
        let core = search.core();
        core.unbilled_ticks += 1;
        if !core.tree.close(pending.hash) {
            core.counts.duplicates += 1;
            continue;
        }
        let Some(node) = core.tree.node(parent) else { return Ok(SliceEnd::Exhausted) };
        if let Some(end) = search.visit(shared, node.child(parent, &pending), &pending) {
            return Ok(end);
        }
        shared.sampler.end();
    }
}

impl<const W: usize> SearchCore<W> {
    /// Begins with an empty tree.
    pub(crate) fn new(number: u16, tree: FessTree<W>, meter: &WorkMeter) -> Self {
        Self {
            tree,
            number,
            charge: meter.memory().nothing(),
            unbilled_ticks: 0,
            counts: SearchCounts::default(),
            is_begun: false,
            meeting: None,
        }
    }

    /// Adds a node that was expanded, with its macro moves, and returns its number.
    pub(crate) fn add(&mut self, node: &FessNode<W>, moves: Vec<PendingMove>) -> u32 {
        self.counts.expanded += 1;
        self.counts.max_depth = self.counts.max_depth.max(node.depth.into());
        self.tree.add(node, moves)
    }

    /// Returns the boxes of the best position so far.
    pub(crate) fn best(&self) -> Option<BitSet<W>> {
        Some(self.tree.node(self.tree.best()?)?.boxes)
    }

    /// Notes that the position after a macro move of the node is known from the other side.
    pub(crate) fn note_meeting(&mut self, node: &FessNode<W>, macro_move: MacroMove) {
        self.meeting = Some(Meeting { path: self.tree.path_to_successor(node, macro_move), number: self.number });
    }

    /// Drops all macro moves not yet made; the nodes stay, since other searches may meet them.
    pub(crate) fn drop_pending(&mut self, meter: &WorkMeter) {
        self.tree.drop_pending();
        let mut charge = meter.memory().nothing();
        if self.tree.charge(&mut charge).is_ok() {
            self.charge = charge;
        }
    }
}
