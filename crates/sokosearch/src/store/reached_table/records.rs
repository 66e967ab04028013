//! Records packed to the byte: a key, two planes of a bit for each square, and the first moves to go modulo 2^16.
//!
//! ```text
//!  F = 56, L = 33     kkkkk lllllll hhhhhhh mm   21 bytes     a field is read as words of 64 bits from its first byte
//!                     ├───────┤                              on; bits of the next field are masked when read, and
//!                           ├───────┤                        written back unchanged
//!                                  ├───────┤
//! ```
//!
//! All words are read before any is written, and written in the order of their places, so what a word writes into the
//! next field is either unchanged or overwritten next. Invariant: a chunk extends beyond the start of its last record by
//! the length of a record whose fields are whole words.

use crate::run::memory::Chunk;
use crate::store::bits::is_empty;
use crate::{ConfigId, MemoryAccount, Stop};

/// Records of keys of up to `K` words and planes of up to `W`.
#[derive(Debug)]
pub(super) struct Records<const K: usize, const W: usize> {
    /// Byte offsets of the two planes, of the first moves to go, and of the next record.
    low: usize,
    high: usize,
    first: usize,
    stride: usize,
    key_mask: [u64; K],
    plane_mask: [u64; W],
    /// A chunk holds 2^this records.
    chunk_bits: u32,
    chunks: Vec<Chunk>,
    len: usize,
    account: MemoryAccount,
}

const CHUNK_BYTES: usize = 1 << 15;

impl<const K: usize, const W: usize> Records<K, W> {
    pub(super) fn new(n_live: usize, n_squares: usize, account: &MemoryAccount) -> Self {
        let low = n_live.div_ceil(8);
        let high = low + n_squares.div_ceil(8);
        let first = high + n_squares.div_ceil(8);
        let stride = first + size_of::<u16>();
        Self {
            low,
            high,
            first,
            stride,
            key_mask: std::array::from_fn(|at| bits_of_word(n_live, at)),
            plane_mask: std::array::from_fn(|at| bits_of_word(n_squares, at)),
            chunk_bits: (CHUNK_BYTES / stride).max(1).ilog2(),
            chunks: Vec::new(),
            len: 0,
            account: account.clone(),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.chunks.len() * self.chunk_bytes()) as u64
    }

    const fn chunk_bytes(&self) -> usize {
        (self.stride << self.chunk_bits) + Self::WINDOW
    }

    /// Adds a record with empty planes.
    pub(super) fn push(&mut self, key: &[u64; K]) -> Result<ConfigId, Stop> {
        let id = ConfigId(u32::try_from(self.len).map_err(|_| Stop::Memory)?);
        if self.len == self.chunks.len() << self.chunk_bits {
            self.chunks.push(self.account.chunk(self.chunk_bytes())?);
        }
        self.len += 1;
        let low = self.low;
        let record = self.record_mut(id);
        for (word, bytes) in key.iter().zip(record[..low].chunks_mut(8)) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        Ok(id)
    }

    /// Bytes of a record with fields of whole words.
    const WINDOW: usize = 8 * (K + 2 * W) + size_of::<u16>();

    #[inline]
    fn record(&self, id: ConfigId) -> &[u8] {
        let at = (id.idx() & ((1 << self.chunk_bits) - 1)) * self.stride;
        &self.chunks[id.idx() >> self.chunk_bits][at..at + Self::WINDOW]
    }

    #[inline]
    fn record_mut(&mut self, id: ConfigId) -> &mut [u8] {
        let at = (id.idx() & ((1 << self.chunk_bits) - 1)) * self.stride;
        &mut self.chunks[id.idx() >> self.chunk_bits][at..at + Self::WINDOW]
    }

    #[inline]
    pub(super) fn key(&self, id: ConfigId) -> [u64; K] {
        let record = self.record(id);
        std::array::from_fn(|at| read(record, 8 * at) & self.key_mask[at])
    }

    #[inline]
    pub(super) fn has_key(&self, id: ConfigId, key: &[u64; K]) -> bool {
        let record = self.record(id);
        (0..K).all(|at| (read(record, 8 * at) ^ key[at]) & self.key_mask[at] == 0)
    }

    /// Returns the bits that are marked.
    #[inline]
    pub(super) fn marked(&self, id: ConfigId) -> [u64; W] {
        let record = self.record(id);
        std::array::from_fn(|at| {
            (read(record, self.low + 8 * at) | read(record, self.high + 8 * at)) & self.plane_mask[at]
        })
    }

    /// Marks bits with the codes 1, 2 and 3, replacing earlier codes.
    #[inline]
    pub(super) fn mark(&mut self, id: ConfigId, bits: &[[u64; W]; 3]) {
        let (low, high) = (self.low, self.high);
        let record = self.record_mut(id);
        let lows: [u64; W] = std::array::from_fn(|at| read(record, low + 8 * at));
        let highs: [u64; W] = std::array::from_fn(|at| read(record, high + 8 * at));
        let [one, two, three] = bits;
        let kept = |at: usize| !(one[at] | two[at] | three[at]);
        (0..W).for_each(|at| write(record, low + 8 * at, lows[at] & kept(at) | one[at] | three[at]));
        (0..W).for_each(|at| write(record, high + 8 * at, highs[at] & kept(at) | two[at] | three[at]));
    }

    /// Returns the first moves to go, modulo 2^16; 0 if they were never recorded.
    pub(super) fn first(&self, id: ConfigId) -> u16 {
        self.record(id)[self.first..].first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes))
    }

    /// Records the first moves to go.
    #[expect(clippy::cast_possible_truncation, reason = "the remainder is what is kept")]
    pub(super) fn set_first(&mut self, id: ConfigId, moves: u32) {
        let first = self.first;
        if let Some(bytes) = self.record_mut(id)[first..].first_chunk_mut() {
            *bytes = (moves as u16).to_le_bytes();
        }
    }

    /// Reads the first word of a record.
    #[inline]
    pub(super) fn peek(&self, id: ConfigId) -> u64 {
        read(self.record(id), 0)
    }

    /// Returns the code of one bit of the planes; 0 if it is not marked.
    #[inline]
    pub(super) fn code(&self, id: ConfigId, bit: usize) -> u64 {
        let record = self.record(id);
        let bit_of = |plane: usize| u64::from(record[plane + bit / 8]) >> (bit % 8) & 1;
        bit_of(self.low) | bit_of(self.high) << 1
    }

    /// Returns the codes of all bits.
    pub(super) fn codes(&self, id: ConfigId) -> CodePlanes<W> {
        let record = self.record(id);
        let plane = |from: usize| std::array::from_fn(|at| read(record, from + 8 * at) & self.plane_mask[at]);
        CodePlanes { low: plane(self.low), high: plane(self.high) }
    }
}

/// The codes of all bits of a record, from which codes can be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodePlanes<const W: usize> {
    low: [u64; W],
    high: [u64; W],
}

impl<const W: usize> CodePlanes<W> {
    /// Returns the code of a bit, and sets it to 0.
    #[inline]
    pub(crate) const fn take(&mut self, bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        let code = self.low[word] >> shift & 1 | (self.high[word] >> shift & 1) << 1;
        self.low[word] &= !(1 << shift);
        self.high[word] &= !(1 << shift);
        code
    }

    /// Returns whether all codes are 0.
    pub(crate) fn is_empty(&self) -> bool {
        is_empty(&self.low) && is_empty(&self.high)
    }
}

/// The bits of a word of a set of `n` bits.
fn bits_of_word(n: usize, at: usize) -> u64 {
    let n_bits = n.saturating_sub(64 * at).min(64);
    let n_bits = u32::try_from(n_bits).expect("invariant: a word has 64 bits");
    u64::MAX.checked_shr(64 - n_bits).unwrap_or(0)
}

/// Reads a word.
#[inline]
fn read(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

/// Writes a word.
#[inline]
fn write(bytes: &mut [u8], at: usize, word: u64) {
    if let Some(bytes) = bytes[at..].first_chunk_mut() {
        *bytes = word.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks every square of many records in turn, and compares all of them with what was marked.
    fn check<const K: usize, const W: usize>(n_live: usize, n_squares: usize) {
        let mut records = Records::<K, W>::new(n_live, n_squares, &MemoryAccount::new(1 << 24));
        let bit = |at: usize| -> [u64; W] { std::array::from_fn(|word| u64::from(word == at / 64) << (at % 64)) };
        let key_of = |number: usize| -> [u64; K] {
            std::array::from_fn(|at| {
                let word =
                    (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7 * u32::try_from(at).unwrap());
                word & bits_of_word(n_live, at)
            })
        };
        let n_records = 2 * CHUNK_BYTES / records.stride;
        for number in 0..n_records {
            assert_eq!(records.push(&key_of(number)).map(ConfigId::idx), Ok(number));
        }
        let code_of = |number: usize, sq: usize| (number * 7 + sq * 5) % 4;
        let first_of = |number: usize| u32::try_from(number * 12_345).unwrap();
        for sq in (0..n_squares).rev() {
            for number in 0..n_records {
                let id = ConfigId::new(number).unwrap();
                records.set_first(id, first_of(number));
                // First with another code.
                for code in [code_of(number, sq) % 3 + 1, code_of(number, sq)] {
                    let marks = std::array::from_fn(|at| if at + 1 == code { bit(sq) } else { [0; W] });
                    if code_of(number, sq) != 0 {
                        records.mark(id, &marks);
                    }
                }
            }
        }
        for number in 0..n_records {
            let id = ConfigId::new(number).unwrap();
            assert_eq!(records.key(id), key_of(number));
            assert!(records.has_key(id, &key_of(number)) && !records.has_key(id, &key_of(number + 1)));
            let mut codes = records.codes(id);
            for sq in 0..n_squares {
                assert_eq!(records.code(id, sq), code_of(number, sq) as u64);
                assert_eq!([codes.take(sq), codes.take(sq)], [code_of(number, sq) as u64, 0]);
            }
            assert!(codes.is_empty());
            let is_marked = |sq: usize| records.marked(id)[sq / 64] >> (sq % 64) & 1 != 0;
            assert!((0..64 * W).all(|sq| is_marked(sq) == (sq < n_squares && code_of(number, sq) != 0)));
            assert_eq!(u32::from(records.first(id)), first_of(number) % (1 << 16));
        }
    }

    #[test]
    fn fields_do_not_touch_their_neighbors() {
        check::<1, 1>(9, 12);
        check::<1, 1>(33, 56);
        check::<1, 1>(64, 64);
        check::<1, 2>(49, 68);
        check::<2, 2>(65, 128);
        check::<2, 3>(64, 129);
        check::<4, 5>(219, 272);
    }
}
