//! One budget of time over many Sokoban levels: a night's work for a computer.
//!
//! ```text
//!   library ──▶ NightLevel ──▶ Schedule ──slices──▶ workers ──▶ LevelFinds ──▶ LibraryQueue ──▶ library
//!                                 ▲                    │
//!                                 └────── gains ───────┘──▶ NightObserver
//! ```
//!
//! Levels without a solution are solved, the others improved. Each level gets its time in slices, and each slice
//! continues where the last one on its level has ended, in this night or an earlier one.
//!
//! # Contents, in reading order
//! * [`Night`], [`NightKnobs`]: what is to be done, and for how long. Start here. [`NightOutcome`]: what came of it.
//! * [`NightLevel`], [`Purpose`]: a level, and what its slices are for.
//! * [`NightObserver`], [`NightEvent`], [`SliceReport`]: what happens meanwhile. [`NightControl`]: pause, resume, stop.
//! * [`Schedule`], [`Item`], [`Turn`], [`SliceGain`]: which level is next, by what slices have gained.
//! * [`LevelState`], [`Slices`], [`SliceLimits`]: one slice, for programs with a schedule of their own.
//! * [`FindStore`], [`LibraryQueue`], [`LevelFinds`], [`FoundSolution`]: how finds get into the library. [`Finders`]: what found them.
//! * [`PolishedSource`]: the solver as a source of starts for the optimizer.
//!
//! # Example
//! ```
//! use std::time::Duration;
//!
//! use sokocore::{Level, Objective};
//! use sokoio::{Collection, LevelId};
//! use sokolibrary::{Library, NewCollection, Origin};
//! use sokonight::{LibraryQueue, Night, NightControl, NightEvent, NightKnobs, NightLevel};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("library.sqlite");
//! let collection = Collection::parse(b"######\n##   #\n#@$ $#\n#.  .#\n######\n");
//! let mut library = Library::create_or_open(&path)?;
//! library.write(|changes| changes.add_collection(&NewCollection::new("small", &collection)))?;
//!
//! let knobs = NightKnobs::default().with_time(Duration::from_secs(60)).with_memory(64 << 20);
//! let levels = NightLevel::of_collections(&library, &["small".to_owned()], &knobs.objectives)?;
//! let queue = LibraryQueue::at(&path, Origin::of_run("an example"))?;
//! let show = |event: NightEvent<'_>| {
//!     if let NightEvent::Improved { level, objective, solution, by, .. } = event {
//!         println!("{}, {objective}: {} by {by}", level.name(), solution.metrics());
//!     }
//! };
//! let outcome = Night::new(&levels, &queue, &knobs).run(&NightControl::default(), &show);
//! assert!(outcome.levels[0].is_newly_solved() && queue.flush().is_ok());
//! let best = library.best(levels[0].id, Objective::MOVES)?.expect("it is kept");
//! assert_eq!(best.metrics.moves, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it guarantees
//! * What a [`SliceReport`] tells is in the library when it is told, unless the library cannot be written.
//! * Whatever ends a night, the next one begins with what is there, and with the time that each level has had.
//! * A fault of a search ends its slice alone.
//!
//! # Absent on purpose
//! Printing, arguments, screens and logs (see `sokocli`).
#![forbid(unsafe_code)]

mod control;
mod find_queue;
mod find_store;
mod finders;
mod finds;
mod knobs;
mod level_state;
mod levels;
mod library_queue;
mod night;
mod observer;
mod plan;
mod polished_source;
mod purpose;
mod schedule;
mod slice;
mod workers;

pub use control::NightControl;
pub use find_store::FindStore;
pub use finders::Finders;
pub use finds::{FoundSolution, LevelFinds};
pub use knobs::NightKnobs;
pub use level_state::LevelState;
pub use levels::{LevelOutcome, NightLevel, NightLevelError, WorkBefore};
pub use library_queue::LibraryQueue;
pub use night::{Night, NightOutcome};
pub use observer::{NightEvent, NightObserver};
pub use polished_source::PolishedSource;
pub use purpose::Purpose;
pub use schedule::item::{Item, ItemHistory, SliceEnding, SliceGain};
pub use schedule::{Schedule, Turn};
pub use slice::{Gain, SliceLimits, SliceReport, Slices};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
