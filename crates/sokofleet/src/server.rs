//! The server's side of a fleet: its streams and buckets, made once, and opened by every member.

mod streams;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::consumer::pull::{self, Ordered, OrderedConfig};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer};
use async_nats::jetstream::kv::{Entry, Operation, Store};
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{self, Context, ErrorCode};
use sokosearch::Clock;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt as _;

use crate::class::N_CLASSES;
use crate::fleet_error::{Doing as _, causes};
use crate::keys::FleetName;
use crate::packing::{of_json, to_json};
use crate::record::{PROTOCOL, SettingsRecord};
use crate::refusal::Refusals;
use crate::{FleetAddress, FleetError};
use streams::{Maker, gains_config, is_not_found, windows_config, work_config};

/// How long a worker counts as there after its last sign of life.
const WORKER_LIFE: Duration = Duration::from_secs(30);
/// How long a stream may be silent while it is read.
const SILENCE: Duration = Duration::from_secs(5);
/// How long servers of a cluster are waited for that elect one of them.
const ELECTION: Duration = Duration::from_secs(30);
/// The pause before they are asked again.
const PAUSE: Duration = Duration::from_millis(500);
/// Slices that may be dealt out at a time.
const MAX_IN_SLICE: i64 = 1 << 20;
/// The key of the settings.
const SETTINGS: &str = "settings";
/// The key that stands there while the fleet is drained.
const DRAINED: &str = "drained";

/// What a new fleet is made with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewFleet {
    /// Time without a sign of life after which a slice is given to another worker.
    pub(crate) patience: Duration,
    /// Servers that keep everything; `None` for three in a cluster and one otherwise.
    pub(crate) n_replicas: Option<usize>,
}

/// A connection to the streams and buckets of a fleet.
#[derive(Clone)]
pub(crate) struct FleetServer {
    pub(crate) client: Client,
    pub(crate) refusals: Refusals,
    pub(crate) jetstream: Context,
    pub(crate) name: FleetName,
    pub(crate) settings: SettingsRecord,
    pub(crate) work: Stream,
    /// Opened by the first request for a slice: a view and a collection need none, and the servers of a cluster elect one
    /// of them for each.
    queues: Arc<OnceCell<Vec<PullConsumer>>>,
    pub(crate) gains: Stream,
    pub(crate) windows: Stream,
    pub(crate) fleet: Store,
    pub(crate) collections: Store,
    pub(crate) levels: Store,
    pub(crate) items: Store,
    pub(crate) finds: Store,
    pub(crate) checkpoints: Store,
    pub(crate) workers: Store,
    pub(crate) large: ObjectStore,
}

/// The bucket whose values go after a time.
const WORKERS: &str = "workers";
/// The buckets of a fleet.
const BUCKETS: [&str; 7] = ["fleet", "collections", "levels", "items", "finds", "checkpoints", WORKERS];

impl fmt::Debug for FleetServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FleetServer")
            .field("name", &self.name)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl FleetServer {
    /// Opens a fleet that is there.
    pub(crate) async fn open(address: &FleetAddress, name: &FleetName) -> Result<Self, FleetError> {
        Self::of(address, name, None).await
    }

    /// Opens a fleet, and makes it if it is not there.
    pub(crate) async fn create_or_open(
        address: &FleetAddress,
        name: &FleetName,
        new: &NewFleet,
    ) -> Result<Self, FleetError> {
        Self::of(address, name, Some(new)).await
    }

    async fn of(address: &FleetAddress, name: &FleetName, new: Option<&NewFleet>) -> Result<Self, FleetError> {
        let refusals = Refusals::default();
        let client = address.connect(&refusals).await?;
        let clock = Clock::start();
        let is_cluster = client.server_info().cluster.is_some();
        loop {
            let opened = Self::on(client.clone(), refusals.clone(), address, name, new).await;
            match opened.map_err(|error| refusals.explain(error)) {
                Err(error) if is_cluster && error.is_of_election() && clock.elapsed() < ELECTION => sleep(PAUSE).await,
                opened => return opened,
            }
        }
    }

    async fn on(
        client: Client,
        refusals: Refusals,
        address: &FleetAddress,
        name: &FleetName,
        new: Option<&NewFleet>,
    ) -> Result<Self, FleetError> {
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(Duration::from_secs(5));
        ask_for_jetstream(&client, address).await?;
        let maker = Maker { client: &client, jetstream: &jetstream, address, name, new };
        // At once: the servers of a cluster elect one of them for each.
        let bucket = |part| maker.bucket(part, if part == WORKERS { WORKER_LIFE } else { Duration::ZERO });
        let (work, gains, windows, large) = tokio::try_join!(
            maker.stream(work_config(name)),
            maker.stream(gains_config(name)),
            maker.stream(windows_config(name)),
            maker.object_store("large"),
        )?;
        let (fleet, collections, levels, items, finds, checkpoints, workers) = tokio::try_join!(
            bucket("fleet"),
            bucket("collections"),
            bucket("levels"),
            bucket("items"),
            bucket("finds"),
            bucket("checkpoints"),
            bucket(WORKERS),
        )?;
        let settings = settings(&fleet, address, name, new).await?;
        let name = name.clone();
        Ok(Self {
            client,
            refusals,
            jetstream,
            name,
            settings,
            work,
            queues: Arc::default(),
            gains,
            windows,
            fleet,
            collections,
            levels,
            items,
            finds,
            checkpoints,
            workers,
            large,
        })
    }

    /// Returns the queues of the classes, the most urgent first.
    pub(crate) async fn queues(&self) -> Result<&[PullConsumer], FleetError> {
        let opened =
            self.queues.get_or_try_init(|| open_queues(&self.work, &self.name, self.settings.patience())).await;
        opened.map(Vec::as_slice)
    }

    /// Returns the most bytes that the server takes in a message.
    pub(crate) fn max_payload(&self) -> usize {
        // Room for headers.
        self.client.server_info().max_payload.saturating_sub(1_024)
    }

    /// Returns whether the fleet is drained: no slices are dealt out.
    pub(crate) async fn is_drained(&self) -> Result<bool, FleetError> {
        Ok(entry(&self.fleet, DRAINED).await?.is_some())
    }

    /// Returns whether the server has nothing of the fleet any more, as far as it says so.
    pub(crate) async fn is_removed(&self) -> bool {
        let found = self.jetstream.get_stream(self.name.of("work")).await;
        found.is_err_and(|error| is_not_found(&error))
    }

    /// Says whether slices are dealt out.
    pub(crate) async fn set_drained(&self, is_drained: bool) -> Result<(), FleetError> {
        if is_drained {
            self.fleet.put(DRAINED, "1".into()).await.doing("drain the fleet")?;
        } else if self.is_drained().await? {
            self.fleet.delete(DRAINED).await.doing("start the fleet again")?;
        }
        Ok(())
    }

    /// Returns the keys of a bucket that match a filter, such as `LEVEL.>`.
    pub(crate) async fn keys(&self, bucket: &Store, filter: &str) -> Result<Vec<String>, FleetError> {
        let doing = "list what the server has";
        let subjects = format!("{}{filter}", bucket.prefix);
        let mut found = bucket.stream.info_with_subjects(subjects).await.doing(doing)?;
        let mut keys = Vec::new();
        while let Some(subject) = found.next().await {
            let (subject, _) = subject.doing(doing)?;
            if let Some(key) = subject.strip_prefix(&bucket.prefix) {
                keys.push(key.to_owned());
            }
        }
        Ok(keys)
    }

    /// Removes everything of the fleet from the server.
    pub(crate) async fn remove(&self) -> Result<(), FleetError> {
        let doing = "remove the fleet";
        self.jetstream.delete_stream(self.name.of("work")).await.doing(doing)?;
        self.jetstream.delete_stream(self.name.of("gains")).await.doing(doing)?;
        self.jetstream.delete_stream(self.name.of("windows")).await.doing(doing)?;
        for part in BUCKETS.iter().rev() {
            self.jetstream.delete_key_value(self.name.of(part)).await.doing(doing)?;
        }
        self.jetstream.delete_object_store(self.name.of("large")).await.doing(doing)
    }
}

/// Opens the queues of all classes at once, and makes those that are not there.
async fn open_queues(work: &Stream, name: &FleetName, patience: Duration) -> Result<Vec<PullConsumer>, FleetError> {
    let mut tasks = JoinSet::new();
    for class in 0..N_CLASSES {
        let durable = format!("class-{class:02}");
        let config = pull::Config {
            durable_name: Some(durable.clone()),
            filter_subject: name.work_subject(class),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_deliver: -1,
            max_ack_pending: MAX_IN_SLICE,
            max_waiting: 1 << 14,
            ..pull::Config::default()
        };
        let work = work.clone();
        tasks.spawn(async move { (class, work.get_or_create_consumer(&durable, config).await) });
    }
    let mut opened = tasks.join_all().await;
    opened.sort_by_key(|(class, _)| *class);
    opened.into_iter().map(|(_, consumer)| consumer.doing("open the queue of slices")).collect()
}

/// Asks whether there is JetStream. The client cannot read the answer of older servers.
async fn ask_for_jetstream(client: &Client, address: &FleetAddress) -> Result<(), FleetError> {
    let address = address.to_string();
    let answer = match client.request("$JS.API.INFO", "".into()).await {
        Ok(answer) => answer,
        Err(error) if error.kind() == RequestErrorKind::TimedOut => {
            return Err(FleetError::NotReady { address, cause: causes(&error) });
        }
        Err(error) => return Err(FleetError::NoJetStream { address, cause: causes(&error) }),
    };
    let answer: serde_json::Value = of_json(&answer.payload).unwrap_or_default();
    let Some(cause) = answer["error"]["description"].as_str().map(str::to_owned) else { return Ok(()) };
    let is_passing = answer["error"]["err_code"] == ErrorCode::CLUSTER_NOT_AVAILABLE.0;
    Err(if is_passing { FleetError::NotReady { address, cause } } else { FleetError::NoJetStream { address, cause } })
}

/// Returns the value of a key; `None` if there is none.
pub(crate) async fn entry(bucket: &Store, key: impl Into<String>) -> Result<Option<Entry>, FleetError> {
    let entry = bucket.entry(key).await.doing("read from the server")?;
    Ok(entry.filter(|entry| entry.operation == Operation::Put))
}

/// Reads what a stream has at the moment of the subjects that match a filter, or of all: subject, bytes, and the second of
/// the server's clock.
pub(crate) async fn read(
    stream: &Stream,
    filter: &str,
    deliver_policy: DeliverPolicy,
    mut each: impl FnMut(&str, &[u8], i64),
) -> Result<(), FleetError> {
    let doing = "read what the fleet has done";
    let mut config = OrderedConfig { deliver_policy, filter_subject: filter.to_owned(), ..OrderedConfig::default() };
    let mut was_silent = false;
    loop {
        let consumer = stream.create_consumer(config.clone()).await.doing(doing)?;
        if consumer.cached_info().num_pending == 0 {
            return Ok(());
        }
        let mut last_read = None;
        let mut messages: Ordered = consumer.messages().await.doing(doing)?;
        while let Ok(Some(message)) = timeout(SILENCE, messages.next()).await {
            let message = message.doing(doing)?;
            let (pending, at, sequence) = {
                let info = message.info().map_err(|error| FleetError::request(doing)(error))?;
                (info.pending, info.published.unix_timestamp(), info.stream_sequence)
            };
            each(message.subject.as_str(), &message.payload, at);
            if pending == 0 {
                return Ok(());
            }
            last_read = Some(sequence);
        }
        // What was left has been removed meanwhile, or the connection was lost: the server is asked for the rest.
        match last_read {
            Some(last_read) => {
                config.deliver_policy = DeliverPolicy::ByStartSequence { start_sequence: last_read + 1 };
            }
            None if was_silent => return Err(FleetError::NoAnswer { doing, cause: "silence".to_owned() }),
            None => {}
        }
        was_silent = last_read.is_none();
    }
}

/// Reads the settings, and makes those of a new fleet.
async fn settings(
    fleet: &Store,
    address: &FleetAddress,
    name: &FleetName,
    new: Option<&NewFleet>,
) -> Result<SettingsRecord, FleetError> {
    let mut stored = entry(fleet, SETTINGS).await?;
    if let Some(new) = new
        && stored.is_none()
    {
        let patience_ms = u64::try_from(new.patience.as_millis()).unwrap_or(u64::MAX);
        let mine = SettingsRecord { protocol: PROTOCOL, patience_ms };
        // Refused if another member was first.
        let refused = fleet.update(SETTINGS, to_json(&mine).into(), 0).await.err();
        stored = entry(fleet, SETTINGS).await?;
        if stored.is_none() {
            // The servers of a new bucket elect one of them, or the one that was asked does not have it yet.
            let cause = refused.map_or_else(|| "the settings are on their way".to_owned(), |error| causes(&error));
            return Err(FleetError::NotReady { address: address.to_string(), cause });
        }
    }
    let no_fleet = || FleetError::NoFleet { name: name.to_string() };
    let found: SettingsRecord = stored.and_then(|entry| of_json(&entry.value)).ok_or_else(no_fleet)?;
    if found.protocol == PROTOCOL {
        return Ok(found);
    }
    let todo = if found.protocol > PROTOCOL {
        "use a newer program"
    } else {
        "let older programs finish, then `soko fleet drain --remove`"
    };
    Err(FleetError::Version { name: name.to_string(), found: found.protocol, expected: PROTOCOL, todo })
}
