//! The token, for a page that was opened with a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use crate::access::TOKEN_HEADER;
use crate::problem::Problem;
use crate::server::Shared;

/// The token of the server.
#[derive(Debug, Serialize)]
pub(crate) struct TokenJson {
    token: String,
}

/// Exchanges the key for the token.
pub(super) async fn open(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Result<Json<TokenJson>, Problem> {
    let key = headers.get(TOKEN_HEADER);
    let token = key.and_then(|key| shared.access.exchange(key.as_bytes()));
    let token = token.ok_or_else(|| Problem::forbidden("this link was used; open the one that `soko serve` prints"))?;
    Ok(Json(TokenJson { token }))
}
