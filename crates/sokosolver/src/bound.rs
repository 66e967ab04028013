//! Lower bounds on the pushes that are left.
//!
//! # Contents, in reading order
//! * [`matching`]: boxes to goals at the least cost (Kuhn, Munkres), updated when one box moves. Whether boxes can be
//!   matched with goals at all is the question of a [`sokocore::BipartiteMatching`].
//! * [`assignment`]: the matching of a family of positions that differ by one box.
//! * [`side_costs`]: the costs of a box with the player on one side of it.
//! * [`frozen_costs`]: the matching around boxes that are frozen on goals.
//! * [`lower_bounds`]: all bounds together, as a search of positions asks for them. [`added_bound`]: the interface of
//!   those beside the matching.
//! * [`penalties`], [`penalty_bound`]: what pairs of boxes cost beyond the matching: linear conflicts and others.
//! * [`goal_pairs`]: goals that exclude each other.

pub(crate) mod added_bound;
pub(crate) mod assignment;
pub(crate) mod frozen_costs;
pub(crate) mod goal_pairs;
pub(crate) mod lower_bounds;
pub(crate) mod matching;
pub(crate) mod penalties;
pub(crate) mod penalty_bound;
pub(crate) mod side_costs;

use added_bound::{AddedBound, BoundParts};
use lower_bounds::Bounds;

/// Makes a bound for a search; `None` if it is not for this search, or switched off.
type MakeBound<const W: usize> = fn(&mut BoundParts<'_, W>) -> Option<Box<dyn AddedBound<W>>>;

impl<const W: usize> Bounds<W> {
    /// All bounds beside the matching, in the order in which they are asked: first those that may say *lost*.
    const ADDED: &[MakeBound<W>] = &[goal_pairs::make, penalty_bound::make];
}
