//! What a run takes from the library, and what it puts back.
//!
//! ```text
//!   library ──starts──▶ work list ──▶ searches ──LevelFinds──▶ queue ──one change for all──▶ library
//! ```
//!
//! Invariant: what was found is in the library within a second, or stays in the queue and is tried again. A library
//! that cannot be opened, read or written does not end a run that has files for its finds. Such a run does not write into
//! one that is damaged any more.

use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Level, Objective, Solution, replay};
use sokoio::{LevelId, ProofNote};
use sokolibrary::{
    Changes, Library, LibraryError, LibraryProblem, NewProof, NewSolution, Origin, StoredProof, StoredSolution,
};
use sokomethods::Checkpoint;
use sokosearch::Clock;
use tracing::debug;

use super::find_queue::FindQueue;
pub(crate) use super::find_queue::LevelFinds;
use crate::args::LibraryUse;
use crate::complaint::{Complaints, with_causes};
use crate::outputs::document::{Find, PROGRAM};

/// The shortest time between two changes.
const PAUSE: Duration = Duration::from_millis(300);

/// Letters of a command line that are kept.
const MAX_SETTINGS: usize = 500;

/// The library of a run.
#[derive(Debug)]
pub(crate) struct LibrarySync {
    path: PathBuf,
    /// The command line of the run.
    settings: String,
    library: Mutex<Library>,
    queue: Mutex<QueueState>,
    complaints: Complaints,
    /// Whether the run has other places for what it finds, so that it can do without.
    is_optional: bool,
}

#[derive(Debug)]
struct QueueState {
    finds: FindQueue,
    since_write: Clock,
    /// Whether the last change failed, and that was said.
    has_failed: bool,
    /// Whether the library is not used any more.
    is_given_up: bool,
}

/// The solutions and proofs of a level that the library holds when a run begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownOfLevel {
    pub(crate) solutions: Vec<(Solution, Find)>,
    pub(crate) proofs: Vec<ProofNote>,
}

impl LibrarySync {
    /// Opens the library of a run, if it uses one. An error is said, and the run does without.
    pub(crate) fn open_or_do_without(args: &LibraryUse, complaints: &Complaints) -> Result<Option<Self>, ()> {
        let open = |path: PathBuf| {
            // Where nothing can be written, what is there is still a start.
            let opened = Self::at(&path, complaints).or_else(|error| match Library::open(&path) {
                Ok(library) => Ok(Self::of(library, complaints)),
                Err(_) => Err(error),
            });
            opened.map(|sync| Self { is_optional: true, ..sync })
        };
        args.path().map(open).transpose().map_err(|error| complain_of_use(complaints, error))
    }

    /// Opens a library; makes it if there is none.
    pub(crate) fn at(path: &Path, complaints: &Complaints) -> Result<Self, LibraryError> {
        Ok(Self::of(Library::create_or_open(path)?, complaints))
    }

    fn of(library: Library, complaints: &Complaints) -> Self {
        let queue = QueueState {
            finds: FindQueue::default(),
            since_write: Clock::start(),
            has_failed: false,
            is_given_up: false,
        };
        Self {
            path: library.path().to_owned(),
            settings: command_line(),
            library: Mutex::new(library),
            queue: Mutex::new(queue),
            complaints: complaints.clone(),
            is_optional: false,
        }
    }

    /// Returns whether what is put into the queue will be written.
    pub(crate) fn is_in_use(&self) -> bool {
        !self.queue.lock().is_given_up
    }

    /// Returns the file.
    pub(crate) const fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Returns what is known of a level. What does not replay is left out, with a message.
    pub(crate) fn known(&self, level: &Level) -> Result<KnownOfLevel, LibraryError> {
        let mut known = KnownOfLevel::default();
        if self.queue.lock().is_given_up {
            return Ok(known);
        }
        let id = LevelId::of(level);
        let library = self.library.lock();
        for stored in library.solutions(id)? {
            match replay(level, &stored.moves) {
                Ok(solution) => known.solutions.push((solution, find_of(&stored))),
                Err(error) => {
                    let text = format!("library: a solution of level {id}: {error}; run `soko library check`");
                    self.complaints.warning_of_kind("wrong solution", &text);
                }
            }
        }
        if !known.solutions.is_empty() {
            known.proofs.extend(library.proofs(id)?.iter().map(note_of));
        }
        Ok(known)
    }

    /// Returns where an earlier run for an objective has ended. One that cannot be read, as of another version, is none.
    pub(crate) fn checkpoint(&self, level: &Level, objective: Objective) -> Option<Checkpoint> {
        if let Some(bytes) = self.queue.lock().finds.checkpoint(level, objective) {
            return Checkpoint::from_bytes(bytes).ok();
        }
        let work = self.library.lock().work(LevelId::of(level), &objective.to_string());
        let bytes = work.ok()??.checkpoint;
        Checkpoint::from_bytes(&bytes).inspect_err(|error| debug!(%objective, %error, "checkpoint")).ok()
    }

    /// Puts where a run is into the queue.
    pub(crate) fn put_checkpoint(&self, level: &Level, checkpoint: &Checkpoint) {
        let checkpoints = vec![(checkpoint.objective(), checkpoint.to_bytes())];
        self.put(LevelFinds { checkpoints, ..LevelFinds::of(level) });
    }

    /// Puts finds into the queue, in the place of earlier ones of their level: each holds all bests of the level.
    pub(crate) fn put(&self, finds: LevelFinds) {
        let mut queue = self.queue.lock();
        if !(finds.is_empty() || queue.is_given_up) {
            queue.finds.put(finds);
        }
    }

    /// Writes the queue, if the last change is long enough ago.
    pub(crate) fn tick(&self) {
        let is_due = {
            let queue = self.queue.lock();
            !queue.finds.is_empty() && queue.since_write.elapsed() >= PAUSE
        };
        let Some(error) = is_due.then(|| self.flush().err()).flatten() else { return };
        if self.is_optional && !may_be_mended(&error.problem) {
            return self.give_up(error);
        }
        let mut queue = self.queue.lock();
        if !queue.has_failed {
            queue.has_failed = true;
            self.complaints.warning(&format!("{}; trying again", with_causes(error)));
        }
    }

    /// Says that the library is not used any more, and forgets what was to be written into it.
    pub(crate) fn give_up(&self, error: LibraryError) {
        let mut queue = self.queue.lock();
        queue.finds = FindQueue::default();
        if !std::mem::replace(&mut queue.is_given_up, true) {
            complain_of_use(&self.complaints, error);
        }
    }

    /// Writes the queue a last time. Returns whether the library has got everything; if not, that was said.
    pub(crate) fn close(&self) -> bool {
        if self.queue.lock().is_given_up {
            return false;
        }
        let written = self.flush();
        let is_kept = written.is_ok();
        if let Err(error) = written {
            self.complaints.error(&format!("{}; what was found is not in the library", with_causes(error)));
        }
        is_kept
    }

    /// Writes the queue now. When it returns, everything that was put into the queue before is in the library.
    pub(crate) fn flush(&self) -> Result<(), LibraryError> {
        // Another thread may be writing what it took out of the queue: that is awaited, too.
        let mut library = self.library.lock();
        let finds = std::mem::take(&mut self.queue.lock().finds);
        if finds.is_empty() {
            return Ok(());
        }
        let written = library.write(|changes| finds.levels().try_for_each(|finds| self.write(changes, finds)));
        let mut queue = self.queue.lock();
        queue.since_write = Clock::start();
        match written {
            Ok(()) => queue.has_failed = false,
            Err(_) => queue.finds.put_back(finds),
        }
        written
    }

    fn write(&self, changes: &Changes<'_>, finds: &LevelFinds) -> Result<(), LibraryProblem> {
        let origin = Origin::of_run(self.settings.clone()).by(PROGRAM, env!("CARGO_PKG_VERSION"));
        for (solution, objective) in &finds.solutions {
            let find = NewSolution::new(solution.lurd().clone()).from(origin.clone()).for_objective(*objective);
            changes.offer(&finds.level, &find)?;
        }
        if let Some((moves, pushes)) = finds.bounds {
            changes.raise_bounds(&finds.level, moves, pushes)?;
        }
        for &proved in &finds.proofs {
            changes.add_proof(&finds.level, &NewProof::new(proved, origin.clone()))?;
        }
        for run in &finds.runs {
            let mut run = run.clone();
            run.settings.clone_from(&self.settings);
            changes.add_run(&finds.level, &run)?;
        }
        for (objective, checkpoint) in &finds.checkpoints {
            changes.set_checkpoint(&finds.level, &objective.to_string(), checkpoint)?;
        }
        Ok(())
    }
}

/// Whether a library may be written later, when there is room or it may be written.
const fn may_be_mended(problem: &LibraryProblem) -> bool {
    problem.may_pass() || matches!(problem, LibraryProblem::ReadOnly | LibraryProblem::CannotOpen(_))
}

fn complain_of_use(complaints: &Complaints, error: LibraryError) {
    complaints.error(&format!("{}; this run does without the library", with_causes(error)));
}

/// Makes a proof of the library a note for a file, with the program that proved it.
pub(crate) fn note_of(proof: &StoredProof) -> ProofNote {
    let by = format!("{} {}", proof.origin.program, proof.origin.version);
    let note = ProofNote::new(proof.proved);
    if by.trim().is_empty() { note } else { note.by(by.trim()) }
}

/// What was typed, without the name of the program.
fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_SETTINGS).collect()
}

/// Makes a solution of the library one for a file.
pub(crate) fn find_of(stored: &StoredSolution) -> Find {
    let Origin { program, .. } = &stored.origin;
    Find {
        moves: stored.moves.clone(),
        metrics: stored.metrics,
        program: if program.is_empty() { None } else { Some(program.clone()) },
        objective: stored.objective,
        kind: None,
        notes: stored.notes.clone(),
    }
}
