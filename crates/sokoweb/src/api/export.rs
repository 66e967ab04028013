//! Collections as a file, handed to the browser: the forms of `soko library export`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sokoio::Collection;
use sokolibrary::{ExportChoice, Library, StoredCollection};

use crate::problem::{Problem, with_causes};
use crate::query::body_of;
use crate::server::Shared;
use crate::shown_text::title;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedExport {
    /// The collections; all of them if none is named.
    names: Vec<String>,
    /// Only levels that improved since the last export, or since their collection was added.
    improved: bool,
    /// All solutions that are kept, not just the best by moves and by pushes.
    all: bool,
}

/// A file to be downloaded.
#[derive(Debug)]
struct Download {
    name: String,
    bytes: Vec<u8>,
    /// Levels that do not take their solutions.
    n_refused: usize,
}

/// Answers with a file, and notes the export.
pub(super) async fn export(State(shared): State<Arc<Shared>>, body: Bytes) -> Result<Response, Problem> {
    let asked: AskedExport = body_of(&body)?;
    let Download { name, bytes, n_refused } = shared.store.with(move |library| download(library, &asked)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::HeaderName::from_static("x-soko-name"), name),
        (header::HeaderName::from_static("x-soko-refused"), n_refused.to_string()),
    ];
    Ok((headers, bytes).into_response())
}

fn download(library: &mut Library, asked: &AskedExport) -> Result<Download, Problem> {
    let collections = chosen(library, &asked.names)?;
    // What is found while it is read is for the next export.
    let now = library.now()?;
    let (mut joined, mut n_refused) = (Collection::new(), 0);
    for collection in &collections {
        let since = asked.improved.then(|| collection.improved_since());
        let exported =
            library.export(collection, &ExportChoice::default().with_all_solutions(asked.all).since(since))?;
        n_refused += exported.refused.len();
        if collections.len() == 1 {
            joined = exported.document.collection().clone();
        } else if let Err(error) = joined.append(exported.document.collection()) {
            let (name, cause) = (title(&collection.name), with_causes(&error));
            return Err(Problem::bad(format!("{name}: {cause}; export it into a file of its own")));
        }
    }
    if joined.levels().is_empty() {
        let why = if asked.improved { "no level has improved since the last export" } else { "there is no level" };
        return Err(Problem::missing(format!("{why}; nothing was exported")));
    }
    library.write(|changes| collections.iter().try_for_each(|one| changes.mark_exported(&one.name, &now)))?;
    Ok(Download { name: file_name(&collections), bytes: joined.to_bytes().into_owned(), n_refused })
}

fn chosen(library: &Library, names: &[String]) -> Result<Vec<StoredCollection>, Problem> {
    let all = library.collections()?;
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let found = all.iter().find(|collection| collection.name.eq_ignore_ascii_case(name));
        found.cloned().ok_or_else(|| Problem::missing(format!("there is no collection {}", title(name))))
    };
    names.iter().map(find).collect()
}

/// Names the file: letters and digits that every system and every header takes.
fn file_name(collections: &[StoredCollection]) -> String {
    let [only] = collections else { return "soko.sok".to_owned() };
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
    let name: String = only.name.chars().take(80).map(plain).collect();
    format!("{}.sok", name.trim_matches('.'))
}
