//! How slices are dealt out: one message for each, and a record for each item.
//!
//! ```text
//!   queue ──message n──▶ worker: slice n ──┬─ 1. message n+1 into the queue, its number in the stream is s
//!                                          ├─ 2. record: slice n+1 is dealt out by s   (compare and set)
//!                                          └─ 3. message n is acknowledged
//! ```
//!
//! * A worker that dies: the server delivers message n again, to another one.
//! * It dies after 1: message n is delivered again, and the slice is done twice. Of the two messages n+1 the record names
//!   one; the other is dropped by who receives it.
//! * It sleeps, and message n was delivered to another one: the second to reach 2 finds a changed record. What it found is
//!   kept, and its account of the slice is dropped.
//!
//! Invariant: the message that the record of an open item names is in the queue. No clock but the server's is asked.

use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::kv::UpdateErrorKind;
use async_nats::jetstream::message::{Message, PublishMessage};
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt as _;

use crate::FleetError;
use crate::fleet_error::Doing as _;
use crate::keys::ItemKey;
use crate::packing::{of_json, to_json};
use crate::record::{DealRecord, ItemRecord, ItemStatus};
use crate::server::{FleetServer, entry};

/// The first pause before a message is looked at again whose record is not written yet; each later one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest one.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The longest time for an answer to a request for a slice. None comes where another worker was faster, or the server is
/// gone, and the client itself would wait forever. The server drops a request that is not waited for any more.
const FETCH_PATIENCE: Duration = Duration::from_secs(1);
/// Deliveries after which a message without a record is dropped: who sent it has died before it wrote one. By then it is
/// not known again by the server, so that what is sent in its place is another message.
const MAX_DELIVERIES: i64 = 120;
/// The pause before a record is read again that has changed.
const CHANGED: Duration = Duration::from_millis(20);

/// A slice that was dealt out to this worker.
#[derive(Debug)]
pub(crate) struct Deal {
    pub(crate) key: ItemKey,
    pub(crate) record: ItemRecord,
    /// The number of the record's version.
    revision: u64,
    message: Message,
}

impl Deal {
    /// Tells the server that the slice is still worked on.
    pub(crate) async fn keep(&self) {
        if let Err(error) = self.message.ack_with(AckKind::Progress).await {
            tracing::debug!(%error, item = %self.key, "sign of life");
        }
    }

    /// Gives the slice back to the queue: another worker gets it at once.
    pub(crate) async fn give_back(&self) -> Result<(), FleetError> {
        let given = self.message.ack_with(AckKind::Nak(None)).await;
        given.map_err(|error| FleetError::request("give a slice back")(error))
    }

    async fn acknowledge(&self) -> Result<(), FleetError> {
        self.message.ack().await.map_err(|error| FleetError::request("acknowledge a slice")(error))
    }
}

/// Whether the account of a slice was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It stands in the record.
    Counted,
    /// Another worker had the slice in the meantime, and its account stands.
    Overtaken,
}

impl FleetServer {
    /// Takes a slice from the first class that has one; `None` if there is none.
    pub(crate) async fn take(&self) -> Result<Option<Deal>, FleetError> {
        let doing = "ask for a slice";
        for queue in self.queues().await? {
            loop {
                let mut batch = queue.fetch().max_messages(1).messages().await.doing(doing)?;
                let Ok(next) = timeout(FETCH_PATIENCE, batch.next()).await else {
                    if self.client.connection_state() == State::Connected {
                        break;
                    }
                    return Err(FleetError::NoAnswer { doing, cause: "no connection".to_owned() });
                };
                let Some(message) = next else { break };
                let message = message.map_err(|error| FleetError::request(doing)(error))?;
                if let Some(deal) = self.examine(message).await? {
                    return Ok(Some(deal));
                }
            }
        }
        Ok(None)
    }

    /// Returns the deal of a message; `None` if it deals out nothing.
    async fn examine(&self, message: Message) -> Result<Option<Deal>, FleetError> {
        let doing = "read a slice";
        let (sequence, n_deliveries) = {
            let info = message.info().map_err(|error| FleetError::request(doing)(error))?;
            (info.stream_sequence, info.delivered)
        };
        let ack = async |kind| message.ack_with(kind).await.map_err(|error| FleetError::request(doing)(error));
        let deal: Option<DealRecord> = of_json(&message.payload);
        let Some((key, deal)) = deal.and_then(|deal| Some((ItemKey::parse(&deal.item)?, deal))) else {
            tracing::warn!("a message of the queue deals out nothing");
            ack(AckKind::Ack).await?;
            return Ok(None);
        };
        let record = entry(&self.items, deal.item).await?;
        let record = record.and_then(|entry| Some((of_json::<ItemRecord>(&entry.value)?, entry.revision)));
        match record {
            Some((record, revision)) if record.slice == deal.slice && record.message == sequence => {
                return Ok(Some(Deal { key, record, revision, message }));
            }
            // The record follows its message.
            None if n_deliveries < MAX_DELIVERIES => ack(too_early(n_deliveries)).await?,
            Some((record, _)) if record.slice < deal.slice && n_deliveries < MAX_DELIVERIES => {
                ack(too_early(n_deliveries)).await?;
            }
            _ => ack(AckKind::Ack).await?,
        }
        Ok(None)
    }

    /// Returns whether no slice is left: none waits, and none is worked on.
    pub(crate) async fn is_queue_empty(&self) -> Result<bool, FleetError> {
        Ok(self.work.get_info().await.doing("look at the queue")?.state.messages == 0)
    }

    /// Ends a slice: its item gets the record as it is to be, and its next slice is dealt out if it is open.
    pub(crate) async fn end(&self, deal: &Deal, after: ItemRecord, class: usize) -> Result<Ended, FleetError> {
        let mut after = ItemRecord { slice: deal.record.slice.saturating_add(1), ..after };
        let mut revision = deal.revision;
        loop {
            // What was submitted in the meantime may have changed the wishes, and nothing else.
            let Some((now, of_now)) = self.item(&deal.key).await? else { return Ok(Ended::Overtaken) };
            if now.slice != deal.record.slice || now.message != deal.record.message {
                // An earlier attempt whose answer was lost.
                let is_done = now.slice == after.slice && now.by == after.by && now.n_slices == after.n_slices;
                if is_done {
                    deal.acknowledge().await?;
                }
                return Ok(if is_done { Ended::Counted } else { Ended::Overtaken });
            }
            if of_now != revision {
                (after.until, after.wished) = (now.until, now.wished);
                after.objectives.clone_from(&now.objectives);
                revision = of_now;
            }
            if after.state == ItemStatus::Open {
                after.message = self.send(&deal.key, after.slice, class).await?;
            }
            if self.write(&deal.key, &after, revision).await? {
                deal.acknowledge().await?;
                return Ok(Ended::Counted);
            }
            sleep(CHANGED).await;
        }
    }

    /// Opens an item that the server does not have. Returns whether it did not.
    pub(crate) async fn open_item(&self, key: &ItemKey, record: ItemRecord, class: usize) -> Result<bool, FleetError> {
        if self.item(key).await?.is_some() {
            return Ok(false);
        }
        let message = self.send(key, record.slice, class).await?;
        self.write(key, &ItemRecord { message, ..record }, 0).await
    }

    /// Opens an item anew that gets no slices. Returns whether its record was still of that version.
    pub(crate) async fn reopen_item(
        &self,
        key: &ItemKey,
        record: ItemRecord,
        revision: u64,
        class: usize,
    ) -> Result<bool, FleetError> {
        let slice = record.slice.saturating_add(1);
        let message = self.send(key, slice, class).await?;
        self.write(key, &ItemRecord { slice, message, state: ItemStatus::Open, ..record }, revision).await
    }

    /// Returns the record of an item, and the number of its version.
    pub(crate) async fn item(&self, key: &ItemKey) -> Result<Option<(ItemRecord, u64)>, FleetError> {
        let found = entry(&self.items, key.to_string()).await?;
        Ok(found.and_then(|entry| Some((of_json(&entry.value)?, entry.revision))))
    }

    /// Writes a record if it is still of this version. Returns whether it was.
    pub(crate) async fn write(&self, key: &ItemKey, record: &ItemRecord, revision: u64) -> Result<bool, FleetError> {
        match self.items.update(key.to_string(), to_json(record).into(), revision).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(false),
            Err(error) => Err(error).doing("write what a slice has gained"),
        }
    }

    /// Sends the message that deals out a slice. Returns its number in the stream.
    async fn send(&self, key: &ItemKey, slice: u64, class: usize) -> Result<u64, FleetError> {
        let doing = "deal out a slice";
        let deal = DealRecord { item: key.to_string(), slice };
        // The server knows a message again that is sent twice.
        let message = PublishMessage::build().payload(to_json(&deal).into()).message_id(format!("{key}#{slice}"));
        let acknowledged = self.jetstream.send_publish(self.name.work_subject(class), message);
        Ok(acknowledged.await.doing(doing)?.await.doing(doing)?.sequence)
    }
}

fn too_early(n_deliveries: i64) -> AckKind {
    let doublings = u32::try_from(n_deliveries - 1).unwrap_or(0).min(10);
    AckKind::Nak(Some(LONGEST_PAUSE.min(FIRST_PAUSE * 2_u32.pow(doublings))))
}
