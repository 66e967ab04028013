//! A paired comparison of two runs over the same levels: one metric of each level in either run.
//!
//! Sums are ruled by the few longest solutions, and a search that begins differently ends differently, mostly by
//! chance. So levels are counted, and the sign test (Arbuthnot 1710) says how often chance alone would split them so
//! unevenly.

/// Two runs, level by level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) sum_before: u64,
    pub(super) sum: u64,
    /// Levels where the second run ends with less.
    pub(super) n_better: u64,
    /// Levels where it ends with more.
    pub(super) n_worse: u64,
    pub(super) n_equal: u64,
    /// Mean of the change, level by level, as a ratio: 0.01 is one percent more.
    pub(super) mean_change: f64,
}

impl Comparison {
    /// Compares pairs of metrics, the first run's before the second's.
    pub(super) fn of(pairs: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut all = Self { sum_before: 0, sum: 0, n_better: 0, n_worse: 0, n_equal: 0, mean_change: 0.0 };
        let (mut logarithms, mut n) = (0.0, 0.0);
        for (before, after) in pairs {
            all.sum_before += before;
            all.sum += after;
            match after.cmp(&before) {
                std::cmp::Ordering::Less => all.n_better += 1,
                std::cmp::Ordering::Greater => all.n_worse += 1,
                std::cmp::Ordering::Equal => all.n_equal += 1,
            }
            logarithms += (after.max(1) as f64 / before.max(1) as f64).ln();
            n += 1.0;
        }
        if n > 0.0 {
            all.mean_change = (logarithms / n).exp_m1();
        }
        all
    }

    /// Returns the change of the sum, as a ratio.
    pub(super) fn sum_change(&self) -> f64 {
        self.sum as f64 / self.sum_before.max(1) as f64 - 1.0
    }

    /// Returns the probability of so uneven a split if better and worse were equally likely.
    pub(super) fn chance(&self) -> f64 {
        sign_test(self.n_better, self.n_worse)
    }
}

/// Returns the probability of so uneven a split if either side were equally likely (sign test, both sides).
pub(super) fn sign_test(n_better: u64, n_worse: u64) -> f64 {
    let (fewer, n) = (n_better.min(n_worse), n_better + n_worse);
    // The logarithm of the binomial coefficient over 2^n, which by itself would underflow for many levels.
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=fewer {
        tail += term.exp();
        term += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sums_and_means() {
        let comparison = Comparison::of([(100, 110), (100, 100), (50, 45), (10, 20)].into_iter());
        assert_eq!((comparison.sum_before, comparison.sum), (260, 275));
        assert_eq!((comparison.n_better, comparison.n_worse, comparison.n_equal), (1, 2, 1));
        assert!((comparison.mean_change - ((1.1 * 0.9 * 2.0_f64).powf(0.25) - 1.0)).abs() < 1e-12);
        assert_eq!(Comparison::of(std::iter::empty()).mean_change.to_bits(), 0);
    }

    /// Values of the binomial distribution.
    #[test]
    fn the_sign_test_is_exact() {
        let chance = |n_better, n_worse| {
            let levels = std::iter::repeat_n((2, 1), n_better).chain(std::iter::repeat_n((1, 2), n_worse));
            Comparison::of(levels).chance()
        };
        for (n_better, n_worse, expected) in
            [(0, 0, 1.0), (1, 0, 1.0), (0, 5, 0.0625), (1, 7, 0.070_312_5), (4, 4, 1.0)]
        {
            assert!((chance(n_better, n_worse) - expected).abs() < 1e-9, "{n_better} {n_worse}");
        }
        assert!(chance(2_000, 2_000) > 0.999 && chance(1_000, 2_000) < 1e-9);
    }
}
