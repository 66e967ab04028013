//! The value of a position as a weighted sum of features, for the value tree.
//!
//! The features and their weights are Yaron Shoham's, trained for Festival's third strategy. A new feature is a line in
//! [`BY_PULLS`] or [`BY_PUSHES`].

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

/// A feature by its weight, in the sum of [`worth`].
type WeightedFeature = (f64, fn(&FeatureCounts) -> f64);

/// The features of a search by pulls.
const BY_PULLS: &[WeightedFeature] = &[
    (-0.185, |counts| counts.per_box(counts.n_on_goals)),
    (-0.217, |counts| counts.per_box(counts.n_pieces)),
    (0.154, FeatureCounts::relative_distance),
    (0.382, |counts| decay(counts.n_on_goals)),
    (0.471, |counts| decay(counts.n_boxes)),
    (0.196, |_| 1.0),
];

/// The features of a search by pushes.
const BY_PUSHES: &[WeightedFeature] = &[
    (0.469, |counts| f64::from(counts.packed) / counts.boxes()),
    (-0.178, |counts| counts.per_box(counts.n_on_goals)),
    (-0.233, |counts| counts.per_box(counts.n_pieces)),
    (0.052, FeatureCounts::relative_distance),
    (0.326, |counts| counts.per_box(counts.overlap)),
    (0.165, |counts| decay(counts.n_boxes.saturating_sub(counts.n_on_goals))),
    (0.349, |counts| decay(counts.n_boxes)),
    (-0.141, |_| 1.0),
];

/// Returns the score key of a position in a search by pulls: less is better.
pub(crate) fn pull_score_key(counts: FeatureCounts) -> u64 {
    score_key(worth(BY_PULLS, &counts))
}

/// Returns the score key of a position in a search by pushes: less is better.
pub(crate) fn push_score_key(counts: FeatureCounts) -> u64 {
    score_key(worth(BY_PUSHES, &counts))
}

/// The sum of the features by their weights, in the order of the list: so it is rounded in the same way everywhere.
fn worth(features: &[WeightedFeature], counts: &FeatureCounts) -> f64 {
    features.iter().fold(0.0, |sum, (weight, feature)| sum + weight * feature(counts))
}

/// The difference of score key between two positions whose values are 0.1 apart.
pub(crate) const TENTH: u64 = 100_000_000;

impl FeatureCounts {
    fn boxes(&self) -> f64 {
        small(self.n_boxes.max(1))
    }

    fn per_box(&self, n: u64) -> f64 {
        small(n) / self.boxes()
    }

    /// The distance of the boxes, by the most that they could have.
    fn relative_distance(&self) -> f64 {
        small(self.far) / (self.boxes() * small(self.farthest.max(1)))
    }
}

fn small(n: u64) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
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
