//! Zeroed tables whose pages are all written, for tables that are read before they are written.
//!
//! Zeroed memory from the operating system has no pages until it is touched. The first read of a page maps a zero page
//! that all share, and the first write replaces it by a page of its own. Each replacement interrupts all other
//! processors that the program runs on, to flush the old mapping. With tables that grow on two threads that was half of
//! the time in the kernel.

use std::hint::black_box;

/// Words of the smallest pages.
const PAGE: usize = (1 << 12) / size_of::<u64>();

/// Returns `n` zeros, each page of which has been written.
pub(crate) fn written_zeros(n: usize) -> Vec<u64> {
    let mut zeros = vec![0; n];
    // Without it the compiler would drop a write of zeros over zeros.
    zeros.iter_mut().step_by(PAGE).for_each(|place| *place = black_box(0));
    zeros
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_zeros() {
        for n in [0, 1, PAGE - 1, PAGE, PAGE + 1, 100_000] {
            assert_eq!(written_zeros(n), vec![0; n]);
        }
    }
}
