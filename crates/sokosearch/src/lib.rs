//! Memory-bounded search for Sokoban: stores, queues, budgets, and the engine that joins them.
//!
//! ```text
//!  Spine ──rings──▶ Tube = configurations in a ConfigStore
//!                     │
//!                     ▼               ┌─ walks   (recycled)  ─┐
//!              lockstep search ◀──────┤                       ├── spans of equal cost
//!                │    │               └─ pushes  (kept)      ─┘
//!       ClosedSet┘    │ tick · charge · found
//!                     ▼
//!                  Context ──▶ Budget (time · work · memory · cancel) ──▶ Stop
//!                     ├──────▶ Pool (best solution per objective, replayed)
//!                     └──────▶ Progress (events)
//! ```
//!
//! # Contents, in reading order
//! * [`Context`]: the one door to budget, pool and progress. Start here. [`Tally`]: what went through it.
//! * [`Budget`], [`Stop`], [`Cancel`], [`MemoryAccount`], [`Clock`]: limits and how they end a search.
//! * [`Pool`], [`Progress`], [`Event`]: what is found and who hears of it.
//! * [`LiveIndex`], [`ConfigStore`], [`HashStore`], [`TreeStore`]: configurations as bits, and sets of them.
//! * [`Spine`], [`Rings`], [`RingOrder`], [`Neighborhood`], [`Boxes`], [`Tube`]: the configurations near a solution.
//! * [`ConfigSet`]: configurations that a method puts together itself.
//! * [`Order`], [`Cost`], [`ClosedSet`], [`search`], [`Stretch`], [`Engine`]: the search through a tube.
//! * [`search_near`], [`search_round`], [`search_everything`]: the same through a tube that is never generated; the fastest.
//! * [`wander`], [`wander_near`]: another solution of equal worth.
//! * [`search_exact`], [`search_by_objective`]: all six metrics at once, for any objective, push by push.
//! * [`whole_space`]: every configuration of a small level, for proofs.
//! * [`run_jobs`]: worker threads. [`Places`]: those that a large search may take.
//!
//! # Absent on purpose
//! Files, printing, and any choice of what to search: that is the business of the methods.
#![forbid(unsafe_code)]

mod backward;
mod best_walks;
mod budget;
mod clock;
mod closed;
mod config_set;
mod context;
mod dead_check;
mod dead_patterns;
mod exact;
mod ground;
mod join;
mod lesson;
mod live_index;
mod lockstep;
mod memory;
mod near_spine;
mod optimal_steps;
mod order;
mod past;
mod places;
mod pool;
mod progress;
mod queue;
mod reached;
mod refine;
mod rings;
mod search;
mod span;
mod spine;
mod spine_index;
mod steps_to_go;
mod store;
mod successors;
mod tally;
mod trace;
mod tube;
mod walk_moves;
mod wavefront;
mod whole_space;
mod workers;

pub use backward::wander;
pub use budget::{Budget, Cancel, End, Stop};
pub use clock::Clock;
pub use closed::ClosedSet;
pub use config_set::ConfigSet;
pub use context::Context;
pub use exact::search_exact;
pub use live_index::LiveIndex;
pub use memory::{Charge, MemoryAccount};
pub use order::{Cost, Order};
pub use places::Places;
pub use pool::Pool;
pub use progress::{Event, Progress};
pub use rings::{RingOrder, Rings};
pub use search::{Engine, Report, Stretch, search, search_by_objective};
pub use spine::{Spine, SpineState};
pub use store::hash::{HashStore, Inserted};
pub use store::tree::TreeStore;
pub use store::{ConfigId, ConfigStore, StoreKind};
pub use tally::Tally;
pub use tube::{Boxes, Neighborhood, Tube, TubeStore};
pub use wavefront::{search_everything, search_near, search_round, wander_near};
pub use whole_space::{n_placements, whole_space};
pub use workers::run_jobs;
