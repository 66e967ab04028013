//! Forwards the gains of one pool to another at once.

use sokosearch::{Event, Pool, Progress};

use super::arrivals::OwnBest;

/// Observes the work on one pool, and offers each gain to another pool.
pub(crate) struct PoolForwarder<'a> {
    pub(crate) from: &'a Pool<'a>,
    pub(crate) to: &'a Pool<'a>,
    pub(crate) progress: &'a dyn Progress,
    /// Where the gains are noted, if the other pool is that of the run.
    pub(crate) own: Option<&'a OwnBest>,
}

impl Progress for PoolForwarder<'_> {
    fn on(&self, event: Event<'_>) {
        let Event::Improved { objective, method, elapsed, .. } = event else { return self.progress.on(event) };
        let best = self.from.best(objective);
        let offered = match self.own {
            Some(own) => own.offer(best.lurd(), self.to),
            None => self.to.offer(best.lurd()),
        };
        match offered {
            Ok((improved, solution)) => {
                for objective in improved {
                    self.progress.on(Event::Improved { objective, metrics: solution.metrics(), method, elapsed });
                }
            }
            Err(error) => self.progress.on(Event::Rejected { method, reason: &error.to_string() }),
        }
    }
}
