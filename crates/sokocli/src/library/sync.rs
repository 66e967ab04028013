//! What a run takes from the library, and what it puts back.
//!
//! ```text
//!   library ──starts──▶ work list ──▶ searches ──LevelFinds──▶ queue ──one change for all──▶ library
//! ```
//!
//! Invariant: what was found is in the library within a second, or stays in the queue and is tried again. A library
//! that cannot be written does not end the run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Level, Objective, Solution, replay};
use sokoio::{LevelId, ProofNote, Proved};
use sokolibrary::{
    Changes, Library, LibraryError, LibraryProblem, NewProof, NewSolution, Origin, RunDone, StoredProof, StoredSolution,
};
use sokomethods::Checkpoint;
use sokosearch::Clock;
use tracing::debug;

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
    queue: Mutex<Queue>,
    complaints: Complaints,
}

#[derive(Debug)]
struct Queue {
    finds: Vec<LevelFinds>,
    since_write: Clock,
    /// Whether the last change failed, and that was said.
    has_failed: bool,
}

/// What a run has found about a level.
#[derive(Clone, Debug)]
pub(crate) struct LevelFinds {
    pub(crate) level: Level,
    /// Solutions, each with what it was searched for.
    pub(crate) solutions: Vec<(Solution, Objective)>,
    pub(crate) proofs: Vec<Proved>,
    /// Lower bounds of moves and of pushes.
    pub(crate) bounds: Option<(u64, u64)>,
    /// What was done, when it is done.
    pub(crate) runs: Vec<RunDone>,
    /// Where the next run for an objective resumes.
    pub(crate) checkpoints: Vec<(Objective, Vec<u8>)>,
}

/// The solutions and proofs of a level that the library holds when a run begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownOfLevel {
    pub(crate) solutions: Vec<(Solution, Find)>,
    pub(crate) proofs: Vec<ProofNote>,
}

impl LevelFinds {
    /// Makes an account of a level without finds.
    pub(crate) fn of(level: &Level) -> Self {
        let (solutions, proofs, bounds, runs, checkpoints) = Default::default();
        Self { level: level.clone(), solutions, proofs, bounds, runs, checkpoints }
    }

    fn is_empty(&self) -> bool {
        self.solutions.is_empty() && self.proofs.is_empty() && !self.has_work()
    }

    /// Whether it holds more than the best solutions, which later finds repeat.
    fn has_work(&self) -> bool {
        !(self.runs.is_empty() && self.checkpoints.is_empty() && self.bounds.is_none())
    }
}

impl LibrarySync {
    /// Opens the library of a run, if it uses one.
    pub(crate) fn open(args: &LibraryUse, complaints: &Complaints) -> Result<Option<Self>, LibraryError> {
        args.path().map(|path| Self::at(&path, complaints)).transpose()
    }

    /// Opens a library; makes it if there is none.
    pub(crate) fn at(path: &Path, complaints: &Complaints) -> Result<Self, LibraryError> {
        let library = Mutex::new(Library::create_or_open(path)?);
        let queue = Queue { finds: Vec::new(), since_write: Clock::start(), has_failed: false };
        Ok(Self {
            path: path.to_owned(),
            settings: command_line(),
            library,
            queue: Mutex::new(queue),
            complaints: complaints.clone(),
        })
    }

    /// Returns the file.
    pub(crate) const fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Returns what is known of a level. What does not replay is left out, with a message.
    pub(crate) fn known(&self, level: &Level) -> Result<KnownOfLevel, LibraryError> {
        let id = LevelId::of(level);
        let library = self.library.lock();
        let mut known = KnownOfLevel::default();
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
        if finds.is_empty() {
            return;
        }
        let mut queue = self.queue.lock();
        queue.finds.retain(|old| old.level != finds.level || old.has_work());
        queue.finds.push(finds);
    }

    /// Writes the queue, if the last change is long enough ago.
    pub(crate) fn tick(&self) {
        let is_due = {
            let queue = self.queue.lock();
            !queue.finds.is_empty() && queue.since_write.elapsed() >= PAUSE
        };
        if is_due && let Err(error) = self.flush() {
            let mut queue = self.queue.lock();
            if !queue.has_failed {
                queue.has_failed = true;
                self.complaints.warning(&format!("{}; trying again", with_causes(error)));
            }
        }
    }

    /// Writes the queue now. When it returns, everything that was put into the queue before is in the library.
    pub(crate) fn flush(&self) -> Result<(), LibraryError> {
        // Another thread may be writing what it took out of the queue: that is awaited, too.
        let mut library = self.library.lock();
        let finds = std::mem::take(&mut self.queue.lock().finds);
        if finds.is_empty() {
            return Ok(());
        }
        let written = library.write(|changes| finds.iter().try_for_each(|finds| self.write(changes, finds)));
        let mut queue = self.queue.lock();
        queue.since_write = Clock::start();
        match written {
            Ok(()) => queue.has_failed = false,
            // What came since is behind it.
            Err(_) => drop(queue.finds.splice(0..0, finds)),
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
