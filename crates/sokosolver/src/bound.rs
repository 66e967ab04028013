//! Lower bounds on the pushes that are left.
//!
//! # Contents, in reading order
//! * [`matching`]: boxes to goals at the least cost (Kuhn, Munkres), updated when one box moves. Whether boxes can be
//!   matched with goals at all is the question of a [`sokocore::BipartiteMatching`].
//! * [`assignment`]: the matching of a family of positions that differ by one box.
//! * [`penalties`]: what pairs of boxes cost beyond the matching: linear conflicts and others.
//! * [`side_costs`]: the costs of a box with the player on one side of it.
//! * [`frozen_costs`]: the matching around boxes that are frozen on goals.
//! * [`lower_bounds`]: all of them together, as a search of positions asks for them.

pub(crate) mod assignment;
pub(crate) mod frozen_costs;
pub(crate) mod lower_bounds;
pub(crate) mod matching;
pub(crate) mod penalties;
pub(crate) mod side_costs;
