//! The value of a position as a weighted sum of features, for the value tree.
//!
//! The features and their weights are Yaron Shoham's, trained for Festival's third strategy.

/// The counts that the sum is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FeatureCounts {
    pub(crate) n_boxes: u64,
    pub(crate) n_on_goals: u64,
    pub(crate) n_pieces: u64,
    /// Pushes of all boxes from the goals, and the most that one box can have.
    pub(crate) far: u64,
    pub(crate) farthest: u64,
    /// Steps of the plan that are taken, and most boxes that stand as in one position of its path.
    pub(crate) packed: i32,
    pub(crate) overlap: u64,
}

/// One in fixed point.
const ONE: f64 = 1e9;

/// Returns the score key of a position in a search by pulls: less is better.
pub(crate) fn pull_score_key(counts: FeatureCounts) -> u64 {
    let NormalizedCounts { n, home, pieces, far, .. } = normalized(counts);
    let worth = -0.185 * home - 0.217 * pieces + 0.154 * far + 0.382 * decay(counts.n_on_goals) + 0.471 * n + 0.196;
    score_key(worth)
}

/// Returns the score key of a position in a search by pushes: less is better.
pub(crate) fn push_score_key(counts: FeatureCounts) -> u64 {
    let NormalizedCounts { n, home, pieces, far, packed, overlap } = normalized(counts);
    let n_away = counts.n_boxes.saturating_sub(counts.n_on_goals);
    let worth = 0.469 * packed - 0.178 * home - 0.233 * pieces
        + 0.052 * far
        + 0.326 * overlap
        + 0.165 * decay(n_away)
        + 0.349 * n
        - 0.141;
    score_key(worth)
}

/// The difference of score key between two positions whose values are 0.1 apart.
pub(crate) const TENTH: u64 = 100_000_000;

struct NormalizedCounts {
    n: f64,
    home: f64,
    pieces: f64,
    far: f64,
    packed: f64,
    overlap: f64,
}

fn normalized(counts: FeatureCounts) -> NormalizedCounts {
    let small = |n: u64| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let n = small(counts.n_boxes.max(1));
    NormalizedCounts {
        n: decay(counts.n_boxes),
        home: small(counts.n_on_goals) / n,
        pieces: small(counts.n_pieces) / n,
        far: small(counts.far) / (n * small(counts.farthest.max(1))),
        packed: f64::from(counts.packed) / n,
        overlap: small(counts.overlap) / n,
    }
}

/// 0.95 to the power of n, by products, so that it is the same everywhere.
fn decay(n: u64) -> f64 {
    (0..n.min(400)).fold(1.0, |power, _| power * 0.95)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 20 in fixed point")]
fn score_key(worth: f64) -> u64 {
    ((10.0 - worth).clamp(0.0, 20.0) * ONE) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_bad_and_distance_is_good() {
        let counts = FeatureCounts { n_boxes: 10, n_pieces: 1, far: 50, farthest: 20, ..FeatureCounts::default() };
        let worse = FeatureCounts { n_pieces: 3, ..counts };
        let farther = FeatureCounts { far: 90, ..counts };
        assert!(pull_score_key(counts) < pull_score_key(worse) && pull_score_key(farther) < pull_score_key(counts));
        assert!(push_score_key(counts) < push_score_key(worse));
        assert!(push_score_key(FeatureCounts { packed: 4, ..counts }) < push_score_key(counts));
    }
}
