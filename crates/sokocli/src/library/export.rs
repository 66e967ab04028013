//! The command `library export`: collections as they came, with the best solutions that are known, or what improved.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use hashbrown::HashSet;
use sokoio::{Collection, EditError, write_file};
use sokolibrary::{Document, ExportChoice, Library, StoredCollection};

use super::json_line::{EntryLine, LibraryLine, LibrarySummary};
use super::list::{LEVELS, entry_row};
use super::names::find_collection;
use crate::args::ExportArgs;
use crate::complaint::{Complaints, with_causes};
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::sources::is_dash;
use crate::json::JsonLines;
use crate::new_file::{refuse_old, write_output};
use crate::output;
use crate::outputs::saver::shown;
use crate::table::Table;
use crate::wording::{count, harmless};

/// Most bytes of the name of a file, without a number and its end. Systems take 255.
const MAX_STEM: usize = 150;

/// Runs the command.
pub(super) fn run(mut library: Library, args: &ExportArgs, console: &Console) -> anyhow::Result<Exit> {
    let collections = if args.names.is_empty() {
        library.collections()?
    } else {
        args.names.iter().map(|name| find_collection(&library, name)).collect::<anyhow::Result<_>>()?
    };
    let Some(output) = &args.output else { return rows(&library, args, &collections) };
    ensure!(!(args.print.json || args.print.csv), UsageError("-o is for .sok; rows go to standard output".to_owned()));
    // What is found while it is read is for the next export.
    let now = library.now()?;
    let mut exported = Vec::new();
    let mut n_damaged = 0;
    for collection in collections {
        let choice = ExportChoice::default().with_all_solutions(args.all).since(since(args, &collection));
        match library.export(&collection, &choice) {
            Ok(of_one) => {
                complain(&collection.name, &of_one.refused, &console.complaints);
                if !of_one.document.collection().levels().is_empty() {
                    exported.push((collection.name, of_one.document));
                }
            }
            Err(error) => {
                n_damaged += 1;
                let cause = with_causes(error);
                console.complaints.error(&format!("{cause}; '{}' is left out", collection.name));
            }
        }
    }
    if exported.is_empty() && n_damaged > 0 {
        console.complaints.note("no collection could be read; no file was written");
    } else if exported.is_empty() {
        let why =
            if args.improved || args.since.is_some() { "no level has improved since" } else { "there is no level" };
        console.complaints.note(&format!("{why}; no file was written"));
    }
    if exported.is_empty() {
        return Ok(Exit::of_faults(n_damaged));
    }
    let paths = write(output, args.force, &exported, &console.complaints)?;
    let noted = library.write(|changes| exported.iter().try_for_each(|(name, _)| changes.mark_exported(name, &now)));
    if let Err(error) = noted {
        let cause = with_causes(error);
        console.complaints.warning(&format!("{cause}; the next export with --improved has the same levels again"));
    }
    if !is_dash(output) {
        let n_levels: usize = exported.iter().map(|(_, document)| document.collection().levels().len()).sum();
        let n_solutions: usize = exported.iter_mut().map(|(_, document)| document.n_solutions()).sum();
        let held = format!("{} with {}", count(n_levels, "level"), count(n_solutions, "solution"));
        output::print(&format!("{held} in {}\n", shown(&paths)))?;
    }
    Ok(Exit::of_faults(n_damaged))
}

/// The time since which levels have to have improved, if that is asked for.
fn since(args: &ExportArgs, collection: &StoredCollection) -> Option<String> {
    match &args.since {
        Some(since) => Some(since.0.clone()),
        None => args.improved.then(|| collection.improved_since()),
    }
}

/// Says which levels do not take their solutions.
pub(crate) fn complain(collection: &str, refused: &[(usize, EditError)], complaints: &Complaints) {
    for &(number, error) in refused {
        let cause = with_causes(error);
        let place = format!("{collection}:{number}");
        complaints.error(&format!("{place}: {cause}; its solutions are in `soko library show {place}`"));
    }
}

/// Writes the texts where they are to go. Returns the files.
pub(crate) fn write(
    output: &Path,
    force: bool,
    exported: &[(String, Document)],
    complaints: &Complaints,
) -> anyhow::Result<Vec<PathBuf>> {
    let ends_like_folder =
        output.as_os_str().as_encoded_bytes().last().is_some_and(|byte| matches!(byte, b'/' | b'\\'));
    if !is_dash(output) && (ends_like_folder || output.is_dir()) {
        fs::create_dir_all(output).with_context(|| format!("cannot make the folder {}", output.display()))?;
        let paths: Vec<_> =
            file_names(exported.iter().map(|(name, _)| &**name)).iter().map(|name| output.join(name)).collect();
        paths.iter().try_for_each(|path| refuse_old(path, force))?;
        for (path, (_, document)) in paths.iter().zip(exported) {
            write_file(path, &document.collection().to_bytes())?;
        }
        return Ok(paths);
    }
    let mut joined = Collection::new();
    for (name, document) in exported {
        if let Err(error) = joined.append(document.collection()) {
            complaints.error(&format!("{name}: {}; export it into a file of its own", with_causes(error)));
        }
    }
    write_output(output, force, &joined.to_bytes())?;
    Ok(vec![output.to_owned()])
}

/// Names a file for each collection. No two are the same, even where case does not matter.
fn file_names<'a>(collections: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut file_name = |name| {
        let stem = stem_of(name);
        let numbered = |number: u64| if number == 1 { stem.clone() } else { format!("{stem} ({number})") };
        let stem = (1..).map(numbered).find(|stem| taken.insert(stem.to_lowercase()));
        format!("{}.sok", stem.expect("invariant: there are fewer collections than numbers"))
    };
    collections.map(&mut file_name).collect()
}

/// A name of a file, without its end, that every system takes.
fn stem_of(name: &str) -> String {
    let name = harmless(name);
    let name = name.replace(|letter| r#"/\:*?"<>|"#.contains(letter), "_");
    let name = name[..name.floor_char_boundary(MAX_STEM)].trim_matches(['.', ' ']);
    let before_dot = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_digit_of = |device: &str| {
        before_dot
            .strip_prefix(device)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    // Windows keeps these for devices.
    let is_device = ["con", "prn", "aux", "nul"].contains(&&*before_dot) || is_digit_of("com") || is_digit_of("lpt");
    match name {
        "" => "collection".to_owned(),
        name if is_device => format!("_{name}"),
        name => name.to_owned(),
    }
}

/// Prints the best solutions as rows.
fn rows(library: &Library, args: &ExportArgs, collections: &[StoredCollection]) -> anyhow::Result<Exit> {
    let lines = JsonLines::new(args.print.json);
    lines.print(&LibraryLine::run("export", library));
    let mut table = Table::new(&LEVELS);
    for collection in collections {
        let since = since(args, collection);
        for entry in library.rated_entries(&collection.name)? {
            if since.as_ref().is_none_or(|since| entry.has_improved_since(since)) {
                lines.print(&LibraryLine::Level(Box::new(EntryLine::new(&collection.name, &entry))));
                table.row(entry_row(&collection.name, &entry));
            }
        }
    }
    lines.print(&LibraryLine::Summary(LibrarySummary::of(library)?));
    if args.print.csv {
        output::forgive_broken_pipe(output::print(&table.csv()))?;
    }
    lines.end()?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names_that_every_system_takes() {
        let names = ["Microban", "a/b:c", "..", "", "A?B_c", "con.1", "com7", "Comet", "x\u{202e}kos.\u{1b}"];
        let files =
            ["Microban", "a_b_c", "collection", "collection (2)", "A_B_c (2)", "_con.1", "_com7", "Comet", "x_kos._"];
        assert_eq!(file_names(names.into_iter()), files.map(|stem| format!("{stem}.sok")));
        let long = file_names([&*"箱".repeat(1_000), &*"箱".repeat(1_001)].into_iter());
        assert!(long[0] != long[1] && long.iter().all(|name| name.len() < 200), "{long:?}");
    }
}
