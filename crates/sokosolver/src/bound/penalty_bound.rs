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

#[cfg(test)]
mod tests {
    use sokocore::FloorSquare;

    use super::*;
    use crate::board::bit_set::BitSet;
    use crate::board::tests::TestBoard;
    use crate::board::{DistanceRow, SearchDirection};
    use crate::bound::penalties::tests::{HALL, ROOMS, penalties};

    /// Makes the bound by pushes from all pairs in conflict, or from none.
    fn made(test: &TestBoard, by_matching: bool, has_penalties: bool) -> Option<Box<dyn AddedBound<2>>> {
        let mut settings = test.settings.clone();
        settings.switch(Technique::Matching, by_matching);
        let direction = SearchDirection::Forward;
        let costs = Arc::new(CostTable::new(&test.board, test.board.to_goals()));
        make(&mut BoundParts {
            board: &test.board,
            direction,
            settings: &settings,
            costs: &costs,
            has_frozen_walls: false,
            penalties: has_penalties.then(|| penalties(&test.board, direction)),
            meter: &test.meter,
        })
    }

    fn of(
        test: &TestBoard,
        bound: &mut dyn AddedBound<2>,
        places: &[(usize, usize)],
        player: FloorSquare,
    ) -> Option<u16> {
        let (boxes, frozen) = (test.set(places), BitSet::default());
        let rows: Vec<DistanceRow> = boxes.iter().map(DistanceRow::from).collect();
        bound.of(&BoundedPosition { board: &test.board, boxes: &boxes, rows: &rows, player, frozen: &frozen })
    }

    #[test]
    fn it_is_made_if_the_pairs_were_found() {
        let test = TestBoard::new(&HALL);
        assert!(made(&test, true, true).is_some() && made(&test, true, false).is_none());
    }

    /// Two boxes side by side at the wall cost two pushes more than their matching, or than their nearest goals.
    #[test]
    fn a_pair_in_conflict_raises_the_matching() {
        let test = TestBoard::new(&HALL);
        for (by_matching, expect) in [(true, 5 + 2), (false, 3 + 2)] {
            let mut bound = made(&test, by_matching, true).unwrap();
            let mut of = |places: &[(usize, usize)]| of(&test, &mut *bound, places, test.board.player());
            assert_eq!(of(&[(1, 2), (1, 3)]), Some(expect));
            assert_eq!(of(&[(1, 2), (1, 5)]), Some(0), "these are never in conflict, and it says nothing");
            if by_matching {
                let lost = of(&[(1, 2), (1, 3), (1, 4)]);
                assert_eq!(lost, Some(0), "three boxes for two goals: another bound says so");
            }
        }
    }

    /// On the side without a conflict it says nothing.
    #[test]
    fn a_conflict_depends_on_the_side_of_the_player() {
        let test = TestBoard::new(&ROOMS);
        let mut bound = made(&test, true, true).unwrap();
        let pair = [(2, 4), (2, 6)];
        assert_eq!(of(&test, &mut *bound, &pair, test.sq(1, 1)), Some(5 + 2));
        assert_eq!(of(&test, &mut *bound, &pair, test.sq(1, 6)), Some(0));
    }
}
