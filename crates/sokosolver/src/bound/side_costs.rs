//! The costs of a box by the player's side of it, for a matching on the empty board.

use std::sync::Arc;

use sokosearch::{Charge, Stop};

use crate::WorkMeter;
use crate::board::{Distances, SearchBoard, SearchDirection, SideRows};
use crate::bound::matching::CostTable;

/// Rows by the player's side, and their costs.
#[derive(Debug)]
pub(crate) struct SideCosts {
    pub(crate) rows: Arc<SideRows>,
    pub(crate) costs: Arc<CostTable>,
    _charge: Charge,
}

impl SideCosts {
    /// Measures within the budget; `None` if the player's side never matters, or there is no memory.
    pub(crate) fn within(
        board: &SearchBoard,
        direction: SearchDirection,
        meter: &mut WorkMeter,
    ) -> Result<Option<Self>, Stop> {
        let Some(rows) = SideRows::new(board.sides()) else { return Ok(None) };
        let targets = board.targets(direction);
        let bytes = CostTable::bytes_of(rows.n_rows(), targets.len());
        let Ok(charge) = meter.memory().charge(bytes as u64) else { return Ok(None) };
        let distances = Distances::within(board.sides(), direction, targets, Some(&rows), meter)?;
        let costs = Arc::new(CostTable::new(board, &distances));
        Ok(Some(Self { rows: Arc::new(rows), costs, _charge: charge }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::{TestBoard, meter_within};

    /// From the right room the box in the door is first pushed left and fetched from there.
    #[test]
    fn the_cost_of_a_box_in_a_door_depends_on_the_side_of_the_player() {
        let test = TestBoard::new(&["#########", "#   #   #", "# $ @  .#", "#   #   #", "#########"]);
        let within = |bytes: u64| {
            let mut meter = meter_within(bytes);
            let sides = SideCosts::within(&test.board, SearchDirection::Forward, &mut meter).unwrap();
            (sides, meter.memory().used())
        };
        let (sides, used) = within(1 << 20);
        let sides = sides.unwrap();
        let door = test.sq(2, 4);
        assert_eq!([3, 1].map(|side| sides.costs.nearest(sides.rows.at(door, side))), [3, 7]);
        assert_eq!(sides.costs.nearest(door.into()), 3);
        assert_eq!((used, sides.costs.bytes()), (sides.rows.n_rows() as u64 * 8, sides.rows.n_rows() * 8));
        assert!(within(used).0.is_some() && within(used - 1).0.is_none());
    }

    #[test]
    fn a_hall_has_no_costs_by_side() {
        let test = TestBoard::new(&["#######", "#@ $ .#", "#     #", "#######"]);
        let mut meter = meter_within(1 << 20);
        assert!(SideCosts::within(&test.board, SearchDirection::Forward, &mut meter).unwrap().is_none());
        assert_eq!(meter.memory().used(), 0);
    }
}
