//! What went wrong with a request, as an answer: a status and `{"error": "..."}`.
//!
//! Messages say what to do, in the words of the page. They hold text of files as it came; pages show it as text.

use std::error::Error;
use std::fmt;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use sokolibrary::{LibraryError, LibraryProblem};

/// A request that cannot be answered.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
}

impl Problem {
    const fn new(status: StatusCode, message: String) -> Self {
        Self { status, message }
    }

    /// The request may not do this.
    pub(crate) fn forbidden(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, message.to_owned())
    }

    /// The request does not show that it may know anything.
    pub(crate) fn locked(message: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message.to_owned())
    }

    /// The request says something that cannot be done.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message.into())
    }

    /// What is asked for is not there.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message.into())
    }

    /// It cannot be done now.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, message.into())
    }

    /// A fault of this program.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message.into())
    }

    /// Something in the request that cannot be read, with the causes of the error.
    pub(crate) fn unreadable(error: &dyn Error) -> Self {
        Self::bad(with_causes(error))
    }
}

/// Joins an error with its causes.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

impl From<LibraryError> for Problem {
    fn from(error: LibraryError) -> Self {
        let status = match error.problem {
            LibraryProblem::NoCollection { .. } | LibraryProblem::NoLevel { .. } => StatusCode::NOT_FOUND,
            LibraryProblem::Busy | LibraryProblem::DiskFull => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, with_causes(&error))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "error": self.message }))).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            // Every such answer names a way; this one is no way that a browser asks a person for.
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Soko-Link"));
        }
        response
    }
}
