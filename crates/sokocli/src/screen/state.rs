//! What is known of a run at a moment. No time is read and nothing is drawn here, but for the clocks of the levels.

use std::collections::BTreeSet;
use std::time::Duration;

use hashbrown::HashSet;
use sokocore::{Metric, Metrics, Objective};
use sokosearch::Clock;

use super::sums::{FileSums, LevelCounts};
use super::{Finished, RunFacts};

/// What a level in work counts for at most: less than one that is finished.
const MOST_SHARE: f64 = 0.99;

/// The state of a run.
#[derive(Debug)]
pub(super) struct RunState {
    pub(super) facts: RunFacts,
    pub(super) clock: Clock,
    pub(super) sums: LevelCounts,
    pub(super) files: FileSums,
    /// Sums of what was saved.
    pub(super) gained: Vec<(Metric, u64)>,
    pub(super) works: Vec<Work>,
    pub(super) has_ended: bool,
    /// Numbers of the levels that a view was opened for.
    begun: BTreeSet<usize>,
    share: f64,
}

/// A level in work.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) number: usize,
    pub(super) title: String,
    pub(super) clock: Clock,
    pub(super) time: Option<Duration>,
    pub(super) bests: Vec<(Objective, Metrics)>,
    /// The finds that were logged: one that improves several objectives is logged once.
    finds: HashSet<Metrics>,
    /// Numbers of pushes or moves that every solution needs.
    pub(super) at_least: Vec<(Metric, u64)>,
    pub(super) doing: &'static str,
    n_views: usize,
}

impl RunState {
    pub(super) fn new(facts: RunFacts) -> Self {
        Self {
            facts,
            clock: Clock::start(),
            sums: LevelCounts::default(),
            files: FileSums::default(),
            gained: Vec::new(),
            works: Vec::new(),
            has_ended: false,
            begun: BTreeSet::new(),
            share: 0.0,
        }
    }

    /// Opens a view of a level. Returns whether it is the first one.
    pub(super) fn open(&mut self, number: usize, title: &str, time: Option<Duration>) -> bool {
        let is_first = self.begun.insert(number);
        if let Some(work) = self.work(number) {
            work.n_views += 1;
            return is_first;
        }
        let (title, clock) = (title.to_owned(), Clock::start());
        let (bests, finds, at_least, doing) = (Vec::new(), HashSet::new(), Vec::new(), "");
        self.works.push(Work { number, title, clock, time, bests, finds, at_least, doing, n_views: 1 });
        is_first
    }

    /// Closes a view of a level.
    pub(super) fn close(&mut self, number: usize) {
        if let Some(work) = self.work(number) {
            work.n_views -= 1;
        }
        self.works.retain(|work| work.n_views > 0);
    }

    /// Returns the level in work that has this number.
    pub(super) fn work(&mut self, number: usize) -> Option<&mut Work> {
        self.works.iter_mut().find(|work| work.number == number)
    }

    /// Counts a finished level.
    pub(super) fn finish(&mut self, finished: &Finished) {
        self.sums.add(finished.kind);
        self.files.add(&finished.file, finished.kind);
        for &(metric, amount) in &finished.gained {
            match self.gained.iter_mut().find(|(other, _)| *other == metric) {
                Some((_, sum)) => *sum = sum.saturating_add(amount),
                None => self.gained.push((metric, amount)),
            }
        }
    }

    /// Returns how much of the run is done, from 0 to 1, never less than before.
    #[expect(clippy::cast_precision_loss, reason = "a share is drawn with some dozens of columns")]
    pub(super) fn share(&mut self) -> f64 {
        let in_work: f64 = self.works.iter().map(Work::share).sum();
        let n_levels = self.facts.n_levels.max(self.sums.n_finished).max(1) as f64;
        let by_levels = (self.sums.n_finished as f64 + in_work) / n_levels;
        let by_time = self.facts.total_time.map_or(0.0, |total| ratio(self.clock.elapsed(), total));
        self.share = self.share.max(by_levels.max(by_time).min(1.0));
        self.share
    }

    /// Returns the time that the run may still take, once there is something to go by.
    pub(super) fn time_left(&mut self) -> Option<Duration> {
        let gone = self.clock.elapsed();
        let share = self.share();
        let is_known = gone > Duration::from_secs(2) && share > 0.0;
        let guess = is_known.then(|| Duration::try_from_secs_f64(gone.as_secs_f64() * (1.0 - share) / share).ok());
        let limit = self.facts.total_time.map(|total| total.saturating_sub(gone));
        guess.flatten().into_iter().chain(limit).min()
    }
}

impl Work {
    /// The share of its time that is gone; none if it has no limit.
    fn share(&self) -> f64 {
        self.time.map_or(0.0, |time| ratio(self.clock.elapsed(), time).min(MOST_SHARE))
    }

    /// Notes a find. Returns whether none measured the same before.
    pub(super) fn is_new_find(&mut self, metrics: Metrics) -> bool {
        self.finds.insert(metrics)
    }

    /// Notes a number of pushes or moves that every solution needs.
    pub(super) fn set_at_least(&mut self, metric: Metric, bound: u64) {
        match self.at_least.iter_mut().find(|(other, _)| *other == metric) {
            Some((_, least)) => *least = bound.max(*least),
            None => self.at_least.push((metric, bound)),
        }
    }

    /// Notes the best solution by an objective.
    pub(super) fn set_best(&mut self, objective: Objective, metrics: Metrics) {
        match self.bests.iter_mut().find(|(other, _)| *other == objective) {
            Some((_, best)) => *best = metrics,
            None => self.bests.push((objective, metrics)),
        }
    }
}

/// The quotient of two times; 1 if there is no time at all.
fn ratio(gone: Duration, total: Duration) -> f64 {
    if total.is_zero() { 1.0 } else { gone.as_secs_f64() / total.as_secs_f64() }
}
