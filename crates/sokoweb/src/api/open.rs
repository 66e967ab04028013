//! What a page may do: the cookie and the token, for a page that was opened with a link.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use serde::Serialize;

use crate::access::{Permission, TOKEN_HEADER};
use crate::problem::Problem;
use crate::server::Shared;

/// The token of the server.
#[derive(Debug, Serialize)]
struct TokenJson {
    token: String,
}

/// What a page may do.
#[derive(Debug, Serialize)]
pub(crate) struct PermissionJson {
    may_look: bool,
    may_change: bool,
    /// Whether it has the cookie, without which pictures and events cannot be loaded.
    has_cookie: bool,
}

/// Gives the cookie and the token for the key or the token.
pub(super) async fn open(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Result<impl IntoResponse, Problem> {
    let shown = headers.get(TOKEN_HEADER);
    let token = shown.and_then(|shown| shared.access.exchange(shown.as_bytes()));
    let token = token.ok_or_else(|| {
        Problem::forbidden("this link was used, or is of an earlier start; open the one that `soko serve` prints now")
    })?;
    Ok(([(header::SET_COOKIE, shared.access.cookie())], Json(TokenJson { token })))
}

/// Tells what a page may do.
pub(super) async fn permission(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Json<PermissionJson> {
    let permission = shared.access.permission(&headers);
    Json(PermissionJson {
        may_look: permission != Permission::Nothing,
        may_change: permission == Permission::Change,
        has_cookie: shared.access.has_cookie(&headers),
    })
}
