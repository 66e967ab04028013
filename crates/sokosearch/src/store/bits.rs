//! Sets of bits in words: keys of configurations, and sets of squares.

use crate::Stop;

/// A box moved from one live square to another, both as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoxShift {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The set of one bit.
#[inline]
pub(crate) fn singleton<const W: usize>(bit: usize) -> [u64; W] {
    std::array::from_fn(|at| if at == bit / 64 { 1 << (bit % 64) } else { 0 })
}

/// Flips a bit: puts a box on a square, or removes it.
#[inline]
pub(crate) fn toggle(set: &mut [u64], bit: usize) {
    set[bit / 64] ^= 1 << (bit % 64);
}

/// Flips two bits: moves a box from one square to another.
#[inline]
pub(crate) fn toggle_both(set: &mut [u64], one: usize, other: usize) {
    toggle(set, one);
    toggle(set, other);
}

/// Adds the bits of another set.
#[inline]
pub(crate) fn union_with<const W: usize>(set: &mut [u64; W], more: &[u64; W]) {
    for (word, more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

/// Removes from a set those of the bits `among` that are not wanted. Word by word, so that both stay in registers.
#[inline]
pub(crate) fn retain_wanted<const W: usize>(set: &mut [u64; W], among: &[u64; W], is_wanted: impl Fn(usize) -> bool) {
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

/// Whether a set has no bits. Comparing arrays of more than a few words would be a call.
#[inline]
pub(crate) fn is_empty<const W: usize>(set: &[u64; W]) -> bool {
    set.iter().fold(0, |all, word| all | word) == 0
}

/// Whether a set has a bit; it has none beyond its last word.
#[inline]
pub(crate) fn contains(set: &[u64], bit: usize) -> bool {
    set.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
}

/// Visits the bits of a set: a plain loop, which the compiler keeps in registers.
#[inline]
pub(crate) fn for_bits<const W: usize>(
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
