//! Ways to improve a Sokoban solution.
//!
//! | method | neighborhood | cost | exhaustive? |
//! |---|---|---|---|
//! | tidy path | the same pushes, without loops | linear | yes |
//! | rearrange | later pushes of a box brought forward | quadratic within its look-ahead | no |
//! | permute | neighboring pushes swapped, sessions advanced, pushes of a box grouped | linear a round | no |
//! | delay | a push put off with all that depend on it, inserted later in any order | linear in its look-ahead | no |
//! | session exchange | two box sessions exchange their starts, ends or turns | pairs within its look-ahead x pushes between them | no |
//! | rearrange full | pushes of any box, with followers, earlier or later | quadratic within its look-ahead | no |
//! | symmetry | the rest of the solution, mirrored where the boxes are their own image | linear | yes |
//! | phase lattice | boxes early or late on their own paths | configurations x floor squares | yes, in two metrics |
//! | relink | the configurations of several solutions and their images | configurations x floor squares | yes, in two metrics |
//! | crossover | some boxes on the paths of one solution, the others on those of another | pushes of one x pushes of the other | yes, for each choice |
//! | box permutation | windows in which N boxes are free and the others are walls | a slice for each window | if all fits |
//! | vicinity | configurations with up to four boxes displaced | configurations x floor squares | yes, in two metrics |
//! | exhaustive | every configuration of a small level | placements x floor squares | yes, proved |
//!
//! ```text
//!  Optimizer ─▶ a search for each objective
//!                 ▼
//!  optimize ─┬─────────────────────────────────▶ schedule ─▶ best arm ─▶ slice ─▶ gain ─▶ pool
//!            └▶ scope ─▶ each part as a level ─▶ schedule       │
//!                                                               ├ methods and neighborhoods
//!                                                               │    ├▶ push_order: pushes in another order
//!                                                               │    └▶ sokosearch: configurations
//!                                                               ├ plateau: other solutions of equal worth
//!                                                               └ lineages: other starts ◀─ a solution source
//! ```
//!
//! # Contents, in reading order
//! * [`Optimizer`]: the crate behind one call. Start here. [`OptimizeOutcome`], [`ObjectiveOutcome`], [`MethodGains`]: its
//!   result; [`Improvement`]: what it reports on the way.
//! * [`Method`], [`Piece`], [`Spec`]: the interface of all methods. [`METHODS`]: the list of them. [`CustomMethod`]: a
//!   method from another crate.
//! * [`TidyPath`], [`MirrorRest`], [`Rearrange`], [`Permute`], [`Delay`], [`SessionExchange`], [`PhaseLattice`],
//!   [`Vicinity`], [`Relink`], [`Crossover`], [`BoxPermutation`] with its [`Window`]s, [`Exhaustive`]: the methods, simplest first
//!   (folder `methods`).
//! * [`optimize()`]: the search for one objective, the long way; [`Knobs`]: its settings; `schedule`: the bandit that
//!   runs the methods.
//! * [`Checkpoint`], [`ReadCheckpointError`]: where a run has ended, for [`optimize_from`] and [`Optimizer::resume`] to
//!   continue there.
//! * [`Technique`], [`TechniqueKind`], [`TechniqueSet`]: the parts of the schedule, each of which can be switched off.
//! * [`SharedSolutionSource`]: a [`SolutionSource`](sokosearch::SolutionSource) of solutions of other shapes.
//!   [`SharedOptimalSearcher`]: an [`OptimalSearcher`](sokosearch::OptimalSearcher), which proves lower bounds.
//! * [`WindowExchange`], [`SharedWindowExchange`], [`IslandWindow`], [`WindowClaim`]: what runs on one level in several
//!   processes tell each other of windows; [`ExchangeKey`]: what they must have in common; [`IslandWindows`],
//!   [`WindowNews`], [`ReadNewsError`]: the memory of one of them.
//! * [`Scope`], [`Interval`]: optimizing a part of a solution; [`SubLevel`]: that part as a level of its own.
//! * [`without_squares`]: a level without some of its squares. [`polish()`]: a few milliseconds of the quick methods.
//!
//! Parts that several methods share: `push_order`, the solution as an order of pushes with the cost of every walk;
//! `loops`, which cuts loops; `next_start`, the overlapping windows over a solution; `fingerprints`, sets of windows
//! that were searched; `board_image`, the symmetries of a board.
//!
//! # Example
//! ```
//! use sokocore::{Level, replay};
//! use sokomethods::Optimizer;
//!
//! let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
//! let start = replay(&level, &"drruurDullDrdL".parse()?)?;
//! let outcome = Optimizer::new(&level).run(&start)?;
//! assert_eq!(outcome.solution().metrics().moves, 12);
//! assert!(outcome.is_proved());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The long way, with a pool and limits of one's own:
//! ```
//! # use sokocore::{Level, Objective, replay};
//! use sokomethods::{Knobs, optimize};
//! use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};
//!
//! # let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
//! # let start = replay(&level, &"drruurDullDrdL".parse()?)?;
//! let pool = Pool::new(&level, &start, &[Objective::MOVES]);
//! let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
//! let mut context = Context::new(&pool, Objective::MOVES, &budget, &());
//! assert!(optimize(&Knobs::default(), &mut context).is_ok(), "nothing stops it");
//! assert_eq!(pool.best(Objective::MOVES).metrics().moves, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod board_image;
mod boxes_pushed;
mod checkpoint;
mod closed_squares;
mod custom_method;
mod fingerprints;
mod knobs;
mod loops;
mod method;
mod methods;
mod next_start;
mod optimize;
mod optimizer;
mod polish;
mod pull_distances;
mod push_order;
mod schedule;
mod scope;
mod shared_searcher;
mod shared_source;
mod technique;
mod window_exchange;

pub use checkpoint::{Checkpoint, ReadCheckpointError};
pub use closed_squares::{CloseError, without_squares};
pub use custom_method::CustomMethod;
pub use knobs::Knobs;
pub use method::{Method, Piece, Spec};
pub use methods::METHODS;
pub use methods::box_groups::BoxGroups;
pub use methods::box_permutation::BoxPermutation;
pub use methods::box_permutation::window::Window;
pub use methods::crossover::Crossover;
pub use methods::delay::Delay;
pub use methods::exhaustive::Exhaustive;
pub use methods::permute::{Permute, PermuteStrategy};
pub use methods::phase_lattice::PhaseLattice;
pub use methods::rearrange::Rearrange;
pub use methods::relink::Relink;
pub use methods::session_exchange::SessionExchange;
pub use methods::symmetry::MirrorRest;
pub use methods::tidy_path::TidyPath;
pub use methods::vicinity::Vicinity;
pub use optimize::{optimize, optimize_from, sort_for_search};
pub use optimizer::Optimizer;
pub use optimizer::outcome::{Improvement, MethodGains, ObjectiveOutcome, OptimizeOutcome};
pub use polish::polish;
pub use scope::sub_level::{CutError, Finish, SubLevel, UnpushedBoxes};
pub use scope::{Interval, Scope};
pub use shared_searcher::SharedOptimalSearcher;
pub use shared_source::SharedSolutionSource;
pub use technique::{Technique, TechniqueKind, TechniqueSet};
pub use window_exchange::island_window::IslandWindow;
pub use window_exchange::island_windows::IslandWindows;
pub use window_exchange::window_news::{ReadNewsError, WindowNews};
pub use window_exchange::{ExchangeKey, SharedWindowExchange, WindowClaim, WindowExchange};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
