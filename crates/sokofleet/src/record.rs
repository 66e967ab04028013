//! What the buckets hold. Values are JSON, so that any NATS tool can show them; solutions are packed behind their JSON.

mod find;
mod item;
mod level;
mod settings;
mod worker;

pub(crate) use find::{FindRecord, GainRecord, ProofsRecord};
pub(crate) use item::{DealRecord, ItemRecord, ItemStatus};
pub(crate) use level::{CollectionRecord, LevelRecord};
pub(crate) use settings::{PROTOCOL, SettingsRecord};
pub(crate) use worker::{DoingRecord, WorkerRecord};
