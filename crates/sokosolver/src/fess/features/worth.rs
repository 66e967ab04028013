//! The worth of a position as a sum of features, for the search down a tree of values.
//!
//! The features and their weights are Yaron Shoham's, trained for Festival's third strategy.

/// What is counted in a position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) n_boxes: u64,
    pub(crate) n_home: u64,
    pub(crate) n_pieces: u64,
    /// Pushes of all boxes from the goals, and the most that one box can have.
    pub(crate) far: u64,
    pub(crate) farthest: u64,
    /// Steps of the plan that are taken, and most boxes that stand as at one moment of the plan.
    pub(crate) packed: i32,
    pub(crate) overlap: u64,
}

/// One in fixed point.
const ONE: f64 = 1e9;

/// Returns the order of a position on the way back: less is better.
pub(crate) fn by_pulls(counts: Counts) -> u64 {
    let Shares { n, home, pieces, far, .. } = shares(counts);
    let worth = -0.185 * home - 0.217 * pieces + 0.154 * far + 0.382 * decay(counts.n_home) + 0.471 * n + 0.196;
    order(worth)
}

/// Returns the order of a position on the way forward: less is better.
pub(crate) fn by_pushes(counts: Counts) -> u64 {
    let Shares { n, home, pieces, far, packed, overlap } = shares(counts);
    let n_away = counts.n_boxes.saturating_sub(counts.n_home);
    let worth = 0.469 * packed - 0.178 * home - 0.233 * pieces
        + 0.052 * far
        + 0.326 * overlap
        + 0.165 * decay(n_away)
        + 0.349 * n
        - 0.141;
    order(worth)
}

/// The difference of order between two positions of worth 0.1 apart.
pub(crate) const TENTH: u64 = 100_000_000;

struct Shares {
    n: f64,
    home: f64,
    pieces: f64,
    far: f64,
    packed: f64,
    overlap: f64,
}

fn shares(counts: Counts) -> Shares {
    let small = |n: u64| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let n = small(counts.n_boxes.max(1));
    Shares {
        n: decay(counts.n_boxes),
        home: small(counts.n_home) / n,
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
fn order(worth: f64) -> u64 {
    ((10.0 - worth).clamp(0.0, 20.0) * ONE) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_bad_and_distance_is_good() {
        let counts = Counts { n_boxes: 10, n_pieces: 1, far: 50, farthest: 20, ..Counts::default() };
        let worse = Counts { n_pieces: 3, ..counts };
        let farther = Counts { far: 90, ..counts };
        assert!(by_pulls(counts) < by_pulls(worse) && by_pulls(farther) < by_pulls(counts));
        assert!(by_pushes(counts) < by_pushes(worse));
        assert!(by_pushes(Counts { packed: 4, ..counts }) < by_pushes(counts));
    }
}
