//! Finds solutions of Sokoban levels, and proves them optimal where it can.
//!
//! ```text
//!   Level ──▶ fault?  ──▶ portfolio: selects strategies, runs their searches in slices
//!               │              │
//!               │              ├─ systematic   A*, greedy, breadth-first, IDA*   by pushes, by pulls, both
//!               │              ├─ packing      along packing orders of a reverse game
//!               │              ├─ fess         feature space search over macro moves
//!               │              └─ compact      boards of at most 64 cells: pushes or moves, before all others
//!               │                   │ uses: board · bound · deadlock · store · goal_macros
//!               │                   ▼
//!               │              pushes ─▶ moves ─▶ sokocore::replay ─▶ Solution
//!               ▼                                                        │
//!        Answer::Unsolvable                              Outcome: Answer, lower bound, attempts
//!
//!   Level ──▶ analysis (faults, graphs of positions, the portfolio) ──▶ Analysis
//! ```
//!
//! # Contents, in reading order
//! * [`Solver`]: the crate behind one call. Start here. [`solve`], [`solve_first`], [`SolveKnobs`]: the long way, with a
//!   budget of one's own.
//! * [`solve_batch`]: many levels in one call, side by side.
//! * [`Outcome`], [`Answer`], [`Attempt`], [`AttemptEnd`], [`SearchStats`], [`DeadlockStats`], [`DeferredDrop`]: its result.
//! * [`SolveProgress`], [`SolveEvent`]: the events of a run, for its observers.
//! * [`PortfolioSource`], [`AStarSearcher`]: for an optimizer, one solution after the other, and A* pruned by its incumbent.
//! * [`Strategy`], [`STRATEGIES`], [`Settings`], [`Technique`], [`TechniqueSet`]: what can be chosen, by name.
//! * [`Search`], [`Verdict`], [`WorkMeter`]: what all searches have in common: slices, ticks, verdicts.
//!   [`CustomStrategy`]: a search from another crate.
//! * [`systematic`]: the systematic searches, without the portfolio.
//! * [`LevelBounds`]: the fewest pushes and moves that are possible, as far as that is proved.
//! * [`analyze`], [`Analysis`], [`AnalysisKnobs`]: why a level has no solution, what is spare, how hard it is.
//!
//! # Features
//! * `testing`, off by default: `RuleProbe`, the rules of a search asked about single positions, for tests.
//!
//! # Example
//! ```
//! use sokocore::Level;
//! use sokosolver::{Optimal, Solver};
//!
//! let level = Level::parse("######\n#@$ .#\n######")?;
//! let outcome = Solver::new(&level).optimal(Optimal::Pushes).run();
//! assert!(outcome.is_proved());
//! assert_eq!(outcome.solution().map(|solution| solution.lurd().to_string()), Some("RR".to_owned()));
//! # Ok::<(), sokocore::ParseLevelError>(())
//! ```
//!
//! The long way, with limits of one's own:
//! ```
//! # use sokocore::Level;
//! use sokosearch::{Budget, Cancel, MemoryAccount};
//! use sokosolver::{SolveKnobs, solve};
//!
//! # let level = Level::parse("######\n#@$ .#\n######")?;
//! let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
//! let outcome = solve(&level, &SolveKnobs::default(), &budget, &());
//! assert_eq!(outcome.metrics().map(|metrics| metrics.pushes), Some(2));
//! # Ok::<(), sokocore::ParseLevelError>(())
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod batch;
mod board;
mod bound;
mod compact;
mod custom_strategy;
mod deadlock;
mod fair_share;
mod fault;
mod fess;
mod goal_macros;
mod level_bounds;
mod packing;
mod part_times;
mod portfolio;
mod search;
mod search_kind;
mod settings;
mod solver;
mod stats;
mod store;
mod strategy;
mod systematic;
mod technique;
mod upper_bound;
mod work_meter;

pub use analysis::choices::Choices;
pub use analysis::error_places::{is_unsolvable, places_of};
pub use analysis::shortest::Alternatives;
pub use analysis::survey::{LeastPushes, Parity, Survey};
pub use analysis::{
    Analysis, AnalysisKnobs, AnalysisStage, BoxUse, PushBounds, Reason, Solvability, Space, SquareUse, analyze,
};
pub use batch::solve_batch;
pub use custom_strategy::CustomStrategy;
pub use fault::Fault;
pub use level_bounds::LevelBounds;
pub use part_times::{FindTimes, PartTimes};
pub use portfolio::deferred_drop::DeferredDrop;
pub use portfolio::knobs::{Polish, SolveKnobs};
pub use portfolio::optimal_searcher::AStarSearcher;
pub use portfolio::outcome::{Answer, Attempt, AttemptEnd, Outcome};
pub use portfolio::portfolio_source::PortfolioSource;
pub use portfolio::progress::{SolveEvent, SolveProgress};
pub use portfolio::{solve, solve_first};
pub use search::{Search, Verdict};
pub use settings::{Algorithm, BoundWeight, Heading, Optimal, Settings};
pub use solver::Solver;
pub use stats::{DeadlockStats, SearchStats};
pub use strategy::{STRATEGIES, Strategy};
#[cfg(feature = "testing")]
pub use systematic::expander::rule_probe::{ProbedPosition, ProbedPush, RuleProbe};
pub use systematic::systematic;
pub use technique::{Technique, TechniqueSet};
pub use work_meter::WorkMeter;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
