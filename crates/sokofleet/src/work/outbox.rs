//! What a worker has found, on its way to the server.
//!
//! ```text
//!   searches ──put──▶ outbox ──latest of each level and objective──▶ server
//!                        └──── while the server is away ───────────▶ spool
//! ```
//!
//! Invariant: what was put into the outbox is on the server after a flush that succeeds, in the spool while the server
//! cannot be reached, or in the outbox for less than two seconds.

use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokocore::{Lurd, Metrics, Objective, Score};
use sokoio::LevelId;
use tokio::sync::{Mutex as AsyncMutex, Notify};

use crate::FleetError;
use crate::fleet_error::Doing as _;
use crate::keys::FindKey;
use crate::packing::to_json;
use crate::record::{FindRecord, GainRecord};
use crate::server::FleetServer;
use crate::spool::Spool;

/// A solution that is to be delivered.
#[derive(Clone, Debug)]
pub(crate) struct Parcel {
    pub(crate) level: LevelId,
    /// What a person calls the level.
    pub(crate) name: String,
    pub(crate) objective: Objective,
    /// What the best measured before; `None` of a first solution.
    pub(crate) before: Option<Metrics>,
    pub(crate) metrics: Metrics,
    pub(crate) moves: Lurd,
    pub(crate) method: String,
}

impl Parcel {
    fn is_in_place_of(&self, other: &Self) -> bool {
        self.level == other.level && self.objective == other.objective
    }

    /// Returns the value of a find.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        FindRecord { metrics: self.metrics.into(), method: self.method.clone() }.with_moves(&self.moves)
    }
}

/// What waits to be delivered.
#[derive(Debug)]
pub(crate) struct FindOutbox {
    worker: String,
    waiting: Mutex<Vec<Parcel>>,
    /// The best that was put in, by level and objective: two islands of a level may share this worker.
    best: Mutex<HashMap<(LevelId, Objective), Score>>,
    /// Raised when something waits.
    pub(crate) has_mail: Notify,
    n_delivered: AtomicU64,
    /// Held while something is delivered: two threads would deliver it twice.
    delivery: AsyncMutex<()>,
    spool: Option<Spool>,
}

impl FindOutbox {
    pub(crate) fn new(worker: &str, spool: Option<Spool>) -> Self {
        let (waiting, best, has_mail, n_delivered, delivery) = Default::default();
        Self { worker: worker.to_owned(), waiting, best, has_mail, n_delivered, delivery, spool }
    }

    /// Puts a solution in the place of an earlier one of its level and objective, if it is better.
    pub(crate) fn put(&self, parcel: Parcel) {
        let score = parcel.objective.score(&parcel.metrics);
        let mut best = self.best.lock();
        let old = best.get(&(parcel.level, parcel.objective));
        if old.is_some_and(|old| *old <= score) {
            return;
        }
        best.insert((parcel.level, parcel.objective), score);
        drop(best);
        put_into(&mut self.waiting.lock(), parcel);
        self.has_mail.notify_one();
    }

    /// Returns how many solutions were delivered.
    pub(crate) fn n_delivered(&self) -> u64 {
        self.n_delivered.load(Ordering::Relaxed)
    }

    /// Returns how many solutions wait.
    pub(crate) fn n_waiting(&self) -> usize {
        self.waiting.lock().len()
    }

    /// Keeps on the disk what waits now.
    pub(crate) fn keep_waiting(&self) {
        if let Some(spool) = &self.spool {
            self.waiting.lock().iter().for_each(|waiting| spool.keep(waiting));
        }
    }

    /// Delivers everything that waits. What cannot be delivered goes into the spool, and waits on.
    pub(crate) async fn flush(&self, server: &FleetServer) -> Result<(), FleetError> {
        let _delivery = self.delivery.lock().await;
        loop {
            let Some(parcel) = self.waiting.lock().first().cloned() else { return Ok(()) };
            let delivered = self.deliver(server, &parcel).await;
            if matches!(delivered, Ok(()) | Err(FleetError::TooLarge { .. })) {
                // A better one may have come in its place.
                self.waiting.lock().retain(|other| !(other.is_in_place_of(&parcel) && other.moves == parcel.moves));
                // It waits no more, so that it is not kept again.
                self.spool.iter().for_each(|spool| spool.remove(&parcel));
            } else {
                self.keep_waiting();
            }
            delivered?;
        }
    }

    /// Writes a solution under the name of this worker, and tells of the gain.
    async fn deliver(&self, server: &FleetServer, parcel: &Parcel) -> Result<(), FleetError> {
        let key = FindKey { level: parcel.level, objective: Some(parcel.objective), worker: self.worker.clone() };
        let (bytes, limit) = (parcel.bytes(), server.max_payload());
        if bytes.len() > limit {
            let what = format!("a solution of {} with {} moves", parcel.name, parcel.metrics.moves);
            return Err(FleetError::TooLarge { what, size: bytes.len(), limit });
        }
        server.finds.put(key.to_string(), bytes.into()).await.doing("deliver a solution")?;
        self.n_delivered.fetch_add(1, Ordering::Relaxed);
        let gain = GainRecord {
            level: parcel.level.to_string(),
            name: parcel.name.clone(),
            objective: parcel.objective.to_string(),
            before: parcel.before.map(Into::into),
            after: parcel.metrics.into(),
            method: parcel.method.clone(),
            worker: self.worker.clone(),
        };
        let subject = server.name.gain_subject(&self.worker);
        let doing = "tell of a gain";
        server.jetstream.publish(subject, to_json(&gain).into()).await.doing(doing)?.await.doing(doing)?;
        Ok(())
    }
}

fn put_into(waiting: &mut Vec<Parcel>, parcel: Parcel) {
    match waiting.iter_mut().find(|old| old.is_in_place_of(&parcel)) {
        Some(old) => *old = Parcel { before: old.before, ..parcel },
        None => waiting.push(parcel),
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, replay};

    use super::*;
    use crate::testing::NatsServer;
    use crate::{Fleet, FleetName};

    fn parcel(moves: &str) -> Parcel {
        parcel_of("moves", moves)
    }

    fn parcel_of(objective: &str, moves: &str) -> Parcel {
        let level = Level::parse("#######\n#@ $ .#\n#######").unwrap();
        let moves: Lurd = moves.parse().unwrap();
        let metrics = replay(&level, &moves).unwrap().metrics();
        let (level, name, method) = (LevelId::of(&level), "a level".to_owned(), "test".to_owned());
        Parcel { level, name, objective: objective.parse().unwrap(), before: None, metrics, moves, method }
    }

    #[test]
    fn what_cannot_be_delivered_waits_in_memory_and_on_the_disk() {
        // Without the program the tests of the crate say that they were skipped.
        let Some(mut server) = NatsServer::start().unwrap() else { return };
        let fleet = Fleet::create_or_open(&server.address(), &FleetName::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::at(folder.path());
        let outbox = FindOutbox::new("attic", Some(spool.clone()));
        outbox.put(parcel("rlrlrRR"));
        server.kill();
        assert!(fleet.block_on(outbox.flush(fleet.server())).is_err());
        assert_eq!((outbox.n_waiting(), spool.kept().len()), (1, 1));
        outbox.put(parcel("rRR"));
        outbox.put(parcel("rlrRR"));
        assert!(fleet.block_on(outbox.flush(fleet.server())).is_err());
        assert_eq!((outbox.n_waiting(), spool.kept().len()), (1, 1), "the best of them");
        outbox.put(parcel_of("boxlines", "rlrlrRR"));
        outbox.keep_waiting();
        assert_eq!(spool.kept().len(), 2, "without waiting for the server");
        server.start_again().unwrap();
        while fleet.block_on(outbox.flush(fleet.server())).is_err() {}
        assert_eq!((outbox.n_waiting(), spool.kept().len(), outbox.n_delivered()), (0, 0, 2));
        assert_eq!(fleet.view().unwrap().gains.first().map(|gain| gain.after.moves), Some(3));
    }
}
