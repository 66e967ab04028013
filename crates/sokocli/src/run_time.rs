//! The time of a whole run, shared out over its levels in passes: a short one over all of them, then longer ones over
//! those that are not settled.
//!
//! ```text
//!   pass 1   ▐▐▐▐▐▐▐▐▐▐▐▐      1/64 of the time
//!   pass 2   ▐▐ ▐▐▐ ▐▐  ▐▐     a quarter of what each level would get of the rest, and so on
//!   pass 4   ▐▐▐▐  ▐▐▐▐▐  ▐▐   all that is left
//! ```
//!
//! So easy gains come first, whatever ends the run. The optimizer continues each level where the pass before has left it;
//! the solver restarts, which costs at most a third of the time.

use std::str::FromStr;
use std::time::Duration;

use jiff::civil::Time;
use jiff::{ToSpan, Zoned};
use sokosearch::Clock;

/// Each slice is so many times longer than the one before.
const GROWTH: u32 = 4;
/// Passes before the one that uses all.
const N_SHORT_PASSES: u32 = 3;
/// A first slice is not shorter than this, if the time allows.
const SHORTEST_SLICE: Duration = Duration::from_secs(1);
/// With less than this left, no pass is begun.
const SHORTEST_REST: Duration = Duration::from_millis(20);

/// A time of day, such as `07:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeOfDay(Time);

/// The passes of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passes {
    clock: Clock,
    /// For the whole run; one pass if `None`.
    total: Option<Duration>,
    /// For a level in one pass.
    longest: Option<Duration>,
    n_done: u32,
    /// Short passes that are left.
    n_short: Option<u32>,
    /// Whether the last pass gave each level its longest time: another one would repeat it.
    was_longest: bool,
}

impl Passes {
    /// Begins to count the time.
    pub(crate) fn new(total: Option<Duration>, longest: Option<Duration>) -> Self {
        Self { clock: Clock::start(), total, longest, n_done: 0, n_short: None, was_longest: false }
    }

    /// Returns the time of the whole run, if it has one.
    pub(crate) const fn total(&self) -> Option<Duration> {
        self.total
    }

    /// Returns the longest time of a level in one pass, if it has one.
    pub(crate) const fn longest(&self) -> Option<Duration> {
        self.longest
    }

    /// Returns what is left of the time of the whole run, if it has one.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.total.map(|total| total.saturating_sub(self.clock.elapsed()))
    }

    /// Begins the next pass over so many levels, so many at a time. Returns the longest time of a level in it, if it has
    /// one; `None` when the run is over.
    pub(crate) fn next(&mut self, n_levels: usize, n_side_by_side: usize) -> Option<Option<Duration>> {
        self.n_done += 1;
        if n_levels == 0 {
            return None;
        }
        let Some(left) = self.left() else {
            return (self.n_done == 1).then_some(self.longest);
        };
        if left < SHORTEST_REST || self.was_longest {
            return None;
        }
        let as_u32 = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).max(1);
        let even = left.saturating_mul(as_u32(n_side_by_side.min(n_levels))) / as_u32(n_levels);
        let n_short = *self.n_short.get_or_insert_with(|| {
            (0..=N_SHORT_PASSES).rev().find(|&n| even / GROWTH.pow(n) >= SHORTEST_SLICE).unwrap_or(0)
        });
        self.n_short = Some(n_short.saturating_sub(1));
        let slice = (even / GROWTH.pow(n_short)).min(left);
        self.was_longest = self.longest.is_some_and(|longest| longest <= slice);
        Some(Some(self.longest.map_or(slice, |longest| slice.min(longest))))
    }
}

impl TimeOfDay {
    /// Returns the time from now until the clock shows this next.
    pub(crate) fn until_then(self) -> Duration {
        self.after(&Zoned::now())
    }

    fn after(self, now: &Zoned) -> Duration {
        let today = now.date().to_datetime(self.0);
        let at = |date: jiff::civil::DateTime| now.time_zone().to_zoned(date).ok();
        let next = at(today).filter(|at| at > now).or_else(|| at(today.checked_add(1.day()).ok()?));
        next.and_then(|next| Duration::try_from(now.duration_until(&next)).ok()).unwrap_or_default()
    }
}

impl FromStr for TimeOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("'{text}' is no time of day; write hours and minutes, from 00:00 to 23:59, such as 07:00");
        let (hour, minute) = text.trim().split_once(':').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<i8>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (hour, minute) = number(hour).zip(number(minute)).ok_or_else(wrong)?;
        Time::new(hour, minute, 0, 0).map(Self).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_read() {
        assert!("07:00".parse::<TimeOfDay>().is_ok() && "7:05".parse::<TimeOfDay>().is_ok());
        for text in ["", "7", "24:00", "12:60", "-1:00", "+1:00", "a:b", "07:00:00"] {
            assert!(text.parse::<TimeOfDay>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_of_day_is_the_next_one() {
        let now: Zoned = "2026-03-01T22:30:00[UTC]".parse().unwrap();
        let until = |text: &str| text.parse::<TimeOfDay>().unwrap().after(&now);
        assert_eq!(until("23:00"), Duration::from_secs(30 * 60));
        assert_eq!(until("07:00"), Duration::from_secs(8 * 3600 + 30 * 60));
        assert_eq!(until("22:30"), Duration::from_secs(24 * 3600));
        let night_of_summer_time: Zoned = "2026-03-28T22:00:00[Europe/Berlin]".parse().unwrap();
        let morning = "07:00".parse::<TimeOfDay>().unwrap();
        assert_eq!(morning.after(&night_of_summer_time), Duration::from_secs(8 * 3600));
    }

    #[test]
    fn without_a_total_time_there_is_one_pass() {
        let mut passes = Passes::new(None, Some(Duration::from_secs(60)));
        assert_eq!(passes.next(10, 2), Some(Some(Duration::from_secs(60))));
        assert_eq!(passes.next(10, 2), None);
    }

    #[test]
    fn slices_grow_until_all_is_used() {
        let hours = Duration::from_secs(8 * 3600);
        let mut passes = Passes::new(Some(hours), None);
        let slices: Vec<_> = (0..5).map_while(|_| passes.next(1000, 2)).map(Option::unwrap).collect();
        // No time passes here: 57.6 seconds for each level, less what the clock shows.
        let near = |slice: Duration, millis: u64| slice.as_millis().abs_diff(millis.into()) < 100;
        assert!(near(slices[0], 3_600) && near(slices[1], 14_400) && near(slices[2], 57_600), "{slices:?}");
        assert!(near(slices[3], 57_600), "{slices:?}");
        assert!(Passes::new(Some(hours), None).next(0, 2).is_none());
        assert!(Passes::new(Some(Duration::ZERO), None).next(5, 2).is_none());
        let mut limited = Passes::new(Some(hours), Some(Duration::from_secs(2)));
        assert_eq!(limited.next(10, 1), Some(Some(Duration::from_secs(2))));
        assert_eq!(limited.next(10, 1), None);
    }
}
