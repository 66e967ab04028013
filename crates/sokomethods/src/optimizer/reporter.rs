//! Turns the events of a run into improvements, and counts what each method gains.
//!
//! Invariant: for each objective, every reported solution is better than the one reported before, whichever threads
//! found them.

use parking_lot::Mutex;
use sokocore::{Metrics, Objective, Solution};
use sokosearch::{Event, Pool, Progress};

use super::Listeners;
use super::outcome::{Improvement, MethodGains};

/// Observes a run for its listeners.
pub(super) struct Reporter<'r, 'a> {
    pool: &'r Pool<'r>,
    listeners: &'r Mutex<Listeners<'a>>,
    state: Mutex<ReporterState>,
}

struct ReporterState {
    /// The metrics reported last, by objective.
    reported: Vec<(Objective, Metrics)>,
    gains: Vec<MethodGains>,
}

impl<'r, 'a> Reporter<'r, 'a> {
    /// Starts from these solutions.
    pub(super) fn new(
        pool: &'r Pool<'r>,
        before: &[(Objective, Solution)],
        listeners: &'r Mutex<Listeners<'a>>,
    ) -> Self {
        let reported = before.iter().map(|(objective, solution)| (*objective, solution.metrics())).collect();
        Self { pool, listeners, state: Mutex::new(ReporterState { reported, gains: Vec::new() }) }
    }

    /// Returns what each method has gained.
    pub(super) fn into_gains(self) -> Vec<MethodGains> {
        self.state.into_inner().gains
    }
}

impl ReporterState {
    /// Records a solution, and returns the metrics before it; `None` if a better one was reported already.
    fn record(&mut self, objective: Objective, metrics: &Metrics, method: &str) -> Option<Metrics> {
        let (_, reported) = self.reported.iter_mut().find(|(kept, _)| *kept == objective)?;
        let (old, new) = (objective.score(reported), objective.score(metrics));
        if new >= old {
            return None;
        }
        let before = std::mem::replace(reported, *metrics);
        let of_method = |gains: &&mut MethodGains| gains.method == method && gains.objective == objective;
        let gained = old.primary() - new.primary();
        match self.gains.iter_mut().find(of_method) {
            Some(gains) => (gains.n_gains, gains.gained) = (gains.n_gains + 1, gains.gained + gained),
            None => self.gains.push(MethodGains { method: method.to_owned(), objective, n_gains: 1, gained }),
        }
        Some(before)
    }
}

impl Progress for Reporter<'_, '_> {
    fn on(&self, event: Event<'_>) {
        // One lock for both, so that listeners see improvements in the order in which they were recorded.
        let mut listeners = self.listeners.lock();
        if let Event::Improved { objective, method, elapsed, .. } = event {
            let solution = &self.pool.best(objective);
            let before = self.state.lock().record(objective, &solution.metrics(), method);
            if let (Some(before), Some(listener)) = (before, &mut listeners.on_improvement) {
                listener(&Improvement { objective, solution, before, method, elapsed });
            }
        }
        if let Some(listener) = &mut listeners.on_event {
            listener(event);
        }
    }
}
