//! Collections or a level as a file, handed to the browser: the forms of `soko library export`.

mod rows;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sokoio::Collection;
use sokolibrary::{ExportChoice, Library, StoredCollection};

use super::level::id_of;
use crate::problem::{Problem, with_causes};
use crate::query::body_of;
use crate::server::Shared;
use crate::shown_text::title;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedExport {
    /// The collections; all of them if none is named.
    #[serde(default)]
    names: Vec<String>,
    /// One level, by its identity, in the place of collections.
    #[serde(default)]
    level: Option<String>,
    /// Only levels that improved since the last export, or since their collection was added.
    #[serde(default)]
    improved: bool,
    /// Only levels that improved since a day: `2026-11-23`, UTC.
    #[serde(default)]
    since: Option<String>,
    /// All solutions that are kept, not just the best by moves and by pushes.
    #[serde(default)]
    all: bool,
    #[serde(default)]
    form: ExportForm,
}

/// The form of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExportForm {
    /// Levels with their solutions.
    #[default]
    Sok,
    /// A row for each level.
    Csv,
}

/// A file to be downloaded.
#[derive(Debug)]
struct Download {
    name: String,
    bytes: Vec<u8>,
    /// Levels that do not take their solutions.
    n_refused: usize,
}

impl AskedExport {
    /// The time since which levels of a collection have to have improved.
    fn since(&self, collection: &StoredCollection) -> Option<String> {
        self.since.clone().or_else(|| self.improved.then(|| collection.improved_since()))
    }

    fn choice(&self) -> ExportChoice {
        ExportChoice::default().with_all_solutions(self.all)
    }
}

/// Answers with a file, and notes the export.
pub(super) async fn export(State(shared): State<Arc<Shared>>, body: Bytes) -> Result<Response, Problem> {
    let asked: AskedExport = body_of(&body)?;
    if let Some(since) = asked.since.as_ref().filter(|since| !is_day(since)) {
        return Err(Problem::bad(format!("{} is no day such as 2026-11-23", title(since))));
    }
    let Download { name, bytes, n_refused } = shared.store.with(move |library| download(library, &asked)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::HeaderName::from_static("x-soko-name"), name),
        (header::HeaderName::from_static("x-soko-refused"), n_refused.to_string()),
    ];
    Ok((headers, bytes).into_response())
}

/// Whether a text is written like a day, so that it can be compared with times.
fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn download(library: &mut Library, asked: &AskedExport) -> Result<Download, Problem> {
    if let Some(id) = &asked.level {
        return level(library, id, asked);
    }
    let collections = chosen(library, &asked.names)?;
    if asked.form == ExportForm::Csv {
        return table(library, &collections, asked);
    }
    // What is found while it is read is for the next export.
    let now = library.now()?;
    let (mut joined, mut n_refused) = (Collection::new(), 0);
    for collection in &collections {
        let exported = library.export(collection, &asked.choice().since(asked.since(collection)))?;
        n_refused += exported.refused.len();
        if collections.len() == 1 {
            joined = exported.document.collection().clone();
        } else if let Err(error) = joined.append(exported.document.collection()) {
            let (name, cause) = (title(&collection.name), with_causes(&error));
            return Err(Problem::bad(format!("{name}: {cause}; export it into a file of its own")));
        }
    }
    if joined.levels().is_empty() {
        return Err(nothing(asked));
    }
    library.write(|changes| collections.iter().try_for_each(|one| changes.mark_exported(&one.name, &now)))?;
    Ok(Download { name: file_name(&collections, "sok"), bytes: joined.to_bytes().into_owned(), n_refused })
}

fn nothing(asked: &AskedExport) -> Problem {
    let why = match (&asked.since, asked.improved) {
        (Some(day), _) => format!("no level has improved since {day}"),
        (None, true) => "no level has improved since the last export".to_owned(),
        (None, false) => "there is no level".to_owned(),
    };
    Problem::missing(format!("{why}; nothing was exported"))
}

/// Makes a row for each level. It is not noted as an export: it has no solutions.
fn table(library: &Library, collections: &[StoredCollection], asked: &AskedExport) -> Result<Download, Problem> {
    let mut levels = Vec::new();
    for collection in collections {
        let since = asked.since(collection);
        let mut entries = library.rated_entries(&collection.name)?;
        entries.retain(|entry| since.as_ref().is_none_or(|since| entry.has_improved_since(since)));
        levels.extend(entries.into_iter().map(|entry| (&*collection.name, entry)));
    }
    if levels.is_empty() {
        return Err(nothing(asked));
    }
    let text = rows::csv(levels.iter().map(|(name, entry)| (*name, entry)));
    Ok(Download { name: file_name(collections, "csv"), bytes: text.into_bytes(), n_refused: 0 })
}

fn level(library: &Library, id: &str, asked: &AskedExport) -> Result<Download, Problem> {
    let id = id_of(id)?;
    let exported = library.export_level(id, &asked.choice())?;
    let exported = exported.ok_or_else(|| Problem::missing("the library has no such level; nothing was exported"))?;
    let text = exported.document.collection();
    let name = text.levels().first().and_then(|level| level.title()).map_or_else(|| id.to_string(), plain);
    let n_refused = exported.refused.len();
    Ok(Download { name: format!("{name}.sok"), bytes: text.to_bytes().into_owned(), n_refused })
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

/// Names the file.
fn file_name(collections: &[StoredCollection], end: &str) -> String {
    let [only] = collections else { return format!("soko.{end}") };
    format!("{}.{end}", plain(&only.name))
}

/// A name of letters and digits that every system and every header takes.
fn plain(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
    let name: String = name.chars().take(80).map(plain).collect();
    let name = name.trim_matches('.');
    if name.is_empty() { "level".to_owned() } else { name.to_owned() }
}
