//! A set of positions by 42 bits of their hashes, in about five bytes each.
//!
//! ```text
//!   10 bits: the shard      32 bits: the fingerprint, in cache lines of 16
//!
//!   shard 0 ── line ── line ── line          the home line of a fingerprint is the one at its share of the shard;
//!   shard 1 ── line ── line                  the fingerprint is in the first line with room from there on
//!   ...
//! ```
//!
//! **Invariant**: no line between the home line of a fingerprint and the line that holds it has an empty place. Each
//! shard has empty places. A position that was never inserted may be found (a false positive), with probability 2^-42
//! for each position in the set: the caller has to verify what it finds.

use std::hint::black_box;

/// A set of 42-bit fingerprints.
#[derive(Debug, Default)]
pub(crate) struct FingerprintSet {
    shards: Vec<FingerprintShard>,
    /// In all shards.
    n_lines: usize,
    /// In the largest shard.
    most_lines: usize,
    #[cfg(test)]
    len: usize,
}

#[derive(Clone, Debug, Default)]
struct FingerprintShard {
    lines: Vec<CacheLine>,
    len: usize,
}

/// Fingerprints; 0 is an empty place, and empty places come last.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct CacheLine([u32; 16]);

impl FingerprintSet {
    /// Shards, by the first ten bits of a hash.
    const N_SHARDS: usize = 1 << 10;
    /// Bytes of a shard without its lines, and the overhead of the allocator for them.
    const SHARD_BYTES: usize = size_of::<FingerprintShard>() + size_of::<CacheLine>();

    /// Returns the number of fingerprints.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes in use once one more is inserted. While a shard grows, it is held twice.
    pub(crate) const fn bytes_ahead(&self) -> usize {
        let n_lines = self.n_lines + FingerprintShard::grown(self.most_lines);
        Self::N_SHARDS * Self::SHARD_BYTES + n_lines * size_of::<CacheLine>()
    }

    /// Prefetches the line where a position may be, without waiting for it.
    pub(crate) fn touch(&self, hash: u64) {
        let (shard, fingerprint) = place(hash);
        if let Some(shard) = self.shards.get(shard) {
            black_box(shard.lines.get(shard.line_of(fingerprint)).map(|line| line.0[0]));
        }
    }

    /// Returns whether a position is in the set.
    pub(crate) fn has(&self, hash: u64) -> bool {
        let (shard, fingerprint) = place(hash);
        self.shards.get(shard).is_some_and(|shard| shard.has(fingerprint))
    }

    /// Inserts a position.
    pub(crate) fn insert(&mut self, hash: u64) {
        if self.shards.is_empty() {
            self.shards = vec![FingerprintShard::default(); Self::N_SHARDS];
        }
        let (shard, fingerprint) = place(hash);
        let shard = &mut self.shards[shard];
        if shard.is_full() {
            self.n_lines += shard.grow();
            self.most_lines = self.most_lines.max(shard.lines.len());
        }
        let is_new = shard.insert(fingerprint);
        shard.len += usize::from(is_new);
        #[cfg(test)]
        (self.len += usize::from(is_new));
    }
}

impl FingerprintShard {
    /// Returns the number of lines after a growth.
    const fn grown(n_lines: usize) -> usize {
        n_lines + n_lines / 8 + 1
    }

    /// Seven eighths of the places may be taken.
    const fn is_full(&self) -> bool {
        self.len >= self.lines.len() * 14
    }

    fn has(&self, fingerprint: u32) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let mut at = self.line_of(fingerprint);
        loop {
            let line = &self.lines[at];
            if line.has(fingerprint) {
                return true;
            }
            if !line.is_full() {
                return false;
            }
            at = self.after(at);
        }
    }

    /// Inserts a fingerprint, while there is room; returns whether it is new.
    fn insert(&mut self, fingerprint: u32) -> bool {
        let mut at = self.line_of(fingerprint);
        loop {
            if self.lines[at].has(fingerprint) {
                return false;
            }
            if self.lines[at].put(fingerprint) {
                return true;
            }
            at = self.after(at);
        }
    }

    /// Adds lines; returns how many.
    fn grow(&mut self) -> usize {
        let n_lines = self.lines.len();
        let before = std::mem::replace(&mut self.lines, vec![CacheLine::default(); Self::grown(n_lines)]);
        for fingerprint in before.iter().flat_map(|line| line.0).filter(|&fingerprint| fingerprint != 0) {
            self.insert(fingerprint);
        }
        self.lines.len() - n_lines
    }

    /// Returns the home line of a fingerprint; lines are in the order of the fingerprints that belong there.
    const fn line_of(&self, fingerprint: u32) -> usize {
        ((fingerprint as u64 * self.lines.len() as u64) >> 32) as usize
    }

    const fn after(&self, line: usize) -> usize {
        if line + 1 < self.lines.len() { line + 1 } else { 0 }
    }
}

impl CacheLine {
    /// Compares all places without a branch, so that many are compared at once.
    fn has(&self, fingerprint: u32) -> bool {
        self.0.iter().fold(false, |has, &other| has | (other == fingerprint))
    }

    const fn is_full(&self) -> bool {
        self.0[15] != 0
    }

    /// Inserts a fingerprint; returns whether there was room.
    fn put(&mut self, fingerprint: u32) -> bool {
        let empty = self.0.iter_mut().find(|other| **other == 0);
        empty.map(|empty| *empty = fingerprint).is_some()
    }
}

/// Returns the shard of a hash, and its fingerprint.
#[expect(clippy::cast_possible_truncation, reason = "ten bits, and then 32")]
fn place(hash: u64) -> (usize, u32) {
    ((hash >> 54) as usize, ((hash >> 22) as u32).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn hash(n: u64) -> u64 {
        (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn what_was_inserted_is_found_and_nothing_else() {
        let mut fingerprints = FingerprintSet::default();
        assert!(!fingerprints.has(hash(0)));
        let n = 500 * FingerprintSet::N_SHARDS as u64;
        for each in 0..n {
            let ahead = fingerprints.bytes_ahead();
            fingerprints.insert(hash(each));
            assert!(
                FingerprintSet::N_SHARDS * size_of::<FingerprintShard>()
                    + size_of::<CacheLine>() * fingerprints.n_lines
                    <= ahead
            );
        }
        assert!(
            (0..n).all(|each| fingerprints.has(hash(each))) && (n..2 * n).all(|each| !fingerprints.has(hash(each)))
        );
        (0..n).for_each(|each| fingerprints.insert(hash(each)));
        assert_eq!(fingerprints.len() as u64, n);
        assert_eq!(fingerprints.n_lines, fingerprints.shards.iter().map(|shard| shard.lines.capacity()).sum());
        assert!(fingerprints.bytes_ahead() < 6 * fingerprints.len());
    }

    /// All in one shard, and most of these in its last line, so that probing continues in the first.
    #[test]
    fn fingerprints_overflow_into_the_lines_that_follow() {
        let mut fingerprints = FingerprintSet::default();
        let hashes = || (0..200).map(|n: u64| (0xffff_ffff - n) << 22).chain((0..20).map(|n| n << 22));
        hashes().for_each(|hash| fingerprints.insert(hash));
        // The fingerprints 0 and 1 are the same.
        assert_eq!((fingerprints.len(), fingerprints.shards[0].len), (219, 219));
        assert!(hashes().all(|hash| fingerprints.has(hash)) && !fingerprints.has(0xffff_0000 << 22));
    }
}
