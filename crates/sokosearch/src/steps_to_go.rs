//! Two bits for each state: not visited, or the number of moves still to go, modulo 3.
//!
//! A walk can be undone, so along it the number changes by one, and modulo 3 tells "one less" from "one more". A push
//! may lead to a state that is any number of moves farther from the end, and then the remainder can deceive. Whoever
//! follows the numbers therefore counts the moves and accepts only a path of exactly the right length: such a path
//! is right whatever the remainders say, they merely keep the search for it narrow.

use sokocore::Square;

use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// What a backward search leaves behind: for every state it visited, the moves still to go modulo 3.
pub(crate) trait MovesToGo {
    /// Whether a state was visited and may have so many moves to go.
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool;

    /// The same for a state that a push leads to, where the remainder alone can deceive.
    fn may_have_after_push(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        self.may_have(config, player, moves)
    }
}

/// The remainders of all states of a tube.
#[derive(Debug)]
pub(crate) struct StepsToGo {
    n_squares: usize,
    words: Vec<u64>,
    charge: Charge,
}

impl StepsToGo {
    /// Makes a table in which nothing is visited.
    pub(crate) fn new(n_ids: usize, n_squares: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let n_words = (n_ids as u64).saturating_mul(n_squares as u64).div_ceil(32);
        let charge = account.charge(n_words.saturating_mul(8))?;
        let words = vec![0; usize::try_from(n_words).map_err(|_| Stop::Memory)?];
        Ok(Self { n_squares, words, charge })
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    /// Notes the moves to go from a state; returns false, changing nothing, if it was visited before.
    #[inline]
    pub(crate) fn visit(&mut self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (word, shift) = self.place(config, player);
        let new = self.words[word] >> shift & 3 == 0;
        if new {
            self.words[word] |= u64::from(moves % 3 + 1) << shift;
        }
        new
    }

    fn place(&self, config: ConfigId, player: Square) -> (usize, usize) {
        let state = config.idx() * self.n_squares + player.idx();
        (state / 32, state % 32 * 2)
    }
}

impl MovesToGo for StepsToGo {
    #[inline]
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (word, shift) = self.place(config, player);
        self.words[word] >> shift & 3 == u64::from(moves % 3 + 1)
    }
}
