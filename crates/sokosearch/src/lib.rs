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
//! * `run`: [`Context`], all that a method has access to. Start here. [`Limits`], [`Budget`], [`Stop`], [`Cancel`],
//!   [`MemoryAccount`], [`Clock`]: limits and how they end a search. [`Pool`], [`Progress`], [`Event`], [`Tally`]: what was
//!   found and done. [`run_jobs`], [`ThreadPermits`], [`TimeShare`]: threads, and time for several searches.
//!   [`SolutionSource`], [`SourceSlice`]: a search that solves a level anew, in slices. [`OptimalSearcher`],
//!   [`OptimalSearch`], [`OptimalSlice`]: one that prunes by the incumbent and proves a lower bound. [`NamedTechnique`],
//!   [`TechniqueSet`]: what can be switched off by name.
//! * `store`: [`LiveIndex`], configurations as bits. [`ConfigStore`], [`HashStore`], [`TreeStore`]: sets of them.
//!   [`ClosedSet`]: sets of states. `chunked_vec`: [`ChunkedVec`], a list that grows without copies.
//! * `deadlock`: configurations on no solution, which are kept out of generated sets.
//! * `tube`: [`Spine`], [`Rings`], [`RingOrder`], [`Neighborhood`], [`Boxes`], [`Tube`], [`TubeOptions`]: configurations near a
//!   solution. [`ConfigSet`]: configurations that a method chooses. [`whole_space`]: all of a small level, for proofs.
//! * `order`, `engine_choice`: [`Order`], [`Cost`], [`Engine`]: what to minimize, and with which engine.
//! * `engine`: [`SearchWindow`], [`search`], [`Report`]: the search through a store of configurations. [`search_near`],
//!   [`search_round`], [`search_everything`]: the wavefront, the fastest. [`search_exact`], [`search_by_objective`]: all
//!   six metrics, for any objective. [`plateau_walk`], [`plateau_walk_near`]: another solution of equal worth.
//!
//! # Feature `engines`
//! On by default. Without it there are only limits, events and jobs: [`Budget`], [`Cancel`], [`Stop`], [`End`],
//! [`MemoryAccount`], [`Charge`], [`Clock`], [`TimeShare`], [`Progress`], [`run_jobs`], [`SolutionSource`],
//! [`OptimalSearcher`], [`TechniqueSet`]. That is all that a solver needs.
//!
//! # Example
//! One search of the configurations in which one box stands on one of the eight nearest squares:
//! ```
//! use sokocore::{Level, Objective, replay};
//! use sokosearch::{
//!     Boxes, Budget, Cancel, Context, Engine, LiveIndex, MemoryAccount, Neighborhood, Order, Pool, RingOrder,
//!     SearchWindow, Spine, search_near,
//! };
//!
//! let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
//! let start = replay(&level, &"drruurDullDrdL".parse()?)?;
//! let pool = Pool::new(&level, &start, &[Objective::MOVES]);
//! let budget = Budget::new(None, MemoryAccount::new(16 << 20), Cancel::default());
//! let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
//!
//! let (live, ring) = (LiveIndex::new(&level), RingOrder::ALL[0]);
//! let neighborhood = Neighborhood { limits: vec![8], ring, boxes: Boxes::All };
//! let found = Spine::new(&level, &live, &start, budget.memory()).and_then(|spine| {
//!     let (order, directions) = (Order::of(&Objective::MOVES), ring.directions());
//!     let (from, to, engine) = (0, spine.end(), Engine::Fast);
//!     search_near(SearchWindow { live: &live, spine: &spine, from, to, order, directions, engine }, &neighborhood, &mut cx)
//! });
//! assert!(found.is_ok_and(|report| report.is_some_and(|report| report.improved)));
//! assert_eq!(pool.best(Objective::MOVES).metrics().moves, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Absent on purpose
//! Files, printing, and any choice of what to search: that is the business of the methods.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "engines"),
    expect(dead_code, unused_imports, reason = "the engines alone recycle chunks of memory")
)]

mod chunked_vec;
#[cfg(feature = "engines")]
mod deadlock;
#[cfg(feature = "engines")]
mod engine;
#[cfg(feature = "engines")]
mod engine_choice;
#[cfg(feature = "engines")]
mod order;
mod run;
#[cfg(feature = "engines")]
mod store;
#[cfg(feature = "engines")]
mod tube;

pub use chunked_vec::ChunkedVec;
pub use run::budget::{Budget, Cancel, End, Stop};
pub use run::clock::Clock;
pub use run::limits::Limits;
pub use run::memory::{Charge, MemoryAccount};
pub use run::optimal_search::{OptimalSearch, OptimalSearcher, OptimalSlice, SubproblemSearch, SubproblemSlice};
pub use run::progress::{Event, Progress};
pub use run::solution_source::{SolutionSource, SourceSlice};
pub use run::technique_set::{NamedTechnique, TechniqueSet, UnknownTechnique};
pub use run::time_share::TimeShare;
pub use run::workers::run_jobs;
#[cfg(feature = "engines")]
pub use {
    engine::backward::plateau_walk,
    engine::exact::search_exact,
    engine::wavefront::{plateau_walk_near, search_everything, search_near, search_round},
    engine::{Report, SearchWindow, search, search_by_objective},
    engine_choice::Engine,
    order::{Cost, Order},
    run::context::Context,
    run::pool::Pool,
    run::tally::Tally,
    run::thread_permits::ThreadPermits,
    store::closed_set::ClosedSet,
    store::hash_store::{HashStore, Inserted},
    store::live_index::LiveIndex,
    store::tree_store::TreeStore,
    store::{ConfigId, ConfigStore, StoreKind},
    tube::config_set::ConfigSet,
    tube::rings::{RingOrder, Rings},
    tube::spine::{Spine, SpineState},
    tube::whole_space::{n_placements, whole_space},
    tube::{Boxes, Neighborhood, Tube, TubeOptions, TubeStore},
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
