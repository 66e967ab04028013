//! The tree of a search by features.
//!
//! # Contents, in reading order
//! * [`nodes`]: expanded positions, packed. [`pending_moves`]: macro moves not yet made, packed.
//! * [`cells`]: the tree, and its open lists, one for each cell of the feature space.
//! * [`value_tree`]: the other rule of selection, from the root to the best leaf.

pub(crate) mod cells;
pub(crate) mod nodes;
pub(crate) mod pending_moves;
pub(crate) mod value_tree;
