//! Worker threads that take jobs in order until none is left.

use crossbeam::queue::SegQueue;

/// Runs every job once on up to `n_threads` threads; jobs are started in the order given. Where the system gives fewer
/// threads, fewer are used.
///
/// # Panics
/// If a job panics, after the others have ended.
pub fn run_jobs<T: Send>(n_threads: usize, jobs: impl IntoIterator<Item = T>, run: impl Fn(T) + Sync) {
    let queue = SegQueue::new();
    jobs.into_iter().for_each(|job| queue.push(job));
    let work = || {
        while let Some(job) = queue.pop() {
            run(job);
        }
    };
    let n_threads = n_threads.clamp(1, queue.len().max(1));
    let joined = crossbeam::scope(|scope| {
        for _ in 1..n_threads {
            if scope.builder().spawn(|_| work()).is_err() {
                break;
            }
        }
        work();
    });
    joined.expect("a job panicked");
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn every_job_runs_once() {
        let sum = AtomicU64::new(0);
        run_jobs(3, 1..=100, |job| {
            sum.fetch_add(job, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 5_050);
    }
}
