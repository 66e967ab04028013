//! Which level gets the next slice of a night: the one whose slices have gained most for their time.
//!
//! ```text
//!   level A   ▇▇▆▅▃▂▁▁  falls fast at first, then less: slices of growing length, further and further apart
//!   level B   ▂▂▂▂▂▂▂▂  falls slowly and steadily: as good as A from some time on
//!   level C   ▁         no gain for long: waits until the rates of the others have decayed as far
//! ```
//!
//! Every item gets one short slice, those with short solutions first. From then on the item with the highest rate is
//! next: gain per second as an exponential moving average over its slices, so that one without a gain halves it, and
//! what any level may yet gain, which falls as its time grows. Gains are divided by the root of what the solution
//! counts. So a level of ten thousand moves is worth more than one of a hundred, but does not hold up all others.
//!
//! It is the idea of the optimizer's bandit over arms (`sokomethods/schedule/bandit.rs`), one floor up.
//!
//! Invariant: an item is in at most one slice at a time; one that is settled gets none.

use std::cmp::Ordering;
use std::time::Duration;

/// Weight of the last slice in the average.
const LAST: f64 = 0.5;
/// Share of its solution that any item may yet gain, in as long as it has had.
const EXPECTED_SHARE: f64 = 0.01;
/// What a first solution is worth, in moves or pushes.
pub(crate) const WORTH_OF_SOLUTION: f64 = 200.0;
/// The first slice, and the shortest.
const SHORTEST: Duration = Duration::from_millis(300);
/// The longest one: others wait no longer for what it may find.
const LONGEST: Duration = Duration::from_secs(120);
/// A slice is this share of the time that went into its item before.
const GROWTH: f64 = 0.5;

/// The statistics of a level and a purpose.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// What a gain is divided by.
    scale: f64,
    n_pushes: u64,
    /// Scaled gain per second; `None` before the first slice.
    rate: Option<f64>,
    /// Seconds that went into it, in this night and before.
    spent: f64,
    state: ItemState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemState {
    Waiting,
    InSlice,
    Settled,
}

/// What came of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceGain {
    /// How long it took.
    pub elapsed: Duration,
    /// What was gained, in moves, pushes, or the worth of a first solution.
    pub gain: f64,
    /// Whether more time cannot help.
    pub is_settled: bool,
}

impl Item {
    /// Makes an item of a level with a solution of so many pushes that counts so much.
    pub fn improving(counted: u64, n_pushes: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a scale; solutions are far below 2^52")]
        let scale = (counted as f64).sqrt().max(1.0);
        Self { scale, n_pushes, rate: None, spent: 0.0, state: ItemState::Waiting }
    }

    /// Makes an item of a level without a solution.
    pub fn solving() -> Self {
        Self { scale: WORTH_OF_SOLUTION.sqrt(), n_pushes: 0, rate: None, spent: 0.0, state: ItemState::Waiting }
    }

    /// Adds the time that went into it in earlier nights.
    pub fn after(self, spent: Duration) -> Self {
        let rate = if spent.is_zero() { None } else { Some(0.0) };
        Self { rate, spent: spent.as_secs_f64(), ..self }
    }

    /// What it may gain in a second of its next slice; `None` before the first one.
    fn expected(&self) -> Option<f64> {
        Some(self.rate? + self.scale * EXPECTED_SHARE / (1.0 + self.spent))
    }

    fn add(&mut self, result: SliceGain) {
        let seconds = result.elapsed.as_secs_f64().max(1e-3);
        let rate = result.gain / self.scale / seconds;
        self.rate = Some(self.rate.map_or(rate, |average| average + LAST * (rate - average)));
        self.spent += seconds;
        self.state = if result.is_settled { ItemState::Settled } else { ItemState::Waiting };
    }
}

/// The items of a night.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    items: Vec<Item>,
    /// Whether the item that has had the least time is next, whatever slices gained.
    is_equal: bool,
}

impl Schedule {
    /// Makes a schedule that gives every item the same time, to compare with.
    pub fn equal() -> Self {
        Self { items: Vec::new(), is_equal: true }
    }

    /// Adds an item. Returns its number.
    pub fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    /// Takes the next item with the length of its slice. `None` if none is waiting.
    pub fn take(&mut self) -> Option<(usize, Duration)> {
        let waiting = (0..self.items.len()).filter(|&at| self.items[at].state == ItemState::Waiting);
        let at = waiting.min_by(|&one, &other| self.order(one, other))?;
        let item = &mut self.items[at];
        item.state = ItemState::InSlice;
        let slice = Duration::from_secs_f64(item.spent * GROWTH).clamp(SHORTEST, LONGEST);
        Some((at, slice))
    }

    /// Compares by who is next.
    fn order(&self, one: usize, other: usize) -> Ordering {
        let (first, second) = (&self.items[one], &self.items[other]);
        let by_rate = match (first.expected(), second.expected()) {
            _ if self.is_equal => first.spent.total_cmp(&second.spent),
            (None, None) => first.n_pushes.cmp(&second.n_pushes),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(rate), Some(other)) => other.total_cmp(&rate).then(first.spent.total_cmp(&second.spent)),
        };
        by_rate.then(one.cmp(&other))
    }

    /// Notes what came of a slice.
    pub fn end(&mut self, at: usize, result: SliceGain) {
        self.items[at].add(result);
    }

    /// Returns how many items are not settled.
    pub fn n_open(&self) -> usize {
        self.items.iter().filter(|item| item.state != ItemState::Settled).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: SliceGain = SliceGain { elapsed: SHORTEST, gain: 0.0, is_settled: false };

    /// Runs slices one after the other; each item gains by a curve of its total time. Returns the time of each.
    fn run(curves: &[&dyn Fn(f64) -> f64], seconds: f64) -> Vec<f64> {
        let mut schedule = Schedule::default();
        let mut spent = vec![0.0; curves.len()];
        curves.iter().for_each(|_| _ = schedule.add(Item::improving(500, 150)));
        while spent.iter().sum::<f64>() < seconds {
            let (at, slice) = schedule.take().unwrap();
            let (from, to) = (spent[at], spent[at] + slice.as_secs_f64());
            let gain = (curves[at](to).floor() - curves[at](from).floor()).max(0.0);
            schedule.end(at, SliceGain { elapsed: slice, gain, is_settled: false });
            spent[at] = to;
        }
        spent
    }

    #[test]
    fn what_still_falls_gets_more() {
        let spent = run(&[&|_| 0.0, &|time: f64| 10.0 * time.ln_1p(), &|time: f64| time], 600.0);
        assert!(spent[0] < 60.0 && spent[1] > spent[0] && spent[2] > 300.0, "{spent:?}");
        assert!(spent.iter().all(|&time| time > 0.0), "{spent:?}");
    }

    #[test]
    fn dry_levels_share_the_time_evenly() {
        let dry = |_: f64| 0.0;
        let spent = run(&[&dry, &dry, &dry, &dry], 1_000.0);
        let (least, most) =
            spent.iter().fold((f64::MAX, 0.0_f64), |(least, most), &time| (least.min(time), most.max(time)));
        assert!(most < 3.0 * least, "{spent:?}");
    }

    #[test]
    fn a_settled_item_gets_no_slice_and_one_in_work_no_second_one() {
        let mut schedule = Schedule::default();
        assert_eq!(schedule.take(), None);
        schedule.add(Item::improving(100, 40));
        schedule.add(Item::solving());
        assert_eq!(schedule.take(), Some((1, SHORTEST)));
        assert_eq!(schedule.take(), Some((0, SHORTEST)));
        assert_eq!(schedule.take(), None);
        schedule.end(0, NOTHING);
        schedule.end(1, SliceGain { is_settled: true, ..NOTHING });
        assert_eq!((schedule.take().map(|(at, _)| at), schedule.n_open()), (Some(0), 1));
    }

    #[test]
    fn a_second_night_continues_where_the_first_ended() {
        let mut schedule = Schedule::default();
        let hour = Duration::from_secs(3_600);
        schedule.add(Item::improving(900, 300).after(hour));
        schedule.add(Item::improving(300, 90));
        assert_eq!(schedule.take(), Some((1, SHORTEST)));
        assert_eq!(schedule.take(), Some((0, LONGEST)));
    }
}
