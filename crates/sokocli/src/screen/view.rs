//! The view of one level in work: it listens to the searches, and keeps the line about them up to date.

use std::fmt;
use std::time::Duration;

use sokocore::{Metric, Metrics, Objective};
use sokosearch::{Event, Progress};
use sokosolver::{SolveEvent, SolveProgress};

use super::Screen;
use super::state::Work;
use crate::doing;
use crate::wording::{duration, harmless, level_name};

/// Shows one level; its line goes when the last view of it is dropped.
pub(crate) struct LevelView<'a> {
    screen: &'a Screen,
    number: usize,
}

impl fmt::Debug for LevelView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LevelView").field("number", &self.number).finish_non_exhaustive()
    }
}

impl<'a> LevelView<'a> {
    pub(super) fn new(screen: &'a Screen, number: usize, title: &str, time: Option<Duration>) -> Self {
        if screen.shared.state.lock().open(number, title, time) {
            tracing::info!("{} begins", harmless(&level_name(number, Some(title))));
        }
        Self { screen, number }
    }

    /// Shows the best solution by an objective that there is so far.
    pub(crate) fn best(&self, objective: Objective, metrics: Metrics) {
        self.change(|work| work.set_best(objective, metrics));
    }

    /// Shows a number of pushes or moves that every solution needs.
    pub(crate) fn at_least(&self, metric: Metric, bound: u64) {
        self.change(|work| work.set_at_least(metric, bound));
    }

    /// Shows what is done now, in plain words.
    pub(crate) fn doing(&self, words: &'static str) {
        self.change(|work| work.doing = words);
    }

    /// Changes the line, if there are lines.
    fn change(&self, change: impl FnOnce(&mut Work)) {
        if self.screen.painter.is_some() {
            let mut state = self.screen.shared.state.lock();
            if let Some(work) = state.work(self.number) {
                change(work);
            }
        }
    }
}

impl Progress for LevelView<'_> {
    fn on(&self, event: Event<'_>) {
        match event {
            Event::Working { method, .. } if self.screen.painter.is_some() => self.doing(doing::words(method)),
            Event::Improved { objective, metrics, method, elapsed } => {
                let mut state = self.screen.shared.state.lock();
                let is_new = state.work(self.number).is_some_and(|work| work.is_new_find(metrics));
                drop(state);
                if is_new {
                    let (number, elapsed) = (self.number, duration(elapsed));
                    tracing::info!("level {number}: {metrics} after {elapsed}, {}", doing::words(method));
                }
                self.best(objective, metrics);
            }
            Event::Rejected { method, reason } => reject(method, reason),
            _ => {}
        }
    }
}

impl SolveProgress for LevelView<'_> {
    fn on(&self, event: SolveEvent<'_>) {
        match event {
            SolveEvent::Slice { strategy } if self.screen.painter.is_some() => self.doing(doing::words(strategy)),
            SolveEvent::Solved { strategy, metrics, elapsed } => {
                tracing::info!("level {}: solved, {metrics} after {} by {strategy}", self.number, duration(elapsed));
            }
            SolveEvent::Improved { strategy, metrics, elapsed, .. } => {
                tracing::info!("level {}: {metrics} after {} by {strategy}", self.number, duration(elapsed));
            }
            SolveEvent::Bound { bound, strategy } => {
                tracing::debug!("level {}: at least {bound} by {strategy}", self.number);
            }
            SolveEvent::Rejected { strategy, reason } => reject(strategy, reason),
            _ => {}
        }
    }
}

fn reject(by: &str, reason: &str) {
    tracing::error!("{by} found moves that do not replay ({reason}); they are ignored. Please report this");
}

impl Drop for LevelView<'_> {
    fn drop(&mut self) {
        self.screen.shared.state.lock().close(self.number);
    }
}
