//! Where finds of slices go, and where checkpoints are.

use sokocore::{Level, Objective};
use sokomethods::Checkpoint;

use crate::{LevelFinds, LibraryQueue};

/// Where finds of slices go, and where checkpoints are: a library, or a server of a fleet. Called from searching threads,
/// and returns at once: what takes time is done later.
pub trait FindStore: Sync {
    /// Returns where an earlier run for an objective has ended. One that cannot be read, as of another version, is none.
    fn checkpoint(&self, level: &Level, objective: Objective) -> Option<Checkpoint>;

    /// Takes where a run is.
    fn put_checkpoint(&self, level: &Level, checkpoint: &Checkpoint);

    /// Takes finds, in the place of earlier ones of their level: each holds all bests of the level.
    fn put(&self, finds: LevelFinds);
}

impl FindStore for LibraryQueue {
    fn checkpoint(&self, level: &Level, objective: Objective) -> Option<Checkpoint> {
        self.checkpoint(level, objective)
    }

    fn put_checkpoint(&self, level: &Level, checkpoint: &Checkpoint) {
        self.put_checkpoint(level, checkpoint);
    }

    fn put(&self, finds: LevelFinds) {
        self.put(finds);
    }
}
