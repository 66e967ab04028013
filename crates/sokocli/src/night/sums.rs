//! The sum of all levels over the time of a night, as a curve for the screen.
//!
//! ```text
//!   moves   153,839  -27,299  ██▇▆▄▃▃▂▂▂▁▁▁▁
//! ```

use std::time::Duration;

use crate::terminal::Terminal;
use crate::wording::thousands;

/// Gains that are kept; of more, every second one is.
const MOST_GAINS: usize = 4_096;
/// Columns of the curve.
const SHORTEST: usize = 6;
const LONGEST: usize = 60;

/// The sum of a metric over all levels that have a solution, and what was gained of it when.
#[derive(Clone, Debug)]
pub(super) struct NightSum {
    name: &'static str,
    sum: u64,
    /// When, and what was gained in all by then.
    gains: Vec<(Duration, u64)>,
}

impl NightSum {
    /// Begins with the sum of the solutions that are known.
    pub(super) const fn new(name: &'static str, sum: u64) -> Self {
        Self { name, sum, gains: Vec::new() }
    }

    /// Adds a first solution. The sum before it is told as if it had been there.
    pub(super) const fn add_first(&mut self, counted: u64) {
        self.sum += counted;
    }

    /// Takes a gain off.
    pub(super) fn gain(&mut self, at: Duration, gain: u64) {
        if gain > 0 {
            self.sum = self.sum.saturating_sub(gain);
            self.gains.push((at, self.gained() + gain));
        }
        if self.gains.len() > MOST_GAINS {
            let mut n_seen = 0;
            self.gains.retain(|_| {
                n_seen += 1;
                n_seen % 2 == 1
            });
        }
    }

    /// Returns what was gained in all.
    pub(super) fn gained(&self) -> u64 {
        self.gains.last().map_or(0, |last| last.1)
    }

    /// Writes it in at most so many columns.
    pub(super) fn text(&self, now: Duration, n_columns: usize, terminal: &Terminal) -> String {
        let numbers = format!("{:<6} {:>9}", self.name, thousands(self.sum));
        if self.gained() == 0 {
            return numbers;
        }
        let numbers = format!("{numbers} {:>8}  ", format!("-{}", thousands(self.gained())));
        let n_left = n_columns.saturating_sub(numbers.len()).min(LONGEST);
        if n_left < SHORTEST { numbers.trim_end().to_owned() } else { numbers + &self.curve(now, n_left, terminal) }
    }

    /// Draws the sum from the beginning until now, as high as it was gained.
    fn curve(&self, now: Duration, n_columns: usize, terminal: &Terminal) -> String {
        let all = self.gained();
        let height = |column: usize| {
            #[expect(clippy::cast_precision_loss, reason = "columns of a terminal; moves are far below 2^52")]
            let (at, all) = (now.mul_f64((column + 1) as f64 / n_columns as f64), all as f64);
            let n_gains = self.gains.partition_point(|gain| gain.0 <= at);
            #[expect(clippy::cast_precision_loss, reason = "moves and pushes are far below 2^52")]
            let gained = n_gains.checked_sub(1).map_or(0.0, |last| self.gains[last].1 as f64);
            1.0 - gained / all
        };
        (0..n_columns).map(|column| terminal.level(height(column))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_curve_falls_as_the_sum_does() {
        let mut sum = NightSum::new("moves", 1_300);
        let terminal = Terminal::of_width(80);
        assert_eq!(sum.text(seconds(9), 80, &terminal), "moves      1,300");
        sum.gain(seconds(1), 50);
        sum.gain(seconds(5), 50);
        sum.gain(seconds(7), 0);
        sum.add_first(34);
        assert_eq!(sum.text(seconds(8), 34, &terminal), "moves      1,234     -100  ▅▅▅▅▁▁▁");
        assert_eq!(sum.text(seconds(8), 34, &terminal.ascii()).len(), 34);
        // Too narrow for a curve.
        assert_eq!(sum.text(seconds(8), 30, &terminal), "moves      1,234     -100");
        assert_eq!(sum.text(seconds(8), 300, &terminal).chars().count(), 27 + LONGEST);
    }

    #[test]
    fn memory_is_bounded() {
        let mut sum = NightSum::new("pushes", 1_000_000);
        (0..20_000).for_each(|at| sum.gain(seconds(at), 1));
        assert!(sum.gains.len() <= MOST_GAINS + 1);
        assert_eq!((sum.sum, sum.gained()), (980_000, 20_000));
    }
}
