//! What is measured of a position.
//!
//! # Contents, in reading order
//! * [`rooms`], [`links`]: rooms of the board, and how many links between them the boxes cut.
//! * [`view`]: the player's region, pieces of free floor, new macro moves.
//! * [`bridges`]: squares where a box would cut the free floor in two.
//! * [`hotspots`]: boxes in each other's way. [`zones`]: boxes in the way of the packing plan.
//! * [`overlap`]: boxes that stand as at one moment of a known path.
//! * [`worth`]: a weighted sum of features.

pub(crate) mod bridges;
pub(crate) mod hotspots;
pub(crate) mod links;
pub(crate) mod overlap;
pub(crate) mod rooms;
pub(crate) mod view;
pub(crate) mod worth;
pub(crate) mod zones;
