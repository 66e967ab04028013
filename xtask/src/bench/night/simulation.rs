//! Nights on curves: what the sum of all levels is, slice after slice.
//!
//! ```text
//!   Schedule ──item, slice──▶ curve of the item ──gain──▶ Schedule      one worker; time counts in ticks
//!
//!   equal slices     the item that has had least
//!   ours             the schedule of `sokonight`
//!   what knows all   the steepest piece of all hulls: no schedule can be better at any of its corners
//! ```

use std::time::Duration;

use sokonight::{Item, Schedule, SliceEnding, SliceGain};

use super::TICKS_A_SECOND;
use super::curve::{CurvePoint, ItemCurve};

/// The sum over all items, as it falls with the ticks that were spent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SumCurve {
    /// The sum before any work.
    pub(super) start: f64,
    /// Ticks and the sum from there on, in the order of ticks.
    steps: Vec<(f64, f64)>,
}

/// An item of a simulated night.
#[derive(Clone, Debug)]
pub(super) struct NightItem<'a> {
    pub(super) curve: &'a ItemCurve,
    /// Lower bound of what the objective counts first.
    pub(super) bound: u64,
    /// Ticks that it has had before the night.
    pub(super) before: u64,
}

impl NightItem<'_> {
    /// Returns what the objective counts at a place of the curve.
    fn counted(&self, point: &CurvePoint) -> u64 {
        self.curve.counted(point)
    }

    fn counted_at(&self, ticks: f64) -> f64 {
        self.counted(self.curve.at(ticks)) as f64
    }

    /// Makes the item of the schedule.
    fn item(&self) -> Item {
        let point = self.curve.at(self.before as f64);
        let since_gain = self.before.saturating_sub(self.curve.last_gain(self.before));
        let time = |ticks: u64| Duration::from_secs_f64(ticks as f64 / TICKS_A_SECOND);
        Item::improving(self.counted(point), point.pushes)
            .with_bound(self.bound)
            .after(time(self.before), time(since_gain))
    }
}

impl SumCurve {
    /// Returns the sum after so many ticks.
    pub(super) fn at(&self, ticks: f64) -> f64 {
        let n = self.steps.partition_point(|&(at, _)| at <= ticks);
        n.checked_sub(1).map_or(self.start, |last| self.steps[last].1)
    }

    /// Returns the ticks after which the sum is not above this one; `None` if that was not reached.
    pub(super) fn reaches(&self, sum: f64) -> Option<f64> {
        if self.start <= sum {
            return Some(0.0);
        }
        let n = self.steps.partition_point(|&(_, after)| after > sum);
        self.steps.get(n).map(|&(at, _)| at)
    }

    /// Makes the curve of gains at ticks, in any order.
    fn of_gains(start: f64, mut gains: Vec<(f64, f64)>) -> Self {
        gains.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut sum = start;
        let steps = gains.into_iter().map(|(at, gain)| {
            sum -= gain;
            (at, sum)
        });
        Self { start, steps: steps.collect() }
    }
}

/// Runs a schedule on the items until so many ticks are spent.
pub(super) fn simulate(mut schedule: Schedule, items: &[NightItem<'_>], limit: f64) -> SumCurve {
    let mut spent: Vec<f64> = items.iter().map(|item| item.before as f64).collect();
    let start = items.iter().zip(&spent).map(|(item, &spent)| item.counted_at(spent)).sum();
    for item in items {
        let at = schedule.add(item.item());
        if item.curve.settled_at().is_some_and(|settled_at| settled_at <= item.before as f64) {
            schedule.settle(at);
        }
    }
    let (mut total, mut gains) = (0.0, Vec::new());
    while total < limit
        && let Some(turn) = schedule.take(1)
    {
        let (at, slice) = (turn.item, turn.time);
        let (item, from) = (&items[at], spent[at]);
        let mut to = from + (slice.as_secs_f64() * TICKS_A_SECOND).min(limit - total);
        let settled_at = item.curve.settled_at().filter(|&settled_at| settled_at <= to);
        to = settled_at.map_or(to, |settled_at| settled_at.max(from));
        let mut gain = 0.0;
        for (one, other) in item.curve.steps(from, to) {
            let counted = item.counted(one) as f64 - item.counted(other) as f64;
            gain += counted;
            gains.push((total + (other.ticks as f64 - from), counted));
        }
        let elapsed = Duration::from_secs_f64((to - from) / TICKS_A_SECOND);
        let ending = if settled_at.is_some() { SliceEnding::Settled } else { SliceEnding::Open };
        schedule.end(at, &SliceGain::new(elapsed, gain, ending));
        schedule.update(at, item.counted(item.curve.at(to)), item.bound);
        total += to - from;
        spent[at] = to;
    }
    SumCurve::of_gains(start, gains)
}

/// Returns the sum of what knows all curves: at each of its steps no schedule is better.
pub(super) fn oracle(items: &[NightItem<'_>]) -> SumCurve {
    let mut pieces = Vec::new();
    for item in items {
        let points: Vec<_> =
            item.curve.places_from(item.before).map(|point| (point.ticks as f64, item.counted(&point))).collect();
        pieces.extend(hull(&points));
    }
    pieces.sort_by(|one: &(f64, f64), other| (other.1 / other.0).total_cmp(&(one.1 / one.0)));
    let start = items.iter().map(|item| item.counted_at(item.before as f64)).sum();
    let mut at = 0.0;
    let gains = pieces.iter().map(|&(ticks, gain)| {
        at += ticks;
        (at, gain)
    });
    let gains: Vec<_> = gains.collect();
    SumCurve::of_gains(start, gains)
}

/// Returns the pieces of the lower convex hull of a falling curve: ticks and gain of each.
fn hull(points: &[(f64, u64)]) -> Vec<(f64, f64)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    while from + 1 < points.len() {
        let slope =
            |to: usize| (points[from].1 as f64 - points[to].1 as f64) / (points[to].0 - points[from].0).max(1.0);
        let steepest = (from + 1..points.len()).max_by(|&one, &other| slope(one).total_cmp(&slope(other)));
        let Some(to) = steepest.filter(|&to| slope(to) > 0.0) else { break };
        pieces.push(((points[to].0 - points[from].0).max(1.0), points[from].1 as f64 - points[to].1 as f64));
        from = to;
    }
    pieces
}

#[cfg(test)]
mod tests;
