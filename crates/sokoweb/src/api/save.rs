//! An edited level into a collection of the library.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sokocore::{Level, Lurd};
use sokoio::{Collection, LevelId, NewLevel};
use sokolibrary::{Library, LibraryProblem, NewCollection, NewSolution, Origin};

use super::upload::collection_name;
use crate::problem::{Problem, with_causes};
use crate::query::body_of;
use crate::server::Shared;
use crate::shown_text::{MAX_TITLE, shown};

/// What is to be kept.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedSave {
    /// The name of the collection, made if it is not there.
    collection: String,
    title: String,
    author: String,
    board: String,
    /// A solution that a check has found.
    #[serde(default)]
    solution: Option<String>,
}

/// Where it is kept.
#[derive(Debug, Serialize)]
pub(crate) struct SavedJson {
    collection: String,
    number: usize,
    id: String,
}

/// Keeps a level.
pub(super) async fn save(State(shared): State<Arc<Shared>>, body: Bytes) -> Result<Json<SavedJson>, Problem> {
    let asked: AskedSave = body_of(&body)?;
    let level = Level::parse(&asked.board).map_err(|error| Problem::unreadable(&error))?;
    let solution = asked.solution.as_ref().map(|moves| moves.parse::<Lurd>()).transpose();
    let solution = solution.map_err(|error| Problem::unreadable(&error))?;
    shared.store.with(move |library| keep(library, &asked, &level, solution)).await.map(Json)
}

fn keep(library: &mut Library, asked: &AskedSave, level: &Level, solution: Option<Lurd>) -> Result<SavedJson, Problem> {
    let name = collection_name(&format!("{}.sok", asked.collection));
    let mut collection = match library.collection_text(&name) {
        Ok(collection) => collection,
        Err(error) if matches!(error.problem, LibraryProblem::NoCollection { .. }) => Collection::new(),
        Err(error) => return Err(error.into()),
    };
    let id = LevelId::of(level);
    let is_it = |other: &sokoio::LevelEntry| other.level().is_ok_and(|other| LevelId::of(other) == id);
    if let Some(entry) = collection.levels().iter().find(|entry| is_it(entry)) {
        return Err(Problem::busy(format!("this level is in {name} already, as number {}", entry.number())));
    }
    let line = |text: &str| shown(text, MAX_TITLE);
    let mut new = NewLevel::from(level);
    for (text, with) in [(&asked.title, NewLevel::with_title as fn(_, _) -> _), (&asked.author, NewLevel::with_author)]
    {
        if !text.trim().is_empty() {
            new = with(new, line(text));
        }
    }
    let at = collection.append_level(&new).map_err(|error| Problem::bad(with_causes(&error)))?;
    // A collection of the same name from a file on the disk stays as it is; this one gets a name of its own.
    let collection = library.write(|changes| {
        let added = changes.add_collection(&NewCollection::new(&name, &collection))?;
        if let Some(moves) = solution {
            let origin = Origin::of_run("serve check").by("Soko", env!("CARGO_PKG_VERSION"));
            changes.offer(level, &NewSolution::new(moves).from(origin))?;
        }
        Ok(added.name)
    })?;
    Ok(SavedJson { collection, number: at + 1, id: id.to_string() })
}
