//! The levels of a collection, searched, sorted and cut into pages, so that 5,000 levels are as quick as 50.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sokocore::Objective;
use sokolibrary::{Library, RatedEntry, SumAt};

use super::library::CollectionJson;
use super::metrics::RangeJson;
use crate::problem::Problem;
use crate::query::Asked;
use crate::server::Shared;
use crate::shown_text::title;

/// Levels of a page.
const PAGE: usize = 60;
/// Points of a history.
const MAX_POINTS: usize = 200;

/// What is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedLevels {
    #[serde(default)]
    name: String,
    /// The levels that stand in no collection, in the place of one.
    #[serde(default)]
    loose: bool,
    /// Letters of a title or an author, or a number.
    #[serde(default)]
    find: String,
    #[serde(default)]
    only: Only,
    #[serde(default)]
    sort: Sort,
    /// From 1.
    #[serde(default)]
    page: usize,
}

/// Which levels.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Only {
    #[default]
    All,
    Unsolved,
    /// With a solution that is not proved to be best by moves and by pushes.
    Open,
    Proved,
    /// Boards that are no levels.
    Bad,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sort {
    #[default]
    Number,
    Title,
    Moves,
    Pushes,
    /// The largest gap of moves first.
    GapMoves,
    GapPushes,
    /// What improved last is first.
    Recent,
}

/// A page of levels.
#[derive(Debug, Serialize)]
pub(crate) struct CollectionPage {
    /// Null for levels that stand in no collection.
    collection: Option<CollectionJson>,
    /// Levels of the collection.
    n_levels: usize,
    /// Levels that were asked for.
    n_found: usize,
    page: usize,
    n_pages: usize,
    levels: Vec<EntryJson>,
    /// Sums over time.
    moves_history: Vec<PointJson>,
    pushes_history: Vec<PointJson>,
}

/// A level in its collection.
#[derive(Debug, Serialize)]
struct EntryJson {
    number: u64,
    title: String,
    author: String,
    /// Null for a board that is no level.
    id: Option<String>,
    n_solutions: u64,
    moves: RangeJson,
    pushes: RangeJson,
    /// When the best solution was found: UTC.
    improved_at: Option<String>,
}

/// A sum at a time.
#[derive(Debug, Serialize)]
struct PointJson {
    at: String,
    sum: u64,
}

impl Only {
    fn takes(self, entry: &RatedEntry) -> bool {
        let is_proved = moves_of(entry).is_some_and(|moves| moves <= entry.least_moves)
            && pushes_of(entry).is_some_and(|pushes| pushes <= entry.least_pushes);
        match self {
            Self::All => true,
            Self::Unsolved => entry.id.is_some() && entry.n_solutions == 0,
            Self::Open => entry.n_solutions > 0 && !is_proved,
            Self::Proved => is_proved,
            Self::Bad => entry.id.is_none(),
        }
    }
}

impl Sort {
    fn sort(self, entries: &mut [RatedEntry]) {
        // What is not known is last. Ties stay in the order of numbers.
        let last = |value: Option<u64>| value.unwrap_or(u64::MAX);
        let gap = |best: Option<u64>, least: u64| best.map(|best| best.saturating_sub(least) * 1_000 / least.max(1));
        match self {
            Self::Number => {}
            Self::Title => entries.sort_by_cached_key(|entry| entry.title.to_lowercase()),
            Self::Moves => entries.sort_by_key(|entry| last(moves_of(entry))),
            Self::Pushes => entries.sort_by_key(|entry| last(pushes_of(entry))),
            Self::GapMoves => entries.sort_by_key(|entry| Reverse(gap(moves_of(entry), entry.least_moves))),
            Self::GapPushes => entries.sort_by_key(|entry| Reverse(gap(pushes_of(entry), entry.least_pushes))),
            Self::Recent => entries.sort_by_cached_key(|entry| Reverse(improved_at(entry))),
        }
    }
}

fn moves_of(entry: &RatedEntry) -> Option<u64> {
    entry.best_moves.as_ref().map(|(metrics, _)| metrics.moves)
}

fn pushes_of(entry: &RatedEntry) -> Option<u64> {
    entry.best_pushes.as_ref().map(|(metrics, _)| metrics.pushes)
}

fn improved_at(entry: &RatedEntry) -> Option<String> {
    let bests = [&entry.best_moves, &entry.best_pushes];
    bests.into_iter().flatten().map(|(_, at)| at.clone()).max()
}

impl From<&RatedEntry> for EntryJson {
    fn from(entry: &RatedEntry) -> Self {
        Self {
            number: entry.number,
            title: title(&entry.title),
            author: title(&entry.author),
            id: entry.id.map(|id| id.to_string()),
            n_solutions: entry.n_solutions,
            moves: RangeJson::new(moves_of(entry), entry.least_moves),
            pushes: RangeJson::new(pushes_of(entry), entry.least_pushes),
            improved_at: improved_at(entry),
        }
    }
}

/// Answers with a page of levels.
pub(super) async fn collection(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedLevels>,
) -> Result<Json<CollectionPage>, Problem> {
    shared.store.with(move |library| page_of(library, &asked)).await.map(Json)
}

fn page_of(library: &Library, asked: &AskedLevels) -> Result<CollectionPage, Problem> {
    if asked.loose {
        return Ok(CollectionPage::new(asked, library.loose_levels()?));
    }
    if asked.name.is_empty() {
        return Err(Problem::bad("no collection is named"));
    }
    let is_asked = |name: &str| name.eq_ignore_ascii_case(&asked.name);
    let collection = library.collections()?.into_iter().find(|collection| is_asked(&collection.name));
    let sums = library.collection_sums()?.into_iter().find(|sums| is_asked(&sums.name));
    let Some((collection, sums)) = collection.zip(sums) else {
        return Err(Problem::missing(format!("there is no collection {}", title(&asked.name))));
    };
    let history =
        |objective: Objective| -> Result<_, Problem> { Ok(thinned(&library.history(&collection.name, objective)?)) };
    Ok(CollectionPage {
        moves_history: history(Objective::MOVES)?,
        pushes_history: history(Objective::PUSHES)?,
        collection: Some(CollectionJson::new(&collection, &sums)),
        ..CollectionPage::new(asked, library.rated_entries(&collection.name)?)
    })
}

impl CollectionPage {
    /// Searches and sorts levels, and cuts a page out.
    fn new(asked: &AskedLevels, mut entries: Vec<RatedEntry>) -> Self {
        let n_levels = entries.len();
        let find = asked.find.trim().to_lowercase();
        let is_found = |entry: &RatedEntry| {
            let has = |text: &str| text.to_lowercase().contains(&find);
            find.is_empty() || has(&entry.title) || has(&entry.author) || entry.number.to_string() == find
        };
        entries.retain(|entry| asked.only.takes(entry) && is_found(entry));
        asked.sort.sort(&mut entries);
        let n_pages = entries.len().div_ceil(PAGE).max(1);
        let page = asked.page.clamp(1, n_pages);
        Self {
            collection: None,
            n_levels,
            n_found: entries.len(),
            page,
            n_pages,
            levels: entries.iter().skip((page - 1) * PAGE).take(PAGE).map(EntryJson::from).collect(),
            moves_history: Vec::new(),
            pushes_history: Vec::new(),
        }
    }
}

/// Leaves out points at equal distances, but not the last. Levels count from the beginning with their first solutions:
/// where more of them are solved than before, what came before is raised, so that the curve does not.
fn thinned(points: &[SumAt]) -> Vec<PointJson> {
    let mut sums: Vec<u64> = points.iter().map(|point| point.sum).collect();
    let mut raise = 0;
    for at in (1..points.len()).rev() {
        if points[at].n_solved > points[at - 1].n_solved {
            raise += points[at].sum.saturating_sub(points[at - 1].sum);
        }
        sums[at - 1] += raise;
    }
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.iter().zip(sums).enumerate().filter(|(at, _)| at % step == 0 || *at == last);
    kept.map(|(_, (point, sum))| PointJson { at: point.at.clone(), sum }).collect()
}
