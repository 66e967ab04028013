//! What was found about a level, on its way to the library.

use std::time::Duration;

use sokocore::{Level, Objective, Solution};
use sokoio::Proved;
use sokolibrary::RunDone;

/// A solution, and where it is from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundSolution {
    /// The solution.
    pub solution: Solution,
    /// What it was searched for.
    pub objective: Objective,
    /// The method that found it; empty if that is not known.
    pub method: String,
    /// The time from the beginning of its search; `None` if that is not known.
    pub elapsed: Option<Duration>,
}

impl FoundSolution {
    /// Makes one of which no method is known.
    #[must_use]
    pub const fn new(solution: Solution, objective: Objective) -> Self {
        Self { solution, objective, method: String::new(), elapsed: None }
    }

    /// Says which method has found it, and how long after its search began.
    #[must_use]
    pub fn by(self, method: impl Into<String>, elapsed: Duration) -> Self {
        Self { method: method.into(), elapsed: Some(elapsed), ..self }
    }
}

/// What was found about a level.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LevelFinds {
    /// The level.
    pub level: Level,
    /// The best solutions so far.
    pub solutions: Vec<FoundSolution>,
    /// What is proved of them.
    pub proofs: Vec<Proved>,
    /// Lower bounds of moves and of pushes.
    pub bounds: Option<(u64, u64)>,
    /// What was done, when it is done.
    pub runs: Vec<RunDone>,
    /// Where the next run for an objective resumes, as bytes of a checkpoint.
    pub checkpoints: Vec<(Objective, Vec<u8>)>,
}

impl LevelFinds {
    /// Makes an account of a level without finds.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        let (solutions, proofs, bounds, runs, checkpoints) = Default::default();
        Self { level: level.clone(), solutions, proofs, bounds, runs, checkpoints }
    }

    /// Sets [`LevelFinds::runs`].
    #[must_use]
    pub fn with_runs(self, runs: Vec<RunDone>) -> Self {
        Self { runs, ..self }
    }

    /// Sets [`LevelFinds::bounds`].
    #[must_use]
    pub fn with_bounds(self, bounds: Option<(u64, u64)>) -> Self {
        Self { bounds, ..self }
    }

    /// Returns whether there is nothing to keep.
    pub(crate) fn is_empty(&self) -> bool {
        let has_work = !(self.runs.is_empty() && self.checkpoints.is_empty() && self.bounds.is_none());
        self.solutions.is_empty() && self.proofs.is_empty() && !has_work
    }

    pub(crate) fn n_bytes_of_checkpoints(&self) -> usize {
        self.checkpoints.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// Takes later finds about the same level, whose solutions are at least as good.
    pub(crate) fn follow(&mut self, later: Self) {
        if !later.solutions.is_empty() {
            self.solutions = later.solutions;
        }
        for proof in later.proofs {
            if !self.proofs.contains(&proof) {
                self.proofs.push(proof);
            }
        }
        self.bounds = match (self.bounds, later.bounds) {
            (Some(old), Some(new)) => Some((old.0.max(new.0), old.1.max(new.1))),
            (old, new) => new.or(old),
        };
        self.runs.extend(later.runs);
        for (objective, bytes) in later.checkpoints {
            self.checkpoints.retain(|(old, _)| *old != objective);
            self.checkpoints.push((objective, bytes));
        }
    }
}
