//! The events of the searches of one level, for the screen and as JSON lines.

use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use sokocore::{Metric, Metrics, Objective, Solution};
use sokonight::Finders;
use sokosearch::{Clock, Event, Progress};
use sokosolver::{SolveEvent, SolveProgress};

use crate::json::{ImprovedLine, JsonLines, LevelRef, ProgressLine};
use crate::screen::LevelView;

/// The shortest time between two lines about the progress of a level.
const PAUSE: Duration = Duration::from_secs(1);

/// JSON lines about a level that is worked on.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum EventLine {
    /// What the level is being tried with, at most once a second.
    Progress(ProgressLine),
    /// A better solution.
    Improved(ImprovedLine),
}

/// Listens to the searches of one level.
pub(crate) struct Watch<'a> {
    view: LevelView<'a>,
    lines: &'a JsonLines,
    at: LevelRef,
    clock: Clock,
    /// What the level is optimized for.
    objective: Objective,
    improved: Option<&'a (dyn Fn() + Sync)>,
    found: Option<&'a (dyn Fn(&Solution) + Sync)>,
    finders: Option<&'a Finders>,
    bound: Option<&'a (dyn Fn(Metric, u64) + Sync)>,
    /// Time that went into the level before.
    used: Duration,
    state: Mutex<WatchState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct WatchState {
    best: Option<Metrics>,
    lower_bound: Option<u64>,
    /// When the last line about progress was printed.
    said: Option<Duration>,
}

impl<'a> Watch<'a> {
    /// Listens for the screen and for JSON lines.
    pub(crate) fn new(view: LevelView<'a>, lines: &'a JsonLines, at: LevelRef, objective: Objective) -> Self {
        let (clock, state) = (Clock::start(), Mutex::default());
        Self {
            view,
            lines,
            at,
            clock,
            objective,
            improved: None,
            found: None,
            finders: None,
            bound: None,
            used: Duration::ZERO,
            state,
        }
    }

    /// Tells times from the begin of the work on the level, into which so much time went before.
    pub(crate) fn after(self, used: Duration) -> Self {
        Self { used, ..self }
    }

    /// Calls a function with every better solution.
    pub(crate) fn with_improved(self, improved: &'a (dyn Fn() + Sync)) -> Self {
        Self { improved: Some(improved), ..self }
    }

    /// Calls a function with every better solution of a run for the best one.
    pub(crate) fn with_found(self, found: &'a (dyn Fn(&Solution) + Sync)) -> Self {
        Self { found: Some(found), ..self }
    }

    /// Notes what finds better solutions.
    pub(crate) fn with_finders(self, finders: &'a Finders) -> Self {
        Self { finders: Some(finders), ..self }
    }

    /// Calls a function with every lower bound that is proved beside the improvements.
    pub(crate) fn with_bound(self, bound: &'a (dyn Fn(Metric, u64) + Sync)) -> Self {
        Self { bound: Some(bound), ..self }
    }

    /// Tells the best solution so far.
    pub(crate) fn with_best(self, best: Option<Metrics>) -> Self {
        self.state.lock().best = best;
        self
    }

    /// Tells what every solution needs at least of what the objective counts first.
    pub(crate) fn with_lower_bound(self, bound: Option<u64>) -> Self {
        if let Some(bound) = bound {
            self.at_least(bound);
        }
        self
    }

    /// Notes a bound, unless a greater one is known.
    fn at_least(&self, bound: u64) {
        let mut state = self.state.lock();
        if state.lower_bound < Some(bound) {
            state.lower_bound = Some(bound);
            drop(state);
            self.view.at_least(self.objective.order()[0], bound);
        }
    }

    fn doing(&self, doing: impl FnOnce() -> String) {
        if !self.lines.is_on() {
            return;
        }
        let elapsed = self.clock.elapsed();
        let mut state = self.state.lock();
        if state.said.is_some_and(|said| elapsed < said + PAUSE) || elapsed < PAUSE {
            return;
        }
        state.said = Some(elapsed);
        let WatchState { best, lower_bound, .. } = *state;
        drop(state);
        let line = ProgressLine::new(&self.at, doing(), best, lower_bound, self.seconds(elapsed));
        self.lines.print(&EventLine::Progress(line));
    }

    /// Returns the seconds since the begin of the work on the level.
    fn seconds(&self, elapsed: Duration) -> f64 {
        (self.used + elapsed).as_secs_f64()
    }

    fn is_better(&self, objective: Objective, metrics: Metrics, by: &str, elapsed: Duration) {
        self.view.best(objective, metrics);
        if objective == self.objective {
            self.state.lock().best = Some(metrics);
        }
        if let Some(finders) = self.finders {
            finders.note(objective, metrics, by, self.used + elapsed);
        }
        if let Some(improved) = self.improved {
            improved();
        }
        if self.lines.is_on() {
            let line = ImprovedLine::new(&self.at, objective, metrics, by, self.seconds(elapsed));
            self.lines.print(&EventLine::Improved(line));
        }
    }
}

impl Progress for Watch<'_> {
    fn on(&self, event: Event<'_>) {
        Progress::on(&self.view, event);
        match event {
            Event::Working { method, phase } => self.doing(|| format!("{method}: {phase}")),
            Event::Improved { objective, metrics, method, elapsed } => {
                self.is_better(objective, metrics, method, elapsed);
            }
            Event::Bound { metric, at_least } => {
                if let Some(bound) = self.bound {
                    bound(metric, at_least);
                }
                if metric == self.objective.order()[0] {
                    self.at_least(at_least);
                }
            }
            _ => {}
        }
    }
}

impl SolveProgress for Watch<'_> {
    fn on(&self, event: SolveEvent<'_>) {
        SolveProgress::on(&self.view, event);
        match event {
            SolveEvent::Slice { strategy } => self.doing(|| strategy.to_owned()),
            SolveEvent::Bound { bound, .. } => self.at_least(bound),
            SolveEvent::Improved { strategy, metrics, elapsed, solution } => {
                if let Some(found) = self.found {
                    found(solution);
                }
                self.is_better(self.objective, metrics, strategy, elapsed);
            }
            _ => {}
        }
    }
}
