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
use crate::server::FleetServer;

/// How often the others are told of windows.
const TELLING: Duration = Duration::from_secs(1);

/// Listens for a slice.
pub(super) struct PeerListener<'a, 'l> {
    worker: &'a str,
    server: &'a FleetServer,
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

impl<'a, 'l> PeerListener<'a, 'l> {
    /// Makes a listener that hears nothing yet.
    pub(super) fn new(
        worker: &'a str,
        server: &'a FleetServer,
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

#[cfg(test)]
mod tests {
    use sokocore::{Level, replay};
    use sokonight::NightLevel;

    use super::super::outbox::FindOutbox;
    use super::*;
    use crate::testing::NatsServer;
    use crate::{Fleet, FleetName};

    /// The longest time for a message.
    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn a_better_solution_of_another_worker_is_taken_over() {
        // Without the program the tests of the crate say that they were skipped.
        let Some(server) = NatsServer::start().unwrap() else { return };
        let fleet = Fleet::create_or_open(&server.address(), &FleetName::default()).unwrap();
        let server = fleet.server();
        let level = NightLevel::new(Level::parse("#######\n#@ $ .#\n#######").unwrap());
        let solution = |moves: &str| replay(&level.level, &moves.parse().unwrap()).unwrap();
        let state = LevelState::new(&level, &[Objective::MOVES]);
        state.take_over(&solution("rlrRR"));
        let outbox = FindOutbox::new("mine", None);
        let store = SliceStore::new(&outbox, &level, Vec::new(), None);
        fleet.block_on(async {
            let mut listener = PeerListener::new("mine", server, &state, &store, None);
            listener.open().await;
            let moves = [("other", "rlrlrRR"), ("mine", "rRR"), ("liar", "r"), ("other", "rRR")];
            for (worker, moves) in moves {
                let metrics = solution("rRR").metrics().into();
                let bytes = FindRecord { metrics, method: "test".to_owned() }.with_moves(&moves.parse().unwrap());
                server.finds.put(format!("{}.moves.{worker}", level.id), bytes.into()).await.unwrap();
            }
            // Neither the worse one nor its own nor the one that solves nothing.
            let mut taken = Vec::new();
            for _ in moves {
                taken.extend(listener.hear(PATIENCE).await);
            }
            assert_eq!(taken.len(), 1);
            assert_eq!((&*taken[0].worker, taken[0].objective, taken[0].metrics.moves), ("other", Objective::MOVES, 3));
        });
        assert_eq!(state.best(Objective::MOVES).map(|best| best.moves), Some(3));
    }
}
