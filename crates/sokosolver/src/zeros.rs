//! Zeros for tables that are looked up before they are written.
//!
//! Zeros from the operating system are not there until they are touched: who reads a page gets one that all share, and who
//! writes it later gets its own. Then all other processors that the program runs on are stopped for a moment, lest they go
//! on reading the shared one. With tables that grow on two threads that was half of the time spent in the kernel.

use std::hint::black_box;

/// Words of the smallest pages.
const PAGE: usize = (1 << 12) / size_of::<u64>();

/// Returns so many zeros, each page of which has been written.
pub(crate) fn written_zeros(n: usize) -> Vec<u64> {
    let mut zeros = vec![0; n];
    // Otherwise the compiler would see that they are zeros already.
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
