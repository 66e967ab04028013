//! What an island tells the others, as a value and as bytes.

use thiserror::Error;

use super::ExchangeKey;
use crate::IslandWindow;
use crate::checkpoint::field::{Bits, Field, FieldReader, fields};

/// What an island tells the others of windows: those that it has searched without a gain, and those that it searches now.
///
/// ```
/// use sokocore::{Level, Objective};
/// use sokomethods::{IslandWindow, IslandWindows, Knobs, ReadNewsError, WindowExchange, WindowNews};
/// use sokosearch::MemoryAccount;
///
/// let level = Level::parse("#####\n#@$.#\n#####")?;
/// let key = Knobs::default().exchange_key(&level, Objective::MOVES);
/// let island = IslandWindows::new(key, MemoryAccount::new(1 << 20));
/// island.claim(&IslandWindow::alone(5));
/// let news = island.take_news();
/// assert_eq!((news.key(), news.searched().len(), news.claims().len()), (key, 0, 1));
///
/// assert_eq!(WindowNews::from_bytes(&news.to_bytes()), Ok(news));
/// assert_eq!(WindowNews::from_bytes(b"something else"), Err(ReadNewsError));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowNews {
    key: Bits,
    has_changed: bool,
    searched: Vec<IslandWindow>,
    claims: Vec<IslandWindow>,
}

fields!(WindowNews { key, has_changed, searched, claims });

/// Bytes that are no news of windows, or news that were damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("these bytes are no news of windows")]
pub struct ReadNewsError;

impl WindowNews {
    pub(super) const fn new(
        key: ExchangeKey,
        has_changed: bool,
        searched: Vec<IslandWindow>,
        claims: Vec<IslandWindow>,
    ) -> Self {
        Self { key: Bits(key.bits()), has_changed, searched, claims }
    }

    /// Returns what an island must have in common with its sender to use them.
    #[must_use]
    pub const fn key(&self) -> ExchangeKey {
        ExchangeKey::from_bits(self.key.0)
    }

    /// Returns whether they tell nothing that the news before have not told.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        !self.has_changed
    }

    /// Returns the windows that were searched without a gain.
    #[must_use]
    pub fn searched(&self) -> &[IslandWindow] {
        &self.searched
    }

    /// Returns the windows that are being searched.
    #[must_use]
    pub fn claims(&self) -> &[IslandWindow] {
        &self.claims
    }

    /// Writes them as bytes, some twenty for each window.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written, on any machine. What is allocated is at most four times as
    /// large as the bytes.
    ///
    /// # Errors
    /// The bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadNewsError> {
        let mut input = FieldReader::new(bytes);
        Self::read(&mut input).filter(|_| input.is_at_end()).ok_or(ReadNewsError)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn news_are_read_as_they_were_written(
            key: u64,
            has_changed: bool,
            searched in proptest::collection::vec(any::<(u64, u64, u32, u32)>(), 0..6),
            claims in proptest::collection::vec(any::<u64>(), 0..6),
        ) {
            let claims = claims.into_iter().map(IslandWindow::alone).collect();
            let window = |(content, solution, from, to)| IslandWindow::new(content, solution, from..to);
            let searched = searched.into_iter().map(window).collect();
            let news = WindowNews::new(ExchangeKey::from_bits(key), has_changed, searched, claims);
            let bytes = news.to_bytes();
            prop_assert_eq!(WindowNews::from_bytes(&bytes), Ok(news));
            prop_assert!((0..bytes.len()).all(|n| WindowNews::from_bytes(&bytes[..n]).is_err()));
        }

        #[test]
        fn reading_never_panics(bytes: Vec<u8>) {
            let _: Result<WindowNews, ReadNewsError> = WindowNews::from_bytes(&bytes);
        }
    }
}
