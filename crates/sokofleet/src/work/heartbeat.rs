//! Signs of life: that a worker is there, that its slices are worked on, and what the server's clock shows.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use sokosearch::Clock;
use tokio::time::sleep;

use crate::FleetError;
use crate::fleet_error::Doing as _;
use crate::packing::to_json;
use crate::record::{DoingRecord, WorkerRecord};
use crate::server::{FleetServer, entry};

/// How often a worker says that it is there.
pub(crate) const BEAT: Duration = Duration::from_secs(5);
/// How often a fleet that is not found is looked for.
const N_LOOKS: usize = 3;
/// The pause between two looks.
const LOOK: Duration = Duration::from_secs(1);

/// What a worker says of itself, and learns meanwhile.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    worker: String,
    host: String,
    n_threads: usize,
    memory: u64,
    clock: Clock,
    /// Seconds of the server's clock when this one began.
    server_start: AtomicI64,
    pub(crate) n_slices: AtomicU64,
    pub(crate) is_drained: AtomicBool,
    /// Whether the server has nothing of the fleet any more.
    pub(crate) is_removed: AtomicBool,
    /// What each thread does.
    doing: Mutex<Vec<Option<DoingRecord>>>,
}

impl Heartbeat {
    pub(crate) fn new(worker: &str, host: &str, n_threads: usize, memory: u64) -> Self {
        Self {
            worker: worker.to_owned(),
            host: host.to_owned(),
            n_threads,
            memory,
            clock: Clock::start(),
            server_start: AtomicI64::new(0),
            n_slices: AtomicU64::new(0),
            is_drained: AtomicBool::new(false),
            is_removed: AtomicBool::new(false),
            doing: Mutex::new(vec![None; n_threads]),
        }
    }

    /// Notes what a thread does.
    pub(crate) fn set_doing(&self, thread: usize, doing: Option<DoingRecord>) {
        self.doing.lock()[thread] = doing;
    }

    /// Returns the seconds of the server's clock: that of this computer may be wrong.
    pub(crate) fn server_now(&self) -> i64 {
        let elapsed = i64::try_from(self.clock.elapsed().as_secs()).unwrap_or(i64::MAX);
        self.server_start.load(Ordering::Relaxed).saturating_add(elapsed)
    }

    /// Says that this worker is there, and learns the time, and whether the fleet is drained.
    pub(crate) async fn beat(&self, server: &FleetServer, n_finds: u64) -> Result<(), FleetError> {
        let doing = "say that this worker is there";
        let record = WorkerRecord {
            host: self.host.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            n_threads: u64::try_from(self.n_threads).unwrap_or(u64::MAX),
            memory: self.memory,
            seconds: self.clock.elapsed().as_secs(),
            n_slices: self.n_slices.load(Ordering::Relaxed),
            n_finds,
            doing: self.doing.lock().iter().flatten().cloned().collect(),
        };
        server.workers.put(&self.worker, to_json(&record).into()).await.doing(doing)?;
        if let Some(mine) = entry(&server.workers, &self.worker).await? {
            let elapsed = i64::try_from(self.clock.elapsed().as_secs()).unwrap_or(i64::MAX);
            self.server_start.store(mine.created.unix_timestamp().saturating_sub(elapsed), Ordering::Relaxed);
        }
        self.is_drained.store(server.is_drained().await?, Ordering::Relaxed);
        Ok(())
    }

    /// Asks, after a sign of life that failed, whether there is a fleet left: several times, since servers of a cluster may
    /// know less than others for a moment.
    pub(crate) async fn look_for_fleet(&self, server: &FleetServer) {
        for _ in 0..N_LOOKS {
            if !server.is_removed().await {
                return;
            }
            sleep(LOOK).await;
        }
        self.is_removed.store(true, Ordering::Relaxed);
    }

    /// Says that this worker has gone.
    pub(crate) async fn end(&self, server: &FleetServer) {
        if let Err(error) = server.workers.delete(&self.worker).await {
            tracing::debug!(%error, "last sign of life");
        }
    }
}
