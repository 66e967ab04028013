//! What an island tells the others, as a value and as bytes.

use thiserror::Error;

use super::{ExchangeKey, WindowFingerprint};
use crate::checkpoint::field::{Bits, Field, FieldReader, fields};

/// What an island tells the others of windows: those that it has searched without a gain, and those that it searches now.
///
/// ```
/// use sokocore::{Level, Objective};
/// use sokomethods::{IslandWindows, Knobs, ReadNewsError, WindowExchange, WindowFingerprint, WindowNews};
/// use sokosearch::MemoryAccount;
///
/// let level = Level::parse("#####\n#@$.#\n#####")?;
/// let key = Knobs::default().exchange_key(&level, Objective::MOVES);
/// let island = IslandWindows::new(key, MemoryAccount::new(1 << 20));
/// island.claim(WindowFingerprint::from_bits(5));
/// let news = island.take_news();
/// assert_eq!((news.key(), news.n_searched(), news.claims().count()), (key, 0, 1));
///
/// assert_eq!(WindowNews::from_bytes(&news.to_bytes()), Ok(news));
/// assert_eq!(WindowNews::from_bytes(b"something else"), Err(ReadNewsError));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowNews {
    key: Bits,
    has_changed: bool,
    pub(super) searched: Vec<Bits>,
    claims: Vec<Bits>,
}

fields!(WindowNews { key, has_changed, searched, claims });

/// Bytes that are no news of windows, or news that were damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("these bytes are no news of windows")]
pub struct ReadNewsError;

impl WindowNews {
    pub(super) fn new(key: ExchangeKey, searched: Vec<Bits>, claims: &[WindowFingerprint], has_changed: bool) -> Self {
        let claims = claims.iter().map(|&window| window.into()).collect();
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

    /// Returns the number of windows that were searched without a gain.
    #[must_use]
    pub const fn n_searched(&self) -> usize {
        self.searched.len()
    }

    /// Visits the windows that are being searched.
    pub fn claims(&self) -> impl Iterator<Item = WindowFingerprint> {
        self.claims.iter().map(|claim| WindowFingerprint::from_bits(claim.0))
    }

    /// Writes them as bytes, eight for each window and some twenty beside.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written, on any machine. What is allocated is at most eight times as large as
    /// the bytes.
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
        fn news_are_read_as_they_were_written(key: u64, searched: Vec<u64>, claims: Vec<u64>, has_changed: bool) {
            let claims: Vec<_> = claims.into_iter().map(WindowFingerprint::from_bits).collect();
            let searched = searched.into_iter().map(Bits).collect();
            let news = WindowNews::new(ExchangeKey::from_bits(key), searched, &claims, has_changed);
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
