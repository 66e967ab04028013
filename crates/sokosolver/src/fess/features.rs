//! What is measured of a position.
//!
//! # Contents, in reading order
//! * [`rooms`], [`links`]: rooms of the board, and how many links between them the boxes cut.
//! * [`view`]: the player's region, pieces of free floor, new moves.
//! * [`bridges`]: squares where a box would cut the free floor in two.
//! * [`hotspots`]: boxes that block others. [`out_of_plan`]: boxes in the way of the packing plan.
//! * [`overlap`]: boxes that stand as in one position of a known path.
//! * [`evaluation`]: a weighted sum of features.

pub(crate) mod bridges;
pub(crate) mod evaluation;
pub(crate) mod hotspots;
pub(crate) mod links;
pub(crate) mod out_of_plan;
pub(crate) mod overlap;
pub(crate) mod rooms;
pub(crate) mod view;
