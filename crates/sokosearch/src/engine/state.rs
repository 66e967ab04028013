//! A state of the searches that go step by step: a configuration, by its number in a store, and the player's square.

use sokocore::Square;

use crate::ConfigId;

/// Configuration and player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct State {
    pub(crate) config: ConfigId,
    pub(crate) player: Square,
}
