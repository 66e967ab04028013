//! Sets of bits in arrays of words.

use crate::Stop;

/// The set of one bit.
#[inline]
pub(super) fn only<const W: usize>(bit: usize) -> [u64; W] {
    let mut set = [0; W];
    set[bit / 64] = 1 << (bit % 64);
    set
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
