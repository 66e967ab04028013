//! What each technique costs and gains in one run.
//!
//! Techniques are nested: a neighborhood of two boxes runs within a slice of the lineages. Its ticks and its gains count
//! for both, so the shares of all techniques add up to more than the whole.

use parking_lot::Mutex;

use sokocore::{Metrics, Objective};
use sokomethods::Technique;
use sokosearch::{Event, Progress};

use crate::bench::usage::thread_cpu_seconds;

/// Work and gains of one technique.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Account {
    /// How often it ran.
    pub(super) n_runs: u64,
    /// Ticks while it ran.
    pub(super) ticks: u64,
    /// Processor seconds while it ran; 0 where the system does not tell.
    pub(super) seconds: f64,
    /// By how much the first metric of the run's best solution fell while it ran.
    pub(super) gain: u64,
    /// Better solutions that were found while it ran, in any metric.
    pub(super) n_gains: u64,
}

impl Account {
    pub(super) fn add(&mut self, other: Self) {
        self.n_runs += other.n_runs;
        self.ticks += other.ticks;
        self.seconds += other.seconds;
        self.gain += other.gain;
        self.n_gains += other.n_gains;
    }
}

/// The accounts of all techniques, in the order of [`Technique::ALL`].
pub(super) type Accounts = [Account; Technique::ALL.len()];

/// Listens to one run with one thread, and keeps the accounts.
#[derive(Debug)]
pub(super) struct Ledger {
    objective: Objective,
    state: Mutex<LedgerState>,
}

#[derive(Debug)]
struct LedgerState {
    /// First metric of the best solution so far.
    best: u64,
    /// The techniques that are running, outermost first, with the thread's processor seconds at their start.
    running: Vec<(usize, f64)>,
    accounts: Accounts,
}

impl Ledger {
    /// Opens the accounts of a run that starts from a solution with these metrics.
    pub(super) fn new(objective: Objective, start: &Metrics) -> Self {
        let best = objective.order()[0].of(start);
        Self { objective, state: Mutex::new(LedgerState { best, running: Vec::new(), accounts: Accounts::default() }) }
    }

    /// Closes the accounts.
    pub(super) fn into_accounts(self) -> Accounts {
        self.state.into_inner().accounts
    }
}

impl Progress for Ledger {
    fn on(&self, event: Event<'_>) {
        let mut state = self.state.lock();
        let place = |name| Technique::ALL.iter().position(|technique| technique.name() == name);
        match event {
            Event::Entered { technique } => state.running.extend(place(technique).map(|place| (place, now()))),
            Event::Left { ticks, .. } => {
                if let Some((left, start)) = state.running.pop() {
                    let seconds = now() - start;
                    state.accounts[left].add(Account { n_runs: 1, ticks, seconds, ..Account::default() });
                }
            }
            Event::Improved { objective, metrics, .. } if objective == self.objective => {
                let now = objective.order()[0].of(&metrics);
                let gain = state.best.saturating_sub(now);
                state.best = now;
                let LedgerState { running, accounts, .. } = &mut *state;
                for &(technique, _) in &*running {
                    accounts[technique].add(Account { gain, n_gains: 1, ..Account::default() });
                }
            }
            _ => {}
        }
    }
}

/// Processor seconds of this thread.
fn now() -> f64 {
    thread_cpu_seconds().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn nested_techniques_share_ticks_and_gains() {
        let metrics = |moves| Metrics { moves, ..Metrics::default() };
        let ledger = Ledger::new(Objective::MOVES, &metrics(100));
        let improved = |objective, moves| {
            let (method, elapsed) = ("vicinity", Duration::ZERO);
            ledger.on(Event::Improved { objective, metrics: metrics(moves), method, elapsed });
        };
        ledger.on(Event::Entered { technique: "lineages" });
        improved(Objective::PUSHES, 10);
        ledger.on(Event::Entered { technique: "one-box" });
        improved(Objective::MOVES, 90);
        ledger.on(Event::Left { technique: "one-box", ticks: 7 });
        ledger.on(Event::Left { technique: "lineages", ticks: 9 });
        improved(Objective::MOVES, 80);
        let accounts = ledger.into_accounts();
        let of = |technique: Technique| Account { seconds: 0.0, ..accounts[technique as usize] };
        assert_eq!(of(Technique::Lineages), Account { n_runs: 1, ticks: 9, gain: 10, n_gains: 1, seconds: 0.0 });
        assert_eq!(of(Technique::OneBox), Account { n_runs: 1, ticks: 7, gain: 10, n_gains: 1, seconds: 0.0 });
        assert_eq!(of(Technique::Delay), Account::default());
    }
}
