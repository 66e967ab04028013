//! The command `fleet submit`: levels and wishes, to the server.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sokocore::{Objective, Solution, replay};
use sokofleet::{Fleet, Submission, Wishes};
use sokoio::{Collection, LevelId};
use sokolibrary::Library;

use super::json_line::submitted_text;
use crate::args::{FleetPlace, SubmitArgs};
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::{Inputs, OwnResults};
use crate::library::add::name_of;
use crate::library::names::find_collection;
use crate::output;

/// A collection with solutions of its levels beside those in its text.
struct Named {
    name: String,
    collection: Collection,
    known: Vec<(LevelId, Vec<Solution>)>,
}

/// Runs the command.
pub(super) fn run(place: &FleetPlace, args: &SubmitArgs, console: &Console) -> anyhow::Result<Exit> {
    let (files, names): (Vec<_>, Vec<_>) = args.what.iter().partition(|what| Path::new(what).exists());
    let mut collections = of_library(&names, args)?;
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    let mut n_faults = 0;
    if !files.is_empty() {
        let inputs = Inputs::read(&files, OwnResults::Read, &console.complaints);
        n_faults = inputs.n_faults();
        let named = |input: &crate::inputs::Input| Named {
            name: name_of(input),
            collection: input.collection().clone(),
            known: Vec::new(),
        };
        collections.extend(inputs.inputs().iter().map(named));
    }
    if collections.iter().all(|named| named.collection.levels().is_empty()) {
        console.complaints.note("there is no level to submit");
        return Ok(Exit::of_faults(n_faults));
    }
    let n_replicas = args.replicas.map(usize::from);
    let fleet = Fleet::create_with(&place.address(), &place.fleet, args.patience.0, n_replicas)?;
    let submissions: Vec<_> = collections
        .iter()
        .map(|named| Submission::new(&*named.name, &named.collection).with_known(named.known.clone()))
        .collect();
    let wishes = Wishes::default().with_time(args.time.map(|time| time.0));
    let wishes = if args.objective.is_empty() { wishes } else { wishes.with_objectives(each_once(&args.objective)) };
    let bar = progress_bar(collections.iter().map(|named| named.collection.levels().len()).sum());
    let submitted = fleet.submit(&submissions, &wishes, &|n_done, _| {
        bar.set_position(u64::try_from(n_done).unwrap_or(u64::MAX));
    });
    bar.finish_and_clear();
    output::print_line(&submitted_text(&submitted?, &place.fleet.to_string()))?;
    Ok(Exit::of_faults(n_faults))
}

fn each_once(objectives: &[Objective]) -> Vec<Objective> {
    let mut once: Vec<Objective> = Vec::new();
    for &objective in objectives {
        if !once.contains(&objective) {
            once.push(objective);
        }
    }
    once
}

/// Returns collections of the library, with all its solutions of their levels.
fn of_library(names: &[&String], args: &SubmitArgs) -> anyhow::Result<Vec<Named>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let path = args.library.path()?;
    if !path.exists() {
        return Err(UsageError(format!("there is no file {}, and no library with such a collection", names[0])).into());
    }
    let library = Library::open(&path)?;
    let mut found = Vec::new();
    for name in names {
        let stored = find_collection(&library, name)
            .map_err(|error| UsageError(format!("there is no file {name}, and {error}")))?;
        let collection = library.collection_text(&stored.name)?;
        let mut known = Vec::new();
        for level in collection.levels().iter().filter_map(|entry| entry.level().ok()) {
            let id = LevelId::of(level);
            let solutions = library.solutions(id)?;
            let replayed = solutions.iter().filter_map(|solution| replay(level, &solution.moves).ok());
            known.push((id, replayed.collect()));
        }
        found.push(Named { name: stored.name, collection, known });
    }
    Ok(found)
}

fn progress_bar(n_levels: usize) -> ProgressBar {
    let is_seen = std::io::stderr().is_terminal();
    let target = if is_seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{pos} of {len} levels").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(u64::try_from(n_levels).unwrap_or(u64::MAX)), target).with_style(style)
}
