//! What other workers find and search while a slice is running.
//!
//! Solutions are replayed, and taken over if they are better; windows that another island searches are left to it. What
//! goes into a bucket or a stream is an ordinary message, too, so that a subscription hears it as it comes, and the server
//! keeps nothing for who listens.

use std::time::Duration;

use async_nats::{Message, Subscriber};
use sokocore::{Metrics, Objective};
use sokonight::LevelState;
use sokosearch::Clock;
use tokio::time::sleep;
use tokio_stream::StreamExt as _;

use super::WorkEvent;
use super::slice_store::SliceStore;
use super::windows::SliceWindows;
use crate::keys::FindKey;
use crate::record::FindRecord;
use crate::server::Server;

/// How often the others are told of windows.
const TELLING: Duration = Duration::from_secs(1);

/// Listens for a slice.
pub(super) struct Listener<'a, 'l> {
    worker: &'a str,
    server: &'a Server,
    state: &'a LevelState<'l>,
    store: &'a SliceStore<'a>,
    windows: Option<&'a SliceWindows>,
    finds: Option<Subscriber>,
    of_islands: Option<Subscriber>,
    since_told: Clock,
}

/// A solution of another worker that was taken over.
pub(super) struct TakenOver {
    objective: Objective,
    metrics: Metrics,
    worker: String,
}

impl TakenOver {
    pub(super) fn event<'e>(&'e self, level: &'e str) -> WorkEvent<'e> {
        let Self { objective, metrics, worker } = self;
        WorkEvent::TakenOver { level, objective: *objective, metrics: *metrics, worker }
    }
}

impl<'a, 'l> Listener<'a, 'l> {
    /// Makes a listener that hears nothing yet.
    pub(super) fn new(
        worker: &'a str,
        server: &'a Server,
        state: &'a LevelState<'l>,
        store: &'a SliceStore<'a>,
        windows: Option<&'a SliceWindows>,
    ) -> Self {
        Self { worker, server, state, store, windows, finds: None, of_islands: None, since_told: Clock::start() }
    }

    /// Begins to listen.
    pub(super) async fn open(&mut self) {
        let level = self.state.level().id;
        let subject = self.server.name.bucket_subject("finds", &format!("{level}.*.*"));
        self.finds = self.subscribe(subject).await;
        if let Some(windows) = self.windows {
            self.of_islands = self.subscribe(windows.subject_of_all()).await;
        }
    }

    async fn subscribe(&self, subject: String) -> Option<Subscriber> {
        let subscribed = self.server.client.subscribe(subject).await;
        subscribed.inspect_err(|error| tracing::debug!(%error, "subscription")).ok()
    }

    /// Waits for news, and no longer than that; tells the others; returns a solution that was taken over.
    pub(super) async fn hear(&mut self, longest: Duration) -> Option<TakenOver> {
        if let Some(windows) = self.windows
            && self.since_told.elapsed() >= TELLING
        {
            self.since_told = Clock::start();
            windows.tell(self.server).await;
        }
        tokio::select! {
            () = sleep(longest) => None,
            message = next(&mut self.finds) => self.take_over(&message),
            message = next(&mut self.of_islands) => {
                if let Some(windows) = self.windows {
                    windows.absorb(message.subject.as_str(), &message.payload);
                }
                None
            }
        }
    }

    fn take_over(&self, message: &Message) -> Option<TakenOver> {
        let key = message.subject.as_str().strip_prefix(&self.server.finds.prefix)?;
        let key = FindKey::parse(key)?;
        let objective = key.objective?;
        if key.worker == self.worker {
            return None;
        }
        let (_, solution) = FindRecord::replayed(&message.payload, &self.state.level().level)?;
        let improved = self.state.take_over(&solution);
        for &objective in &improved {
            self.store.learn(objective, solution.metrics());
        }
        let metrics = solution.metrics();
        improved.contains(&objective).then_some(TakenOver { objective, metrics, worker: key.worker })
    }
}

/// Waits for the next message; forever without a subscription, or after its end.
async fn next(subscriber: &mut Option<Subscriber>) -> Message {
    loop {
        match subscriber {
            Some(open) => match open.next().await {
                Some(message) => return message,
                None => *subscriber = None,
            },
            None => std::future::pending().await,
        }
    }
}
