//! The open list: states to expand, in buckets. Where moves decide, a bucket has the states with as many moves to go (Dial,
//! *Algorithm 360: shortest-path forest with topological ordering*, Communications of the ACM 12(11), 1969); where pushes
//! come first, those of consecutive configurations.
//!
//! ```text
//!  buckets   number 17  18   19   20   ...          one row of buckets for the current push layer, or for all states
//!              │    │    │    │                     where moves decide; another one for the next push layer
//!  bucket      ▼    ▼    ▼    ▼
//!  blocks    ┌────┐ ─  ┌────┐ ─
//!            │    │    └────┘                       blocks of entries, linked by their numbers; recycled once they
//!            └──┬─┘                                 have been read
//!            ┌──▼─┐
//!            └────┘
//! ```

use std::collections::VecDeque;

use sokocore::FloorSquare;

use crate::{Charge, ChunkedVec, ConfigId, MemoryAccount, Stop};

/// A state to expand, in the bucket of its moves to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateEntry {
    pub(super) config: ConfigId,
    pub(super) player: FloorSquare,
}

/// Entries by push layer and the number of their bucket.
#[derive(Debug)]
pub(super) struct BucketQueue<E> {
    current: Buckets,
    next: Buckets,
    blocks: BlockPool<E>,
}

/// The push layer of an entry. Where moves decide, all entries belong to the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PushLayer {
    Current,
    Next,
}

/// Buckets with consecutive numbers.
#[derive(Debug)]
struct Buckets {
    /// Number of the first bucket.
    first: u32,
    buckets: VecDeque<Bucket>,
    /// Entries in all of them.
    len: usize,
    charge: Charge,
    account: MemoryAccount,
}

/// Entries with the same number: a chain of blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    head: u32,
    tail: u32,
    len: u32,
}

/// Blocks that never move.
#[derive(Debug)]
struct BlockPool<E> {
    blocks: ChunkedVec<Block<E>, CHUNK>,
    /// The first free block.
    spare: u32,
    charge: Charge,
}

#[derive(Clone, Debug)]
struct Block<E> {
    entries: [E; BLOCK],
    n: u32,
    next: u32,
}

/// Entries in a block, which has 256 bytes if an entry has eight.
const BLOCK: usize = 31;
/// Blocks to make room for at once.
const CHUNK: usize = 1 << 4;
/// Buckets to make room for at once.
const MORE_BUCKETS: usize = 1 << 7;
/// No block.
const NONE: u32 = u32::MAX;

impl Bucket {
    pub(super) const EMPTY: Self = Self { head: NONE, tail: NONE, len: 0 };

    pub(super) const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<E: Copy> BucketQueue<E> {
    pub(super) fn new(account: &MemoryAccount) -> Self {
        let buckets = || Buckets {
            first: 0,
            buckets: VecDeque::new(),
            len: 0,
            charge: account.nothing(),
            account: account.clone(),
        };
        let blocks = BlockPool { blocks: ChunkedVec::default(), spare: NONE, charge: account.nothing() };
        Self { current: buckets(), next: buckets(), blocks }
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.current.charge.bytes() + self.next.charge.bytes() + self.blocks.charge.bytes()
    }

    /// Returns the number of the first bucket of a push layer, and how many entries it has.
    pub(super) fn first(&self, layer: PushLayer) -> Option<(u32, usize)> {
        let buckets = self.buckets(layer);
        buckets.buckets.front().map(|bucket| (buckets.first, bucket.len as usize))
    }

    /// Returns how many entries a push layer has.
    pub(super) const fn len(&self, layer: PushLayer) -> usize {
        self.buckets(layer).len
    }

    const fn buckets(&self, layer: PushLayer) -> &Buckets {
        match layer {
            PushLayer::Current => &self.current,
            PushLayer::Next => &self.next,
        }
    }

    /// Adds an entry to the bucket of this number in a push layer.
    #[inline]
    pub(super) fn push(&mut self, layer: PushLayer, number: u32, entry: E) -> Result<(), Stop> {
        let buckets = match layer {
            PushLayer::Current => &mut self.current,
            PushLayer::Next => &mut self.next,
        };
        self.blocks.push(buckets.bucket(number)?, entry)?;
        buckets.len += 1;
        Ok(())
    }

    /// Takes the bucket of this number from the current push layer; it is empty unless it is the first one.
    pub(super) fn take(&mut self, number: u32) -> Bucket {
        self.current.take(number)
    }

    /// Moves a block of entries that were taken to a list; returns the entries that are left.
    pub(super) fn read(&mut self, bucket: Bucket, some: &mut Vec<E>) -> Bucket {
        if bucket.head == NONE {
            return Bucket::EMPTY;
        }
        let spare = std::mem::replace(&mut self.blocks.spare, bucket.head);
        let block = self.blocks.block(bucket.head);
        some.extend_from_slice(&block.entries[..block.n as usize]);
        let (head, len) = (block.next, bucket.len - block.n);
        (block.n, block.next) = (0, spare);
        Bucket { head, len, ..bucket }
    }

    /// Makes the next push layer the current one.
    pub(super) const fn begin_push_layer(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
    }
}

impl Buckets {
    /// Returns the bucket of this number.
    #[inline]
    fn bucket(&mut self, number: u32) -> Result<&mut Bucket, Stop> {
        if self.buckets.is_empty() {
            self.first = number;
        }
        if number < self.first || (number - self.first) as usize >= self.buckets.len() {
            self.extend_to(number)?;
        }
        Ok(&mut self.buckets[(number - self.first) as usize])
    }

    /// Makes buckets up, or down, to the one of this number.
    #[cold]
    fn extend_to(&mut self, number: u32) -> Result<(), Stop> {
        let last = self.first + u32::try_from(self.buckets.len().saturating_sub(1)).map_err(|_| Stop::Memory)?;
        let (first, last) = (number.min(self.first), number.max(last));
        let n_buckets = (last - first) as usize + 1;
        if n_buckets > self.buckets.capacity() {
            let room = n_buckets.next_multiple_of(MORE_BUCKETS);
            // The old and the new array are held at once, so both are charged.
            let charge = self.account.charge((room * size_of::<Bucket>()) as u64)?;
            self.buckets.reserve_exact(room - self.buckets.len());
            self.charge = charge;
        }
        (first..self.first).for_each(|_| self.buckets.push_front(Bucket::EMPTY));
        self.first = first;
        self.buckets.resize(n_buckets, Bucket::EMPTY);
        Ok(())
    }

    fn take(&mut self, number: u32) -> Bucket {
        if self.buckets.is_empty() || number != self.first {
            return Bucket::EMPTY;
        }
        let bucket = self.buckets.pop_front().unwrap_or(Bucket::EMPTY);
        self.len -= bucket.len as usize;
        self.first += 1;
        while self.buckets.front().is_some_and(|bucket| bucket.len == 0) {
            self.buckets.pop_front();
            self.first += 1;
        }
        bucket
    }
}

impl<E: Copy> BlockPool<E> {
    #[inline]
    fn block(&mut self, number: u32) -> &mut Block<E> {
        &mut self.blocks[number]
    }

    #[inline]
    fn push(&mut self, bucket: &mut Bucket, entry: E) -> Result<(), Stop> {
        if bucket.head == NONE || self.block(bucket.tail).n as usize == BLOCK {
            let block = self.spare_block(entry)?;
            match bucket.head {
                NONE => bucket.head = block,
                _ => self.block(bucket.tail).next = block,
            }
            bucket.tail = block;
        }
        let block = self.block(bucket.tail);
        block.entries[block.n as usize] = entry;
        block.n += 1;
        bucket.len += 1;
        Ok(())
    }

    /// Takes a free block, or makes one of copies of this entry.
    fn spare_block(&mut self, entry: E) -> Result<u32, Stop> {
        if self.spare != NONE {
            let block = self.spare;
            self.spare = std::mem::replace(&mut self.block(block).next, NONE);
            return Ok(block);
        }
        if self.blocks.is_full() {
            self.charge.add((CHUNK * size_of::<Block<E>>()) as u64)?;
        }
        let block = u32::try_from(self.blocks.len()).map_err(|_| Stop::Memory)?;
        self.blocks.push(Block { entries: [entry; BLOCK], n: 0, next: NONE });
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_the_order_of_their_moves() {
        let account = MemoryAccount::new(1 << 20);
        let mut queue = BucketQueue::new(&account);
        let entry = |number: usize| StateEntry { config: ConfigId::new(number).unwrap(), player: FloorSquare::new(7) };
        // 101 is prime to 1,000, so every number occurs once, in disorder.
        for at in 0..1_000 {
            let number = at * 101 % 1_000;
            let moves = u32::try_from(number / 50).unwrap();
            let layer = if number % 2 == 0 { PushLayer::Next } else { PushLayer::Current };
            queue.push(layer, 40 - moves, entry(number)).unwrap();
        }
        for parity in [1, 0] {
            assert_eq!(queue.len(PushLayer::Current), 500);
            let mut last = None;
            let mut n_read = 0;
            while let Some((moves, n)) = queue.first(PushLayer::Current) {
                assert!(last < Some(moves));
                last = Some(moves);
                let (mut bucket, mut read) = (queue.take(moves), Vec::new());
                assert_eq!((bucket.len, n), (25, 25));
                while !bucket.is_empty() {
                    bucket = queue.read(bucket, &mut read);
                }
                let of_this = |entry: &StateEntry| entry.config.idx() % 2 == parity;
                assert!(read.iter().all(of_this) && read.len() == n);
                n_read += n;
            }
            assert_eq!((n_read, queue.len(PushLayer::Current)), (500, 0));
            queue.begin_push_layer();
        }
        let held = queue.bytes();
        for number in 0..900 {
            queue.push(PushLayer::Current, 3, entry(number)).unwrap();
        }
        assert_eq!(queue.bytes(), held, "blocks are used again");
        assert_eq!(account.used(), held);
    }

    #[test]
    fn it_asks_before_it_grows() {
        let account = MemoryAccount::new(60_000);
        let mut queue = BucketQueue::new(&account);
        let entry = StateEntry { config: ConfigId(1), player: FloorSquare::new(1) };
        let stopped = (0..).find(|&moves| queue.push(PushLayer::Current, moves / 9, entry).is_err());
        assert!(stopped.is_some_and(|n| n > 100));
        let held = queue.blocks.blocks.len().next_multiple_of(CHUNK) * size_of::<Block<StateEntry>>();
        assert!(queue.bytes() >= (held + queue.current.buckets.len() * size_of::<Bucket>()) as u64);
        assert!(account.peak() <= 60_000);
    }
}
