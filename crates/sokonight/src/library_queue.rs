//! The way into the library: finds are collected, and written together.
//!
//! ```text
//!   searches ──LevelFinds──▶ queue ──one change for all──▶ library
//! ```
//!
//! Invariant: what was put into the queue is in the library after the next write that succeeds, or stays in the queue.

use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use sokocore::{Level, Objective};
use sokoio::LevelId;
use sokolibrary::{Changes, Library, LibraryError, LibraryProblem, NewProof, NewSolution, Origin};
use sokomethods::Checkpoint;
use sokosearch::Clock;
use tracing::debug;

use crate::find_queue::FindQueue;
use crate::{FoundSolution, LevelFinds};

/// The shortest time between two writes by [`LibraryQueue::tick`].
const PAUSE: Duration = Duration::from_millis(300);

/// A library with a queue of finds, for several threads.
#[derive(Debug)]
pub struct LibraryQueue {
    path: PathBuf,
    /// The program and the options of the run.
    origin: Origin,
    library: Mutex<Library>,
    queue: Mutex<QueueState>,
}

#[derive(Debug)]
struct QueueState {
    finds: FindQueue,
    since_write: Clock,
    /// Whether the last write failed, and that was said.
    has_failed: bool,
}

impl LibraryQueue {
    /// Opens a library; makes it if there is none. What is found is from this origin.
    ///
    /// # Errors
    /// The file cannot be opened or made, or is no library.
    pub fn at(path: &Path, origin: Origin) -> Result<Self, LibraryError> {
        Ok(Self::of(Library::create_or_open(path)?, origin))
    }

    /// Makes the queue of a library that is open. What is found is from this origin.
    #[must_use]
    pub fn of(library: Library, origin: Origin) -> Self {
        let queue = QueueState { finds: FindQueue::default(), since_write: Clock::start(), has_failed: false };
        Self { path: library.path().to_owned(), origin, library: Mutex::new(library), queue: Mutex::new(queue) }
    }

    /// Returns the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Locks the library for the caller; writes wait meanwhile.
    pub fn library(&self) -> MutexGuard<'_, Library> {
        self.library.lock()
    }

    /// Returns where an earlier run for an objective has ended. One that cannot be read, as of another version, is none.
    #[must_use]
    pub fn checkpoint(&self, level: &Level, objective: Objective) -> Option<Checkpoint> {
        if let Some(bytes) = self.queue.lock().finds.checkpoint(level, objective) {
            return Checkpoint::from_bytes(bytes).ok();
        }
        let work = self.library.lock().work(LevelId::of(level), &objective.to_string());
        let bytes = work.ok()??.checkpoint;
        Checkpoint::from_bytes(&bytes).inspect_err(|error| debug!(%objective, %error, "checkpoint")).ok()
    }

    /// Puts where a run is into the queue.
    pub fn put_checkpoint(&self, level: &Level, checkpoint: &Checkpoint) {
        let checkpoints = vec![(checkpoint.objective(), checkpoint.to_bytes())];
        self.put(LevelFinds { checkpoints, ..LevelFinds::of(level) });
    }

    /// Puts finds into the queue, in the place of earlier ones of their level: each holds all bests of the level.
    pub fn put(&self, finds: LevelFinds) {
        if !finds.is_empty() {
            self.queue.lock().finds.put(finds);
        }
    }

    /// Writes the queue, if the last write is at least 0.3 seconds ago. The user of a queue calls it several times a
    /// second.
    ///
    /// # Errors
    /// The library cannot be written. It is returned once until a write succeeds; each call tries again.
    pub fn tick(&self) -> Result<(), LibraryError> {
        let is_due = {
            let queue = self.queue.lock();
            !queue.finds.is_empty() && queue.since_write.elapsed() >= PAUSE
        };
        let written = if is_due { self.flush() } else { Ok(()) };
        written.or_else(|error| {
            let was_said = std::mem::replace(&mut self.queue.lock().has_failed, true);
            if was_said { Ok(()) } else { Err(error) }
        })
    }

    /// Forgets what waits to be written.
    pub fn clear(&self) {
        self.queue.lock().finds = FindQueue::default();
    }

    /// Writes the queue now. When it returns, everything that was put into the queue before is in the library.
    ///
    /// # Errors
    /// The library cannot be written. The queue is kept.
    pub fn flush(&self) -> Result<(), LibraryError> {
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
        for FoundSolution { solution, objective, method, elapsed } in &finds.solutions {
            let find = NewSolution::new(solution.lurd().clone()).from(self.origin.clone()).for_objective(*objective);
            let find = find.with_method(&**method);
            let find = match elapsed {
                Some(elapsed) => find.after_seconds(elapsed.as_secs_f64()),
                None => find,
            };
            changes.offer(&finds.level, &find)?;
        }
        if let Some((moves, pushes)) = finds.bounds {
            changes.raise_bounds(&finds.level, moves, pushes)?;
        }
        for &proved in &finds.proofs {
            changes.add_proof(&finds.level, &NewProof::new(proved, self.origin.clone()))?;
        }
        for run in &finds.runs {
            let mut run = run.clone();
            run.settings.clone_from(&self.origin.settings);
            changes.add_run(&finds.level, &run)?;
        }
        for (objective, checkpoint) in &finds.checkpoints {
            changes.set_checkpoint(&finds.level, &objective.to_string(), checkpoint)?;
        }
        Ok(())
    }
}
