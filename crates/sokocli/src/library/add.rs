//! The command `library add`: level files and other libraries, into the library.

use std::ffi::OsStr;
use std::path::Path;
use std::str::Utf8Chunk;

use anyhow::ensure;
use sokolibrary::{AddedCollection, AddedLibrary, KnownCollection, Library, NewCollection, RecognizedBy};

use crate::args::{AddArgs, LibraryPlace};
use crate::complaint::{Complaints, with_causes};
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::sources::is_results;
use crate::inputs::{Input, Inputs, OwnResults};
use crate::output;
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, harmless};

const COLUMNS: [Column; 8] = [
    Column::title("collection", "collection"),
    Column::number("levels", "levels"),
    Column::number("new_levels", "new").rank(1),
    Column::number("solutions", "solutions").rank(2),
    Column::number("added", "added"),
    Column::number("improved", "improved"),
    Column::number("wrong", "wrong").if_any(),
    Column::remark("note", "note").if_any(),
];

/// Most letters of the name of a collection.
const MAX_NAME: usize = 200;

/// Ends of the names of libraries.
const LIBRARY_EXTENSIONS: [&str; 2] = ["sqlite", "db"];

/// Runs the command.
pub(super) fn run(place: &LibraryPlace, args: &AddArgs, console: &Console) -> anyhow::Result<Exit> {
    let (libraries, files): (Vec<_>, Vec<_>) = args.files.iter().cloned().partition(|path| is_library(path));
    let inputs = Inputs::read(&files, OwnResults::Read, &console.complaints);
    let is_one = inputs.inputs().len() == 1 && libraries.is_empty();
    ensure!(args.name.is_none() || is_one, UsageError("--name is for one file".to_owned()));
    let is_short = args.name.as_ref().is_none_or(|name| name.chars().count() <= MAX_NAME);
    ensure!(is_short, UsageError(format!("--name is too long; give it at most {MAX_NAME} letters")));
    let path = place.path()?;
    let mut library = Library::create_or_open(&path)?;
    let mut table = Table::new(&COLUMNS);
    let mut sums = AddedCollection::default();
    let mut n_faults = inputs.n_faults();
    for input in inputs.inputs() {
        let added = add_input(&mut library, input, args.name.as_deref(), args.only_solutions, &console.complaints)?;
        n_faults += usize::try_from(added.n_bad_boards).unwrap_or(usize::MAX) + added.wrong.len();
        table.row(row(input, &added));
        sums.n_new_levels += added.n_new_levels;
        sums.n_added += added.n_added;
        sums.n_improved += added.n_improved;
    }
    for other in &libraries {
        let other_added = add_library(&mut library, other)?;
        table.row(library_row(other, &other_added));
        sums.n_new_levels += other_added.n_new_levels;
        sums.n_added += other_added.n_added;
        sums.n_improved += other_added.n_improved;
    }
    let totals = format!(
        "{} and {} added, {} improved",
        count(sums.n_new_levels, "level"),
        count(sums.n_added, "solution"),
        count(sums.n_improved, "level"),
    );
    let kept = harmless(&path.display().to_string());
    output::print(&format!("{}\n{totals}\nKept in {kept}\n", table.draw(&console.stdout)))?;
    Ok(Exit::of_faults(n_faults))
}

fn is_library(path: &Path) -> bool {
    let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    end.is_some_and(|end| LIBRARY_EXTENSIONS.contains(&&*end))
}

/// Adds a file, under a name or that of the file, and says what is wrong with it. Of results only the solutions are taken.
pub(crate) fn add_input(
    library: &mut Library,
    input: &Input,
    name: Option<&str>,
    is_only_solutions: bool,
    complaints: &Complaints,
) -> anyhow::Result<AddedCollection> {
    let path = &input.source().path;
    let file = if input.source().is_file() {
        readable(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone()).as_os_str())
    } else {
        String::new()
    };
    let recognized_by = if name.is_some() { RecognizedBy::LevelsUnderName } else { RecognizedBy::LevelsUnderAnyName };
    let name = name.map_or_else(|| name_of(input), str::to_owned);
    let mut new = NewCollection::new(&name, input.collection()).from_file(&file).recognized_by(recognized_by);
    if is_only_solutions || is_results(path) {
        new = new.only_solutions();
    }
    let added = library.write(|changes| changes.add_collection(&new))?;
    complain(input, &added, complaints);
    if let Some(text) = recognized(&added) {
        complaints.note(&format!("{}: {text}", path.display()));
    }
    Ok(added)
}

/// Says that a file is a collection which another file was.
fn recognized(added: &AddedCollection) -> Option<String> {
    let (name, at) =
        (&added.name, |file: &str| if file.is_empty() { "what was read there".to_owned() } else { file.to_owned() });
    match &added.known {
        KnownCollection::Copy { of } => {
            Some(format!("the collection '{name}' again, a copy of {}; its solutions were taken", at(of)))
        }
        KnownCollection::Moved { from } => Some(format!("the collection '{name}', moved from {}", at(from))),
        KnownCollection::NewEdition { from } => {
            Some(format!("a new edition of the collection '{name}', in the place of {}", at(from)))
        }
        _ => None,
    }
}

/// Writes a name of the system as text, with bytes that are no text as hexadecimal digits: other bytes are another text.
fn readable(name: &OsStr) -> String {
    let chunks = name.as_encoded_bytes().utf8_chunks();
    let readable = |chunk: Utf8Chunk<'_>| {
        let digits: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("{}{digits}", chunk.valid())
    };
    chunks.map(readable).collect()
}

/// Names a collection by its file, or by its title if it comes from standard input.
pub(crate) fn name_of(input: &Input) -> String {
    let source = input.source();
    if source.is_file() {
        let path = Path::new(source.path.file_stem().unwrap_or_default());
        let is_packed = source.path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        let stem = if is_packed { path.file_stem().unwrap_or_default() } else { path.as_os_str() };
        return readable(stem);
    }
    let title = input.collection().title().unwrap_or("standard input");
    title.chars().take(MAX_NAME).collect()
}

fn complain(input: &Input, added: &AddedCollection, complaints: &Complaints) {
    let path = input.source().path.display();
    let levels = input.collection().levels();
    for entry in levels {
        if let Err(error) = entry.level() {
            let text = format!("{path}:{}: level {}: {}", entry.line(), entry.number(), with_causes(error));
            complaints.warning_of_kind("bad board", &text);
        }
    }
    for (level, game, error) in &added.wrong {
        let (entry, cause) = (&levels[*level], with_causes(*error));
        let line = entry.games()[*game].line();
        let text = format!("{path}:{line}: level {}: {cause}; not taken", entry.number());
        complaints.warning_of_kind("wrong solution", &text);
    }
}

fn row(input: &Input, added: &AddedCollection) -> Vec<TableCell> {
    let name = if added.name.is_empty() { name_of(input) } else { added.name.clone() };
    let note = match &added.known {
        _ if added.name.is_empty() => "only its solutions",
        KnownCollection::Nothing => "",
        KnownCollection::Copy { .. } => "a copy",
        KnownCollection::Moved { .. } => "moved",
        KnownCollection::NewEdition { .. } => "a new edition",
        _ => "was there",
    };
    let n_wrong = added.n_bad_boards + u64::try_from(added.wrong.len()).unwrap_or(u64::MAX);
    vec![
        TableCell::text(name),
        TableCell::number(added.n_levels),
        TableCell::number(added.n_new_levels),
        TableCell::number(added.n_solutions),
        gained(added.n_added),
        gained(added.n_improved),
        if n_wrong == 0 { TableCell::empty() } else { TableCell::number(n_wrong).wrong() },
        TableCell::text(note).dim(),
    ]
}

fn gained(n: u64) -> TableCell {
    let cell = TableCell::number(n);
    if n > 0 { cell.good() } else { cell.dim() }
}

fn add_library(library: &mut Library, other: &Path) -> anyhow::Result<AddedLibrary> {
    let other = Library::open(other)?;
    Ok(library.add_library(&other)?)
}

fn library_row(other: &Path, added: &AddedLibrary) -> Vec<TableCell> {
    vec![
        TableCell::text(other.display().to_string()),
        TableCell::number(added.n_levels),
        TableCell::number(added.n_new_levels),
        TableCell::number(added.n_solutions),
        gained(added.n_added),
        gained(added.n_improved),
        TableCell::empty(),
        TableCell::text(format!("a library, {} new", count(added.n_new_collections, "collection"))).dim(),
    ]
}
