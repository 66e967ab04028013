//! The command `fleet collect`: what was found, replayed here, into files or a library.

use anyhow::ensure;
use sokofleet::{CollectedLevel, Fleet};
use sokolibrary::{ExportChoice, Library, NewCollection, Origin, PROGRAM};
use sokonight::{FoundSolution, LevelFinds, LibraryQueue};

use super::json_line::{FleetLine, FleetRun};
use super::open;
use crate::args::{CollectArgs, FleetPlace, LibraryPlace};
use crate::complaint::with_causes;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::json::JsonLines;
use crate::library::export::{complain, write};
use crate::library::sync::library_queue;
use crate::output;
use crate::outputs::saver::shown;
use crate::wording::{count, harmless};

/// Runs the command.
pub(super) fn run(place: &FleetPlace, args: &CollectArgs, console: &Console) -> anyhow::Result<Exit> {
    let has_place = args.output.is_some() || args.library.is_some() || args.json;
    ensure!(has_place, UsageError("say where to: -o FILE, --library, or --json".to_owned()));
    let fleet = open(place)?;
    let levels = fleet.collect()?;
    if args.json {
        let lines = JsonLines::new(true);
        lines.print(&FleetLine::Run(FleetRun::of("fleet collect", place)));
        levels.iter().for_each(|level| lines.print(&FleetLine::Level(level.into())));
        lines.end()?;
    }
    if let Some(library) = &args.library {
        let path = LibraryPlace { library: library.clone() }.path()?;
        let queue = library_queue(&path)?;
        let n_solutions = take_over(&fleet, &levels, &queue, args.proofs)?;
        if !args.json {
            let kept = harmless(&path.display().to_string());
            let held = format!("{} of {}", count(n_solutions, "solution"), count(levels.len(), "level"));
            output::print_line(&format!("{held} offered to {kept}"))?;
        }
    }
    let Some(path) = &args.output else { return Ok(Exit::Done) };
    let queue = LibraryQueue::of(Library::in_memory()?, Origin::of_run(PROGRAM));
    take_over(&fleet, &levels, &queue, args.proofs)?;
    let library = queue.library();
    let mut exported = Vec::new();
    for collection in library.collections()? {
        let of_one = library.export(&collection, &ExportChoice::default())?;
        complain(&collection.name, &of_one.refused, &console.complaints);
        exported.push((collection.name, of_one.document));
    }
    if exported.is_empty() {
        console.complaints.note("the fleet has no levels; no file was written");
        return Ok(Exit::Done);
    }
    let paths = write(path, args.force, &exported, &console.complaints)?;
    if !crate::inputs::sources::is_dash(path) && !args.json {
        let n_levels: usize = exported.iter().map(|(_, document)| document.collection().levels().len()).sum();
        let n_solutions: usize = exported.iter_mut().map(|(_, document)| document.n_solutions()).sum();
        let held = format!("{} with {}", count(n_levels, "level"), count(n_solutions, "solution"));
        output::print_line(&format!("{held} in {}", shown(&paths)))?;
    }
    Ok(Exit::Done)
}

/// Puts the collections and the solutions into a library. Returns how many solutions there were.
fn take_over(
    fleet: &Fleet,
    levels: &[CollectedLevel],
    queue: &LibraryQueue,
    has_proofs: bool,
) -> anyhow::Result<usize> {
    for (name, collection) in fleet.collections()? {
        let new = NewCollection::new(&name, &collection);
        queue
            .library()
            .write(|changes| changes.add_collection(&new))
            .map_err(|error| anyhow::anyhow!("{}; collection '{name}' was not added", with_causes(error)))?;
    }
    let mut n_solutions = 0;
    for level in levels {
        let mut finds = LevelFinds::of(&level.level);
        for found in &level.solutions {
            n_solutions += 1;
            let mut solution = FoundSolution::new(found.solution.clone(), found.objective);
            solution.method =
                if found.method.is_empty() { String::new() } else { format!("{} ({})", found.method, found.worker) };
            finds.solutions.push(solution);
        }
        if has_proofs {
            finds.proofs.extend(level.proofs.iter().copied());
            finds = finds.with_bounds(Some(level.bounds));
        }
        queue.put(finds);
    }
    queue.flush()?;
    Ok(n_solutions)
}
