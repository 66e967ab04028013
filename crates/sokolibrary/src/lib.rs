//! A library of Sokoban levels in one SQLite file: solutions that no other dominates, proofs, bounds, and checkpoints.
//!
//! ```text
//!   Collection (a file) ──add_collection──▶ ┌──────────────── library.sqlite ────────────────┐
//!                                           │ collection ─< entry >─ level ─< solution >─ origin
//!   Level, Lurd ──offer──▶ replay ────────▶ │                          ├──< gain            │
//!   Proved ──────add_proof────────────────▶ │                          ├──< proof >─ origin │
//!   RunDone ─────add_run──────────────────▶ │                          └──< work            │
//!                                           └────────────────────────────────────────────────┘
//! ```
//!
//! The file is an SQLite database; its tables are described in `src/schema.sql` and `src/schema_2.sql`, and any SQLite
//! tool can query them.
//!
//! # Quick start
//! ```
//! use sokocore::Objective;
//! use sokoio::{Collection, LevelId};
//! use sokolibrary::{Library, NewCollection, NewSolution, Offer};
//!
//! let mut library = Library::in_memory()?;
//! let collection = Collection::parse(b"Two steps\n######\n#@$ .#\n######\n");
//! library.write(|changes| changes.add_collection(&NewCollection::new("steps", &collection)))?;
//!
//! let level = collection.levels()[0].level()?;
//! let find = NewSolution::new("RR".parse()?);
//! let offer = library.write(|changes| changes.offer(level, &find))?;
//! assert!(matches!(offer, Offer::Added { .. }));
//!
//! let best = library.best(LevelId::of(level), Objective::MOVES)?.expect("it was added");
//! assert_eq!(best.metrics.to_string(), "2/2/1/1/1/1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contents, in reading order
//! * [`Library`]: the file, opened and locked for a change. Start here. `schema`: its tables and their versions.
//!   `read_only`: one where nothing can be written.
//! * [`Changes`]: all that can be changed, in one transaction.
//! * [`StoredLevel`]: levels by identity, and their images. [`StoredCollection`], [`NewCollection`]: files of levels;
//!   `collection_text`, how their texts are packed. [`RecognizedBy`], [`KnownCollection`]: whether a file is one of them.
//! * [`NewSolution`], [`Offer`], [`StoredSolution`]: solutions. [`Origin`]: where they are from.
//! * [`StoredProof`]: what is proved. [`RunDone`], [`WorkDone`]: what was tried.
//! * [`StoredRun`]: runs over many levels, to be found again.
//! * [`RatedEntry`], [`CollectionSums`], [`SumAt`], [`StoredGain`], [`LevelGain`]: what is known of a collection, level by level, in sum and over time.
//! * [`Document`]: a text of levels that gains solutions. [`ExportChoice`], [`Exported`]: collections with what is known.
//! * [`AddedLibrary`]: what another library adds. [`CheckReport`]: whether everything in the file is right. [`repair()`]: what is right, in a new file;
//!   `schema_page`, how its tables are found if the first page is damaged.
//!
//! # What it guarantees
//! * A solution enters only after `sokocore::replay` on the stored board, and leaves only when another one of its level
//!   is as good in every metric, or when its level is forgotten.
//! * A change is in the file when [`Library::write`] returns, whatever happens to the process or the machine after it.
//! * Any number of processes may use one library at a time, on a local disk.
//!
//! # Absent on purpose
//! Searching, printing, and the files of solutions that people exchange (see `sokoio`).
#![forbid(unsafe_code)]

mod changes;
mod check;
mod collection_text;
mod collections;
mod document;
mod export;
mod gains;
mod levels;
mod library;
mod library_error;
mod merging;
mod origin;
mod proofs;
mod read_only;
mod recognition;
mod repair;
mod runs;
mod schema;
mod schema_page;
mod solutions;
mod statistics;
mod work;

pub use changes::Changes;
pub use check::{CheckReport, LibraryFault};
pub use collections::{AddedCollection, NewCollection, StoredCollection, StoredEntry};
pub use document::level_copy::LevelCopy;
pub use document::{Addition, Document, Find, Keep, PROGRAM, finds_of};
pub use export::{ExportChoice, Exported};
pub use gains::{LevelGain, StoredGain};
pub use levels::{Relative, StoredLevel};
pub use library::Library;
pub use library_error::{LibraryError, LibraryProblem, SqliteError};
pub use merging::AddedLibrary;
pub use origin::Origin;
pub use proofs::{NewProof, StoredProof};
pub use recognition::{KnownCollection, RecognizedBy};
pub use repair::{Repaired, repair};
pub use runs::StoredRun;
pub use solutions::{NewSolution, Offer, StoredSolution};
pub use statistics::{CollectionSums, LibrarySums, RatedEntry, SumAt};
pub use work::{RunDone, WorkDone};

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
