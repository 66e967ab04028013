//! Sorts keys in place, byte by byte from the first word on, each byte from its highest bit down.
//!
//! Radix exchange (Hildebrandt and Isbitz, 1959): keys with the bit clear go to the front, those with it set to the back,
//! and each half is sorted by the next bit. It needs no memory beside the keys, and can stop anywhere.

use std::ops::Range;

use crate::{Context, Stop};

/// Keys examined between two polls of the budget.
const POLL_EVERY: usize = 1 << 15;

/// Sorts keys of `words` words, of which `n_bits` bits are in use.
///
/// # Errors
/// The run was stopped; the keys are in some order then.
pub(super) fn sort(keys: &mut [u64], words: usize, n_bits: usize, cx: &Context<'_>) -> Result<(), Stop> {
    let mut todo: Vec<(Range<usize>, usize)> = vec![(0..keys.len() / words, 0)];
    let mut n_examined = 0;
    while let Some((range, depth)) = todo.pop() {
        if range.len() < 2 || depth == n_bits.next_multiple_of(8) {
            continue;
        }
        // The highest bit of the first byte comes first, that of the second byte next to its lowest one.
        let bit = depth / 8 * 8 + 7 - depth % 8;
        let (mut front, mut back) = (range.start, range.end);
        while front < back {
            n_examined += 1;
            if n_examined % POLL_EVERY == 0 {
                cx.poll()?;
            }
            if keys[front * words + bit / 64] >> (bit % 64) & 1 == 0 {
                front += 1;
            } else {
                back -= 1;
                for word in 0..words {
                    keys.swap(front * words + word, back * words + word);
                }
            }
        }
        todo.push((range.start..front, depth + 1));
        todo.push((front..range.end, depth + 1));
    }
    Ok(())
}
