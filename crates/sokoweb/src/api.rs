//! The routes under `/api`: what the pages ask for, as JSON.
//!
//! | route | what |
//! |---|---|
//! | `GET library` | the collections and their sums |
//! | `GET collection?name=` | levels of a collection, a page of them; `find`, `only`, `sort`, `page` |
//! | `GET level?id=` | all that is known of a level; `in`, a collection whose neighbors are named |
//! | `GET picture?id=` | the board as an SVG picture |
//! | `GET compare?id=&a=&b=` | two solutions of a level |
//! | `POST upload?name=` | adds a file of levels, the body |
//! | `POST forget?name=` | forgets a collection; its solutions stay |
//! | `POST open` | the token and the cookie, for the token or for the key of the opening link, once |
//! | `GET permission` | whether the page may look and change |
//! | `POST export` | collections as a file, with the best solutions or what improved |
//! | `POST check`, `POST check/stop`, `POST save` | what an edited level is like; stops that; keeps the level |
//! | `GET runs`, `GET events` | runs now, and as events from now on |
//! | `GET run?id=` | the solution that a run shows |
//! | `POST runs`, `POST run?id=&do=` | begins a run; pauses, resumes, stops, continues or dismisses it |
//!
//! Invariant: a route under `GET` changes nothing.

pub(crate) mod check;
mod collection;
mod compare;
mod export;
mod level;
mod library;
pub(crate) mod metrics;
mod open;
mod picture;
mod runs;
mod save;
mod upload;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use sokoio::Collection;

use crate::problem::Problem;
use crate::server::Shared;

/// Bytes of a request other than a file.
const MAX_REQUEST: usize = 1 << 20;

/// Makes the routes.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    let upload = post(upload::upload).layer(DefaultBodyLimit::max(Collection::MAX_FILE_SIZE));
    Router::new()
        .route("/library", get(library::library))
        .route("/collection", get(collection::collection))
        .route("/level", get(level::level))
        .route("/picture", get(picture::picture))
        .route("/compare", get(compare::compare))
        .route("/upload", upload)
        .route("/forget", post(library::forget))
        .route("/export", post(export::export))
        .route("/check", post(check::check))
        .route("/check/stop", post(check::stop))
        .route("/save", post(save::save))
        .route("/open", post(open::open))
        .route("/permission", get(open::permission))
        .route("/runs", get(runs::runs).post(runs::begin))
        .route("/run", get(runs::best).post(runs::control))
        .route("/events", get(runs::events))
        .fallback(|| async { Problem::missing("there is no such request") })
        .layer(DefaultBodyLimit::max(MAX_REQUEST))
}
