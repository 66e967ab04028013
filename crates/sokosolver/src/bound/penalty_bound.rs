//! The matching on the empty board, and two pushes more for each pair of boxes in conflict.

use std::sync::Arc;

use crate::Technique;
use crate::board::Flood;
use crate::bound::added_bound::{AddedBound, BoundParts, BoundedPosition};
use crate::bound::matching::{CostTable, Matching};
use crate::bound::penalties::Penalties;

/// The bound by penalties. The matching around frozen boxes may count the same detour, so this one has a matching of
/// its own.
#[derive(Debug)]
struct PenaltyBound<const W: usize> {
    by_matching: bool,
    penalties: Penalties<W>,
    costs: Arc<CostTable>,
    matching: Matching,
    flood: Flood,
}

/// Makes the bound, if the pairs were found.
pub(crate) fn make<const W: usize>(parts: &mut BoundParts<'_, W>) -> Option<Box<dyn AddedBound<W>>> {
    Some(Box::new(PenaltyBound {
        penalties: parts.penalties.take()?,
        by_matching: parts.settings.uses(Technique::Matching),
        costs: Arc::clone(parts.costs),
        matching: Matching::new(parts.board.targets(parts.direction).len()),
        flood: Flood::new(parts.board),
    }))
}

impl<const W: usize> AddedBound<W> for PenaltyBound<W> {
    /// No position is called lost here: around frozen boxes the matching says so, too.
    fn of(&mut self, position: &BoundedPosition<'_, W>) -> Option<u16> {
        let &BoundedPosition { board, boxes, rows, player, .. } = position;
        if !self.penalties.may_apply(boxes) {
            return Some(0);
        }
        self.flood.run(board, boxes, player);
        let more = self.penalties.of(board, boxes, &self.flood);
        if more == 0 {
            return Some(0);
        }
        let open = if self.by_matching {
            self.matching.solve(&self.costs, rows.iter().copied())
        } else {
            CostTable::as_bound(rows.iter().map(|&row| self.costs.nearest(row)).sum())
        };
        Some(open.map_or(0, |open| open + more))
    }
}
