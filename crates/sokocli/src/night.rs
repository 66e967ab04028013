//! The command `night`: one budget of time over all levels of the library, or of some collections.
//!
//! ```text
//!   FILES ──add──▶ library ──▶ sokonight: Night ──events──▶ screen · log · JSON lines
//!                     ▲                └─────finds──┐
//!                     └─────────────────────────────┘
//! ```
//!
//! * `sokonight` has the schedule and its slices. [`screen`], [`sums`]: what is drawn. [`report`]: lines for the log and for
//!   programs, and the table at the end.

pub(crate) mod report;
mod screen;
mod sums;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crossbeam::channel::{RecvTimeoutError, bounded};
use sokocore::Objective;
use sokolibrary::Library;
use sokonight::{Night, NightControl, NightEvent, NightKnobs, NightLevel, NightOutcome};

use self::report::NightReporter;
use self::screen::NightScreen;
use crate::args::NightArgs;
use crate::complaint::causes_of;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::{Inputs, OwnResults};
use crate::interrupt::stop_on_ctrl_c;
use crate::library::add::add_input;
use crate::library::names::find_collection;
use crate::library::sync::library_queue;
use crate::process_memory::{keep_within, memory_of_searches};
use crate::run_time::TimeOfDay;

/// How often the screen is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Runs the command.
pub(crate) fn run(args: &NightArgs, console: &Console) -> anyhow::Result<Exit> {
    let path = args.place.path()?;
    let mut library = if args.what.is_empty() { Library::open(&path)? } else { Library::create_or_open(&path)? };
    let (collections, n_faults) = collections(&mut library, args, console)?;
    let objectives = objectives(args);
    let levels = NightLevel::of_collections(&library, &collections, &objectives)?;
    let limit = args.time.map(|time| time.0).or_else(|| args.until.map(TimeOfDay::until_then));
    let reporter = NightReporter::new(args, console, &library, limit)?;
    reporter.begin(&collections, levels.len());
    drop(library);
    let n_threads = args.resources.n_threads();
    let allowed = args.resources.memory()?;
    let memory = memory_of_searches(allowed, n_threads);
    let knobs = NightKnobs::default()
        .with_objectives(objectives)
        .with_time(args.time.map(|time| time.0))
        .with_until(args.until.and(limit).map(|limit| SystemTime::now() + limit))
        .with_threads(n_threads)
        .with_memory(memory)
        .with_seed(args.seed)
        .with_equal_slices(args.equal_slices);
    let queue = library_queue(&path)?;
    let control = NightControl::default();
    let then = "what was found is in the library";
    stop_on_ctrl_c(control.clone(), NightControl::is_stopped, NightControl::stop, console.complaints.clone(), then)?;
    keep_within(allowed);
    let screen = NightScreen::new(args, console, &levels, limit, n_threads);
    let outcome = watch(&Night::new(&levels, &queue, &knobs), &control, &screen, &reporter);
    drop(screen);
    queue.flush()?;
    reporter.end(&Library::open(&path)?, &levels, &outcome, control.is_stopped())?;
    Ok(if control.is_stopped() { Exit::Interrupted } else { Exit::of_faults(n_faults + outcome.n_failed) })
}

/// Runs a night, and shows and reports what happens.
fn watch(night: &Night<'_>, control: &NightControl, screen: &NightScreen, reporter: &NightReporter) -> NightOutcome {
    let on = |event: NightEvent<'_>| {
        screen.on(&event);
        match event {
            NightEvent::SliceEnds { level, purpose, report, .. } => reporter.slice(level, purpose, report),
            NightEvent::Proved { level, objective, metrics, .. } => reporter.proved(level, objective, &metrics),
            NightEvent::Trouble { error, .. } => reporter.trouble(&causes_of(error)),
            _ => {}
        }
    };
    let (running, ended) = bounded::<()>(0);
    let draw = || {
        while matches!(ended.recv_timeout(TICK), Err(RecvTimeoutError::Timeout)) {
            screen.draw();
        }
    };
    let joined = crossbeam::scope(|scope| {
        // Without a thread for it nothing is drawn.
        scope.builder().spawn(|_| draw()).map(drop).unwrap_or_default();
        let outcome = night.run(control, &on);
        drop(running);
        outcome
    });
    joined.expect("invariant: drawing does not panic")
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
