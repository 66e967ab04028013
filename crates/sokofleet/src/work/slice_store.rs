//! Where the finds of one slice go: into the outbox; and its checkpoint, until the slice has ended.

use parking_lot::Mutex;
use sokocore::{Level, Metrics, Objective};
use sokomethods::Checkpoint;
use sokonight::{FindStore, LevelFinds, NightLevel};

use super::outbox::{FindOutbox, Parcel};

/// The store of a slice.
pub(crate) struct SliceStore<'a> {
    outbox: &'a FindOutbox,
    level: &'a NightLevel,
    /// The best that is known, by objective.
    best: Mutex<Vec<(Objective, Metrics)>>,
    before: Option<Checkpoint>,
    last: Mutex<Option<Checkpoint>>,
}

impl<'a> SliceStore<'a> {
    /// Makes the store of a slice that begins with these best solutions, where an earlier one has ended.
    pub(crate) fn new(
        outbox: &'a FindOutbox,
        level: &'a NightLevel,
        best: Vec<(Objective, Metrics)>,
        before: Option<Checkpoint>,
    ) -> Self {
        Self { outbox, level, best: Mutex::new(best), before, last: Mutex::new(None) }
    }

    /// Returns where the slice has ended.
    pub(crate) fn checkpoint(self) -> Option<Checkpoint> {
        self.last.into_inner()
    }

    /// Notes a solution that another worker has found.
    pub(crate) fn learn(&self, objective: Objective, metrics: Metrics) {
        self.is_better(objective, metrics);
    }

    /// Returns whether it is better than the best that is known, which then measures so much; `Some` of that before.
    fn is_better(&self, objective: Objective, metrics: Metrics) -> Option<Option<Metrics>> {
        let mut best = self.best.lock();
        match best.iter_mut().find(|(other, _)| *other == objective) {
            Some((_, old)) => {
                let is_better = objective.score(&metrics) < objective.score(old);
                is_better.then(|| Some(std::mem::replace(old, metrics)))
            }
            None => {
                best.push((objective, metrics));
                Some(None)
            }
        }
    }
}

impl FindStore for SliceStore<'_> {
    fn checkpoint(&self, level: &Level, objective: Objective) -> Option<Checkpoint> {
        self.before.clone().filter(|checkpoint| checkpoint.is_of(level) && checkpoint.objective() == objective)
    }

    fn put_checkpoint(&self, _: &Level, checkpoint: &Checkpoint) {
        *self.last.lock() = Some(checkpoint.clone());
    }

    fn put(&self, finds: LevelFinds) {
        for found in finds.solutions {
            let (objective, metrics) = (found.objective, found.solution.metrics());
            if let Some(before) = self.is_better(objective, metrics) {
                self.outbox.put(Parcel {
                    level: self.level.id,
                    name: self.level.name(),
                    objective,
                    before,
                    metrics,
                    moves: found.solution.lurd().clone(),
                    method: found.method,
                });
            }
        }
    }
}
