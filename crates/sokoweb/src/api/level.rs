//! All that is known of a level.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sokocore::{Level, Metrics, Objective};
use sokodraw::FloorPlan;
use sokoio::LevelId;
use sokolibrary::{Library, Origin, StoredEntry, StoredLevel, StoredSolution};

use super::metrics::{MetricsJson, RangeJson};
use crate::problem::{Problem, with_causes};
use crate::query::Asked;
use crate::server::Shared;
use crate::shown_text::{MAX_NOTE, shown, title};

/// What is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedLevel {
    id: String,
    /// The collection that the page came from.
    #[serde(default, rename = "in")]
    collection: Option<String>,
}

/// A level.
#[derive(Debug, Serialize)]
pub(crate) struct LevelJson {
    id: String,
    /// The board in standard letters.
    board: String,
    /// The rows that replays draw.
    rows: Vec<String>,
    width: usize,
    height: usize,
    n_boxes: usize,
    places: Vec<PlaceJson>,
    /// The place that the page came from, or the first.
    place: Option<PlaceJson>,
    previous: Option<PlaceJson>,
    next: Option<PlaceJson>,
    moves: RangeJson,
    pushes: RangeJson,
    solutions: Vec<SolutionJson>,
    proofs: Vec<String>,
    work: Vec<WorkJson>,
    history: Vec<GainJson>,
}

/// Where a level stands.
#[derive(Clone, Debug, Serialize)]
struct PlaceJson {
    id: Option<String>,
    collection: String,
    shown_collection: String,
    number: u64,
    title: String,
    author: String,
}

/// A solution.
#[derive(Debug, Serialize)]
struct SolutionJson {
    /// Its moves, as letters.
    moves: String,
    metrics: MetricsJson,
    is_best_moves: bool,
    is_best_pushes: bool,
    objective: Option<String>,
    /// Program, version, method and file.
    from: String,
    notes: Vec<String>,
    seconds: Option<f64>,
    found_at: String,
}

/// What was tried.
#[derive(Debug, Serialize)]
struct WorkJson {
    purpose: String,
    n_runs: u64,
    seconds: f64,
    dry_seconds: f64,
    ended: String,
    at: String,
}

/// A time at which the best became better.
#[derive(Debug, Serialize)]
struct GainJson {
    objective: String,
    moves: u64,
    pushes: u64,
    at: String,
}

impl From<&StoredEntry> for PlaceJson {
    fn from(entry: &StoredEntry) -> Self {
        Self {
            id: entry.id.map(|id| id.to_string()),
            collection: entry.collection.clone(),
            shown_collection: title(&entry.collection),
            number: entry.number,
            title: title(&entry.title),
            author: title(&entry.author),
        }
    }
}

impl SolutionJson {
    fn new(solution: &StoredSolution, bests: [Option<Metrics>; 2]) -> Self {
        let Origin { program, version, file, .. } = &solution.origin;
        let from = [program, version, &solution.method, file];
        let from: Vec<_> = from.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect();
        let [best_moves, best_pushes] = bests.map(|best| best == Some(solution.metrics));
        Self {
            moves: solution.moves.to_string(),
            metrics: solution.metrics.into(),
            is_best_moves: best_moves,
            is_best_pushes: best_pushes,
            objective: solution.objective.map(|objective| objective.to_string()),
            from: title(&from.join(" ")),
            notes: solution.notes.iter().take(50).map(|note| shown(note, MAX_NOTE)).collect(),
            seconds: solution.seconds,
            found_at: solution.found_at.clone(),
        }
    }
}

/// Reads an identity.
pub(super) fn id_of(text: &str) -> Result<LevelId, Problem> {
    text.parse().map_err(|_| Problem::bad(format!("{} is no identity of a level", title(text))))
}

/// Returns a level of the library.
pub(super) fn stored(library: &Library, id: &str) -> Result<(StoredLevel, Level), Problem> {
    let missing = || Problem::missing("the library has no such level; it may have been forgotten");
    let stored = library.level(id_of(id)?)?.ok_or_else(missing)?;
    let level = stored.level().map_err(|error| Problem::fault(with_causes(&error)))?;
    Ok((stored, level))
}

/// Answers with a level.
pub(super) async fn level(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedLevel>,
) -> Result<Json<LevelJson>, Problem> {
    shared.store.with(move |library| of(library, &asked)).await.map(Json)
}

fn of(library: &Library, asked: &AskedLevel) -> Result<LevelJson, Problem> {
    let (stored, level) = stored(library, &asked.id)?;
    let id = stored.id;
    let places = library.places(id)?;
    let is_asked = |place: &&StoredEntry| {
        asked.collection.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(&place.collection))
    };
    let place = places.iter().find(is_asked).or(places.first());
    let (previous, next) = match place {
        Some(place) => neighbors(&library.entries(&place.collection)?, place.number),
        None => (None, None),
    };
    let solutions = library.solutions(id)?;
    let best = |objective: Objective| {
        solutions.iter().map(|solution| solution.metrics).min_by_key(|metrics| objective.score(metrics))
    };
    let bests = [best(Objective::MOVES), best(Objective::PUSHES)];
    let work = library.all_work(id)?.into_iter().map(|work| WorkJson {
        purpose: work.purpose,
        n_runs: work.n_runs,
        seconds: work.elapsed.as_secs_f64(),
        dry_seconds: work.dry.as_secs_f64(),
        ended: work.ended,
        at: work.at,
    });
    let history = library.gains_of_level(id)?.into_iter().map(|gain| GainJson {
        objective: gain.objective.to_string(),
        moves: gain.moves,
        pushes: gain.pushes,
        at: gain.at,
    });
    let grid = level.grid();
    Ok(LevelJson {
        id: id.to_string(),
        rows: FloorPlan::of(level.grid()).rows(),
        width: grid.width(),
        height: grid.height(),
        n_boxes: level.n_boxes(),
        place: place.map(PlaceJson::from),
        places: places.iter().map(PlaceJson::from).collect(),
        previous: previous.as_ref().map(PlaceJson::from),
        next: next.as_ref().map(PlaceJson::from),
        moves: RangeJson::new(bests[0].map(|best| best.moves), stored.least_moves),
        pushes: RangeJson::new(bests[1].map(|best| best.pushes), stored.least_pushes),
        solutions: solutions.iter().map(|solution| SolutionJson::new(solution, bests)).collect(),
        proofs: library.proofs(id)?.iter().map(|proof| proof.proved.to_string()).collect(),
        work: work.collect(),
        history: history.collect(),
        board: stored.board,
    })
}

/// Returns the levels before and after a number.
fn neighbors(entries: &[StoredEntry], number: u64) -> (Option<StoredEntry>, Option<StoredEntry>) {
    let levels = || entries.iter().filter(|entry| entry.id.is_some());
    let previous = levels().rfind(|entry| entry.number < number);
    (previous.cloned(), levels().find(|entry| entry.number > number).cloned())
}
