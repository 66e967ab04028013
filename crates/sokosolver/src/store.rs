//! The stores of positions: transposition table, open list, closed sets.
//!
//! # Contents, in reading order
//! * [`transposition_table`]: positions with their costs and parents, found again by boxes and player.
//! * [`packed_push`]: a push or pull in two bytes, as nodes hold it.
//! * [`open_list`]: positions to be expanded, by priority.
//! * [`closed_set`], [`fingerprint_set`]: positions by 48 and by 42 bits of their hashes.
//! * [`zeros`]: zeroed tables, written page by page. A list that grows without copies is a
//!   [`ChunkedVec`](sokosearch::ChunkedVec).

pub(crate) mod closed_set;
pub(crate) mod fingerprint_set;
pub(crate) mod open_list;
pub(crate) mod packed_push;
pub(crate) mod transposition_table;
pub(crate) mod zeros;
