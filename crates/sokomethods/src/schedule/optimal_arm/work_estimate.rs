//! An estimate of the work that is left to an optimal search.
//!
//! A\* expands one layer after the other, each with one value of f = g + h, and the layers grow about as powers of one
//! base (Korf, Reid and Edelkamp 2001). So the ticks at which the lower bound has risen give the ticks at which it
//! meets the upper bound.

use crate::checkpoint::field::fields;

/// Least growth of the work for each unit of the bound: the first layers take less than a slice each, and seem not to
/// grow.
const LEAST_GROWTH: f64 = 1.1;
/// Rises at fewer ticks than this part of those of the last one count no more: the first layers grow otherwise.
const OLDEST: u64 = 32;
/// Most rises that are kept.
const MOST_RISES: usize = 256;

/// The work of a search, and when its lower bound has risen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WorkEstimate {
    ticks: u64,
    rises: Vec<Rise>,
}

/// A rise of the lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rise {
    bound: u64,
    ticks: u64,
}

fields!(Rise { bound, ticks });
fields!(WorkEstimate { ticks, rises });

impl WorkEstimate {
    /// Returns the work so far.
    pub(super) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Adds work.
    pub(super) const fn add(&mut self, ticks: u64) {
        self.ticks += ticks;
    }

    /// Notes the lower bound after the work so far. While it is 0 the tables are made: that is no layer.
    pub(super) fn note(&mut self, bound: u64) {
        if bound > self.rises.last().map_or(0, |last| last.bound) {
            if self.rises.len() == MOST_RISES {
                self.rises.remove(0);
            }
            self.rises.push(Rise { bound, ticks: self.ticks });
        }
    }

    /// Begins anew: a search without a tree.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Returns the ticks that are left until the lower bound meets the upper bound.
    pub(super) fn until(&self, upper_bound: u64) -> f64 {
        let Some(last) = self.rises.last() else { return self.ticks as f64 };
        // The present layer ends later than now, one step above.
        let step = self.rises.windows(2).map(|two| two[1].bound - two[0].bound).min().unwrap_or(1);
        let next = Rise { bound: last.bound + step, ticks: self.ticks };
        let first = self.rises.iter().find(|rise| rise.ticks >= last.ticks / OLDEST).unwrap_or(last);
        let growth = growth(first, last).max(growth(first, &next)).max(LEAST_GROWTH);
        let layers_left = upper_bound.saturating_sub(last.bound) as f64;
        let at_the_end = (last.ticks as f64).max(1.0) * growth.powf(layers_left);
        (at_the_end - self.ticks as f64).max(0.0)
    }
}

/// Returns by how much the work grows for each unit of the bound; 1 if it cannot be told.
fn growth(from: &Rise, to: &Rise) -> f64 {
    match to.bound.saturating_sub(from.bound) {
        0 => 1.0,
        units => (to.ticks.max(1) as f64 / from.ticks.max(1) as f64).powf(1.0 / units as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(rises: impl IntoIterator<Item = (u64, u64)>, ticks: u64) -> WorkEstimate {
        let mut estimate = WorkEstimate::default();
        for (bound, at) in rises {
            estimate.add(at - estimate.ticks());
            estimate.note(bound);
        }
        estimate.add(ticks - estimate.ticks());
        estimate
    }

    #[test]
    fn layers_grow_as_powers() {
        let doubling = estimate([(10, 1_000), (11, 2_000), (12, 4_000)], 5_000);
        assert!((doubling.until(15) - 27_000.0).abs() < 1.0);
        assert!(doubling.until(12) < 1.0, "the bounds have met");
        let by_twos = estimate([(10, 1_000), (12, 4_000)], 4_000);
        assert!((by_twos.until(14) - 12_000.0).abs() < 1.0);
    }

    /// A layer that takes longer than expected makes all that follow longer.
    #[test]
    fn the_present_layer_counts() {
        let expected = estimate([(10, 1_000), (11, 2_000)], 4_000);
        let longer = estimate([(10, 1_000), (11, 2_000)], 8_000);
        assert!(longer.until(14) > 1.5 * expected.until(14));
        let first = estimate([(10, 1_000)], 64_000);
        assert!(first.until(12) > 1_000_000.0, "{}", first.until(12));
    }

    /// From 0 to the first bound is no step of one layer: the search is not near its end because of it.
    #[test]
    fn tables_are_no_layer() {
        let after_tables = estimate([(0, 12_500), (132, 25_000)], 150_000);
        assert!(after_tables.until(320) > 1e12, "{}", after_tables.until(320));
    }

    #[test]
    fn early_layers_are_forgotten() {
        let tables = [(10, 1_000), (11, 1_001), (12, 1_002)];
        let layers = [(13, 50_000), (14, 100_000)];
        let both = estimate(tables.into_iter().chain(layers), 100_000);
        assert!((both.until(15) - estimate(layers, 100_000).until(15)).abs() < 1.0);
        let many = estimate((1..10 * MOST_RISES as u64).map(|bound| (bound, 100 * bound)), 300_000);
        assert_eq!(many.rises.len(), MOST_RISES);
    }
}
