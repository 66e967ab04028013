//! The curve of a run: how the sums of moves and pushes have fallen.
//!
//! Invariant: at most [`MAX_POINTS`] points, from left to right, none higher than the one before. A level that is solved
//! during the run counts from the beginning with its first solution, so that solving does not raise the curve.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Points that are kept; more are thinned.
pub(super) const MAX_POINTS: usize = 240;

/// Sums at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CurvePoint {
    pub(super) ms: u64,
    pub(super) moves: u64,
    pub(super) pushes: u64,
}

/// The points so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Curve {
    points: Vec<CurvePoint>,
}

impl Curve {
    /// Begins or continues with the sums of the levels. Where they are higher than at the end of the part before, some were
    /// solved meanwhile.
    pub(super) fn meet(&mut self, at: Duration, moves: u64, pushes: u64) {
        let Some(&last) = self.points.last() else { return self.begin(at, moves, pushes) };
        self.begin(at, moves.saturating_sub(last.moves), pushes.saturating_sub(last.pushes));
        self.fall(at, last.moves.saturating_sub(moves), last.pushes.saturating_sub(pushes));
    }

    /// Leaves out what is too much in a curve that comes from elsewhere.
    pub(super) fn shorten(&mut self) {
        self.points.truncate(MAX_POINTS);
    }

    /// Counts levels whose first solutions measure this, from the beginning.
    pub(super) fn begin(&mut self, at: Duration, moves: u64, pushes: u64) {
        for point in &mut self.points {
            point.moves += moves;
            point.pushes += pushes;
        }
        if self.points.is_empty() {
            self.points.push(CurvePoint { ms: ms(at), moves, pushes });
        }
    }

    /// Lowers the sums. Does nothing before there is a solution.
    pub(super) fn fall(&mut self, at: Duration, moves: u64, pushes: u64) {
        let Some(&last) = self.points.last() else { return };
        let point = CurvePoint {
            ms: ms(at).max(last.ms),
            moves: last.moves.saturating_sub(moves),
            pushes: last.pushes.saturating_sub(pushes),
        };
        if self.points.len() == MAX_POINTS {
            let mut at = 0;
            // The first one stays: the fall is measured from it.
            self.points.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
        self.points.push(point);
    }

    /// Returns the points.
    #[cfg(test)]
    pub(super) fn points(&self) -> &[CurvePoint] {
        &self.points
    }
}

fn ms(at: Duration) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_falls_and_stays_short() {
        let mut curve = Curve::default();
        curve.fall(Duration::ZERO, 5, 5);
        assert!(curve.points().is_empty());
        curve.begin(Duration::ZERO, 100_000, 50_000);
        for at in 1..=10_000 {
            curve.fall(Duration::from_millis(at), 3, 1);
            assert!(curve.points().len() <= MAX_POINTS);
        }
        let (first, last) = (curve.points()[0], *curve.points().last().unwrap());
        assert_eq!(first, CurvePoint { ms: 0, moves: 100_000, pushes: 50_000 });
        assert_eq!(last, CurvePoint { ms: 10_000, moves: 70_000, pushes: 40_000 });
        assert!(curve.points().windows(2).all(|two| two[0].ms < two[1].ms && two[0].moves > two[1].moves));
    }

    #[test]
    fn a_curve_continues_where_the_sums_are() {
        let mut curve = Curve::default();
        curve.meet(Duration::ZERO, 100, 40);
        curve.fall(Duration::from_millis(2), 10, 4);
        curve.meet(Duration::from_millis(5), 120, 30);
        let points: Vec<_> = curve.points().iter().map(|point| (point.ms, point.moves, point.pushes)).collect();
        assert_eq!(points, [(0, 130, 40), (2, 120, 36), (5, 120, 30)]);
    }

    #[test]
    fn a_level_that_is_solved_later_counts_from_the_beginning() {
        let mut curve = Curve::default();
        curve.begin(Duration::from_millis(1), 100, 40);
        curve.fall(Duration::from_millis(2), 10, 4);
        curve.begin(Duration::from_millis(3), 50, 20);
        let points: Vec<_> = curve.points().iter().map(|point| (point.moves, point.pushes)).collect();
        assert_eq!(points, [(150, 60), (140, 56)]);
    }
}
