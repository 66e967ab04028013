//! The streams and buckets of a fleet: opened, and made if they are not there.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind};
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, ErrorCode};

use super::NewFleet;
use crate::fleet_error::{Doing as _, causes};
use crate::keys::FleetName;
use crate::{FleetAddress, FleetError};

/// How long the server knows a message again that is sent twice.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(600);
/// The most gains that are kept; the oldest are dropped. A limit of bytes would be reserved on the server's disk.
const MAX_GAINS: i64 = 1 << 20;
/// News of windows that are kept of an island; the oldest are dropped.
const MAX_WINDOW_NEWS: i64 = 64;
/// The most of them, of all islands.
const MAX_WINDOWS: i64 = 1 << 16;
/// How long they are kept.
const WINDOWS_LIFE: Duration = Duration::from_secs(24 * 3_600);

/// Makes what is not there.
pub(super) struct Maker<'a> {
    pub(super) client: &'a Client,
    pub(super) jetstream: &'a Context,
    pub(super) address: &'a FleetAddress,
    pub(super) name: &'a FleetName,
    /// `None` if everything has to be there.
    pub(super) new: Option<&'a NewFleet>,
}

impl Maker<'_> {
    fn n_replicas(&self, new: &NewFleet) -> usize {
        let is_cluster = self.client.server_info().connect_urls.len() >= 3;
        new.n_replicas.unwrap_or(if is_cluster { 3 } else { 1 })
    }

    pub(super) async fn stream(&self, config: Config) -> Result<Stream, FleetError> {
        let name = config.name.clone();
        match self.jetstream.get_stream(&name).await {
            Ok(stream) => return Ok(stream),
            Err(error) => match error.kind() {
                _ if is_not_found(&error) => {}
                // Its servers elect one of them, or are too few for that.
                GetStreamErrorKind::JetStream(of) if of.error_code() != ErrorCode::CLUSTER_NOT_AVAILABLE => {
                    return Err(error).doing("open a stream");
                }
                _ => return Err(FleetError::NotReady { address: self.address.to_string(), cause: causes(&error) }),
            },
        }
        let Some(new) = self.new else { return Err(FleetError::NoFleet { name: self.name.to_string() }) };
        let config = Config { num_replicas: self.n_replicas(new), ..config };
        match self.jetstream.create_stream(config).await {
            Ok(stream) => Ok(stream),
            // Another member may have made it in the meantime.
            Err(error) => match self.jetstream.get_stream(&name).await {
                Ok(stream) => Ok(stream),
                Err(_) => Err(error).doing("make a stream"),
            },
        }
    }

    /// Makes a bucket as a stream: the answer of older servers to a request for a bucket cannot be read.
    pub(super) async fn bucket(&self, part: &str, life: Duration) -> Result<Store, FleetError> {
        let bucket = self.name.of(part);
        let config = Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            max_age: life,
            ..Config::default()
        };
        self.stream(config).await?;
        self.jetstream.get_key_value(bucket).await.doing("open a bucket")
    }

    pub(super) async fn object_store(&self, part: &str) -> Result<ObjectStore, FleetError> {
        let bucket = self.name.of(part);
        let config = Config {
            name: format!("OBJ_{bucket}"),
            subjects: vec![format!("$O.{bucket}.C.>"), format!("$O.{bucket}.M.>")],
            discard: DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: true,
            ..Config::default()
        };
        self.stream(config).await?;
        self.jetstream.get_object_store(bucket).await.doing("open the object store")
    }
}

/// Returns whether a server says that it has no such stream.
pub(super) fn is_not_found(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(of) if of.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

pub(super) fn work_config(name: &FleetName) -> Config {
    Config {
        name: name.of("work"),
        subjects: vec![name.all_work()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        duplicate_window: DUPLICATE_WINDOW,
        ..Config::default()
    }
}

pub(super) fn gains_config(name: &FleetName) -> Config {
    Config {
        name: name.of("gains"),
        subjects: vec![name.all_gains()],
        max_messages: MAX_GAINS,
        discard: DiscardPolicy::Old,
        ..Config::default()
    }
}

pub(super) fn windows_config(name: &FleetName) -> Config {
    Config {
        name: name.of("windows"),
        subjects: vec![name.all_windows()],
        max_messages_per_subject: MAX_WINDOW_NEWS,
        max_messages: MAX_WINDOWS,
        max_age: WINDOWS_LIFE,
        discard: DiscardPolicy::Old,
        ..Config::default()
    }
}
