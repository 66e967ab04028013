//! What is measured of a position.
//!
//! # Contents, in reading order
//! * [`rooms`], [`links`]: rooms of the board, and how many links between them the boxes cut.
//! * [`view`]: the player's region, pieces of free floor, new moves.
//! * [`bridges`]: squares where a box would cut the free floor in two.
//! * [`hotspots`]: boxes that block others. [`out_of_plan`]: boxes in the way of the packing plan.
//! * [`overlap`]: boxes that stand as in one position of a known path.
//! * [`stuck`], [`crowded`]: boxes that cannot be moved, and boxes that touch others. [`goal_distance`]: pushes that are
//!   left, each box by itself. [`holes`]: goals where a box blocks nothing.
//! * [`score_key`]: features in the order of their importance, as one number. [`evaluation`]: a weighted sum of them.
//!
//! No one list of features serves all aims: each has an order of its own, and computes only what it reads. So
//! [`push_aim`](crate::fess::push_aim) and [`pull_aim`](crate::fess::pull_aim) list, for each aim, features with their
//! bits.

pub(crate) mod bridges;
pub(crate) mod crowded;
pub(crate) mod evaluation;
pub(crate) mod goal_distance;
pub(crate) mod holes;
pub(crate) mod hotspots;
pub(crate) mod links;
pub(crate) mod out_of_plan;
pub(crate) mod overlap;
pub(crate) mod rooms;
pub(crate) mod score_key;
pub(crate) mod stuck;
pub(crate) mod view;
