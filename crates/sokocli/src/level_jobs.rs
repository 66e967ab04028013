//! Levels on several threads: small ones side by side with one thread each, large ones alone with all threads.
//!
//! ```text
//!   thread 1   ▐ 1 ▐ 3 ▐ 4 ▐ 6        ▐  5 again,   ▐ 7 ▐ 9 ...
//!   thread 2   ▐ 2     ▐ 5 : too long ▐ all threads ▐ 8 ▐ ...
//! ```
//!
//! A level that does not end within its trial is given up and begun again with all threads, as soon as the others have
//! ended what they are at. How long the trial is follows from what recent levels took, see [`Measurement`].
//!
//! Invariant: every level ends once, and is handed on in the order of the list, or as it ends if that is asked for. With
//! one thread for each level none is begun again, so its result does not depend on how many run side by side.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use sokosearch::{Clock, run_jobs};

use crate::in_order::InOrder;

/// Levels that are looked back on.
const N_RECENT: usize = 32;
/// The part of a level's time that its trial may take: one in so many. A level gets the rest with all threads.
const TRIAL_PART: u32 = 20;
/// The trial while nothing is measured yet, and the longest one where no time limits the levels.
const FIRST_TRIAL: Duration = Duration::from_millis(500);
/// The shortest trial; below it, measurements are noise.
const SHORTEST_TRIAL: Duration = Duration::from_millis(20);

/// How the threads of a run are shared among its levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelJobs {
    /// Threads in all.
    pub(crate) n_threads: usize,
    /// Levels at a time; by their measured times if `None`.
    pub(crate) n_jobs: Option<usize>,
    /// Whether a level may be given up and begun again: not where work is counted.
    pub(crate) may_begin_again: bool,
    /// Whether results are handed on as they come.
    pub(crate) is_unordered: bool,
    /// Longest time of a level.
    pub(crate) time: Option<Duration>,
}

/// What a level may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelResources {
    /// Threads.
    pub(crate) n_threads: usize,
    /// Levels that run at the same time, this one among them; memory is shared among so many.
    pub(crate) n_side_by_side: usize,
    /// The level is given up after this time.
    pub(crate) trial: Option<Duration>,
    /// What the level has used before it was begun again.
    pub(crate) used: Duration,
}

impl LevelResources {
    /// One thread of so many, each with a level of its own.
    pub(crate) const fn one_of(n_threads: usize) -> Self {
        Self { n_threads: 1, n_side_by_side: n_threads, trial: None, used: Duration::ZERO }
    }

    /// Returns the time of this turn: the trial, or all that is left of the level's time.
    pub(crate) fn limit(&self, left: Option<Duration>) -> Option<Duration> {
        self.trial.map_or(left, |trial| Some(left.map_or(trial, |left| left.min(trial))))
    }
}

/// What became of a level's turn.
#[derive(Debug)]
pub(crate) enum JobTurn<R> {
    /// It has ended.
    Ended {
        result: R,
        /// Time before its search expanded a position; `None` if nothing was searched.
        set_up: Option<Duration>,
    },
    /// The trial was too short for it.
    TooLarge,
}

/// What a recent level took.
///
/// To give a level up wastes its trial, and the time for which the other threads wait while it is set up anew: its search
/// is shared among the threads, its set-up is not. To keep a large level on one thread wastes its limit of time, which is
/// for all threads. So the trial is the one that would have wasted least on the recent levels and on a large one that is
/// still to come.
#[derive(Clone, Copy, Debug)]
struct Measurement {
    /// Time before its first position was expanded.
    set_up: Duration,
    /// Time on one thread, measured or estimated; `None` if it reached its limit even with all threads.
    time: Option<Duration>,
}

impl Measurement {
    /// What a trial would have wasted on this level.
    fn waste(&self, trial: Duration, n_threads: u32) -> Duration {
        match self.time {
            Some(time) if time <= trial => Duration::ZERO,
            _ => trial + self.set_up * (n_threads - 1),
        }
    }
}

impl LevelJobs {
    /// Works on the levels `0..n`; `work` may be called by several threads, `done` by one at a time.
    pub(crate) fn run<R: Send>(
        &self,
        n: usize,
        work: impl Fn(usize, LevelResources) -> JobTurn<R> + Sync,
        mut done: impl FnMut(usize, R) + Send,
    ) {
        let n_side_by_side = self.n_jobs.unwrap_or(self.n_threads).clamp(1, self.n_threads.max(1)).min(n.max(1));
        let state =
            JobsState { next: 0, n, large: VecDeque::new(), n_running: 0, is_alone: false, recent: VecDeque::new() };
        let queue = LevelQueue { jobs: self, n_side_by_side, state: Mutex::new(state), changed: Condvar::new() };
        let outbox = Mutex::new((InOrder::new(self.is_unordered), &mut done));
        run_jobs(n_side_by_side, 0..n_side_by_side, |_| {
            while let Some((level, resources)) = queue.take() {
                let clock = Clock::start();
                let turn = work(level, resources);
                queue.put(level, &turn, resources, clock.elapsed());
                if let JobTurn::Ended { result, .. } = turn {
                    let (order, done) = &mut *outbox.lock();
                    order.put(level, result).into_iter().for_each(|(level, result)| done(level, result));
                }
            }
        });
    }
}

/// The levels that are still to come, and what is under way.
struct LevelQueue<'a> {
    jobs: &'a LevelJobs,
    n_side_by_side: usize,
    state: Mutex<JobsState>,
    changed: Condvar,
}

struct JobsState {
    next: usize,
    n: usize,
    /// Levels that are to be begun again, with the time that they have used.
    large: VecDeque<(usize, Duration)>,
    n_running: usize,
    is_alone: bool,
    recent: VecDeque<Measurement>,
}

impl LevelQueue<'_> {
    /// Takes the next level; `None` when all have ended or are under way for good.
    fn take(&self) -> Option<(usize, LevelResources)> {
        let mut state = self.state.lock();
        loop {
            let all =
                LevelResources { n_threads: self.jobs.n_threads, n_side_by_side: 1, trial: None, used: Duration::ZERO };
            if state.n_running == 0 {
                if let Some((level, used)) = state.large.pop_front() {
                    (state.n_running, state.is_alone) = (1, true);
                    return Some((level, LevelResources { used, ..all }));
                }
                if state.next == state.n {
                    self.changed.notify_all();
                    return None;
                }
            }
            if !state.is_alone && state.large.is_empty() && state.next < state.n {
                let level = state.next;
                state.next += 1;
                state.n_running += 1;
                return Some((level, self.resources(&state)));
            }
            if state.next == state.n && state.large.is_empty() && !self.begins_again() {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }

    fn begins_again(&self) -> bool {
        self.jobs.may_begin_again && self.jobs.n_jobs.is_none() && self.n_side_by_side > 1
    }

    fn resources(&self, state: &JobsState) -> LevelResources {
        let trial = self.begins_again().then(|| self.trial(state));
        let n_threads = match self.jobs.n_jobs {
            Some(_) => self.jobs.n_threads / self.n_side_by_side,
            None if self.n_side_by_side == 1 && self.jobs.may_begin_again => self.jobs.n_threads,
            None => 1,
        };
        LevelResources { n_threads: n_threads.max(1), n_side_by_side: self.n_side_by_side, trial, used: Duration::ZERO }
    }

    fn trial(&self, state: &JobsState) -> Duration {
        let longest = self.jobs.time.map_or(FIRST_TRIAL, |time| time / TRIAL_PART);
        let n_threads = u32::try_from(self.jobs.n_threads).unwrap_or(u32::MAX);
        let recent = &state.recent;
        let n_recent = u32::try_from(recent.len().max(1)).expect("invariant: at most N_RECENT levels");
        let set_up = recent.iter().map(|level| level.set_up).sum::<Duration>() / n_recent;
        let unknown = Measurement { set_up, time: None };
        let waste = |trial: &Duration| -> Duration {
            recent.iter().chain([&unknown]).map(|level| level.waste(*trial, n_threads)).sum()
        };
        let trials = recent.iter().filter_map(|level| level.time).chain([SHORTEST_TRIAL]);
        let trials = trials.map(|trial| trial.max(SHORTEST_TRIAL).min(longest));
        let best = trials.min_by_key(waste).filter(|_| !recent.is_empty());
        best.unwrap_or(FIRST_TRIAL).min(longest)
    }

    fn put<R>(&self, level: usize, turn: &JobTurn<R>, resources: LevelResources, elapsed: Duration) {
        let mut state = self.state.lock();
        state.n_running -= 1;
        state.is_alone = false;
        match *turn {
            JobTurn::TooLarge => state.large.push_back((level, elapsed)),
            JobTurn::Ended { set_up: Some(set_up), .. } if self.begins_again() => {
                let is_limited = self.jobs.time.is_some_and(|time| resources.used + elapsed >= time);
                let n_threads = u32::try_from(resources.n_threads).unwrap_or(u32::MAX);
                let on_one_thread = set_up + elapsed.saturating_sub(set_up) * n_threads;
                state.recent.push_back(Measurement { set_up, time: (!is_limited).then_some(on_one_thread) });
                if state.recent.len() > N_RECENT {
                    state.recent.pop_front();
                }
            }
            JobTurn::Ended { .. } => {}
        }
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    const JOBS: LevelJobs =
        LevelJobs { n_threads: 2, n_jobs: None, may_begin_again: true, is_unordered: false, time: None };

    /// Runs levels of so many milliseconds and returns the order of the results, and with how many threads each ended.
    fn run(jobs: LevelJobs, times: &[u64]) -> Vec<(usize, usize)> {
        let mut ended = Vec::new();
        let work = |level: usize, resources: LevelResources| {
            let time = Duration::from_millis(times[level]);
            if resources.trial.is_some_and(|trial| trial < time) {
                sleep(resources.trial.unwrap());
                return JobTurn::TooLarge;
            }
            sleep(time);
            JobTurn::Ended { result: resources.n_threads, set_up: Some(Duration::ZERO) }
        };
        jobs.run(times.len(), work, |level, n_threads| ended.push((level, n_threads)));
        ended
    }

    #[test]
    fn a_level_much_larger_than_others_gets_all_threads() {
        let times = [1, 1, 1, 1, 1, 1, 700, 1, 1, 1];
        let ended = run(JOBS, &times);
        let expect: Vec<_> = (0..10).map(|level| (level, if level == 6 { 2 } else { 1 })).collect();
        assert_eq!(ended, expect);
    }

    /// The trial that follows from levels of these milliseconds of set-up and time on one thread; 0 if they reached their
    /// limit.
    fn trial(levels: &[(u64, u64)], limit: Option<u64>) -> u128 {
        let millis = Duration::from_millis;
        let measured = |&(set_up, time): &(u64, u64)| Measurement {
            set_up: millis(set_up),
            time: (time > 0).then_some(millis(time)),
        };
        let recent = levels.iter().map(measured).collect();
        let state = JobsState { next: 0, n: 9, large: VecDeque::new(), n_running: 0, is_alone: false, recent };
        let jobs = LevelJobs { time: limit.map(millis), ..JOBS };
        let changed = Condvar::new();
        let queue = LevelQueue { jobs: &jobs, n_side_by_side: 2, state: Mutex::new(state), changed };
        queue.trial(&queue.state.lock()).as_millis()
    }

    #[test]
    fn the_trial_follows_from_what_was_measured() {
        // Nothing measured: a constant, or a twentieth of the time.
        assert_eq!([trial(&[], None), trial(&[], Some(60_000)), trial(&[], Some(1_000))], [500, 500, 50]);
        // Levels alike stay on their threads, be they small or of a second; a single one tells little.
        assert_eq!(trial(&[(1, 2); 32], Some(60_000)), 20);
        assert_eq!(trial(&[(50, 1_000); 32], Some(60_000)), 1_000);
        assert_eq!(trial(&[(50, 1_000)], Some(60_000)), 20);
        // Where set-up is most of the time, levels are kept rather than set up anew.
        assert_eq!([trial(&[(50, 1_000); 4], Some(60_000)), trial(&[(900, 1_000); 4], Some(60_000))], [20, 1_000]);
        // Large ones are given up soon, and do not change what is good for the small ones beside them.
        assert_eq!(trial(&[(50, 0); 32], Some(60_000)), 20);
        let mixed: Vec<_> = (0..32).map(|level| if level % 8 == 0 { (30, 0) } else { (30, 100) }).collect();
        assert_eq!(trial(&mixed, Some(60_000)), 100);
        // No trial is longer than a twentieth of the time, so levels that take longer are given up at once.
        assert_eq!([trial(&[(500, 3_000); 32], Some(60_000)), trial(&[(500, 3_100); 32], Some(60_000))], [3_000, 20]);
    }

    #[test]
    fn a_single_level_gets_all_threads() {
        assert_eq!(run(JOBS, &[1]), [(0, 2)]);
        assert_eq!(run(LevelJobs { n_jobs: Some(2), ..JOBS }, &[1, 1, 1]), [(0, 1), (1, 1), (2, 1)]);
        assert_eq!(run(LevelJobs { n_jobs: Some(1), ..JOBS }, &[1, 1]), [(0, 2), (1, 2)]);
        assert_eq!(run(JOBS, &[]), []);
    }

    #[test]
    fn the_last_level_may_be_the_large_one() {
        assert_eq!(run(JOBS, &[1, 1, 900]), [(0, 1), (1, 1), (2, 2)]);
    }

    #[test]
    fn order_is_that_of_the_list_unless_told() {
        let jobs = LevelJobs { may_begin_again: false, ..JOBS };
        assert_eq!(run(jobs, &[200, 1, 1]).iter().map(|(level, _)| *level).collect::<Vec<_>>(), [0, 1, 2]);
        let unordered = LevelJobs { is_unordered: true, ..jobs };
        assert_eq!(run(unordered, &[200, 1, 1]).iter().map(|(level, _)| *level).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
