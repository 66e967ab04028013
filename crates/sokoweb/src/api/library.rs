//! The collections of the library, and what they add up to.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sokolibrary::{CollectionSums, StoredCollection};

use super::metrics::RangeJson;
use crate::problem::Problem;
use crate::query::Asked;
use crate::server::Shared;
use crate::shown_text::title;

/// All collections.
#[derive(Debug, Serialize)]
pub(crate) struct LibraryJson {
    /// The file.
    path: String,
    n_levels: u64,
    /// Levels that stand in no collection.
    n_loose_levels: u64,
    n_solved: u64,
    n_solutions: u64,
    /// Seconds of search on record.
    seconds: u64,
    collections: Vec<CollectionJson>,
}

/// A collection in sum.
#[derive(Debug, Serialize)]
pub(crate) struct CollectionJson {
    /// The name that requests use.
    pub(crate) name: String,
    pub(crate) shown_name: String,
    pub(crate) title: String,
    pub(crate) author: String,
    /// UTC.
    pub(crate) added_at: String,
    pub(crate) n_levels: u64,
    pub(crate) n_solved: u64,
    pub(crate) n_proved_moves: u64,
    pub(crate) n_proved_pushes: u64,
    /// The sums over solved levels.
    pub(crate) moves: RangeJson,
    pub(crate) pushes: RangeJson,
}

/// A collection by its name.
#[derive(Debug, Deserialize)]
pub(crate) struct ByName {
    pub(crate) name: String,
}

impl CollectionJson {
    /// Joins what a collection is and what it adds up to.
    pub(crate) fn new(collection: &StoredCollection, sums: &CollectionSums) -> Self {
        Self {
            name: collection.name.clone(),
            shown_name: title(&collection.name),
            title: title(&collection.title),
            author: title(&collection.author),
            added_at: collection.added_at.clone(),
            n_levels: sums.n_levels,
            n_solved: sums.n_solved,
            n_proved_moves: sums.n_proved_moves,
            n_proved_pushes: sums.n_proved_pushes,
            moves: RangeJson::new((sums.n_solved > 0).then_some(sums.moves), sums.least_moves),
            pushes: RangeJson::new((sums.n_solved > 0).then_some(sums.pushes), sums.least_pushes),
        }
    }
}

/// Answers with all collections.
pub(super) async fn library(State(shared): State<Arc<Shared>>) -> Result<Json<LibraryJson>, Problem> {
    let path = shared.store.path().display().to_string();
    let library = shared.store.with(|library| {
        let (collections, sums) = (library.collections()?, library.collection_sums()?);
        let of_both = |collection: &StoredCollection| {
            let sums = sums.iter().find(|sums| sums.name == collection.name)?;
            Some(CollectionJson::new(collection, sums))
        };
        let all = library.sums()?;
        Ok(LibraryJson {
            path,
            n_levels: all.n_levels,
            n_loose_levels: all.n_loose_levels,
            n_solved: all.n_solved,
            n_solutions: all.n_solutions,
            seconds: all.seconds,
            collections: collections.iter().filter_map(of_both).collect(),
        })
    });
    library.await.map(Json)
}

/// Forgets a collection.
pub(super) async fn forget(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<ByName>,
) -> Result<Json<()>, Problem> {
    let forgotten =
        shared.store.with(move |library| Ok(library.write(|changes| changes.forget_collection(&asked.name))?));
    forgotten.await.map(Json)
}
