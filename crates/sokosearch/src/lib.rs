//! Memory-bounded search for Sokoban: from a solution to a better one, within limits of time, memory and work.
//!
//! ```text
//!  Spine + Neighborhood ──▶ tube: is a configuration near the spine?
//!                             │ tested, not generated
//!                             ▼
//!  bucket queue ──expand──▶ WAVEFRONT ──flood, pull──▶ reached table: configurations with distances modulo 3
//!       ▲                     │  │                          │
//!       └──────enqueue────────┘  │ tick · charge            ▼
//!                                ▼                        path: trace, refine
//!  Stop ◀── Budget ◀───────── Context ◀──────found──────────┘
//!                                ├──▶ Pool (best solution per objective, replayed)
//!                                └──▶ Progress (events)
//! ```
//!
//! Beside the wavefront there are a backward engine for any [`ConfigStore`], a forward reference engine, and A* over
//! pushes for objectives that these do not count.
//!
//! # Contents, in reading order
//! * `run`: [`Context`], all that a method has access to. Start here. [`Budget`], [`Stop`], [`Cancel`],
//!   [`MemoryAccount`], [`Clock`]: limits and how they end a search. [`Pool`], [`Progress`], [`Event`], [`Tally`]: what was
//!   found and done. [`run_jobs`], [`ThreadPermits`]: threads.
//! * `store`: [`LiveIndex`], configurations as bits. [`ConfigStore`], [`HashStore`], [`TreeStore`]: sets of them.
//!   [`ClosedSet`]: sets of states. [`ChunkedVec`]: lists that grow without copies.
//! * `deadlock`: configurations on no solution, which are kept out of generated sets.
//! * `tube`: [`Spine`], [`Rings`], [`RingOrder`], [`Neighborhood`], [`Boxes`], [`Tube`], [`TubeOptions`]: configurations near a
//!   solution. [`ConfigSet`]: configurations that a method chooses. [`whole_space`]: all of a small level, for proofs.
//! * `order`, `engine_choice`: [`Order`], [`Cost`], [`Engine`]: what to minimize, and with which engine.
//! * `engine`: [`SearchWindow`], [`search`], [`Report`]: the search through a store of configurations. [`search_near`],
//!   [`search_round`], [`search_everything`]: the wavefront, the fastest. [`search_exact`], [`search_by_objective`]: all
//!   six metrics, for any objective. [`plateau_walk`], [`plateau_walk_near`]: another solution of equal worth.
//!
//! # Absent on purpose
//! Files, printing, and any choice of what to search: that is the business of the methods.
#![forbid(unsafe_code)]

mod deadlock;
mod engine;
mod engine_choice;
mod order;
mod run;
mod store;
mod tube;

pub use engine::backward::plateau_walk;
pub use engine::exact::search_exact;
pub use engine::wavefront::{plateau_walk_near, search_everything, search_near, search_round};
pub use engine::{Report, SearchWindow, search, search_by_objective};
pub use engine_choice::Engine;
pub use order::{Cost, Order};
pub use run::budget::{Budget, Cancel, End, Stop};
pub use run::clock::Clock;
pub use run::context::Context;
pub use run::memory::{Charge, MemoryAccount};
pub use run::pool::Pool;
pub use run::progress::{Event, Progress};
pub use run::tally::Tally;
pub use run::thread_permits::ThreadPermits;
pub use run::workers::run_jobs;
pub use store::chunked_vec::ChunkedVec;
pub use store::closed_set::ClosedSet;
pub use store::hash_store::{HashStore, Inserted};
pub use store::live_index::LiveIndex;
pub use store::tree_store::TreeStore;
pub use store::{ConfigId, ConfigStore, StoreKind};
pub use tube::config_set::ConfigSet;
pub use tube::rings::{RingOrder, Rings};
pub use tube::spine::{Spine, SpineState};
pub use tube::whole_space::{n_placements, whole_space};
pub use tube::{Boxes, Neighborhood, Tube, TubeOptions, TubeStore};
