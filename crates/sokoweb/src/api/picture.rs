//! Boards as small pictures, for lists.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Deserialize;
use sokodraw::{BoardImage, Theme};

use super::level::stored;
use crate::problem::Problem;
use crate::query::Asked;
use crate::server::Shared;

/// Pixels of the longer side of a picture; pages scale it.
const SIDE: usize = 160;

/// What is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedPicture {
    id: String,
    #[serde(default)]
    theme: AskedTheme,
}

/// The colors.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AskedTheme {
    #[default]
    Light,
    Dark,
}

/// Answers with a picture. An identity names a board for good, so that browsers may keep it.
pub(super) async fn picture(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedPicture>,
) -> Result<impl IntoResponse, Problem> {
    let picture = shared.store.with(move |library| {
        let (_, level) = stored(library, &asked.id)?;
        let theme = match asked.theme {
            AskedTheme::Light => Theme::Light,
            AskedTheme::Dark => Theme::Dark,
        };
        let longer = level.grid().width().max(level.grid().height());
        Ok(BoardImage::of(&level).with_theme(theme).with_square_size((SIDE / longer).max(1)).to_svg())
    });
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "private, max-age=3600")];
    picture.await.map(|picture| (headers, picture))
}
