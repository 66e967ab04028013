//! Levels by what they are called: files and folders, or else collections and levels of the library.
//!
//! | what is named | what is read |
//! |---|---|
//! | a file or folder that is there, or `-` | that |
//! | the name of a collection, any case | the collection as it came, with all solutions that the library keeps |
//! | `NAME:NUMBER`, a title, or six digits of an identity or more | that level |
//!
//! Invariant: where no library is in use, every name is that of a file.

use std::path::{Path, PathBuf};

use sokoio::{Collection, LevelEntry, LevelId, NewLevel};
use sokolibrary::{Document, ExportChoice, Find, Keep, Library, StoredLevel};

use super::sources::{InputSource, is_dash};
use super::{Input, Inputs, OwnResults};
use crate::args::NamedLevelArgs;
use crate::complaint::Complaints;
use crate::exit::UsageError;
use crate::library::names::find_level;

impl Inputs {
    /// Reads what is named, in its order.
    ///
    /// # Errors
    /// A name stands for no file, and for nothing or too much in the library.
    pub(crate) fn read_named(args: &NamedLevelArgs, complaints: &Complaints) -> anyhow::Result<Self> {
        let is_file = |name: &PathBuf| is_dash(name) || name.exists();
        let library = match args.place.path_in_use() {
            Some(path) if !args.what.iter().all(is_file) => Library::open(&path)?,
            _ => return Ok(Self::read(&args.what, OwnResults::Read, complaints)),
        };
        let mut all = Self { inputs: Vec::new(), n_faults: 0 };
        for part in args.what.chunk_by(|one, other| is_file(one) && is_file(other)) {
            match part {
                [name] if !is_file(name) => all.inputs.push(Input {
                    source: InputSource { path: name.clone(), folder: None },
                    collection: levels_called(&library, name)?,
                }),
                files => {
                    let read = Self::read(files, OwnResults::Read, complaints);
                    all.inputs.extend(read.inputs);
                    all.n_faults += read.n_faults;
                }
            }
        }
        Ok(all)
    }
}

/// A collection of the library, or one of its levels, with all solutions that are kept.
fn levels_called(library: &Library, name: &Path) -> anyhow::Result<Collection> {
    let name = name.to_string_lossy();
    if let Some(found) = library.collections()?.iter().find(|stored| stored.name.eq_ignore_ascii_case(&name)) {
        let exported = library.export(found, &ExportChoice::default().with_all_solutions(true))?;
        return Ok(exported.document.collection().clone());
    }
    let stored = find_level(library, &name).map_err(|error| match error.downcast::<UsageError>() {
        Ok(UsageError(text)) => UsageError(format!("there is no file {name}, and {text}")).into(),
        Err(error) => error,
    })?;
    level_of(library, &stored)
}

/// A level as its first collection has it.
fn level_of(library: &Library, stored: &StoredLevel) -> anyhow::Result<Collection> {
    let mut document = Document::default();
    let places = library.places(stored.id)?;
    let text = places.first().map(|place| library.collection_text(&place.collection)).transpose()?;
    let is_it = |entry: &&LevelEntry| entry.level().is_ok_and(|level| LevelId::of(level) == stored.id);
    let entry = text.as_ref().and_then(|text| text.levels().iter().find(is_it));
    let level = entry.map_or_else(|| NewLevel::new(stored.board.lines()), NewLevel::from);
    let level_idx = document.append_level(&level, stored.id)?;
    document.add(level_idx, library.solutions(stored.id)?.iter().map(Find::of_stored), Keep::All)?;
    Ok(document.collection().clone())
}
