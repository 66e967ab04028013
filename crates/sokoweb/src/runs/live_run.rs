//! A run as it is watched: its events in sum.
//!
//! Searches wait while an event is taken in, so that takes microseconds; pages get snapshots.

use std::time::Duration;

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokocore::{Level, Metrics, Objective, Solution};
use sokodraw::FloorPlan;
use sokoio::LevelId;
use sokolibrary::StoredRun;
use sokonight::{NightControl, NightEvent, NightLevel, NightObserver, Purpose};
use sokosearch::Clock;

use super::account::{GainLine, RunAccount, RunPhase, ShownLevel, tenths};
use super::request::RunHead;
use super::snapshot::{BestJson, InWorkJson, RunJson};
use crate::problem::with_causes;
use crate::shown_text::title;

/// A run that is watched.
#[derive(Debug)]
pub(crate) struct LiveRun {
    number: u64,
    begun_at: String,
    head: RunHead,
    /// The time of its parts before, if it was continued.
    before: Duration,
    clock: Clock,
    state: Mutex<LiveState>,
}

#[derive(Debug, Default)]
struct LiveState {
    account: RunAccount,
    trouble: Option<String>,
    /// Whether the server ends, and the run with it.
    is_cut_off: bool,
    /// By worker.
    in_work: Vec<Option<LevelInWork>>,
    bests: HashMap<LevelId, Vec<(Objective, Metrics)>>,
    best: Option<BestShown>,
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
    /// Watches a run that begins or is continued now, or shows one that is over.
    pub(super) fn new(stored: &StoredRun, head: RunHead, account: RunAccount) -> Self {
        Self {
            number: stored.number,
            begun_at: stored.begun_at.clone(),
            head,
            before: Duration::try_from_secs_f64(account.seconds).unwrap_or_default(),
            clock: Clock::start(),
            state: Mutex::new(LiveState { account, ..LiveState::default() }),
        }
    }

    /// Returns its number.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the objective that counts first.
    pub(super) fn primary(&self) -> Objective {
        self.head.objectives.first().copied().unwrap_or_default()
    }

    /// Takes note of the levels.
    pub(super) fn begin(&self, levels: &[NightLevel]) {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        state.account.phase = RunPhase::Running;
        state.account.n_levels = levels.len();
        let mut sums = (0, 0);
        let mut kept = self.head.objectives.clone();
        kept.extend([Objective::MOVES, Objective::PUSHES].iter().filter(|kept| !self.head.objectives.contains(kept)));
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
        state.account.n_solved = state.bests.len();
        if !state.bests.is_empty() {
            state.account.curve.meet(self.before, sums.0, sums.1);
        }
        if let [level] = levels
            && let Some(solution) = level.known.iter().min_by_key(|known| self.primary().score(&known.metrics()))
        {
            let name = title(&level.name());
            state.set_best(&LastImprovement {
                name: &name,
                id: level.id,
                level: &level.level,
                objective: self.primary(),
                solution,
                by: "the library",
            });
        }
    }

    /// Takes a better solution in.
    pub(super) fn improved(&self, found: LastImprovement<'_>) {
        let at = self.before + self.clock.elapsed();
        let metrics = found.solution.metrics();
        let mut guard = self.state.lock();
        let state = &mut *guard;
        let bests = state.bests.entry(found.id).or_default();
        let before = fewest(bests);
        let known = bests.iter_mut().find(|(objective, _)| *objective == found.objective);
        let old = known.as_ref().map(|(_, metrics)| *metrics);
        match known {
            Some((_, best)) => *best = metrics,
            None => bests.push((found.objective, metrics)),
        }
        let after = fewest(bests).unwrap_or_default();
        let account = &mut state.account;
        match before {
            None => {
                account.n_newly_solved += 1;
                account.curve.begin(at, after.0, after.1);
            }
            Some(before) => {
                let gained = (before.0.saturating_sub(after.0), before.1.saturating_sub(after.1));
                account.moves_gained += gained.0;
                account.pushes_gained += gained.1;
                account.curve.fall(at, gained.0, gained.1);
            }
        }
        account.n_solved = state.bests.len();
        let (before, after) = GainLine::metrics(old, metrics);
        account.add_gain(GainLine {
            seconds: tenths(at.as_secs_f64()),
            level: found.name.to_owned(),
            id: found.id.to_string(),
            objective: found.objective.to_string(),
            before,
            after,
            by: title(found.by),
        });
        state.show(&found, self.primary());
    }

    /// Ends the run; `is_done` if nothing is left to try.
    pub(super) fn end(&self, ended: &str, is_done: bool, control: &NightControl) {
        let is_cut_off = self.state.lock().is_cut_off;
        match is_cut_off {
            true if !is_done => self.rest(RunPhase::CutOff, "stopped with the server", control),
            _ => self.rest(RunPhase::Ended, ended, control),
        }
        self.state.lock().account.is_done = is_done;
    }

    /// Ends the run with an error.
    pub(super) fn fail(&self, why: &str, control: &NightControl) {
        self.rest(RunPhase::Failed, why, control);
    }

    fn rest(&self, phase: RunPhase, ended: &str, control: &NightControl) {
        let elapsed = self.elapsed(control);
        let mut state = self.state.lock();
        state.in_work.clear();
        state.account.seconds = tenths(elapsed.as_secs_f64());
        (state.account.phase, state.account.ended) = (phase, Some(ended.to_owned()));
    }

    /// Says that the server ends.
    pub(super) fn cut_off(&self) {
        self.state.lock().is_cut_off = true;
    }

    /// Says why the library cannot be written, or that it can be.
    pub(super) fn set_trouble(&self, why: Option<String>) {
        self.state.lock().trouble = why;
    }

    fn elapsed(&self, control: &NightControl) -> Duration {
        self.before + self.clock.elapsed().saturating_sub(control.paused())
    }

    /// Returns what it has come to.
    pub(super) fn account(&self, control: &NightControl) -> RunAccount {
        let mut account = self.state.lock().account.clone();
        if account.phase.is_active() {
            account.seconds = tenths(self.elapsed(control).as_secs_f64());
        }
        account.phase = match account.phase {
            RunPhase::Running if control.is_stopped() => RunPhase::Stopping,
            RunPhase::Running if control.is_paused() => RunPhase::Paused,
            phase => phase,
        };
        account
    }

    /// Returns what it is at.
    pub(super) fn snapshot(&self, control: &NightControl) -> RunJson {
        let account = self.account(control);
        let state = self.state.lock();
        let of_library = u64::from(account.shown.is_some());
        RunJson {
            id: self.number,
            kind: self.head.kind.name(),
            title: self.head.title.clone(),
            objectives: self.head.objectives.iter().map(ToString::to_string).collect(),
            begun_at: self.begun_at.clone(),
            can_continue: account.can_continue(),
            trouble: state.trouble.clone(),
            in_work: state.in_work.iter().flatten().map(InWorkJson::from).collect(),
            best_version: state.best.as_ref().map_or(of_library, |best| best.version),
            account,
        }
    }

    /// Returns the solution that is shown, if it was found since the server was started.
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

    /// Returns the level whose solution is shown.
    pub(super) fn shown(&self) -> Option<ShownLevel> {
        self.state.lock().account.shown.clone()
    }
}

impl LiveState {
    /// Shows a solution: the last one that was found, but one of another objective does not hide the main one.
    fn show(&mut self, found: &LastImprovement<'_>, primary: Objective) {
        let is_hidden = self.best.as_ref().is_some_and(|best| best.id == found.id && found.objective != primary);
        if !is_hidden {
            self.set_best(found);
        }
    }

    fn set_best(&mut self, found: &LastImprovement<'_>) {
        // The solution of an earlier part of the run has the first number.
        let version = self.best.as_ref().map_or(1, |best| best.version) + 1;
        let by = title(found.by);
        self.account.shown = Some(ShownLevel { id: found.id.to_string(), name: found.name.to_owned(), by: by.clone() });
        self.best = Some(BestShown {
            version,
            name: found.name.to_owned(),
            id: found.id,
            level: found.level.clone(),
            solution: found.solution.clone(),
            by,
        });
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
            NightEvent::Proved { .. } => self.state.lock().account.n_proved += 1,
            NightEvent::Trouble { error, .. } => self.set_trouble(Some(with_causes(error))),
            _ => {}
        }
    }
}
