//! What other workers find while a slice is running: it is replayed, and taken over if it is better.
//!
//! What goes into a bucket is an ordinary message, too, so that a subscription hears it as it comes, and the server keeps
//! nothing for who listens.

use std::time::Duration;

use async_nats::Subscriber;
use sokocore::{Metrics, Objective};
use sokoio::LevelId;
use sokonight::LevelState;
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

use super::WorkEvent;
use super::slice_store::SliceStore;
use crate::keys::FindKey;
use crate::record::FindRecord;
use crate::server::Server;

/// Listens for a slice.
pub(super) struct Listener<'a, 'l> {
    pub(super) worker: &'a str,
    pub(super) server: &'a Server,
    pub(super) state: &'a LevelState<'l>,
    pub(super) store: &'a SliceStore<'a>,
    pub(super) level: &'a str,
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

impl Listener<'_, '_> {
    /// Begins to listen to what is found of a level.
    pub(super) async fn open(&self, level: LevelId) -> Option<Subscriber> {
        let subject = self.server.name.bucket_subject("finds", &format!("{level}.*.*"));
        match self.server.client.subscribe(subject).await {
            Ok(subscriber) => Some(subscriber),
            Err(error) => {
                tracing::debug!(%error, level = self.level, "subscription");
                None
            }
        }
    }

    /// Waits for a solution, and no longer than that; returns one that was taken over.
    pub(super) async fn hear(&self, ears: &mut Option<Subscriber>, longest: Duration) -> Option<TakenOver> {
        let Some(subscriber) = ears else {
            tokio::time::sleep(longest).await;
            return None;
        };
        let message = timeout(longest, subscriber.next()).await.ok()??;
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
