//! How far the ablation is, and how long it will take.

use parking_lot::Mutex;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::Duration;

use sokosearch::Clock;

/// Seconds between two reports, on a terminal and elsewhere.
const PERIOD: (f64, f64) = (1.0, 60.0);

/// The jobs that are done, and the seconds that each level takes.
pub(super) struct JobClock {
    clock: Clock,
    n_threads: usize,
    width: usize,
    state: Mutex<Jobs>,
}

struct Jobs {
    n_jobs: usize,
    n_done: usize,
    /// For each level: jobs, jobs done, and their seconds.
    levels: Vec<(usize, usize, f64)>,
    last_report: f64,
}

impl JobClock {
    /// Starts before jobs on these levels, given by their numbers.
    pub(super) fn start(jobs: impl Iterator<Item = usize>, n_levels: usize, n_threads: usize, width: usize) -> Self {
        let mut levels = vec![(0, 0, 0.0); n_levels];
        let mut n_jobs = 0;
        for level in jobs {
            levels[level].0 += 1;
            n_jobs += 1;
        }
        let state = Mutex::new(Jobs { n_jobs, n_done: 0, levels, last_report: 0.0 });
        Self { clock: Clock::start(), n_threads, width, state }
    }

    /// Takes back a job on a level.
    pub(super) fn skip(&self, level: usize) {
        let mut jobs = self.state.lock();
        jobs.n_jobs -= 1;
        jobs.levels[level].0 -= 1;
    }

    /// Counts a job on a level that took so long, and reports from time to time.
    pub(super) fn done(&self, level: usize, took: Duration) {
        let mut jobs = self.state.lock();
        jobs.n_done += 1;
        jobs.levels[level].1 += 1;
        jobs.levels[level].2 += took.as_secs_f64();
        let (now, is_terminal) = (self.clock.elapsed().as_secs_f64(), stderr().is_terminal());
        let period = if is_terminal { PERIOD.0 } else { PERIOD.1 };
        let is_over = jobs.n_done == jobs.n_jobs;
        if now - jobs.last_report < period && !is_over {
            return;
        }
        jobs.last_report = now;
        let line = jobs.line(now, self.n_threads);
        // Progress is a courtesy: a console that is gone is no reason to stop.
        let _ = if is_terminal {
            let line: String = line.chars().take(self.width.saturating_sub(1)).collect();
            write!(stderr(), "\r\x1b[K{line}{}", if is_over { "\n" } else { "" })
        } else {
            writeln!(stderr(), "{line}")
        };
    }
}

impl Jobs {
    fn line(&self, elapsed: f64, n_threads: usize) -> String {
        let Self { n_jobs, n_done, .. } = self;
        format!("{n_done} of {n_jobs} runs, {}, about {} left", span(elapsed), span(self.seconds_left(n_threads)))
    }

    /// What is left of each level takes as long as what was done of it, or of all levels.
    fn seconds_left(&self, n_threads: usize) -> f64 {
        let seconds: f64 = self.levels.iter().map(|(_, _, seconds)| seconds).sum();
        let mean = seconds / self.n_done.max(1) as f64;
        let of_level = |&(n_jobs, n_done, seconds): &(usize, usize, f64)| {
            let each = if n_done == 0 { mean } else { seconds / n_done as f64 };
            (n_jobs - n_done) as f64 * each
        };
        self.levels.iter().map(of_level).sum::<f64>() / n_threads as f64
    }
}

/// Seconds as a person says them.
fn span(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_knows_long_levels_from_short_ones() {
        let jobs = Jobs { n_jobs: 6, n_done: 2, levels: vec![(3, 1, 60.0), (3, 1, 1.0)], last_report: 0.0 };
        assert!((jobs.seconds_left(2) - 61.0).abs() < 1e-9);
        assert_eq!(jobs.line(61.0, 1), "2 of 6 runs, 61 s, about 2 min left");
        let first = Jobs { n_jobs: 4, n_done: 1, levels: vec![(2, 1, 10.0), (2, 0, 0.0)], last_report: 0.0 };
        assert!((first.seconds_left(1) - 30.0).abs() < 1e-9);
    }
}
