//! Sokoban files: collections of levels and solutions, read without losing a byte, edited without moving one.
//!
//! ```text
//!   .sok / XSB text                 LevelEntry                         sokocore
//!   ───────────────                 ──────────                         ────────
//!   A title                  ┌──▶   title, author, line
//!   #####                    │
//!   #@$.#          ──parse──▶├──▶   board rows          ──────────▶    Level ──▶ LevelId
//!   #####                    │                                           │
//!   Solution 1/1             └──▶   games: Game         ──────────▶    Lurd ──replay──▶ Solution
//!   R              ◀──edit───                                                              │
//!   Best Solution 1/1 ◀── add_solution ◀── SolutionTitle ◀── Metrics ◀─────────────────────┘
//! ```
//!
//! Other formats (`.slc`, `.ssx`, digits, gzip, UTF-16) are written as such a text first; see [`Format`].
//!
//! # Quick start
//! Read a collection and replay its solutions:
//! ```
//! use sokoio::Collection;
//!
//! let collection = Collection::parse(b"Two steps\n######\n#@$ .#\n######\n\nSolution\nRR\n");
//! for entry in &collection {
//!     for (_, solution) in entry.solutions() {
//!         assert_eq!(format!("{}: {}", entry.title_or_number(), solution?.metrics()), "Two steps: 2/2/1/1/1/1");
//!     }
//! }
//! # Ok::<(), sokoio::CheckGameError>(())
//! ```
//! Add a solution; all other lines stay as they are:
//! ```
//! use sokoio::{Collection, SolutionKind, SolutionTitle};
//!
//! let mut collection = Collection::parse(b"Two steps\n######\n#@$ .#\n######\n\nSnapshot\nR\n");
//! let level = collection.levels()[0].level()?;
//! let solution = sokocore::replay(level, &"RR".parse()?)?;
//! let title = SolutionTitle::new(SolutionKind::Best, solution.metrics());
//! collection.add_solution(0, &title, solution.lurd(), &[])?;
//! assert!(collection.to_string().ends_with("Snapshot\nR\n\nBest Solution 2/2/1/1/1/1\nRR\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contents, in reading order
//! * `collection`: [`Collection`], a file, line by line, and the levels in it. Start here. [`LevelEntry`]: one level with
//!   its title and its recorded games; a bad one is kept with its error. [`NewLevel`]: a level to be written at the end.
//! * `game`: [`Game`], recorded moves. [`parse_moves`], [`wrap_moves`]: moves as files hold them, wrapped, spaced, with run
//!   lengths. [`SolutionTitle`]: `Best Solution 230/97 (name) (2)`, written and read. [`ProofNote`]:
//!   `Proved: fewest pushes (97), Soko 0.1.0`, written and read.
//! * `text`: a text as lines, and the boards in it. `outline`: which lines belong to which level.
//! * `read`: files of every [`Format`]; [`LooksLike`], what a file without levels looks like; [`read_bytes`];
//!   [`read_moves_file`], moves in a file of their own.
//! * `write`: [`write_file`], [`write_new_file`], all of the file or none of it; [`OutputLock`], one run at a time writes a
//!   file.
//! * [`LevelId`], [`canonical_grid`]: the same level under other floor letters, margins, decoration, or turned around.
//!
//! # What it guarantees
//! * A text that is not edited is written back byte for byte.
//! * An edit changes the lines that it is about and no others; reading the edited text gives the same levels and games
//!   as before, plus the edit. An edit that cannot keep this is refused.
//! * No file makes it panic, and none makes it use more than a bounded multiple of its size, whatever the run lengths,
//!   entities or compressed data in it say.
//! * A write replaces the whole file in one step, or leaves the old one.
//!
//! # Absent on purpose
//! The rules of the game (see `sokocore`), printing, writing other formats than text, unpacking archives, and writing
//! run lengths, which the format dropped in its version 0.20.
//!
//! Programs to start from are in `examples/`: `titles`, `normalize` and `same_levels`.
#![forbid(unsafe_code)]

mod collection;
mod format;
mod game;
mod level_id;
mod outline;
mod read;
mod text;
mod write;

pub use collection::Collection;
pub use collection::append::NewLevel;
pub use collection::edit::EditError;
pub use collection::level_entry::{CheckGameError, LevelEntry};
pub use format::Format;
pub use game::moves_text::{MAX_MOVES, ParseMovesError, parse_moves, wrap_moves};
pub use game::proof_note::{ParseProofNoteError, ProofNote, Proved};
pub use game::solution_title::{ParseSolutionTitleError, SolutionKind, SolutionTitle};
pub use game::{Game, GameKind, ParseGameError};
pub use level_id::{LevelId, ParseLevelIdError, canonical_grid};
pub use read::file_bytes::{ReadCollectionError, read_bytes};
pub use read::looks_like::LooksLike;
pub use read::moves_file::{ReadMovesError, decode_moves, read_moves_file};
pub use read::xml::{ParseXmlError, XmlProblem};
pub use write::atomic_file::{WriteFileError, write_file, write_new_file};
pub use write::lock_file::{LockError, OutputLock};

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
