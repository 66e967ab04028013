//! Why a server is not reached, or refuses, and what to do.

use std::sync::Arc;

use async_nats::{ConnectError, ConnectErrorKind, Event, ServerError};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::FleetError;
use crate::fleet_error::causes;

/// What the server does not let this user do, as it has said last. It says so beside its answers: a request that is not
/// permitted has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusals(Arc<LastRefusal>);

#[derive(Debug, Default)]
struct LastRefusal {
    text: Mutex<Option<String>>,
    is_there: Notify,
}

impl Refusals {
    /// Notes what the client tells.
    pub(crate) fn hear(&self, event: &Event) {
        if let Event::ServerError(ServerError::Other(text)) = event
            && text.to_lowercase().contains("permissions violation")
        {
            *self.0.text.lock() = Some(text.clone());
            self.0.is_there.notify_one();
        }
    }

    /// Waits for a request, and no longer if the server refuses it.
    pub(crate) async fn or<T>(&self, request: impl Future<Output = Result<T, FleetError>>) -> Result<T, FleetError> {
        tokio::select! {
            biased;
            answer = request => answer.map_err(|error| self.explain(error)),
            refusal = self.next() => Err(FleetError::Refused { refusal }),
        }
    }

    async fn next(&self) -> String {
        loop {
            self.0.is_there.notified().await;
            if let Some(refusal) = self.0.text.lock().take() {
                return refusal;
            }
        }
    }

    /// Returns the error of a request, or what the server has refused meanwhile.
    pub(crate) fn explain(&self, error: FleetError) -> FleetError {
        match (error, self.0.text.lock().take()) {
            (FleetError::Request { .. } | FleetError::NoAnswer { .. } | FleetError::NotReady { .. }, Some(refusal)) => {
                FleetError::Refused { refusal }
            }
            (error, _) => error,
        }
    }
}

/// Returns why there is no connection, with what to do.
pub(crate) fn unreachable(address: String, error: &ConnectError) -> FleetError {
    let cause = causes(error);
    FleetError::Unreachable { address, todo: todo(error.kind(), &cause), cause }
}

fn todo(kind: ConnectErrorKind, cause: &str) -> &'static str {
    let says = |part: &str| cause.contains(part);
    match kind {
        ConnectErrorKind::ServerParse => "write nats://HOST:4222, or tls://HOST",
        ConnectErrorKind::Dns => "look at the name of the host; an address is nats://HOST:4222",
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            "it asks for another user and password: --nats nats://USER:PASSWORD@HOST, or --credentials FILE"
        }
        _ if says("not valid yet") || says("certificate expired") => {
            "look at the clock of this computer, and at the dates of the server's certificate"
        }
        _ if says("not valid for name") => "name the host as the server's certificate does",
        _ if says("invalid peer certificate") => "name the certificate that has signed the server's with --certificate",
        _ if says("corrupt message") => "it does not speak TLS: use nats:// in place of tls://",
        _ => "start one with `nats-server -js`, or name it with --nats",
    }
}
