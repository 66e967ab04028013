//! The interface of all bounds beside the matching: what they are asked, and what they answer.
//!
//! ```text
//!   a position that is about to be expanded     of  ──▶  pushes at least, or lost       the largest counts
//!   more of its boxes are found to be frozen    of  ──▶  again, if it reads them
//!   a child, before its position is stored      not asked: only the matching is updated in the time that is left
//! ```
//!
//! **Admissible**: a solution from the position has at least as many pushes, and none exists if it is called lost,
//! whatever is switched on besides.

use std::fmt;
use std::sync::Arc;

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{DistanceRow, SearchBoard, SearchDirection};
use crate::bound::matching::CostTable;
use crate::bound::penalties::Penalties;
use crate::{Settings, WorkMeter};

/// What bounds are made from.
#[derive(Debug)]
pub(crate) struct BoundParts<'a, const W: usize> {
    pub(crate) board: &'a SearchBoard,
    pub(crate) direction: SearchDirection,
    pub(crate) settings: &'a Settings,
    /// The distances on the empty board.
    pub(crate) costs: &'a Arc<CostTable>,
    /// Whether boxes that can never move again are walls.
    pub(crate) has_frozen_walls: bool,
    /// The pairs of boxes in conflict, for the bound that takes them.
    pub(crate) penalties: Option<Penalties<W>>,
    pub(crate) meter: &'a WorkMeter,
}

/// A position whose bound is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundedPosition<'a, const W: usize> {
    pub(crate) board: &'a SearchBoard,
    pub(crate) boxes: &'a BitSet<W>,
    /// The row of each box in the costs: its square, or its square with the player's side.
    pub(crate) rows: &'a [DistanceRow],
    pub(crate) player: FloorSquare,
    /// Boxes that can never move again; empty if these are no walls.
    pub(crate) frozen: &'a BitSet<W>,
}

/// A bound beside the matching. It may keep scratch space and caches.
pub(crate) trait AddedBound<const W: usize>: fmt::Debug + Send {
    /// Returns whether the bound reads [`BoundedPosition::frozen`].
    fn reads_frozen(&self) -> bool {
        false
    }

    /// Returns the least number of pushes that are left, 0 if it knows none; `None` if the position is lost.
    fn of(&mut self, position: &BoundedPosition<'_, W>) -> Option<u16>;

    /// Returns the ticks since the last call, beyond those of every position.
    fn take_work(&mut self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Plain;

    impl AddedBound<2> for Plain {
        fn of(&mut self, _: &BoundedPosition<'_, 2>) -> Option<u16> {
            Some(0)
        }
    }

    #[test]
    fn a_bound_reads_no_frozen_boxes_and_takes_no_ticks_unless_it_says_so() {
        assert!(!Plain.reads_frozen());
        assert_eq!(Plain.take_work(), 0);
    }
}
