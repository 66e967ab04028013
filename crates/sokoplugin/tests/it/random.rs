//! Numbers that are random enough, and the same in every run.

/// A stream of numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = sokocore::mix64(self.0.wrapping_add(sokocore::WEYL_STEP));
        usize::try_from(self.0 % n as u64).expect("it is below n")
    }
}
