//! The command `night`: one budget of time over all levels of the library, or of some collections.
//!
//! ```text
//!   FILES ──add──▶ library ──▶ NightLevel ──▶ Schedule ──slices──▶ workers ──▶ LevelFinds ──▶ library
//!                                                ▲                    │
//!                                                └────── gains ───────┘──▶ screen · log · JSON lines
//! ```
//!
//! * [`levels`]: what the library has. [`schedule`]: which level is next. [`slice`](mod@slice): its turn.
//! * [`screen`]: what is drawn. [`report`]: lines for the log and for programs, and the table at the end.
//!
//! Invariant: what is reported as gained is in the library. Whatever ends a night, the next one begins with what is there,
//! and with the time that each level has had.

mod levels;
pub(crate) mod report;
mod schedule;
mod screen;
mod slice;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};
use jiff::Timestamp;
use parking_lot::Mutex;
use sokocore::Objective;
use sokolibrary::Library;
use sokosearch::{Cancel, Clock, MemoryAccount};

use self::levels::{LevelState, levels_of};
use self::report::NightReporter;
use self::schedule::{Item, Schedule};
use self::screen::NightScreen;
use self::slice::{Purpose, SliceLimits, Slices};
use crate::args::NightArgs;
use crate::complaint::with_causes;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::free_memory::resident_memory;
use crate::inputs::{Inputs, OwnResults};
use crate::interrupt::cancel_on_ctrl_c;
use crate::library::add::add_input;
use crate::library::names::find_collection;
use crate::library::sync::LibrarySync;
use crate::run_time::TimeOfDay;

/// How often the library is written and the screen drawn.
const TICK: Duration = Duration::from_millis(100);
/// How long a worker waits when every open item is in a slice.
const PAUSE: Duration = Duration::from_millis(50);
/// With less than this left, no slice is begun.
const SHORTEST_REST: Duration = Duration::from_millis(50);

/// Runs the command.
pub(crate) fn run(args: &NightArgs, console: &Console) -> anyhow::Result<Exit> {
    let clock = Clock::start();
    let path = args.place.path()?;
    let mut library = if args.what.is_empty() { Library::open(&path)? } else { Library::create_or_open(&path)? };
    let (collections, n_faults) = collections(&mut library, args, console)?;
    let objectives = objectives(args);
    let levels = levels_of(&library, &collections, &objectives)?;
    let limit = args.time.map(|time| time.0).or_else(|| args.until.map(TimeOfDay::until_then));
    let until = args.until.map(|_| Timestamp::now() + limit.unwrap_or_default());
    let reporter = NightReporter::new(args, console, &library, limit)?;
    reporter.begin(&collections, levels.len());
    let n_threads = args.resources.n_threads();
    let memory = MemoryAccount::left_for_searches(args.resources.memory()?, resident_memory(), n_threads);
    let sync = LibrarySync::at(&path, &console.complaints)?;
    let cancel = Cancel::default();
    cancel_on_ctrl_c(cancel.clone(), console.complaints.clone(), "what was found is in the library")?;
    let states: Vec<_> = levels.iter().map(|level| LevelState::new(level, &objectives)).collect();
    let (schedule, items) = plan(&library, &states, &objectives, args.equal_slices)?;
    drop(library);
    let screen = NightScreen::new(args, console, &states, limit, n_threads);
    let night = Night {
        slices: Slices {
            sync: &sync,
            cancel: &cancel,
            seed: args.seed,
            memory: memory / u64::try_from(n_threads).unwrap_or(u64::MAX).max(1),
        },
        plan: Mutex::new(NightPlan { schedule, items }),
        objectives: &objectives,
        states: &states,
        clock,
        limit,
        until,
        n_threads,
        screen: &screen,
        reporter: &reporter,
    };
    night.run();
    drop(night);
    drop(screen);
    let kept = sync.flush();
    let n_failed = reporter.n_failed();
    kept?;
    reporter.end(&Library::open(&path)?, &states, cancel.is_cancelled(), clock.elapsed())?;
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::of_faults(n_faults + n_failed) })
}

/// Adds the files that are named, and returns the names of the collections, with the number of faults in the files.
fn collections(library: &mut Library, args: &NightArgs, console: &Console) -> anyhow::Result<(Vec<String>, usize)> {
    let (files, names): (Vec<_>, Vec<_>) = args.what.iter().partition(|what| Path::new(what).exists());
    let mut collections = Vec::new();
    for name in names {
        let is_file = Path::new(name).extension().is_some();
        let found = find_collection(library, name).map_err(|error| {
            if is_file { UsageError(format!("there is no file {name}, and {error}")).into() } else { error }
        });
        collections.push(found?.name);
    }
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    let mut n_faults = 0;
    if !files.is_empty() {
        let inputs = Inputs::read(&files, OwnResults::Read, &console.complaints);
        n_faults = inputs.n_faults();
        for input in inputs.inputs() {
            let added = add_input(library, input, None, false, &console.complaints)?;
            if !added.name.is_empty() {
                collections.push(added.name);
            }
        }
    }
    if args.what.is_empty() {
        collections = library.collections()?.into_iter().map(|collection| collection.name).collect();
    }
    collections.dedup();
    if collections.is_empty() && args.what.is_empty() {
        let text =
            "the library has no collection yet; name files or folders of levels, such as `soko night collections/`";
        return Err(UsageError(text.to_owned()).into());
    }
    Ok((collections, n_faults))
}

/// What was asked for, each once.
fn objectives(args: &NightArgs) -> Vec<Objective> {
    let asked = if args.objective.is_empty() { &[Objective::MOVES, Objective::PUSHES][..] } else { &args.objective };
    let mut objectives = Vec::new();
    for &objective in asked {
        if !objectives.contains(&objective) {
            objectives.push(objective);
        }
    }
    objectives
}

/// The items of the schedule.
#[derive(Debug)]
struct NightPlan {
    schedule: Schedule,
    /// The level and the purpose of each item.
    items: Vec<(usize, Purpose)>,
}

/// Makes an item for each level and objective that is open, with the time that it has had.
fn plan(
    library: &Library,
    states: &[LevelState<'_>],
    objectives: &[Objective],
    has_equal_slices: bool,
) -> anyhow::Result<(Schedule, Vec<(usize, Purpose)>)> {
    let mut schedule = if has_equal_slices { Schedule::equal() } else { Schedule::default() };
    let mut items = Vec::new();
    for (idx, state) in states.iter().enumerate() {
        let done = |purpose: Purpose| library.work(state.of.id, &purpose.name());
        if state.pool.get().is_none() {
            let spent = done(Purpose::Solve)?.map_or(Duration::ZERO, |work| work.elapsed);
            schedule.add(Item::solving().after(spent));
            items.push((idx, Purpose::Solve));
            continue;
        }
        for &objective in objectives.iter().filter(|&&objective| !state.is_proved(objective)) {
            let purpose = Purpose::Improve(objective);
            let spent = done(purpose)?.map_or(Duration::ZERO, |work| work.elapsed);
            schedule.add(item_of(state, objective).after(spent));
            items.push((idx, purpose));
        }
    }
    Ok((schedule, items))
}

/// Makes the item of an objective.
fn item_of(state: &LevelState<'_>, objective: Objective) -> Item {
    let best = state.best(objective);
    let counted = best.map_or(0, |best| objective.score(&best).primary());
    Item::improving(counted, best.map_or(0, |best| best.pushes))
}

/// All that the workers of a night share.
struct Night<'r, 'l> {
    slices: Slices<'r>,
    plan: Mutex<NightPlan>,
    objectives: &'r [Objective],
    states: &'r [LevelState<'l>],
    clock: Clock,
    limit: Option<Duration>,
    /// When it ends by the clock on the wall, which runs on while the computer sleeps.
    until: Option<Timestamp>,
    n_threads: usize,
    screen: &'r NightScreen,
    reporter: &'r NightReporter,
}

impl Night<'_, '_> {
    /// Runs until the time is over, everything is settled, or Ctrl-C.
    fn run(&self) {
        let (running, ended) = bounded::<()>(0);
        let tend = || {
            while matches!(ended.recv_timeout(TICK), Err(RecvTimeoutError::Timeout)) {
                self.slices.sync.tick();
                self.screen.draw();
            }
        };
        let joined = crossbeam::scope(|scope| {
            scope.builder().name("tend".to_owned()).spawn(|_| tend()).map(drop).unwrap_or_default();
            let workers: Vec<_> = (1..self.n_threads).map(|worker| scope.spawn(move |_| self.work(worker))).collect();
            self.work(0);
            workers.into_iter().for_each(|worker| worker.join().unwrap_or_default());
            drop(running);
        });
        joined.expect("invariant: a fault of a search ends its slice alone");
    }

    /// Returns what is left of the night; `None` if it is over.
    fn left(&self) -> Option<Duration> {
        if self.slices.cancel.is_cancelled() {
            return None;
        }
        let left = match (self.until, self.limit) {
            (Some(until), _) => Duration::try_from(until.duration_since(Timestamp::now())).unwrap_or_default(),
            (None, Some(limit)) => limit.saturating_sub(self.clock.elapsed()),
            (None, None) => Duration::MAX,
        };
        (left >= SHORTEST_REST).then_some(left)
    }

    fn work(&self, worker: usize) {
        while let Some(left) = self.left() {
            let taken = {
                let mut plan = self.plan.lock();
                let n_open = plan.schedule.n_open();
                if n_open == 0 {
                    break;
                }
                plan.schedule.take().map(|(item, slice)| (item, plan.items[item], slice, n_open))
            };
            let Some((item, (idx, purpose), slice, n_open)) = taken else {
                sleep(PAUSE);
                continue;
            };
            // Few open items share all threads.
            let limits = SliceLimits { time: slice.min(left), n_threads: (self.n_threads / n_open).max(1) };
            let state = &self.states[idx];
            self.screen.begins(worker, state, purpose, limits.time);
            let report = self.slices.run(state, purpose, limits);
            self.screen.ends(worker);
            self.end(item, idx, purpose, &report);
            // What is reported is kept.
            match self.slices.sync.flush() {
                Ok(()) => {
                    self.screen.gained(state, &report);
                    self.reporter.slice(state.of, purpose, &report);
                }
                Err(error) => self.reporter.trouble(&with_causes(error)),
            }
        }
    }

    /// Tells the schedule what came of a slice; a level that is solved is to be improved from then on.
    fn end(&self, item: usize, idx: usize, purpose: Purpose, report: &slice::SliceReport) {
        let mut plan = self.plan.lock();
        plan.schedule.end(item, report.result);
        let state = &self.states[idx];
        if purpose == Purpose::Solve && state.pool.get().is_some() {
            for &objective in self.objectives {
                plan.schedule.add(item_of(state, objective));
                plan.items.push((idx, Purpose::Improve(objective)));
            }
        }
    }
}
