//! From the distances of a backward search to paths.
//!
//! ```text
//!  joins ──▶ optimal_paths: steps that may be on a path of the right length ──▶ trace:  any one path, fast
//!                │                                                         └──▶ refine: the best in all six metrics
//!                └─ moves_to_go: distances modulo 3 · successors: steps within a store
//! ```
//!
//! # Contents, in reading order
//! * `joins`: spine states with a cheaper rest; what a search offers.
//! * `moves_to_go`, `successors`, `optimal_paths`: the graph of optimal paths.
//! * `trace`: one of them. `refine`, `path_history`: the best of them.

pub(crate) mod joins;
pub(crate) mod moves_to_go;
pub(crate) mod optimal_paths;
pub(crate) mod path_history;
pub(crate) mod refine;
pub(crate) mod successors;
pub(crate) mod trace;
