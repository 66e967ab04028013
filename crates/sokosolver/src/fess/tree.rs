//! The tree of a feature space search, and the rules that select its next move.
//!
//! ```text
//!   FessTree ── add ──▶ NodeStore, PendingMoves (the next moves of each node)
//!      ▲                    │
//!      └── next ◀── Cells: one open list for each cell of the feature space
//!               ◀── or ValueTree: from the root to the best leaf
//! ```
//!
//! # Contents, in reading order
//! * [`fess_tree`]: the tree. [`cells`], [`value_tree`]: the two rules of selection.
//! * [`nodes`]: expanded positions, packed. [`pending_moves`]: macro moves not yet made, packed.

pub(crate) mod cells;
pub(crate) mod fess_tree;
pub(crate) mod nodes;
pub(crate) mod pending_moves;
pub(crate) mod value_tree;
