//! Two bits for each state: not visited, or the moves to go modulo 3 (Cooperman and Finkelstein, *New methods for using
//! Cayley graphs in interconnection networks*, Discrete Applied Mathematics 37/38, 1992).
//!
//! A walk can be undone, so along it the number changes by one at most, and modulo 3 tells "one less" from "one more". A
//! push may lead to a state that is any number of moves farther from the end, and then the remainder can deceive.
//! Therefore a search along the remainders counts moves and accepts only a path of exactly the right length: such a path
//! is right whatever the remainders say; they merely keep the search narrow.
//!
//! One more byte for each configuration keeps it narrow after pushes too: the moves to go with which the configuration
//! was reached first, modulo 253. Those of its other states follow from them (see `path::moves_to_go`).

use sokocore::{Board, Direction, Square};

use crate::engine::path::moves_to_go::{MovesToGo, lowest_from};
use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// Prime to 2 and 3, so that the remainder, together with that of the state and its parity, deceives only where moves
/// to go differ by a multiple of 1,518.
const FIRST_MODULUS: u32 = 253;

/// The moves to go modulo 3 of all states of a store.
#[derive(Debug)]
pub(crate) struct Mod3Distances {
    n_squares: usize,
    words: Vec<u64>,
    /// The moves to go with which each configuration was reached first, modulo `FIRST_MODULUS` and plus 1; else 0.
    first: Vec<u8>,
    charge: Charge,
}

impl Mod3Distances {
    /// Makes a table in which nothing is visited.
    pub(crate) fn new(n_ids: usize, n_squares: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let n_words = (n_ids as u64).saturating_mul(n_squares as u64).div_ceil(32);
        let charge = account.charge(n_words.saturating_mul(8).saturating_add(n_ids as u64))?;
        let words = vec![0; usize::try_from(n_words).map_err(|_| Stop::Memory)?];
        Ok(Self { n_squares, words, first: vec![0; n_ids], charge })
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    /// Records the moves to go from a state; returns false, changing nothing, if it was visited before.
    #[inline]
    pub(crate) fn visit(&mut self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (word, shift) = self.place(config, player);
        let new = self.words[word] >> shift & 3 == 0;
        if new {
            self.words[word] |= u64::from(moves % 3 + 1) << shift;
        }
        new
    }

    /// The same for a state that a pull leads to, which may be the first of its configuration.
    #[inline]
    pub(crate) fn visit_after_pull(&mut self, config: ConfigId, player: Square, moves: u32) -> bool {
        let new = self.visit(config, player, moves);
        if new && self.first[config.idx()] == 0 {
            self.first[config.idx()] = first_code(moves);
        }
        new
    }

    /// Returns the moves to go, modulo 3 and plus 1; 0 if the state was not visited.
    #[inline]
    fn code(&self, config: ConfigId, player: Square) -> u64 {
        let (word, shift) = self.place(config, player);
        self.words[word] >> shift & 3
    }

    fn place(&self, config: ConfigId, player: Square) -> (usize, usize) {
        let state = config.idx() * self.n_squares + player.idx();
        (state / 32, state % 32 * 2)
    }
}

/// The entry of `first` for these moves to go.
fn first_code(moves: u32) -> u8 {
    u8::try_from(moves % FIRST_MODULUS + 1).expect("invariant: the modulus is below 255")
}

/// The moves to go of all states, with the board to follow them on.
pub(crate) struct DistancesOnBoard<'a> {
    pub(crate) board: &'a Board,
    pub(crate) distances: &'a Mod3Distances,
}

impl MovesToGo for DistancesOnBoard<'_> {
    #[inline]
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        self.distances.code(config, player) == u64::from(moves % 3 + 1)
    }

    fn may_have_after_push(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        if !self.may_have(config, player, moves) {
            return false;
        }
        let mut codes: Vec<u64> = self.board.squares().map(|sq| self.distances.code(config, sq)).collect();
        let square = |place: usize| Square::new(place).expect("invariant: places are numbers of squares");
        let step = |place: usize, dir| self.board.step(square(place), dir).map(Square::idx);
        let neighbors = |place: usize| Direction::ALL.into_iter().filter_map(move |dir| step(place, dir));
        let lowest = lowest_from(player.idx(), |place| std::mem::take(&mut codes[place]), neighbors);
        // If the player cannot walk to all visited states, the first one may be among the others.
        let first = i64::from(moves) + lowest;
        codes.iter().any(|&code| code != 0)
            || u32::try_from(first).is_ok_and(|first| self.distances.first[config.idx()] == first_code(first))
    }
}
