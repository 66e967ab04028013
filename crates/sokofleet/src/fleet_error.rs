//! What can go wrong between a program and the server.

use thiserror::Error;

/// What the client says when there is no answer.
const NO_ANSWER: [&str; 4] = ["timed out", "no responders", "broken pipe", "didn't receive ack"];

/// Why something cannot be done with a fleet.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FleetError {
    /// The address is none, or a file that it names cannot be read.
    #[error("{what}")]
    Address {
        /// What is wrong, and what to do.
        what: String,
    },
    /// No connection.
    #[error("cannot reach the server at {address}: {cause}; {todo}")]
    Unreachable {
        /// Where.
        address: String,
        /// Why.
        cause: String,
        /// What to do.
        todo: &'static str,
    },
    /// The server does not let this user do something.
    #[error("the server refuses: {refusal}; look at the permissions of this user in its settings")]
    Refused {
        /// What the server says.
        refusal: String,
    },
    /// The server has no JetStream.
    #[error("the server at {address} has no JetStream for this account ({cause}); start it with `nats-server -js`")]
    NoJetStream {
        /// Where.
        address: String,
        /// Why.
        cause: String,
    },
    /// The server has JetStream, which does not answer at the moment.
    #[error(
        "JetStream does not answer at {address} ({cause}): its disk is full, or a cluster has lost servers; look at its \
         log, and try again"
    )]
    NotReady {
        /// Where.
        address: String,
        /// Why.
        cause: String,
    },
    /// The fleet does not exist on this server.
    #[error("there is no fleet '{name}' on this server; `soko fleet submit` makes one")]
    NoFleet {
        /// Its name.
        name: String,
    },
    /// The fleet is one of another version.
    #[error("the fleet '{name}' works by version {found} of its rules and this program by version {expected}; {todo}")]
    Version {
        /// Its name.
        name: String,
        /// The version on the server.
        found: u64,
        /// The version of this program.
        expected: u64,
        /// What to do.
        todo: &'static str,
    },
    /// Something is too large for the server.
    #[error("{what} has {size} bytes, and the server takes {limit} in a message; raise max_payload in its settings")]
    TooLarge {
        /// What.
        what: String,
        /// Its bytes.
        size: usize,
        /// The server's limit.
        limit: usize,
    },
    /// The server keeps no more.
    #[error(
        "cannot {doing}: the server's storage is full ({cause}); raise max_file_store in its settings, or remove fleets"
    )]
    StorageFull {
        /// What was being done.
        doing: &'static str,
        /// What the server says.
        cause: String,
    },
    /// The server does not answer.
    #[error("cannot {doing}: the server does not answer ({cause}); look at it and at the network, and try again")]
    NoAnswer {
        /// What was being done.
        doing: &'static str,
        /// What the client says.
        cause: String,
    },
    /// A request failed.
    #[error("cannot {doing}: {cause}; look at the log of the server, and try again")]
    Request {
        /// What was being done.
        doing: &'static str,
        /// Why.
        cause: String,
    },
    /// A system without random numbers, or a thread that has panicked.
    #[error("the system fails: {0}; try again")]
    System(String),
    /// A system without threads.
    #[error("the system gives no threads ({cause}); end other programs, or raise the limit of threads")]
    Threads {
        /// What the system says.
        cause: String,
    },
}

impl FleetError {
    /// Returns whether it may pass by itself within seconds: servers of a cluster elect one of them. Each request of the
    /// client has errors of its own type; what the server says is the same in all.
    pub(crate) fn is_of_election(&self) -> bool {
        match self {
            Self::NotReady { .. } | Self::NoAnswer { .. } => true,
            Self::Request { cause, .. } => cause.contains("temporarily unavailable"),
            _ => false,
        }
    }

    /// Returns the error of a system that refuses a thread.
    pub(crate) fn of_threads(error: std::io::Error) -> Self {
        Self::Threads { cause: error.to_string() }
    }

    /// Returns an error of a request. Its causes are told in one line.
    pub(crate) fn request(doing: &'static str) -> impl FnOnce(Box<dyn std::error::Error>) -> Self {
        move |error| {
            let cause = causes(&*error);
            // "insufficient resources", "insufficient storage resources available".
            if cause.contains("insufficient") {
                Self::StorageFull { doing, cause }
            } else if NO_ANSWER.iter().any(|words| cause.contains(words)) {
                Self::NoAnswer { doing, cause }
            } else {
                Self::Request { doing, cause }
            }
        }
    }
}

/// Returns an error and what caused it, in one line.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let part = next.to_string();
        if !text.contains(&part) {
            text = format!("{text}: {part}");
        }
        cause = next.source();
    }
    text
}

/// Adds to the error of a request what was being done.
pub(crate) trait Doing<T> {
    /// Returns the value, or the error with what was being done.
    fn doing(self, doing: &'static str) -> Result<T, FleetError>;
}

impl<T, E: std::error::Error + 'static> Doing<T> for Result<T, E> {
    fn doing(self, doing: &'static str) -> Result<T, FleetError> {
        self.map_err(|error| FleetError::request(doing)(Box::new(error)))
    }
}
