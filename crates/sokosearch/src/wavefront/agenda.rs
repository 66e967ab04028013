//! The states that a search is going to enter, by the moves to go with which it will.
//!
//! ```text
//!  lane      moves 17   18   19   20   ...          one lane for the current push layer, or for all of them where
//!              │    │    │    │                     moves decide; another one for the next push layer
//!  chain       ▼    ▼    ▼    ▼
//!  blocks    ┌────┐ ─  ┌────┐ ─
//!            │    │    └────┘                       blocks of entries, each with the number of the one that follows;
//!            └──┬─┘                                 once read they are used again
//!            ┌──▼─┐
//!            └────┘
//! ```

use std::collections::VecDeque;

use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// A state to be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) config: ConfigId,
    pub(super) player: u16,
}

/// Entries by moves to go.
#[derive(Debug)]
pub(super) struct Agenda {
    now: Lane,
    next: Lane,
    blocks: Blocks,
}

/// Chains of blocks for consecutive numbers of moves.
#[derive(Debug)]
struct Lane {
    /// Moves of the first chain.
    first: u32,
    chains: VecDeque<Chain>,
    charge: Charge,
    account: MemoryAccount,
}

/// Entries of equal cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    head: u32,
    tail: u32,
    len: u32,
}

/// Blocks that never move.
#[derive(Debug)]
struct Blocks {
    chunks: Vec<Vec<Block>>,
    /// The first block that is not used.
    spare: u32,
    charge: Charge,
}

#[derive(Clone, Debug)]
struct Block {
    entries: [Entry; BLOCK],
    n: u32,
    next: u32,
}

/// Entries in a block: with what goes with it, 256 bytes.
const BLOCK: usize = 31;
/// Blocks to make room for at once.
const CHUNK: usize = 1 << 4;
/// Chains to make room for at once.
const MORE_CHAINS: usize = 1 << 7;
/// No block.
const NONE: u32 = u32::MAX;

impl Chain {
    pub(super) const EMPTY: Self = Self { head: NONE, tail: NONE, len: 0 };

    pub(super) const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl Agenda {
    pub(super) fn new(account: &MemoryAccount) -> Self {
        let lane = || Lane { first: 0, chains: VecDeque::new(), charge: account.nothing(), account: account.clone() };
        let blocks = Blocks { chunks: Vec::new(), spare: NONE, charge: account.nothing() };
        Self { now: lane(), next: lane(), blocks }
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.now.charge.bytes() + self.next.charge.bytes() + self.blocks.charge.bytes()
    }

    /// Returns the least moves to go of the entries, of the current push layer or the next, and how many there are.
    pub(super) fn first(&self, is_next: bool) -> Option<(u32, usize)> {
        let lane = if is_next { &self.next } else { &self.now };
        lane.chains.front().map(|chain| (lane.first, chain.len as usize))
    }

    /// Adds an entry, to the current push layer or the next.
    #[inline]
    pub(super) fn push(&mut self, is_next: bool, moves: u32, entry: Entry) -> Result<(), Stop> {
        let lane = if is_next { &mut self.next } else { &mut self.now };
        self.blocks.push(lane.chain(moves)?, entry)
    }

    /// Takes the entries with so many moves to go in the current push layer; there are none with fewer.
    pub(super) fn take(&mut self, moves: u32) -> Chain {
        self.now.take(moves)
    }

    /// Moves some of the entries that were taken to a list; returns those that are left.
    pub(super) fn read(&mut self, chain: Chain, some: &mut Vec<Entry>) -> Chain {
        if chain.head == NONE {
            return Chain::EMPTY;
        }
        let spare = std::mem::replace(&mut self.blocks.spare, chain.head);
        let block = self.blocks.block(chain.head);
        some.extend_from_slice(&block.entries[..block.n as usize]);
        let (head, len) = (block.next, chain.len - block.n);
        (block.n, block.next) = (0, spare);
        Chain { head, len, ..chain }
    }

    /// Makes the next push layer the current one.
    pub(super) const fn begin_layer(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

impl Lane {
    /// Returns the chain for so many moves.
    #[inline]
    fn chain(&mut self, moves: u32) -> Result<&mut Chain, Stop> {
        if self.chains.is_empty() {
            self.first = moves;
        }
        if moves < self.first || (moves - self.first) as usize >= self.chains.len() {
            self.reach(moves)?;
        }
        Ok(&mut self.chains[(moves - self.first) as usize])
    }

    /// Makes chains from the first one to the one for so many moves.
    #[cold]
    fn reach(&mut self, moves: u32) -> Result<(), Stop> {
        let last = self.first + u32::try_from(self.chains.len().saturating_sub(1)).map_err(|_| Stop::Memory)?;
        let (first, last) = (moves.min(self.first), moves.max(last));
        let n_chains = (last - first) as usize + 1;
        if n_chains > self.chains.capacity() {
            let room = n_chains.next_multiple_of(MORE_CHAINS);
            // Old and new room are held at once, so both are charged.
            let charge = self.account.charge((room * size_of::<Chain>()) as u64)?;
            self.chains.reserve_exact(room - self.chains.len());
            self.charge = charge;
        }
        (first..self.first).for_each(|_| self.chains.push_front(Chain::EMPTY));
        self.first = first;
        self.chains.resize(n_chains, Chain::EMPTY);
        Ok(())
    }

    fn take(&mut self, moves: u32) -> Chain {
        if self.chains.is_empty() || moves != self.first {
            return Chain::EMPTY;
        }
        let chain = self.chains.pop_front().unwrap_or(Chain::EMPTY);
        self.first += 1;
        while self.chains.front().is_some_and(|chain| chain.len == 0) {
            self.chains.pop_front();
            self.first += 1;
        }
        chain
    }
}

impl Blocks {
    #[inline]
    fn block(&mut self, number: u32) -> &mut Block {
        &mut self.chunks[number as usize / CHUNK][number as usize % CHUNK]
    }

    #[inline]
    fn push(&mut self, chain: &mut Chain, entry: Entry) -> Result<(), Stop> {
        if chain.head == NONE || self.block(chain.tail).n as usize == BLOCK {
            let block = self.spare_block(entry)?;
            match chain.head {
                NONE => chain.head = block,
                _ => self.block(chain.tail).next = block,
            }
            chain.tail = block;
        }
        let block = self.block(chain.tail);
        block.entries[block.n as usize] = entry;
        block.n += 1;
        chain.len += 1;
        Ok(())
    }

    /// Takes a block that is not used, to be filled with this entry first.
    fn spare_block(&mut self, entry: Entry) -> Result<u32, Stop> {
        if self.spare != NONE {
            let block = self.spare;
            self.spare = std::mem::replace(&mut self.block(block).next, NONE);
            return Ok(block);
        }
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.charge.add((CHUNK * size_of::<Block>()) as u64)?;
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let n_full = self.chunks.len() - 1;
        let chunk = &mut self.chunks[n_full];
        let block = u32::try_from(n_full * CHUNK + chunk.len()).map_err(|_| Stop::Memory)?;
        chunk.push(Block { entries: [entry; BLOCK], n: 0, next: NONE });
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_the_order_of_their_moves() {
        let account = MemoryAccount::new(1 << 20);
        let mut agenda = Agenda::new(&account);
        let entry = |number: usize| Entry { config: ConfigId::new(number).unwrap(), player: 7 };
        // 101 is prime to 1,000, so all come once, in disorder.
        for at in 0..1_000 {
            let number = at * 101 % 1_000;
            let moves = u32::try_from(number / 50).unwrap();
            agenda.push(number % 2 == 0, 40 - moves, entry(number)).unwrap();
        }
        for is_next in [false, true] {
            let mut last = None;
            let mut n_read = 0;
            while let Some((moves, n)) = agenda.first(false) {
                assert!(last < Some(moves));
                last = Some(moves);
                let (mut chain, mut read) = (agenda.take(moves), Vec::new());
                assert_eq!((chain.len, n), (25, 25));
                while !chain.is_empty() {
                    chain = agenda.read(chain, &mut read);
                }
                let of_this = |entry: &Entry| entry.config.idx() % 2 == usize::from(!is_next);
                assert!(read.iter().all(of_this) && read.len() == n);
                n_read += n;
            }
            assert_eq!(n_read, 500);
            agenda.begin_layer();
        }
        let held = agenda.bytes();
        for number in 0..900 {
            agenda.push(false, 3, entry(number)).unwrap();
        }
        assert_eq!(agenda.bytes(), held, "blocks are used again");
        assert_eq!(account.used(), held);
    }

    #[test]
    fn it_asks_before_it_grows() {
        let account = MemoryAccount::new(60_000);
        let mut agenda = Agenda::new(&account);
        let entry = Entry { config: ConfigId(1), player: 1 };
        let stopped = (0..).find(|&moves| agenda.push(false, moves / 9, entry).is_err());
        assert!(stopped.is_some_and(|n| n > 100));
        let held = agenda.blocks.chunks.len() * CHUNK * size_of::<Block>();
        assert!(agenda.bytes() >= (held + agenda.now.chains.len() * size_of::<Chain>()) as u64);
        assert!(account.peak() <= 60_000);
    }
}
