//! Runs: begun, controlled and watched.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use serde::{Deserialize, Serialize};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use crate::problem::Problem;
use crate::query::{Asked, body_of};
use crate::runs::{BestJson, RunRequest, RunWish};
use crate::server::Shared;
use crate::store::blocking;

/// How often a silent stream says that it is there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The number of a run.
#[derive(Debug, Serialize)]
pub(crate) struct RunNumber {
    id: u64,
}

/// What a page wants of a run.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedControl {
    id: u64,
    #[serde(rename = "do")]
    wish: RunWish,
}

/// A run by its number.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedRun {
    id: u64,
}

/// Answers with all runs.
pub(super) async fn runs(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], String::from(&*shared.runs.snapshot()))
}

/// Answers with the solution that a run shows.
pub(super) async fn best(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedRun>,
) -> Result<Json<BestJson>, Problem> {
    blocking(move || shared.runs.best(asked.id)).await.map(Json)
}

/// Begins a run.
pub(super) async fn begin(State(shared): State<Arc<Shared>>, body: Bytes) -> Result<Json<RunNumber>, Problem> {
    let request: RunRequest = body_of(&body)?;
    blocking(move || shared.runs.begin(&request)).await.map(|id| Json(RunNumber { id }))
}

/// Pauses, resumes, stops, continues or dismisses a run.
pub(super) async fn control(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedControl>,
) -> Result<Json<()>, Problem> {
    blocking(move || shared.runs.control(asked.id, asked.wish)).await.map(Json)
}

/// Answers with what runs are at, from now on: the latest each time that the page is ready for it.
pub(super) async fn events(State(shared): State<Arc<Shared>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let snapshots = WatchStream::new(shared.runs.listen());
    let events = snapshots.map(|snapshot| Ok(Event::default().data(&*snapshot)));
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}
