//! A search from one side of the level, by pushes or by pulls, and how its path is joined with one of the other side.

use sokocore::Push;
use sokosearch::Stop;

use crate::board::SearchDirection;
use crate::board::bit_set::BitSet;
use crate::{SearchStats, WorkMeter};

use crate::fess::path::{PathPosition, join};
use crate::fess::pull_search::PullSearch;
use crate::fess::push_search::PushSearch;
use crate::fess::search_core::{SearchCore, resume};
use crate::fess::shared_tables::SharedTables;
use crate::fess::slice_end::SliceEnd;
use crate::fess::tables::FessTables;
use crate::fess::tree::nodes::FessNode;

/// A search from one side.
#[derive(Debug)]
pub(crate) enum SideSearch<const W: usize> {
    /// The start position alone.
    Start,
    Pull(Box<PullSearch<W>>),
    Push(Box<PushSearch<W>>),
}

impl<const W: usize> SideSearch<W> {
    /// Returns the side it starts from.
    pub(crate) const fn direction(&self) -> SearchDirection {
        match self {
            Self::Start | Self::Push(_) => SearchDirection::Forward,
            Self::Pull(_) => SearchDirection::Backward,
        }
    }

    /// Works up to this tick of the meter.
    pub(crate) fn resume(
        &mut self,
        shared: &mut SharedTables<W>,
        meter: &mut WorkMeter,
        until: u64,
    ) -> Result<SliceEnd<W>, Stop> {
        match self {
            Self::Start => Ok(SliceEnd::Exhausted),
            Self::Pull(search) => resume(&mut **search, shared, meter, until),
            Self::Push(search) => resume(&mut **search, shared, meter, until),
        }
    }

    fn core(&self) -> Option<&SearchCore<W>> {
        match self {
            Self::Start => None,
            Self::Pull(search) => Some(&search.core),
            Self::Push(search) => Some(&search.core),
        }
    }

    /// Drops all macro moves not yet made; the nodes stay, since other searches may meet them.
    pub(crate) fn drop_pending(&mut self, meter: &WorkMeter) {
        match self {
            Self::Start => {}
            Self::Pull(search) => search.core.drop_pending(meter),
            Self::Push(search) => search.core.drop_pending(meter),
        }
    }

    /// Returns the boxes of the best position so far.
    pub(crate) fn best(&self) -> Option<BitSet<W>> {
        self.core().and_then(SearchCore::best)
    }

    /// Returns what it has counted since the last call.
    pub(crate) fn take_stats(&mut self) -> SearchStats {
        let core = match self {
            Self::Start => return SearchStats::default(),
            Self::Pull(search) => &mut search.core,
            Self::Push(search) => &mut search.core,
        };
        std::mem::take(&mut core.counts).into()
    }

    /// Returns the pushes that join a path of the other side with one of this side, if the last position of that path
    /// is a node of this tree or one macro move away from a node.
    pub(crate) fn join(&self, tables: &FessTables<W>, path: &[PathPosition<W>]) -> Option<Vec<Push>> {
        let (board, direction) = (tables.board(), self.direction());
        let Some(SearchCore { tree, .. }) = self.core() else {
            return join(board, direction, &[(tables.starts, board.player())], path);
        };
        let (boxes, _) = path.last()?;
        let is_near = |node: &FessNode<W>| node.boxes.len() == boxes.len() && node.boxes.without(boxes).len() <= 1;
        let mut nodes = (0..tree.next_number()).filter_map(|number| tree.node(number)).filter(is_near);
        nodes.find_map(|node| join(board, direction, &tree.path_to(&node), path))
    }
}
