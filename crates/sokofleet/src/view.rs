//! What a fleet does and has done: read once, and followed.

use std::time::Duration;

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::stream::Stream;
use hashbrown::HashMap;
use serde::de::DeserializeOwned;
use sokocore::{Metrics, Objective};

use crate::fleet_error::Doing as _;
use crate::keys::ItemKey;
use crate::packing::of_json;
use crate::record::{GainRecord, ItemRecord, ItemStatus, WorkerRecord};
use crate::server::{FleetServer, read};
use crate::{Fleet, FleetError};

/// What a fleet does and has done.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FleetView {
    /// Who is there.
    pub workers: Vec<WorkerView>,
    /// What slices of each level and purpose have brought.
    pub items: Vec<ItemView>,
    /// What became better, in the order of time.
    pub gains: Vec<GainView>,
    /// Slices that wait or are worked on.
    pub n_queued: u64,
    /// Whether no slices are dealt out.
    pub is_drained: bool,
    /// Seconds of the server's clock, since 1970.
    pub now: i64,
}

/// A worker.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WorkerView {
    /// Its name.
    pub name: String,
    /// The computer.
    pub host: String,
    /// The version of its program.
    pub version: String,
    /// Its threads.
    pub n_threads: u64,
    /// How long it has been there.
    pub uptime: Duration,
    /// Slices that it has ended.
    pub n_slices: u64,
    /// Solutions that it has delivered.
    pub n_finds: u64,
    /// What its threads do: the level, and what for.
    pub doing: Vec<String>,
    /// The time since its last sign of life, by the server's clock.
    pub silent: Duration,
}

/// An item.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ItemView {
    /// The identity of the level.
    pub level: String,
    /// What its slices are for.
    pub purpose: String,
    /// Which island it is, from 0.
    pub island: u64,
    /// Whether it gets slices.
    pub is_open: bool,
    /// Whether more time cannot help, as far as is known.
    pub is_settled: bool,
    /// Slices that it has had.
    pub n_slices: u64,
    /// Seconds of threads that it has had.
    pub seconds: f64,
    /// How its last slice ended; empty before.
    pub ended: String,
}

/// A better solution, as its finder tells.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GainView {
    /// When, in seconds of the server's clock, since 1970.
    pub at: i64,
    /// The identity of the level.
    pub level: String,
    /// What a person calls it.
    pub name: String,
    /// What it is better in.
    pub objective: Objective,
    /// What the best measured before, where it was found; `None` of a first solution.
    pub before: Option<Metrics>,
    /// What it measures.
    pub after: Metrics,
    /// What found it.
    pub method: String,
    /// Who found it.
    pub worker: String,
}

impl Fleet {
    /// Looks at the fleet.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn view(&self) -> Result<FleetView, FleetError> {
        self.ask(view(self.server()))
    }
}

impl FleetServer {
    /// Returns the seconds of the server's clock: that of this computer may be wrong.
    pub(crate) async fn now(&self) -> Result<i64, FleetError> {
        let key = "clock";
        self.fleet.put(key, "".into()).await.doing("ask for the time")?;
        let entry = crate::server::entry(&self.fleet, key).await?;
        Ok(entry.map_or(0, |entry| entry.created.unix_timestamp()))
    }
}

async fn view(server: &FleetServer) -> Result<FleetView, FleetError> {
    let now = match server.now().await {
        // A server that keeps no more is asked what it has all the same: the time is that of its last news.
        Err(FleetError::StorageFull { .. }) => None,
        now => Some(now?),
    };
    let mut view = FleetView { is_drained: server.is_drained().await?, ..FleetView::default() };
    view.n_queued = server.work.get_info().await.doing("look at the queue")?.state.messages;
    let workers: Vec<(String, WorkerRecord, i64)> = values(&server.workers.stream, &server.workers.prefix).await?;
    let items: Vec<(String, ItemRecord, i64)> = values(&server.items.stream, &server.items.prefix).await?;
    view.gains = gains(server).await?;
    let news = workers.iter().map(|(.., at)| *at).chain(items.iter().map(|(.., at)| *at));
    let now = now.or_else(|| news.chain(view.gains.iter().map(|gain| gain.at)).max()).unwrap_or(0);
    view.now = now;
    view.workers = workers.into_iter().map(|(name, record, at)| worker_view(name, record, now - at)).collect();
    view.workers.sort_by(|one, other| one.name.cmp(&other.name));
    view.items = items.into_iter().filter_map(|(key, record, _)| item_view(&key, &record)).collect();
    Ok(view)
}

fn worker_view(name: String, record: WorkerRecord, silent: i64) -> WorkerView {
    let doing = |item: &str, name: &str| {
        ItemKey::parse(item).map_or_else(String::new, |key| {
            let island = if key.island == 0 { String::new() } else { format!(", island {}", key.island) };
            format!("{name} ({}{island})", key.purpose)
        })
    };
    WorkerView {
        name,
        doing: record.doing.iter().map(|of_thread| doing(&of_thread.item, &of_thread.name)).collect(),
        host: record.host,
        version: record.version,
        n_threads: record.n_threads,
        uptime: Duration::from_secs(record.seconds),
        n_slices: record.n_slices,
        n_finds: record.n_finds,
        silent: Duration::from_secs(u64::try_from(silent).unwrap_or(0)),
    }
}

fn item_view(key: &str, record: &ItemRecord) -> Option<ItemView> {
    let key = ItemKey::parse(key)?;
    Some(ItemView {
        level: key.level.to_string(),
        purpose: key.purpose.to_string(),
        island: key.island,
        is_open: record.state == ItemStatus::Open,
        is_settled: record.state == ItemStatus::Settled,
        n_slices: record.n_slices,
        seconds: record.history().plausible().spent,
        ended: record.ended.clone(),
    })
}

async fn gains(server: &FleetServer) -> Result<Vec<GainView>, FleetError> {
    let mut gains = Vec::new();
    read(&server.gains, "", DeliverPolicy::All, |_, bytes, at| {
        if let Some(gain) = of_json::<GainRecord>(bytes)
            && let Ok(objective) = gain.objective.parse()
        {
            gains.push(GainView {
                at,
                level: gain.level,
                name: gain.name,
                objective,
                before: gain.before.map(|before| before.metrics()),
                after: gain.after.metrics(),
                method: gain.method,
                worker: gain.worker,
            });
        }
    })
    .await?;
    Ok(gains)
}

/// Reads all values of a bucket: keys, values, and the seconds of their writing.
async fn values<T: DeserializeOwned>(stream: &Stream, prefix: &str) -> Result<Vec<(String, T, i64)>, FleetError> {
    let mut found: HashMap<String, (T, i64)> = HashMap::new();
    read(stream, &format!("{prefix}>"), DeliverPolicy::LastPerSubject, |subject, bytes, at| {
        let Some(key) = subject.strip_prefix(prefix) else { return };
        match of_json(bytes) {
            Some(value) => {
                found.insert(key.to_owned(), (value, at));
            }
            // A deleted value is empty.
            None => {
                found.remove(key);
            }
        }
    })
    .await?;
    Ok(found.into_iter().map(|(key, (value, at))| (key, value, at)).collect())
}
