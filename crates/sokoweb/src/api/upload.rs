//! A file of levels that was dropped on the page, read as the command line reads files.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use serde::{Deserialize, Serialize};
use sokoio::Collection;
use sokolibrary::NewCollection;

use crate::problem::{Problem, with_causes};
use crate::query::Asked;
use crate::server::Shared;
use crate::shown_text::title;
use crate::store::blocking;

/// The most messages about one file.
const MAX_WARNINGS: usize = 20;
/// The end of the names of result files, of which only the solutions are taken.
const RESULTS: &str = ".soko.sok";

/// What comes with a file.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedUpload {
    /// The name of the file, which becomes that of the collection. It is never opened.
    name: String,
}

/// What became of a file.
#[derive(Debug, Serialize)]
pub(crate) struct UploadJson {
    /// The collection; empty if only solutions were taken.
    name: String,
    shown_name: String,
    is_new: bool,
    n_levels: u64,
    n_new_levels: u64,
    n_solutions: u64,
    n_added: u64,
    n_improved: u64,
    n_bad_boards: u64,
    n_wrong: usize,
    warnings: Vec<String>,
}

/// Adds a file.
pub(super) async fn upload(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedUpload>,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Json<UploadJson>, Problem> {
    let bytes = bytes.map_err(|_| too_large(&asked.name))?;
    let shown = title(&asked.name);
    let collection = blocking(move || {
        // Bytes that came in one piece are taken over without a copy.
        let bytes = Vec::from(bytes);
        Collection::decode(&shown, bytes).map_err(|error| Problem::unreadable(&error))
    });
    let collection = collection.await?;
    let name = collection_name(&asked.name);
    let is_only_solutions = asked.name.to_ascii_lowercase().ends_with(RESULTS);
    let added = shared.store.with(move |library| {
        let new = NewCollection::new(&name, &collection);
        let new = if is_only_solutions { new.only_solutions() } else { new };
        let added = library.write(|changes| changes.add_collection(&new))?;
        let warnings = warnings(&collection, &added.wrong);
        Ok(UploadJson {
            shown_name: title(&added.name),
            name: added.name,
            is_new: added.known.is_new(),
            n_levels: added.n_levels,
            n_new_levels: added.n_new_levels,
            n_solutions: added.n_solutions,
            n_added: added.n_added,
            n_improved: added.n_improved,
            n_bad_boards: added.n_bad_boards,
            n_wrong: added.wrong.len(),
            warnings,
        })
    });
    added.await.map(Json)
}

fn too_large(name: &str) -> Problem {
    let most = Collection::MAX_FILE_SIZE >> 20;
    Problem::bad(format!("{}: larger than {most} MiB, or the connection broke; nothing was added", title(name)))
}

/// Makes the name of a collection of that of a file: its last part, without the ending.
pub(crate) fn collection_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let cut = |name: &str, end: &str| {
        let at = name.len().checked_sub(end.len())?;
        (at > 0 && name.get(at..)?.eq_ignore_ascii_case(end)).then(|| name[..at].to_owned())
    };
    let name = cut(name, ".gz").unwrap_or_else(|| name.to_owned());
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| if stem.is_empty() { &name } else { stem });
    let name = title(stem);
    if name.is_empty() { "dropped file".to_owned() } else { name }
}

fn warnings(collection: &Collection, wrong: &[(usize, usize, sokoio::CheckGameError)]) -> Vec<String> {
    let levels = collection.levels();
    let bad = levels.iter().filter_map(|entry| {
        let error = entry.level().err()?;
        Some(format!("line {}, level {}: {}", entry.line(), entry.number(), with_causes(&error)))
    });
    let wrong = wrong.iter().map(|(level, game, error)| {
        let entry = &levels[*level];
        let line = entry.games()[*game].line();
        format!("line {line}, level {}: {}; this solution was not taken", entry.number(), with_causes(error))
    });
    bad.chain(wrong).take(MAX_WARNINGS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_named_by_the_last_part_of_a_path() {
        for (file, name) in [
            ("Microban.sok", "Microban"),
            ("a.b.xsb.gz", "a.b"),
            ("../../etc/passwd", "passwd"),
            ("C:\\levels\\Garden.SLC", "Garden"),
            (".sok", ".sok"),
            (".gz", ".gz"),
            ("", "dropped file"),
            ("\u{1}\n.sok", "\u{fffd}"),
        ] {
            assert_eq!(collection_name(file), name, "{file:?}");
        }
    }
}
