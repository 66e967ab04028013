//! Makes the packing order of a plan, in slices.
//!
//! Invariant: between two steps the game is paused, and it goes on with whichever variant asks next: variants of one plan
//! share its order.

use std::sync::Arc;

use sokosearch::Stop;
use tracing::debug;

use super::order::Order;
use super::reverse_game::{ReverseGame, Rules};
use super::variant::Plan;
use crate::WorkMeter;
use crate::board::level_tables::LevelTables;

/// The order of a plan, on the way or made.
#[derive(Debug)]
pub(crate) struct OrderMaker {
    plan: Plan,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Playing(ReverseGame),
    FallingBack(ReverseGame),
    Made(Arc<Order>),
}

impl OrderMaker {
    /// Begins with the order of a plan.
    pub(crate) fn new(yard: &LevelTables, plan: Plan) -> Self {
        let rules = Rules { small_area: plan != Plan::Roomy, see_all: plan != Plan::Early };
        let game = ReverseGame::new(yard, rules);
        let stage = if plan == Plan::Peeling { Stage::FallingBack(game) } else { Stage::Playing(game) };
        Self { plan, stage }
    }

    /// Returns the plan.
    pub(crate) const fn plan(&self) -> Plan {
        self.plan
    }

    /// Goes on a little; returns the order once it is made.
    ///
    /// # Errors
    /// The reason to stop; it goes on from there.
    pub(crate) fn step(&mut self, yard: &LevelTables, effort: &mut WorkMeter) -> Result<Option<Arc<Order>>, Stop> {
        let made = match &mut self.stage {
            Stage::Made(order) => return Ok(Some(Arc::clone(order))),
            Stage::FallingBack(game) => game.fall_back(yard, effort)?,
            Stage::Playing(game) => match game.play(yard, effort)? {
                None => return Ok(None),
                Some(made) => {
                    if made.is_none() {
                        let game = std::mem::replace(game, ReverseGame::new(yard, game.rules()));
                        self.stage = Stage::FallingBack(game);
                    }
                    made
                }
            },
        };
        let Some(order) = made else { return Ok(None) };
        let (making, n_phases) = (order.making(), order.n_phases());
        debug!(plan = ?self.plan, ?making, n_phases, n_targets = order.targets().len(), "a packing order");
        let order = Arc::new(order);
        self.stage = Stage::Made(Arc::clone(&order));
        Ok(Some(order))
    }
}
