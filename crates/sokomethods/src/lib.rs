//! Ways to improve a Sokoban solution.
//!
//! | method | neighborhood | cost | exhaustive? |
//! |---|---|---|---|
//! | tidy path | the same pushes, without loops | linear | yes |
//! | rearrange | later pushes of a box brought forward | quadratic within its look-ahead | no |
//! | permute | neighboring pushes swapped, sessions advanced, pushes of a box grouped | linear a round | no |
//! | delay | a push put off with all that need it, made up for in any order | linear in its look-ahead | no |
//! | rearrange full | pushes of any box, with followers, earlier or later | quadratic within its look-ahead | no |
//! | symmetry | the rest of the solution, mirrored where the boxes are their own image | linear | yes |
//! | phase lattice | boxes early or late on their own ways | configurations x floor squares | yes, in two metrics |
//! | relink | the configurations of several solutions and their images | configurations x floor squares | yes, in two metrics |
//! | crossover | some boxes go the ways of one solution, the others those of another | pushes of one x pushes of the other | yes, for each choice |
//! | box permutation | windows in which N boxes are free and the others are walls | a slice for each window | where all fits |
//! | vicinity | configurations with up to four boxes displaced | configurations x floor squares | yes, in two metrics |
//! | exhaustive | every configuration of a small level | placements x floor squares | yes, proved |
//!
//! # Contents, in reading order
//! * [`Method`], [`Piece`], [`Spec`], [`METHODS`]: what they have in common. Start here.
//! * [`TidyPath`], [`MirrorRest`], [`Rearrange`], [`Permute`], [`Delay`], [`PhaseLattice`], [`Vicinity`],
//!   [`Relink`], [`Crossover`], [`BoxPermutation`] with its [`Window`]s: the methods, simplest first.
//! * [`optimize`]: the schedule that runs them; [`Knobs`]: its settings.
//! * [`Source`], [`Sourced`], [`SharedSource`]: where solutions of other shapes come from.
//! * [`Scope`], [`Interval`]: optimizing a part of a solution; [`SubLevel`]: that part as a level of its own.
//! * [`without_squares`]: a level that does without some of its squares.
//!
//! # Example
//! ```
//! use sokocore::{Level, Objective, replay};
//! use sokomethods::{Knobs, optimize};
//! use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};
//!
//! let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
//! let start = replay(&level, &"drruurDullDrdL".parse()?)?;
//! let pool = Pool::new(&level, &start, &[Objective::MOVES]);
//! let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
//! let mut context = Context::new(&pool, Objective::MOVES, &budget, &());
//! assert!(optimize(&Knobs::default(), &mut context).is_ok(), "nothing stops it");
//! assert_eq!(pool.best(Objective::MOVES).metrics().moves, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod box_permutation;
mod closed_squares;
mod crossover;
mod delay;
mod exhaustive;
mod fingerprints;
mod knobs;
mod method;
mod permute;
mod phase_lattice;
mod push_order;
mod rearrange;
mod relink;
mod schedule;
mod scope;
mod seam;
mod source;
mod symmetry;
mod tidy_path;
mod vicinity;

pub use box_permutation::BoxPermutation;
pub use box_permutation::window::Window;
pub use closed_squares::{CloseError, without_squares};
pub use crossover::Crossover;
pub use delay::Delay;
pub use exhaustive::Exhaustive;
pub use knobs::Knobs;
pub use method::{METHODS, Method, Piece, Spec};
pub use permute::{Permute, Strategy};
pub use phase_lattice::PhaseLattice;
pub use rearrange::Rearrange;
pub use relink::Relink;
pub use schedule::optimize;
pub use scope::sub_level::{Bystanders, CutError, Finish, SubLevel};
pub use scope::{Interval, Scope};
pub use source::{SharedSource, Source, Sourced};
pub use symmetry::MirrorRest;
pub use tidy_path::TidyPath;
pub use vicinity::Vicinity;
