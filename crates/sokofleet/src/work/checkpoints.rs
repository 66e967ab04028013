//! Checkpoints on the server: in their bucket, or in the object store if no message can hold them.

use async_nats::jetstream::object_store::ObjectMetadata;
use sokomethods::Checkpoint;
use tokio::io::AsyncReadExt as _;

use crate::FleetError;
use crate::fleet_error::Doing as _;
use crate::keys::ItemKey;
use crate::packing::{pack, unpack};
use crate::server::{FleetServer, entry};

/// What stands in the bucket if the checkpoint is in the object store.
const IS_LARGE: &[u8] = b"large";
/// The most bytes of something large that go into a message.
const LARGEST_CHUNK: usize = 128 << 10;

impl FleetServer {
    /// Reads where the last slice of an item has ended. One that cannot be read, as of another version, is none.
    pub(crate) async fn checkpoint(&self, key: &ItemKey) -> Result<Option<Checkpoint>, FleetError> {
        let Some(found) = entry(&self.checkpoints, key.to_string()).await? else { return Ok(None) };
        let packed = if *found.value == *IS_LARGE { self.large(&key.to_string()).await? } else { found.value.to_vec() };
        let checkpoint = unpack(&packed).map(|bytes| Checkpoint::from_bytes(&bytes));
        Ok(match checkpoint {
            Some(Ok(checkpoint)) => Some(checkpoint),
            Some(Err(error)) => {
                tracing::debug!(item = %key, %error, "checkpoint");
                None
            }
            None => None,
        })
    }

    /// Writes where a slice of an item has ended.
    pub(crate) async fn put_checkpoint(&self, key: &ItemKey, checkpoint: &Checkpoint) -> Result<(), FleetError> {
        let packed = pack(&checkpoint.to_bytes());
        let value = if packed.len() > self.max_payload() {
            self.put_large(&key.to_string(), &packed).await?;
            IS_LARGE.to_vec()
        } else {
            packed
        };
        self.checkpoints.put(key.to_string(), value.into()).await.doing("keep a checkpoint")?;
        Ok(())
    }

    /// Reads something large; nothing if it is not there.
    pub(crate) async fn large(&self, name: &str) -> Result<Vec<u8>, FleetError> {
        let doing = "read from the object store";
        let mut bytes = Vec::new();
        let mut object = self.large.get(name).await.doing(doing)?;
        object.read_to_end(&mut bytes).await.doing(doing)?;
        Ok(bytes)
    }

    /// Writes something large.
    pub(crate) async fn put_large(&self, name: &str, bytes: &[u8]) -> Result<(), FleetError> {
        let mut reader = bytes;
        let chunk_size = Some(LARGEST_CHUNK.min(self.max_payload()));
        let about = ObjectMetadata { name: name.to_owned(), chunk_size, ..ObjectMetadata::default() };
        self.large.put(about, &mut reader).await.doing("write into the object store")?;
        Ok(())
    }
}
