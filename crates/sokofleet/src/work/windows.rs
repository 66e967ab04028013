//! Windows that islands of an item search and have searched: no window is searched twice.
//!
//! Each island tells its news under a subject of its own, about once a second. The server keeps the last of them, for
//! islands that join.

use std::sync::Arc;

use async_nats::jetstream::consumer::DeliverPolicy;
use sokocore::Level;
use sokomethods::{IslandWindows, Knobs, WindowExchange, WindowNews};
use sokonight::Purpose;
use sokosearch::MemoryAccount;

use crate::FleetError;
use crate::keys::ItemKey;
use crate::server::{FleetServer, read};

/// The most bytes that an island remembers of windows.
const MEMORY: u64 = 32 << 20;

/// What a slice knows of the windows of all islands.
#[derive(Debug)]
pub(super) struct SliceWindows {
    windows: Arc<IslandWindows>,
    /// The subject of this island.
    own: String,
    of_all: String,
}

impl SliceWindows {
    /// Reads what the islands of an item have told; `None` if there is only one.
    pub(super) async fn open(
        server: &FleetServer,
        key: &ItemKey,
        level: &Level,
        memory: &MemoryAccount,
    ) -> Result<Option<Self>, FleetError> {
        let Purpose::Improve(objective) = key.purpose else { return Ok(None) };
        if server.keys(&server.items, &key.all_islands()).await?.len() < 2 {
            return Ok(None);
        }
        let exchange_key = Knobs::default().exchange_key(level, objective);
        let opened = Self {
            windows: Arc::new(IslandWindows::new(exchange_key, memory.part(MEMORY))),
            own: server.name.windows_subject(key),
            of_all: server.name.windows_of_all_islands(key),
        };
        read(&server.windows, &opened.of_all, DeliverPolicy::All, |subject, bytes, _| {
            if let Ok(news) = WindowNews::from_bytes(bytes) {
                opened.windows.absorb(subject, &news);
                // What it was searching then it is hardly searching now.
                opened.windows.forget(subject);
            }
        })
        .await?;
        Ok(Some(opened))
    }

    /// Returns what the search asks.
    pub(super) fn exchange(&self) -> Arc<dyn WindowExchange> {
        self.windows.clone()
    }

    pub(super) fn subject_of_all(&self) -> String {
        self.of_all.clone()
    }

    /// Takes over what another island tells.
    pub(super) fn absorb(&self, subject: &str, bytes: &[u8]) {
        if subject != self.own
            && let Ok(news) = WindowNews::from_bytes(bytes)
        {
            self.windows.absorb(subject, &news);
        }
    }

    /// Tells the others what is new. News that get lost cost work alone.
    pub(super) async fn tell(&self, server: &FleetServer) {
        let news = self.windows.take_news();
        if !news.is_empty()
            && let Err(error) = server.client.publish(self.own.clone(), news.to_bytes().into()).await
        {
            tracing::debug!(%error, "news of windows");
        }
    }
}
