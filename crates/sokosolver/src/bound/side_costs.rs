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
