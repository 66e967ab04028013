//! A run as it is watched: its events in sum.
//!
//! Searches wait while an event is taken in, so that takes microseconds; pages get snapshots.

use std::collections::VecDeque;
use std::time::Duration;

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokocore::{Level, Metrics, Objective, Solution};
use sokodraw::FloorPlan;
use sokoio::LevelId;
use sokonight::{NightControl, NightEvent, NightLevel, NightObserver, Purpose};
use sokosearch::Clock;

use super::curve::Curve;
use super::request::RunPlan;
use super::snapshot::{BestJson, GainLine, InWorkJson, RunJson, tenths};
use crate::problem::with_causes;
use crate::shown_text::title;

/// Gains that are shown.
const N_GAINS: usize = 12;

/// A run that is watched.
#[derive(Debug)]
pub(crate) struct LiveRun {
    number: u64,
    plan: RunPlan,
    clock: Clock,
    state: Mutex<LiveState>,
}

#[derive(Debug, Default)]
struct LiveState {
    phase: RunPhase,
    ended: Option<(String, Duration)>,
    trouble: Option<String>,
    n_levels: usize,
    n_newly_solved: usize,
    n_proved: usize,
    moves_gained: u64,
    pushes_gained: u64,
    n_gains: u64,
    /// By worker.
    in_work: Vec<Option<LevelInWork>>,
    gains: VecDeque<GainLine>,
    curve: Curve,
    bests: HashMap<LevelId, Vec<(Objective, Metrics)>>,
    best: Option<BestShown>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RunPhase {
    #[default]
    Loading,
    Running,
    Ended,
    Failed,
}

#[derive(Debug)]
struct LevelInWork {
    level: String,
    id: LevelId,
    purpose: Purpose,
    best: Option<Metrics>,
    n_threads: usize,
    clock: Clock,
    time: Duration,
}

/// The solution that is shown.
#[derive(Debug)]
struct BestShown {
    version: u64,
    name: String,
    id: LevelId,
    level: Level,
    solution: Solution,
    by: String,
}

/// A solution that is better than those before, of some level.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastImprovement<'a> {
    pub(super) name: &'a str,
    pub(super) id: LevelId,
    pub(super) level: &'a Level,
    pub(super) objective: Objective,
    pub(super) solution: &'a Solution,
    pub(super) by: &'a str,
}

impl LiveRun {
    /// Watches a run that begins now.
    pub(super) fn new(number: u64, plan: &RunPlan) -> Self {
        Self { number, plan: plan.clone(), clock: Clock::start(), state: Mutex::default() }
    }

    /// Returns its number.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Takes note of the levels.
    pub(super) fn begin(&self, levels: &[NightLevel]) {
        let mut state = self.state.lock();
        state.phase = RunPhase::Running;
        state.n_levels = levels.len();
        let mut sums = (0, 0);
        let mut kept = self.plan.knobs.objectives.clone();
        kept.extend(
            [Objective::MOVES, Objective::PUSHES].iter().filter(|kept| !self.plan.knobs.objectives.contains(kept)),
        );
        for level in levels {
            let best = |objective: Objective| {
                let metrics = level.known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics));
                metrics.map(|metrics| (objective, metrics))
            };
            let bests: Vec<_> = kept.iter().filter_map(|&objective| best(objective)).collect();
            if let Some((moves, pushes)) = fewest(&bests) {
                sums = (sums.0 + moves, sums.1 + pushes);
                state.bests.insert(level.id, bests);
            }
        }
        if !state.bests.is_empty() {
            state.curve.begin(Duration::ZERO, sums.0, sums.1);
        }
        let primary = kept.first().copied().unwrap_or_default();
        let shown = match levels {
            [level] => {
                level.known.iter().min_by_key(|known| primary.score(&known.metrics())).map(|known| (level, known))
            }
            _ => None,
        };
        state.best = shown.map(|(level, solution)| BestShown {
            version: 1,
            name: title(&level.name()),
            id: level.id,
            level: level.level.clone(),
            solution: solution.clone(),
            by: "the library".to_owned(),
        });
    }

    /// Takes a better solution in.
    pub(super) fn improved(&self, found: LastImprovement<'_>) {
        let at = self.clock.elapsed();
        let metrics = found.solution.metrics();
        let mut state = self.state.lock();
        let bests = state.bests.entry(found.id).or_default();
        let before = fewest(bests);
        let known = bests.iter_mut().find(|(objective, _)| *objective == found.objective);
        let old = known.as_ref().map(|(_, metrics)| *metrics);
        match known {
            Some((_, best)) => *best = metrics,
            None => bests.push((found.objective, metrics)),
        }
        let after = fewest(bests).unwrap_or_default();
        match before {
            None => {
                state.n_newly_solved += 1;
                state.curve.begin(at, after.0, after.1);
            }
            Some(before) => {
                let gained = (before.0.saturating_sub(after.0), before.1.saturating_sub(after.1));
                state.moves_gained += gained.0;
                state.pushes_gained += gained.1;
                state.curve.fall(at, gained.0, gained.1);
            }
        }
        state.n_gains += 1;
        let (before, after) = GainLine::metrics(old, metrics);
        state.gains.push_front(GainLine {
            seconds: tenths(at.as_secs_f64()),
            level: found.name.to_owned(),
            id: found.id.to_string(),
            objective: found.objective.to_string(),
            before,
            after,
            by: title(found.by),
        });
        state.gains.truncate(N_GAINS);
        state.show(&found, self.plan.knobs.objectives.first().copied().unwrap_or_default());
    }

    /// Ends the run.
    pub(super) fn end(&self, ended: &str, control: &NightControl) {
        let elapsed = self.elapsed(control);
        let mut state = self.state.lock();
        state.in_work.clear();
        (state.phase, state.ended) = (RunPhase::Ended, Some((ended.to_owned(), elapsed)));
    }

    /// Ends the run with an error.
    pub(super) fn fail(&self, why: &str) {
        let mut state = self.state.lock();
        state.in_work.clear();
        (state.phase, state.ended) = (RunPhase::Failed, Some((why.to_owned(), self.clock.elapsed())));
    }

    /// Says why the library cannot be written.
    pub(super) fn trouble(&self, why: &str) {
        self.state.lock().trouble = Some(why.to_owned());
    }

    fn elapsed(&self, control: &NightControl) -> Duration {
        self.clock.elapsed().saturating_sub(control.paused())
    }

    /// Returns what it is at.
    pub(super) fn snapshot(&self, control: &NightControl) -> RunJson {
        let state = self.state.lock();
        let phase = match state.phase {
            RunPhase::Loading => "loading",
            RunPhase::Ended => "ended",
            RunPhase::Failed => "failed",
            RunPhase::Running if control.is_stopped() => "stopping",
            RunPhase::Running if control.is_paused() => "paused",
            RunPhase::Running => "running",
        };
        let elapsed = state.ended.as_ref().map_or_else(|| self.elapsed(control), |(_, elapsed)| *elapsed);
        let knobs = &self.plan.knobs;
        RunJson {
            id: self.number,
            kind: self.plan.kind.name(),
            title: self.plan.title.clone(),
            phase,
            ended: state.ended.as_ref().map(|(ended, _)| ended.clone()),
            trouble: state.trouble.clone(),
            objectives: knobs.objectives.iter().map(ToString::to_string).collect(),
            seconds: tenths(elapsed.as_secs_f64()),
            limit_seconds: knobs.time.map(|time| time.as_secs_f64()),
            n_threads: knobs.n_threads,
            memory_mib: knobs.memory >> 20,
            n_levels: state.n_levels,
            n_solved: state.bests.len(),
            n_newly_solved: state.n_newly_solved,
            n_proved: state.n_proved,
            moves_gained: state.moves_gained,
            pushes_gained: state.pushes_gained,
            n_gains: state.n_gains,
            in_work: state.in_work.iter().flatten().map(InWorkJson::from).collect(),
            gains: state.gains.iter().cloned().collect(),
            curve: state.curve.points().to_vec(),
            best_version: state.best.as_ref().map_or(0, |best| best.version),
        }
    }

    /// Returns the solution that is shown.
    pub(super) fn best(&self) -> Option<BestJson> {
        let state = self.state.lock();
        let best = state.best.as_ref()?;
        Some(BestJson {
            version: best.version,
            level: best.name.clone(),
            id: best.id.to_string(),
            by: best.by.clone(),
            metrics: best.solution.metrics().into(),
            moves: best.solution.lurd().to_string(),
            rows: FloorPlan::of(best.level.grid()).rows(),
        })
    }
}

impl LiveState {
    /// Shows a solution: the last one that was found, but one of another objective does not hide the main one.
    fn show(&mut self, found: &LastImprovement<'_>, primary: Objective) {
        let is_hidden = self.best.as_ref().is_some_and(|best| best.id == found.id && found.objective != primary);
        if !is_hidden {
            let version = self.best.as_ref().map_or(0, |best| best.version) + 1;
            self.best = Some(BestShown {
                version,
                name: found.name.to_owned(),
                id: found.id,
                level: found.level.clone(),
                solution: found.solution.clone(),
                by: title(found.by),
            });
        }
    }
}

/// The fewest moves and the fewest pushes of solutions.
fn fewest(bests: &[(Objective, Metrics)]) -> Option<(u64, u64)> {
    let metrics = || bests.iter().map(|(_, metrics)| metrics);
    metrics().map(|metrics| metrics.moves).min().zip(metrics().map(|metrics| metrics.pushes).min())
}

impl From<&LevelInWork> for InWorkJson {
    fn from(in_work: &LevelInWork) -> Self {
        Self {
            level: in_work.level.clone(),
            id: in_work.id.to_string(),
            purpose: in_work.purpose.to_string(),
            best: in_work.best.map(Into::into),
            n_threads: in_work.n_threads,
            seconds: tenths(in_work.clock.elapsed().as_secs_f64()),
            limit_seconds: tenths(in_work.time.as_secs_f64()),
        }
    }
}

impl NightObserver for LiveRun {
    fn on(&self, event: NightEvent<'_>) {
        match event {
            NightEvent::SliceBegins { worker, level, purpose, time, n_threads, best, .. } => {
                let in_work = LevelInWork {
                    level: title(&level.name()),
                    id: level.id,
                    purpose,
                    best,
                    n_threads,
                    clock: Clock::start(),
                    time,
                };
                let mut state = self.state.lock();
                if state.in_work.len() <= worker {
                    state.in_work.resize_with(worker + 1, || None);
                }
                state.in_work[worker] = Some(in_work);
            }
            NightEvent::SliceEnds { worker, .. } => {
                let mut state = self.state.lock();
                if let Some(slot) = state.in_work.get_mut(worker) {
                    *slot = None;
                }
            }
            NightEvent::Improved { level, objective, solution, by, .. } => {
                let name = title(&level.name());
                self.improved(LastImprovement {
                    name: &name,
                    id: level.id,
                    level: &level.level,
                    objective,
                    solution,
                    by,
                });
            }
            NightEvent::Proved { .. } => self.state.lock().n_proved += 1,
            NightEvent::Trouble { error, .. } => self.trouble(&with_causes(error)),
            _ => {}
        }
    }
}
