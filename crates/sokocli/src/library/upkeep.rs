//! The commands `library check`, `library compact` and `library forget`.

use std::path::Path;

use sokolibrary::{CheckReport, Library};

use super::names::{find_collection, find_level};
use crate::args::ForgetArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::output;
use crate::wording::{capitalized, count, harmless};

/// Reads everything and replays every solution.
pub(super) fn check(library: &Library, console: &Console) -> anyhow::Result<Exit> {
    let report = library.check()?;
    for fault in &report.faults {
        console.complaints.error(&format!("{}: {}", fault.what, fault.why));
    }
    output::print(&format!("{}\n", text(&report)))?;
    Ok(if report.is_clean() { Exit::Done } else { Exit::Error })
}

fn text(report: &CheckReport) -> String {
    let read = format!(
        "{} replayed, {}, {} and {} read",
        count(report.n_solutions, "solution"),
        count(report.n_levels, "level"),
        count(report.n_collections, "collection"),
        count(report.n_proofs, "proof"),
    );
    match report.n_faults {
        0 => format!("{read}; everything is right"),
        n => format!("{read}; {} found; `soko library check --repair` saves what is right", count(n, "fault")),
    }
}

/// Saves what is right of a damaged library, if it is damaged.
pub(super) fn repair(path: &Path, console: &Console) -> anyhow::Result<Exit> {
    if let Ok(library) = Library::open(path) {
        let report = library.check()?;
        if report.is_clean() {
            output::print(&format!("{}; there is nothing to repair\n", text(&report)))?;
            return Ok(Exit::Done);
        }
    }
    let repaired = sokolibrary::repair(path)?;
    console.complaints.note(&format!("the damaged library is now {}", repaired.damaged.display()));
    let lost = match repaired.n_lost {
        0 => "nothing was lost".to_owned(),
        n => format!("{} could not be read or did not replay", count(n, "row")),
    };
    output::print(&format!(
        "{}, {} and {} saved; {lost}\n",
        count(repaired.n_levels, "level"),
        count(repaired.n_solutions, "solution"),
        count(repaired.n_collections, "collection"),
    ))?;
    Ok(Exit::Done)
}

/// Gives unused room back to the disk.
pub(super) fn compact(mut library: Library) -> anyhow::Result<Exit> {
    let (before, after) = library.compact()?;
    let size =
        |bytes: u64| if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) };
    output::print(&format!("{} before, {} now\n", size(before), size(after)))?;
    Ok(Exit::Done)
}

/// Forgets collections and levels, or says what would be forgotten.
pub(super) fn forget(mut library: Library, args: &ForgetArgs, console: &Console) -> anyhow::Result<Exit> {
    let mut said = Vec::new();
    let mut names = Vec::new();
    for name in &args.names {
        let collection = find_collection(&library, name)?;
        let n = library.entries(&collection.name)?.len();
        said.push(format!(
            "the collection '{}' of {}; its levels and solutions stay",
            collection.name,
            count(n, "level")
        ));
        names.push(collection.name);
    }
    let mut levels = Vec::new();
    for name in &args.level {
        let level = find_level(&library, name)?;
        let n = library.solutions(level.id)?.len();
        said.push(format!("the level {} with {}", level.id, count(n, "solution")));
        levels.push(level.id);
    }
    let verb = if args.yes { "forgotten" } else { "would be forgotten" };
    if args.yes {
        library.write(|changes| {
            names.iter().try_for_each(|name| changes.forget_collection(name))?;
            levels.iter().try_for_each(|&id| changes.forget_level(id))
        })?;
    }
    let text: String = said.iter().map(|what| format!("{verb}: {}\n", harmless(what))).collect();
    output::print(&capitalized(&text))?;
    if !args.yes {
        console.complaints.note("nothing was changed; add --yes to do it");
    }
    Ok(Exit::Done)
}
