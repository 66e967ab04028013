//! The buffer of a host in which games come and go.
#![expect(unsafe_code, reason = "reads and writes the host's memory")]

use super::text::{self, HostText};

/// A buffer of the host. It may be absent: null, or of no bytes.
#[derive(Debug)]
pub(crate) struct GameBuffer {
    start: *mut u8,
    size: usize,
}

/// The last game in a buffer has no NUL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotEnded;

impl GameBuffer {
    /// Accepts the buffer of a host.
    ///
    /// # Safety
    /// `start` must be null or point to `size` bytes that can be read and written as long as the value exists, and that
    /// nothing else reads or writes in this time.
    pub(crate) unsafe fn new(start: *mut u8, size: u32) -> Self {
        Self { start, size: if start.is_null() { 0 } else { usize::try_from(size).unwrap_or(usize::MAX) } }
    }

    /// Returns whether there is no buffer.
    pub(crate) const fn is_absent(&self) -> bool {
        self.size == 0
    }

    /// Returns the length of the longest game that fits.
    pub(crate) const fn room(&self) -> usize {
        self.size.saturating_sub(1)
    }

    /// Copies the games: each is ended by a NUL, and the list by another one or by the end of the buffer.
    pub(crate) fn games(&self, max: usize) -> Result<Vec<Vec<u8>>, NotEnded> {
        let mut games = Vec::new();
        let mut at = 0;
        while at < self.size && games.len() < max {
            // SAFETY: the bytes from `at` on are within the buffer.
            match unsafe { text::read(self.start.add(at), self.size - at) } {
                HostText::Ended(game) if game.is_empty() => break,
                HostText::Ended(game) => {
                    at += game.len() + 1;
                    games.push(game);
                }
                HostText::Open(_) if games.is_empty() => return Err(NotEnded),
                HostText::Open(_) => break,
            }
        }
        Ok(games)
    }

    /// Writes one game and its NUL, and the second NUL that ends the list if there is room for it. What does not fit is
    /// cut. Returns whether all of it fits.
    pub(crate) fn write(&mut self, game: &[u8]) -> bool {
        // SAFETY: the buffer has `size` bytes; `game.len() + 1 < size` is within it.
        unsafe {
            let fits = text::write(self.start, self.size, game);
            if game.len() + 1 < self.size {
                self.start.add(game.len() + 1).write(0);
            }
            fits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(bytes: &[u8]) -> Result<Vec<String>, NotEnded> {
        let mut bytes = bytes.to_vec();
        let size = u32::try_from(bytes.len()).unwrap();
        // SAFETY: so many bytes there are.
        let buffer = unsafe { GameBuffer::new(bytes.as_mut_ptr(), size) };
        Ok(buffer.games(9)?.into_iter().map(|game| String::from_utf8(game).unwrap()).collect())
    }

    #[test]
    fn games_are_read_up_to_the_second_nul() {
        assert_eq!(games(b"RR\0\0xx").unwrap(), ["RR"]);
        assert_eq!(games(b"RR\0dL\0\0").unwrap(), ["RR", "dL"]);
        assert_eq!(games(b"RR\0").unwrap(), ["RR"]);
        assert_eq!(games(b"RR\0xx").unwrap(), ["RR"], "what is not ended is not a game");
        assert_eq!(games(b"RR"), Err(NotEnded));
        assert!(games(b"\0").unwrap().is_empty() && games(b"").unwrap().is_empty());
    }

    #[test]
    fn a_game_is_written_with_two_nuls_if_there_is_room() {
        let mut bytes = *b"......";
        let mut write = |size: u32, game: &[u8]| {
            // SAFETY: the size is that of the array, or less.
            let fits = unsafe { GameBuffer::new(bytes.as_mut_ptr(), size) }.write(game);
            (fits, bytes)
        };
        assert_eq!(write(6, b"RR"), (true, *b"RR\0\0.."));
        assert_eq!(write(4, b"uRR"), (true, *b"uRR\0.."));
        assert_eq!(write(3, b"lll"), (false, *b"ll\0\0.."));
        assert_eq!(write(0, b"R"), (false, *b"ll\0\0.."));
    }
}
