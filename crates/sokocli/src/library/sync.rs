//! What a run takes from the library, and what it puts back.
//!
//! ```text
//!   library ──starts──▶ work list ──▶ searches ──LevelFinds──▶ LibraryQueue ──one change for all──▶ library
//! ```
//!
//! Invariant: what was found is in the library within a second, or stays in the queue and is tried again. A library
//! that cannot be opened, read or written does not end a run that has files for its finds. Such a run does not write into
//! one that is damaged any more.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use sokocore::{Level, Solution, replay};
use sokoio::{LevelId, ProofNote};
use sokolibrary::{Find, Library, LibraryError, LibraryProblem, Origin, PROGRAM, StoredProof};
use sokonight::LibraryQueue;

use crate::args::LibraryUse;
use crate::complaint::{Complaints, with_causes};

/// Letters of a command line that are kept.
const MAX_SETTINGS: usize = 500;

/// The library of a run.
#[derive(Debug)]
pub(crate) struct LibrarySync {
    queue: LibraryQueue,
    complaints: Complaints,
    /// Whether the library is not used any more.
    is_given_up: AtomicBool,
}

/// The solutions and proofs of a level that the library holds when a run begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownOfLevel {
    pub(crate) solutions: Vec<(Solution, Find)>,
    pub(crate) proofs: Vec<ProofNote>,
}

/// Opens a library for a run of this program; makes it if there is none.
pub(crate) fn library_queue(path: &Path) -> Result<LibraryQueue, LibraryError> {
    LibraryQueue::at(path, origin())
}

impl LibrarySync {
    /// Opens the library of a run, if it uses one. An error is said, and the run does without.
    pub(crate) fn open_or_do_without(args: &LibraryUse, complaints: &Complaints) -> Result<Option<Self>, ()> {
        let open = |path: PathBuf| {
            // Where nothing can be written, what is there is still a start.
            library_queue(&path).or_else(|error| match Library::open(&path) {
                Ok(library) => Ok(LibraryQueue::of(library, origin())),
                Err(_) => Err(error),
            })
        };
        let queue = args.path().map(open).transpose().map_err(|error| complain_of_use(complaints, error))?;
        Ok(queue.map(|queue| Self { queue, complaints: complaints.clone(), is_given_up: AtomicBool::new(false) }))
    }

    /// Returns the queue of what is found. What is put into that of a library that is given up is not written.
    pub(crate) const fn queue(&self) -> &LibraryQueue {
        &self.queue
    }

    /// Returns whether what is put into the queue will be written.
    pub(crate) fn is_in_use(&self) -> bool {
        !self.is_given_up.load(Ordering::Relaxed)
    }

    /// Returns what is known of a level. What does not replay is left out, with a message.
    pub(crate) fn known(&self, level: &Level) -> Result<KnownOfLevel, LibraryError> {
        let mut known = KnownOfLevel::default();
        if !self.is_in_use() {
            return Ok(known);
        }
        let id = LevelId::of(level);
        let library = self.queue.library();
        for stored in library.solutions(id)? {
            match replay(level, &stored.moves) {
                Ok(solution) => known.solutions.push((solution, Find::of_stored(&stored))),
                Err(error) => {
                    let text = format!("library: a solution of level {id}: {error}; run `soko library check`");
                    self.complaints.warning_of_kind("wrong solution", &text);
                }
            }
        }
        if !known.solutions.is_empty() {
            known.proofs.extend(library.proofs(id)?.iter().map(StoredProof::note));
        }
        Ok(known)
    }

    /// Writes what was put into the queue, if the last time is long enough ago, and says once if that fails.
    pub(crate) fn tick(&self) {
        if !self.is_in_use() {
            return self.queue.clear();
        }
        match self.queue.tick() {
            Ok(()) => {}
            Err(error) if may_be_mended(&error.problem) => {
                self.complaints.warning(&format!("{}; trying again", with_causes(error)));
            }
            Err(error) => self.give_up(error),
        }
    }

    /// Says that the library is not used any more, and forgets what was to be written into it.
    pub(crate) fn give_up(&self, error: LibraryError) {
        self.queue.clear();
        if !self.is_given_up.swap(true, Ordering::Relaxed) {
            complain_of_use(&self.complaints, error);
        }
    }

    /// Writes the queue a last time. Returns whether the library has got everything; if not, that was said.
    pub(crate) fn close(&self) -> bool {
        if !self.is_in_use() {
            return false;
        }
        let written = self.queue.flush();
        let is_kept = written.is_ok();
        if let Err(error) = written {
            self.complaints.error(&format!("{}; what was found is not in the library", with_causes(error)));
        }
        is_kept
    }
}

/// Whether a library may be written later, when there is room or it may be written.
const fn may_be_mended(problem: &LibraryProblem) -> bool {
    problem.may_pass() || matches!(problem, LibraryProblem::ReadOnly | LibraryProblem::CannotOpen(_))
}

fn complain_of_use(complaints: &Complaints, error: LibraryError) {
    complaints.error(&format!("{}; this run does without the library", with_causes(error)));
}

/// Where the finds of this run are from.
fn origin() -> Origin {
    Origin::of_run(command_line()).by(PROGRAM, env!("CARGO_PKG_VERSION"))
}

/// What was typed, without the name of the program.
fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_SETTINGS).collect()
}
