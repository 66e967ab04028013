//! The command `fleet work`: a worker.

use directories::ProjectDirs;
use sokofleet::{Fleet, WorkEvent, WorkKnobs};
use sokonight::NightControl;

use super::json_line::{FleetGain, FleetLine, FleetRun, FleetSlice, FleetTakenOver, FleetTrouble, FleetWorked};
use crate::args::{FleetPlace, WorkArgs};
use crate::complaint::causes_of;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt::stop_on_ctrl_c;
use crate::json::JsonLines;
use crate::known_solutions::moves_and_pushes;
use crate::output;
use crate::process_memory::{keep_within, memory_of_searches};
use crate::wording::{count, duration, harmless};

/// Runs the command.
pub(super) fn run(place: &FleetPlace, args: &WorkArgs, console: &Console) -> anyhow::Result<Exit> {
    let fleet = Fleet::create_or_open(&place.address(), &place.fleet)?;
    let n_threads = args.resources.n_threads();
    let allowed = args.resources.memory()?;
    let memory = memory_of_searches(allowed, n_threads);
    let folder = || Some(ProjectDirs::from("", "", "soko")?.data_dir().join("fleet").join(place.fleet.to_string()));
    let knobs = WorkKnobs::default()
        .with_name(args.name.clone())
        .with_host(gethostname::gethostname().to_string_lossy())
        .with_threads(n_threads)
        .with_memory(memory)
        .with_time(args.time.map(|time| time.0))
        .until_empty(args.until_empty)
        .with_max_islands(args.islands)
        .with_spool(args.spool.clone().or_else(folder));
    let control = NightControl::default();
    let then = "what was found is on the server";
    stop_on_ctrl_c(control.clone(), NightControl::is_stopped, NightControl::stop, console.complaints.clone(), then)?;
    keep_within(allowed);
    let lines = JsonLines::new(args.json);
    lines.print(&FleetLine::Run(FleetRun::of("fleet work", place)));
    let says = !args.json && !args.quiet;
    if says {
        let with = count(n_threads, "thread");
        console.complaints.note(&format!("fleet {} at {}: {with}; Ctrl-C ends", place.fleet, place.address()));
    }
    let say = |text: String| {
        if says {
            console.complaints.raw(&harmless(&text));
        }
    };
    let on = |event: WorkEvent<'_>| tell(event, &lines, console, &say);
    let outcome = fleet.work(&knobs, &control, &on)?;
    // Ctrl-C is how a worker is meant to end: nothing was cut short.
    let exit = Exit::of_faults(usize::try_from(outcome.n_failed).unwrap_or(usize::MAX));
    lines.print(&FleetLine::Worked(FleetWorked::of(&outcome, exit.code())));
    if outcome.n_waiting > 0 {
        let waiting = count(outcome.n_waiting, "solution");
        console.complaints.warning(&format!("{waiting} did not reach the server; the next worker here delivers them"));
    }
    if says {
        let done = format!("{} and {}", count(outcome.n_slices, "slice"), count(outcome.n_finds, "better solution"));
        output::print_line(&format!("{}: {done}; {}", outcome.worker, outcome.ended))?;
    }
    lines.end()?;
    Ok(exit)
}

/// Tells what happens.
fn tell(event: WorkEvent<'_>, lines: &JsonLines, console: &Console, say: &dyn Fn(String)) {
    match event {
        WorkEvent::Improved { level, objective, metrics, by, .. } => {
            say(format!("{level}, {objective}: {} by {by}", moves_and_pushes(&metrics)));
            lines.print(&FleetLine::Gain(FleetGain {
                id: None,
                level: level.to_owned(),
                objective: objective.to_string(),
                before: None,
                after: metrics.into(),
                by: by.to_owned(),
                worker: None,
                at: None,
            }));
        }
        WorkEvent::TakenOver { level, objective, metrics, worker, .. } => {
            say(format!("{level}, {objective}: {} from {worker}", moves_and_pushes(&metrics)));
            let (level, objective) = (level.to_owned(), objective.to_string());
            let (metrics, worker) = (metrics.into(), worker.to_owned());
            lines.print(&FleetLine::TakenOver(FleetTakenOver { level, objective, metrics, worker }));
        }
        WorkEvent::SliceEnds { level, purpose, island, report, is_overtaken, .. } => {
            let elapsed = report.result.elapsed;
            tracing::info!("{level}, {purpose}: {} in {}", report.ended, duration(elapsed));
            if report.has_failed {
                console.complaints.fault_of_search(level);
            }
            lines.print(&FleetLine::Slice(FleetSlice {
                level: level.to_owned(),
                purpose: purpose.to_string(),
                island,
                seconds: elapsed.as_secs_f64(),
                ended: report.ended,
                overtaken: is_overtaken,
            }));
        }
        WorkEvent::Trouble { error, .. } => {
            let error = causes_of(error);
            console.complaints.warning(&format!("{error}; it is tried again"));
            lines.print(&FleetLine::Trouble(FleetTrouble { error }));
        }
        WorkEvent::Recovered => {
            console.complaints.note("the server answers again");
            lines.print(&FleetLine::Recovered);
        }
        WorkEvent::Idle => tracing::info!("nothing to do at the moment"),
        _ => {}
    }
}
