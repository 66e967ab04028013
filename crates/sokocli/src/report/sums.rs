//! The sum of the best solutions over time.

use hashbrown::HashMap;

/// A solution as a part of the sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct DatedCount {
    /// The number of the level.
    pub(super) level: usize,
    /// Seconds since 1970; `None` if not known: it counts as older than all that is known.
    pub(super) at: Option<i64>,
    /// What it has of what counts first.
    pub(super) counted: u64,
}

/// A sum over all levels that are solved some time; those that are not yet count with their first solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SumPoint {
    /// Seconds since 1970.
    pub(super) at: i64,
    pub(super) sum: u64,
}

/// Adds up the best of each level at each time.
pub(super) fn sums(counts: &[DatedCount]) -> Vec<SumPoint> {
    let mut counts = counts.to_vec();
    // `None` is the least; equal times stay in their order.
    counts.sort_by_key(|count| count.at);
    let mut best: HashMap<usize, u64> = HashMap::new();
    for count in &counts {
        best.entry(count.level).or_insert(count.counted);
    }
    let mut sum: u64 = best.values().sum();
    let mut points: Vec<SumPoint> = Vec::new();
    for count in &counts {
        let best = best.entry(count.level).or_insert(count.counted);
        sum -= best.saturating_sub(count.counted);
        *best = (*best).min(count.counted);
        match (count.at, points.last_mut()) {
            (None, _) => {}
            (Some(at), Some(last)) if last.at == at => last.sum = sum,
            (Some(at), _) => points.push(SumPoint { at, sum }),
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_falls_with_each_gain() {
        let count = |level, at, counted| DatedCount { level, at, counted };
        let counts = vec![
            count(0, Some(50), 90),
            count(0, None, 100),
            count(1, Some(70), 30),
            count(0, Some(60), 95),
            count(1, Some(80), 20),
            count(0, Some(80), 80),
        ];
        let points = sums(&counts);
        let points: Vec<_> = points.iter().map(|point| (point.at, point.sum)).collect();
        assert_eq!(points, [(50, 120), (60, 120), (70, 120), (80, 100)]);
        assert!(sums(&[count(0, None, 5)]).is_empty());
    }
}
