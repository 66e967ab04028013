//! MacroMoves not yet made, packed, in chains that begin at their nodes.
//!
//! ```text
//!   8 bytes  order of the score
//!   8 bytes  hash, 48 bits │ square of the player, 16 bits
//!   4 bytes  from, 15 bits │ to, 15 bits │ weight, 1 bit │ sinks, 1 bit
//!   4 bytes  next of the chain, or of those that are free
//! ```
//!
//! **Invariant**: each link is in one chain, or free. What is cut from the hash tells positions apart only in the sets
//! of a tree: there a position may be taken for known that is not, one in 2^48.

use crate::fess::macro_move::MacroMove;
use crate::store::chunked_vec::ChunkedVec;

/// No link.
pub(crate) const NONE: u32 = u32::MAX;

/// A leap not yet made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) leap: MacroMove,
    pub(crate) hash: u64,
    /// The order of the score of the position that it leads to.
    pub(crate) order: u64,
    /// 0 or 1.
    pub(crate) weight: u8,
    /// Takes the box off the board, with the start square that it reached.
    pub(crate) sinks: bool,
}

impl Edge {
    /// What comes first when leaps are sorted.
    pub(crate) const fn key(&self) -> (u8, u64) {
        (self.weight, self.order)
    }
}

/// A leap in 24 bytes.
#[derive(Clone, Copy, Debug)]
struct Link {
    order: u64,
    hash_player: u64,
    from_to: u32,
    next: u32,
}

/// All chains of a tree.
#[derive(Debug)]
pub(crate) struct PendingMoves {
    links: ChunkedVec<Link>,
    free: u32,
}

impl Default for PendingMoves {
    fn default() -> Self {
        Self { links: ChunkedVec::default(), free: NONE }
    }
}

impl PendingMoves {
    /// Makes a chain; returns its first link.
    pub(crate) fn chain(&mut self, edges: &[Edge]) -> u32 {
        edges.iter().rev().fold(NONE, |next, edge| self.put(Link::new(edge, next)))
    }

    /// Returns the first leap of a chain.
    pub(crate) fn first(&self, chain: u32) -> Option<Edge> {
        self.links.get(chain as usize).map(Link::edge)
    }

    /// Takes the first leap off a chain.
    pub(crate) fn take(&mut self, chain: &mut u32) -> Option<Edge> {
        let link = self.links.get_mut(*chain as usize)?;
        let (edge, next) = (link.edge(), link.next);
        link.next = self.free;
        self.free = std::mem::replace(chain, next);
        Some(edge)
    }

    /// Gives up a chain.
    pub(crate) fn drop_all(&mut self, chain: &mut u32) {
        while self.take(chain).is_some() {}
    }

    /// Returns the bytes in use once so many leaps are added.
    pub(crate) const fn bytes_with(&self, n_more: usize) -> usize {
        self.links.bytes_with(n_more)
    }

    fn put(&mut self, link: Link) -> u32 {
        let number = self.free;
        if let Some(free) = self.links.get_mut(number as usize) {
            self.free = std::mem::replace(free, link).next;
            return number;
        }
        self.links.push(link);
        u32::try_from(self.links.len() - 1).unwrap_or(NONE)
    }
}

impl Link {
    fn new(edge: &Edge, next: u32) -> Self {
        let MacroMove { from, to, player } = edge.leap;
        let flags = u32::from(edge.weight & 1) << 1 | u32::from(edge.sinks);
        Self {
            order: edge.order,
            hash_player: edge.hash >> 16 << 16 | u64::from(player),
            from_to: u32::from(from) << 17 | u32::from(to) << 2 | flags,
            next,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "fields of so many bits")]
    const fn edge(&self) -> Edge {
        let (from, to) = ((self.from_to >> 17) as u16, (self.from_to >> 2 & 0x7fff) as u16);
        Edge {
            leap: MacroMove { from, to, player: self.hash_player as u16 },
            hash: self.hash_player >> 16 << 16,
            order: self.order,
            weight: (self.from_to >> 1 & 1) as u8,
            sinks: self.from_to & 1 != 0,
        }
    }
}

const _: () = assert!(size_of::<Link>() == 24, "the picture above says so");

#[cfg(test)]
mod tests {
    use super::*;

    fn edges() -> Vec<Edge> {
        let leap = |n: u16| MacroMove { from: 0x7fff - n, to: 5 * n, player: u16::MAX - n };
        let edge = |n: u16| Edge {
            leap: leap(n),
            hash: u64::MAX - (u64::from(n) << 16) - 0xffff,
            order: u64::MAX - u64::from(n),
            weight: u8::from(n.is_multiple_of(3)),
            sinks: n.is_multiple_of(2),
        };
        (0..600).map(edge).collect()
    }

    #[test]
    fn a_chain_gives_back_what_was_put_in() {
        let (mut chains, all) = (PendingMoves::default(), edges());
        let [mut one, mut other] = [&all[..], &all[100..300]].map(|edges| chains.chain(edges));
        assert_eq!(chains.first(one), Some(all[0]));
        let taken: Vec<Edge> = std::iter::from_fn(|| chains.take(&mut one)).collect();
        assert_eq!(taken, all);
        assert_eq!((one, chains.first(one)), (NONE, None));
        assert_eq!(chains.take(&mut other), Some(all[100]));
        assert_eq!(chains.take(&mut other), Some(all[101]));
    }

    #[test]
    fn links_given_up_are_used_again() {
        let (mut chains, all) = (PendingMoves::default(), edges());
        let mut chain = chains.chain(&all);
        let bytes = chains.bytes_with(0);
        for _ in 0..10 {
            chains.drop_all(&mut chain);
            chain = chains.chain(&all);
        }
        assert_eq!((chains.bytes_with(0), chains.links.len()), (bytes, all.len()));
    }
}
