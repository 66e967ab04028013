//! Sets of bits in arrays of words.

use crate::Stop;

/// The set of one bit.
#[inline]
pub(super) fn only<const W: usize>(bit: usize) -> [u64; W] {
    std::array::from_fn(|at| if at == bit / 64 { 1 << (bit % 64) } else { 0 })
}

/// Adds the bits of another set.
#[inline]
pub(super) fn join<const W: usize>(set: &mut [u64; W], more: &[u64; W]) {
    for (word, more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

/// Leaves out of a set those bits of another set that are not wanted. Word by word, so that both stay in registers.
#[inline]
pub(super) fn leave_out<const W: usize>(set: &mut [u64; W], among: &[u64; W], is_wanted: impl Fn(usize) -> bool) {
    for (at, (word, among)) in set.iter_mut().zip(among).enumerate() {
        let mut rest = *word & among;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            if !is_wanted(at * 64 + rest.trailing_zeros() as usize) {
                *word ^= bit;
            }
            rest ^= bit;
        }
    }
}

/// Whether a set has no bits. Not by comparing arrays: for more than a few words that is a call.
#[inline]
pub(super) fn is_empty<const W: usize>(set: &[u64; W]) -> bool {
    set.iter().fold(0, |all, word| all | word) == 0
}

/// Whether a set has a bit; it has none beyond its last word.
#[inline]
pub(super) fn has(set: &[u64], bit: usize) -> bool {
    set.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
}

/// Visits the bits of a set: a plain loop, which the compiler keeps in registers.
#[inline]
pub(super) fn for_bits<const W: usize>(
    set: [u64; W],
    mut visit: impl FnMut(usize) -> Result<(), Stop>,
) -> Result<(), Stop> {
    for (at, mut rest) in set.into_iter().enumerate() {
        while rest != 0 {
            visit(at * 64 + rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
        }
    }
    Ok(())
}
