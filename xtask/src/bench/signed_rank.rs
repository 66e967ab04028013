//! The signed-rank test (Wilcoxon 1945) of paired differences.
//!
//! It asks whether differences are symmetric around zero: unlike the sign test it gives large ones more weight, and so
//! tells more from the same pairs. Zeros are left out, ties share their mean rank. Up to [`EXACT`] pairs the
//! distribution is exact, by the sums of all subsets of ranks; beyond, it is the normal one with the correction for ties.

/// Pairs up to which the distribution is exact.
const EXACT: usize = 40;

/// Returns the probability of so uneven a sum of ranks if either sign were equally likely (both sides).
pub(super) fn signed_rank_chance(differences: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = differences.iter().copied().filter(|&one| one != 0.0).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    sizes.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
    // Twice the ranks, so that mean ranks of ties are whole numbers.
    let mut ranks = Vec::with_capacity(sizes.len());
    let mut ties = 0.0;
    while ranks.len() < sizes.len() {
        let from = ranks.len();
        let n = sizes[from..].iter().take_while(|one| one.abs() == sizes[from].abs()).count();
        ranks.extend(std::iter::repeat_n(2 * from + n + 1, n));
        ties += (n * n * n - n) as f64;
    }
    let sum: usize = ranks.iter().zip(&sizes).filter(|(_, size)| **size > 0.0).map(|(rank, _)| rank).sum();
    let total: usize = ranks.iter().sum();
    let less = sum.min(total - sum);
    if ranks.len() <= EXACT { exact(&ranks, less) } else { normal(ranks.len(), less as f64 / 2.0, ties) }
}

/// Counts the subsets of the ranks whose sum is at most `less`.
fn exact(ranks: &[usize], less: usize) -> f64 {
    let mut n_subsets = vec![0.0_f64; less + 1];
    n_subsets[0] = 1.0;
    for &rank in ranks {
        for sum in (rank..=less).rev() {
            n_subsets[sum] += n_subsets[sum - rank];
        }
    }
    let all = 2.0_f64.powi(i32::try_from(ranks.len()).expect("invariant: few pairs are exact"));
    (2.0 * n_subsets.iter().sum::<f64>() / all).min(1.0)
}

/// The normal approximation for `n` pairs.
fn normal(n: usize, less: f64, ties: f64) -> f64 {
    let n = n as f64;
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = ((mean - less).abs() - 0.5).max(0.0) / variance.sqrt();
    libm::erfc(z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64, by: f64) -> bool {
        (one - other).abs() < by
    }

    /// Five pairs of one sign: 2 of 32 outcomes. The table of the distribution: 10 pairs with a sum of 8 are 0.048.
    #[test]
    fn small_samples_are_exact() {
        assert!(close(signed_rank_chance(&[1.0, 2.0, 3.0, 4.0, 5.0]), 0.0625, 1e-12));
        assert!(close(signed_rank_chance(&[-1.0, -2.0, -3.0, -4.0, -5.0]), 0.0625, 1e-12));
        let ten = [-1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -7.0, 8.0, 9.0, 10.0];
        assert!(close(signed_rank_chance(&ten), 0.048_828_125, 1e-9));
        assert!(close(signed_rank_chance(&[]), 1.0, 1e-12) && close(signed_rank_chance(&[0.0, 0.0]), 1.0, 1e-12));
        assert!(close(signed_rank_chance(&[1.0, -1.0]), 1.0, 1e-12));
    }

    /// Where both can be computed the approximation is near the exact distribution, with ties as well.
    #[test]
    fn large_samples_are_near() {
        for divisor in [1, 3] {
            let differences: Vec<f64> =
                (1..=40).map(|k: i32| f64::from(1 + k / divisor) * if k % 3 == 0 { -1.0 } else { 1.0 }).collect();
            let one = signed_rank_chance(&differences);
            let mut more = differences.clone();
            more.push(0.5);
            let other = signed_rank_chance(&more);
            assert!(one > 0.001 && close(one, other, 0.01), "{one} {other}");
        }
    }
}
