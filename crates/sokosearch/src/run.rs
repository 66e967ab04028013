//! What a search runs within, and what it reports to.
//!
//! ```text
//!  method ──tick · charge · found──▶ Context ──▶ Budget (time · work · memory · cancel) ──▶ Stop
//!                                       ├──────▶ Pool (best solution per objective, replayed)
//!                                       ├──────▶ Progress (events) · Tally (totals)
//!                                       └──────▶ ThreadPermits (threads that a large search may take)
//! ```
//!
//! # Contents, in reading order
//! * `context`: all that a method has access to. Start here.
//! * `limits`, `budget`, `clock`, `memory`: limits, and how they end a search.
//! * `pool`, `progress`, `tally`: what was found, and what was done. `shared_table`: what the searches of a level learn.
//! * `workers`, `thread_permits`: threads for jobs, and threads for one large search.
//! * `time_share`: the time of several searches of one level. `solution_source`: a search that solves a level anew.
//!   `optimal_search`: one that prunes by the incumbent and proves a lower bound.
//! * `technique_set`: what can be switched off by name.

pub(crate) mod budget;
pub(crate) mod clock;
#[cfg(feature = "engines")]
pub(crate) mod context;
pub(crate) mod limits;
pub(crate) mod memory;
pub(crate) mod optimal_search;
#[cfg(feature = "engines")]
pub(crate) mod pool;
pub(crate) mod progress;
#[cfg(feature = "engines")]
pub(crate) mod shared_table;
pub(crate) mod solution_source;
#[cfg(feature = "engines")]
pub(crate) mod tally;
pub(crate) mod technique_set;
#[cfg(feature = "engines")]
pub(crate) mod thread_permits;
pub(crate) mod time_share;
pub(crate) mod workers;
