//! Makes the packing order by some rules, in slices.
//!
//! Invariant: between two steps the game is paused, and is resumed by any variant with the same rules: these variants
//! share one order.

use std::sync::Arc;

use sokosearch::Stop;
use tracing::debug;

use super::order::PackingOrder;
use super::reverse_game::{ReverseGame, ReverseGameState, Rules};
use super::variant::OrderRules;
use crate::WorkMeter;
use crate::board::level_tables::LevelTables;

/// The order by some rules, made or being made.
#[derive(Debug)]
pub(crate) struct OrderMaker {
    rules: OrderRules,
    stage: MakerStage,
}

#[derive(Debug)]
enum MakerStage {
    Playing(ReverseGame),
    FallingBack(ReverseGame),
    Made(Arc<PackingOrder>),
}

impl OrderMaker {
    /// Begins with the order by these rules.
    pub(crate) fn new(tables: &LevelTables, rules: OrderRules) -> Self {
        let game_rules = Rules { small_area: rules != OrderRules::NoSmallArea, see_all: rules != OrderRules::NoSeeAll };
        let game = ReverseGame::new(tables, game_rules);
        let stage =
            if rules == OrderRules::NoParking { MakerStage::FallingBack(game) } else { MakerStage::Playing(game) };
        Self { rules, stage }
    }

    /// Returns the rules.
    pub(crate) const fn rules(&self) -> OrderRules {
        self.rules
    }

    /// Does one step; returns the order once it is made.
    ///
    /// # Errors
    /// The reason to stop; the step can be repeated.
    pub(crate) fn step(
        &mut self,
        tables: &LevelTables,
        meter: &mut WorkMeter,
    ) -> Result<Option<Arc<PackingOrder>>, Stop> {
        let made = match &mut self.stage {
            MakerStage::Made(order) => return Ok(Some(Arc::clone(order))),
            MakerStage::FallingBack(game) => game.fall_back(tables, meter)?,
            MakerStage::Playing(game) => match game.play(tables, meter)? {
                ReverseGameState::Running => return Ok(None),
                ReverseGameState::Won(order) => Some(order),
                ReverseGameState::Lost => {
                    let game = std::mem::replace(game, ReverseGame::new(tables, game.rules()));
                    self.stage = MakerStage::FallingBack(game);
                    None
                }
            },
        };
        let Some(order) = made else { return Ok(None) };
        let (origin, n_phases) = (order.origin(), order.n_phases());
        debug!(rules = ?self.rules, ?origin, n_phases, n_targets = order.targets().len(), "a packing order");
        let order = Arc::new(order);
        self.stage = MakerStage::Made(Arc::clone(&order));
        Ok(Some(order))
    }
}
