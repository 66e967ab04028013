//! A night: its levels, its queue, its outcome.

use std::time::Duration;

use parking_lot::Mutex;
use sokosearch::{Clock, MemoryAccount};

use crate::plan::NightPlan;
use crate::workers::Workers;
use crate::{LevelOutcome, LevelState, LibraryQueue, NightControl, NightKnobs, NightLevel, NightObserver, Slices};

/// A night, ready to begin.
#[derive(Debug)]
pub struct Night<'r> {
    levels: &'r [NightLevel],
    queue: &'r LibraryQueue,
    knobs: &'r NightKnobs,
}

/// What a night has brought.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NightOutcome {
    /// What became of each level, in their order.
    pub levels: Vec<LevelOutcome>,
    /// Slices that failed by a fault of ours.
    pub n_failed: usize,
    /// How long it took, with its pauses.
    pub elapsed: Duration,
}

impl<'r> Night<'r> {
    /// Makes a night over these levels. What it finds gets into the library through the queue.
    #[must_use]
    pub fn new(levels: &'r [NightLevel], queue: &'r LibraryQueue, knobs: &'r NightKnobs) -> Self {
        Self { levels, queue, knobs }
    }

    /// Runs until the time is over, nothing is left to do, or the control says stop. Threads of its own call the
    /// observer.
    pub fn run(&self, control: &NightControl, observer: &dyn NightObserver) -> NightOutcome {
        let clock = Clock::start();
        let knobs = self.knobs;
        let states: Vec<_> = self.levels.iter().map(|level| LevelState::new(level, &knobs.objectives)).collect();
        let memory = MemoryAccount::new(knobs.memory);
        let slices = Slices::new(self.queue, observer, knobs.seed, memory);
        let plan = Mutex::new(NightPlan::new(&states, knobs));
        let workers = Workers { slices, queue: self.queue, plan, knobs, states: &states, control, clock };
        workers.run();
        let n_failed = workers.plan.lock().n_failed;
        let levels = states.iter().map(LevelState::outcome).collect();
        NightOutcome { levels, n_failed, elapsed: clock.elapsed() }
    }
}
