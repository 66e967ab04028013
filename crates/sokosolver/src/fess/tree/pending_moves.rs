//! Macro moves not yet made, packed, in chains that begin at their nodes.
//!
//! ```text
//!   8 bytes  score key
//!   8 bytes  hash, 48 bits │ square of the player, 16 bits
//!   4 bytes  from, 11 bits │ to, 11 bits │ weight, 8 bits │ sinks, 1 bit
//!   4 bytes  next of the chain, or of the free list
//! ```
//!
//! Invariant: each entry is in one chain, or free. The bits cut from the hash matter only in the closed set of a tree,
//! where a new position may be taken for a closed one, one in 2^48.

use sokocore::FloorSquare;
use sokosearch::ChunkedVec;

use crate::fess::macro_move::MacroMove;

/// The number that stands for no entry.
pub(crate) const NO_CHAIN: u32 = u32::MAX;

/// A macro move not yet made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PendingMove {
    pub(crate) macro_move: MacroMove,
    pub(crate) hash: u64,
    /// The score key of the position that it leads to.
    pub(crate) score_key: u64,
    /// What it adds to the weight of a path.
    pub(crate) weight: u8,
    /// Takes the box off the board, and marks the start square as reached.
    pub(crate) sinks: bool,
}

impl PendingMove {
    /// The sort key: what comes first when moves are sorted.
    pub(crate) const fn key(&self) -> (u8, u64) {
        (self.weight, self.score_key)
    }
}

/// A macro move in 24 bytes.
#[derive(Clone, Copy, Debug)]
struct PackedMove {
    score_key: u64,
    hash_player: u64,
    from_to: u32,
    next: u32,
}

/// All chains of a tree.
#[derive(Debug)]
pub(crate) struct PendingMoves {
    packed: ChunkedVec<PackedMove>,
    free: u32,
}

impl Default for PendingMoves {
    fn default() -> Self {
        Self { packed: ChunkedVec::default(), free: NO_CHAIN }
    }
}

impl PendingMoves {
    /// Makes a chain; returns its first entry.
    pub(crate) fn chain(&mut self, moves: &[PendingMove]) -> u32 {
        moves.iter().rev().fold(NO_CHAIN, |next, pending| self.put(PackedMove::new(pending, next)))
    }

    /// Returns the first macro move of a chain.
    pub(crate) fn first(&self, chain: u32) -> Option<PendingMove> {
        self.packed.get(chain as usize).map(PackedMove::unpack)
    }

    /// Takes the first macro move off a chain.
    pub(crate) fn take(&mut self, chain: &mut u32) -> Option<PendingMove> {
        let packed = self.packed.get_mut(*chain as usize)?;
        let (pending, next) = (packed.unpack(), packed.next);
        packed.next = self.free;
        self.free = std::mem::replace(chain, next);
        Some(pending)
    }

    /// Frees a chain.
    pub(crate) fn drop_all(&mut self, chain: &mut u32) {
        while self.take(chain).is_some() {}
    }

    /// Returns the bytes in use once so many macro moves are added.
    pub(crate) const fn bytes_with(&self, n_more: usize) -> usize {
        self.packed.bytes_with(n_more)
    }

    fn put(&mut self, packed: PackedMove) -> u32 {
        let number = self.free;
        if let Some(free) = self.packed.get_mut(number as usize) {
            self.free = std::mem::replace(free, packed).next;
            return number;
        }
        self.packed.push(packed);
        u32::try_from(self.packed.len() - 1).unwrap_or(NO_CHAIN)
    }
}

impl PackedMove {
    fn new(pending: &PendingMove, next: u32) -> Self {
        let MacroMove { from, to, player } = pending.macro_move;
        debug_assert!(
            from.get() < 1 << 11 && to.get() < 1 << 11,
            "boxes are on live squares, of which there are fewer"
        );
        let weight_sinks = u32::from(pending.weight) << 1 | u32::from(pending.sinks);
        Self {
            score_key: pending.score_key,
            hash_player: pending.hash >> 16 << 16 | u64::from(player.get()),
            from_to: u32::from(from.get()) << 20 | u32::from(to.get()) << 9 | weight_sinks,
            next,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "fields of so many bits")]
    const fn unpack(&self) -> PendingMove {
        let [from, to, player] =
            [(self.from_to >> 20) as u16, (self.from_to >> 9 & 0x7ff) as u16, self.hash_player as u16];
        PendingMove {
            macro_move: MacroMove {
                from: FloorSquare::new(from),
                to: FloorSquare::new(to),
                player: FloorSquare::new(player),
            },
            hash: self.hash_player >> 16 << 16,
            score_key: self.score_key,
            weight: (self.from_to >> 1 & 0xff) as u8,
            sinks: self.from_to & 1 != 0,
        }
    }
}

const _: () = assert!(size_of::<PackedMove>() == 24, "the picture above says so");

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Vec<PendingMove> {
        let macro_move = |n: u16| {
            let [from, to, player] = [0x7ff - n, 3 * n, u16::MAX - n].map(FloorSquare::new);
            MacroMove { from, to, player }
        };
        let pending = |n: u16| PendingMove {
            macro_move: macro_move(n),
            hash: u64::MAX - (u64::from(n) << 16) - 0xffff,
            score_key: u64::MAX - u64::from(n),
            weight: u8::try_from(n % 256).unwrap(),
            sinks: n.is_multiple_of(2),
        };
        (0..600).map(pending).collect()
    }

    #[test]
    fn a_chain_gives_back_what_was_put_in() {
        let (mut chains, all) = (PendingMoves::default(), moves());
        let [mut one, mut other] = [&all[..], &all[100..300]].map(|moves| chains.chain(moves));
        assert_eq!(chains.first(one), Some(all[0]));
        let taken: Vec<PendingMove> = std::iter::from_fn(|| chains.take(&mut one)).collect();
        assert_eq!(taken, all);
        assert_eq!((one, chains.first(one)), (NO_CHAIN, None));
        assert_eq!(chains.take(&mut other), Some(all[100]));
        assert_eq!(chains.take(&mut other), Some(all[101]));
    }

    #[test]
    fn entries_of_a_freed_chain_are_used_again() {
        let (mut chains, all) = (PendingMoves::default(), moves());
        let mut chain = chains.chain(&all);
        let bytes = chains.bytes_with(0);
        for _ in 0..10 {
            chains.drop_all(&mut chain);
            chain = chains.chain(&all);
        }
        assert_eq!((chains.bytes_with(0), chains.packed.len()), (bytes, all.len()));
    }
}
