//! The worker threads of a run: each takes the best arm that is free, runs a slice of it, and returns it to the queue.
//!
//! ```text
//!   thread 1   take ─▶ fork ─▶ slice of "20/10" ─▶ return ─▶ take ─▶ ...
//!                        ▲            │ gains
//!                 the run's pool ◀────┤ relinked if both have gained
//!                        ▼            │ gains
//!   thread 2   take ─▶ fork ─▶ slice of "10" ────▶ return ─▶ take ─▶ ...
//! ```
//!
//! A slice works on a fork of the pool, so its incumbent does not change. If the slice and another thread have gained,
//! the two solutions are relinked: they share most of their configurations, so both gains are kept.
//!
//! Different arms search different neighborhoods, but the plateau and the lineages have arms like those of the run.
//! So a thread locks every window before it searches it (`window_locks`): no two threads search the same window, or
//! overlapping windows of one solution, in the same neighborhood. Without locks run the hops of the plateau and the
//! crossover of lineages, each of which belongs to one arm, and the threads of one search, which share its layers.
//!
//! A thread without an arm, because all others are retired, taken or blocked, lends its place to the running
//! searches: a large one uses another thread until it has ended (see [`ThreadPermits`]). During a proof all other threads
//! lend their places as soon as their slices have ended.
//!
//! The order of the threads is random, so such a run is not repeatable. A run that is limited in ticks has one thread.

use parking_lot::{Condvar, Mutex, MutexGuard};
use sokocore::{Objective, Solution};
use sokosearch::{Cancel, Context, Stop, ThreadPermits, run_jobs};
use tracing::debug;

use super::arm::Arm;
use super::arm_context::ArmContext;
use super::arm_queue::ArmQueue;
use super::arrivals::OwnBest;
use super::bandit::{run_arm, run_technique};
use super::pool_forwarder::PoolForwarder;
use super::recorder::Recorder;
use super::relinking::relink_arrival;
use super::window_locks::{Coverage, WindowSearch};
use super::worth::PriorGain;
use crate::fingerprints::moves_fingerprint;
use crate::{Exhaustive, Relink, Technique};

/// What the threads share.
struct SharedArms<'a> {
    arm_cx: ArmContext<'a>,
    recorder: Option<&'a Recorder<'a>>,
    own: OwnBest,
    /// Raised when the run has ended.
    over: Cancel,
    queue: Mutex<ArmQueue>,
    /// Notified when an arm was returned or the run has ended.
    changed: Condvar,
    /// Permits of the threads that wait.
    idle: ThreadPermits,
}

/// The next task of a thread.
enum NextTask {
    Run(Box<TakenArm>),
    Prove,
}

/// An arm that is taken out of the queue.
struct TakenArm {
    arm: Arm,
    /// Its place in the queue.
    place: usize,
    /// Number of gains when it was taken.
    n_gains: u64,
    /// Ticks of the run when it was taken.
    run_ticks: u64,
}

/// Runs the arms of a queue until all are retired. The recorder makes checkpoints on the way.
///
/// # Errors
/// Why the run stopped before that.
pub(super) fn run_arms(
    queue: &mut ArmQueue,
    recorder: Option<&Recorder<'_>>,
    arm_cx: ArmContext<'_>,
    cx: &mut Context<'_>,
) -> Result<(), Stop> {
    let (shared, changed, idle) = (Mutex::new(std::mem::take(queue)), Condvar::new(), ThreadPermits::new(0));
    let own = OwnBest::new(cx);
    let workers = SharedArms { arm_cx, recorder, own, over: Cancel::default(), queue: shared, changed, idle };
    let n_threads = arm_cx.knobs.n_threads;
    let parts = Mutex::new(Vec::new());
    run_jobs(n_threads, 0..n_threads, |_| {
        let mut part =
            cx.part(cx.pool(), cx.progress(), 1.0).ending_with(workers.over.clone()).with_thread_permits(&workers.idle);
        workers.work(&mut part);
        parts.lock().push(part);
    });
    for part in parts.into_inner() {
        cx.merge_part(&part);
    }
    *queue = workers.queue.into_inner();
    queue.end.unwrap_or(Ok(()))
}

impl SharedArms<'_> {
    /// Runs one task after the other until the run ends.
    fn work(&self, cx: &mut Context<'_>) {
        while let Some(task) = self.next(PriorGain::on(cx)) {
            let _guard = TaskGuard(self);
            let done = match task {
                NextTask::Run(taken) => self.run(*taken, cx),
                NextTask::Prove => self.prove(cx),
            };
            let done = done.and_then(|()| self.take_over(cx));
            if done.is_err() || cx.is_proved() {
                self.end(done);
            }
        }
    }

    /// Ends the run for all threads. The first end counts.
    fn end(&self, how: Result<(), Stop>) {
        self.queue.lock().end.get_or_insert(how);
        self.over.cancel();
    }

    /// Takes the next task, and waits for one if others may still return their arms; `None` when the run has ended.
    fn next(&self, prior_gain: PriorGain) -> Option<NextTask> {
        let mut queue = self.queue.lock();
        loop {
            if queue.end.is_some() {
                return None;
            }
            let best = if queue.is_proving { None } else { queue.best(prior_gain, self.arm_cx.locks) };
            if queue.proof.is_some_and(|ticks| ticks <= queue.ticks || (best.is_none() && queue.n_running == 0)) {
                queue.proof = None;
                queue.n_running += 1;
                return Some(NextTask::Prove);
            }
            if let Some((place, arm)) = best.and_then(|place| Some((place, queue.arms[place].take()?))) {
                queue.n_running += 1;
                return Some(NextTask::Run(Box::new(TakenArm {
                    arm,
                    place,
                    n_gains: queue.n_gains,
                    run_ticks: queue.ticks,
                })));
            }
            // What is left other islands have claimed: one window is searched in spite of that.
            if queue.n_running == 0 && queue.has_blocked() && self.arm_cx.locks.insist() {
                continue;
            }
            if queue.n_running == 0 {
                queue.end = Some(Ok(()));
                self.changed.notify_all();
                return None;
            }
            self.wait(&mut queue);
        }
    }

    /// Waits for a change, and until a lent place is back.
    fn wait(&self, queue: &mut MutexGuard<'_, ArmQueue>) {
        self.idle.add();
        loop {
            self.changed.wait(queue);
            if queue.end.is_some() || self.idle.withdraw() {
                return;
            }
        }
    }

    /// Runs a slice of an arm on a fork of the pool, relinks its gain with the gains of others, and returns the arm.
    /// Gains of others since the arm was taken revive it as they have revived all other arms.
    fn run(&self, taken: TakenArm, cx: &mut Context<'_>) -> Result<(), Stop> {
        let TakenArm { mut arm, place, n_gains, run_ticks } = taken;
        let start = cx.ticks();
        let arm_cx = ArmContext { ticks_elsewhere: run_ticks.saturating_sub(start), ..self.arm_cx };
        let (objective, base) = (cx.objective(), cx.best().metrics());
        let pool = cx.pool().fork();
        let forwarder = PoolForwarder { from: &pool, to: cx.pool(), progress: cx.progress(), own: Some(&self.own) };
        let mut part = cx.part(&pool, &forwarder, 1.0);
        let mut done = run_arm(&mut arm, arm_cx, &mut part).map(|_: bool| ());
        cx.merge_part(&part);
        let (mine, best) = (pool.best(objective), cx.best());
        self.own.note(&mine);
        let has_gained = objective.score(&mine.metrics()) < objective.score(&base);
        if has_gained && mine.lurd() != best.lurd() && done.is_ok() {
            // Another thread may have found the same solution, and relink it already.
            if let Ok(_lock) = self.arm_cx.locks.try_lock(relinking(&mine, &best, objective)) {
                let knobs = self.arm_cx.knobs;
                let relink = Relink::new(vec![mine], 0, knobs.engine);
                done = run_technique(Technique::Relink, &relink, knobs, cx).map(|_: bool| ());
            }
        }
        if has_gained {
            cx.note_gain();
        }
        let mut queue = self.queue.lock();
        queue.ticks += cx.ticks() - start;
        let name = arm.name().to_owned();
        if queue.n_gains != n_gains {
            arm.revive();
        }
        queue.put_back(place, arm, cx);
        if has_gained {
            queue.n_gains += 1;
            queue.revive(cx.best().metrics());
            debug!(arm = name, metrics = %cx.best().metrics(), "improved");
        }
        if let Some(recorder) = self.recorder
            && done.is_ok()
        {
            let checkpoint = recorder.due(&mut queue, has_gained, self.arm_cx, cx);
            drop(queue);
            checkpoint.iter().for_each(|checkpoint| recorder.hand_out(checkpoint));
        }
        done
    }

    /// Takes over a better solution that has come from outside: the run's former best is relinked and crossed with it, and
    /// given to the lineages. All arms are revived.
    fn take_over(&self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Some(former) = self.own.replaced(cx) else { return Ok(()) };
        let (knobs, start) = (self.arm_cx.knobs, cx.ticks());
        debug!(former = %former.metrics(), arrival = %cx.best().metrics(), "arrival");
        let ticks_of_run = self.queue.lock().ticks;
        let done = relink_arrival(former.clone(), ticks_of_run, knobs, cx);
        self.own.note(&cx.best());
        let mut queue = self.queue.lock();
        queue.ticks += cx.ticks() - start;
        queue.n_gains += 1;
        queue.keep_former(&former, cx);
        queue.revive(cx.best().metrics());
        drop(queue);
        self.changed.notify_all();
        done
    }

    /// Searches the whole space. If that can be shared, the other threads join as soon as they have ended their slices.
    fn prove(&self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let knobs = self.arm_cx.knobs;
        let is_shared = Exhaustive::is_shared(knobs, cx);
        self.queue.lock().is_proving = is_shared;
        self.idle.set_expected(if is_shared { knobs.n_threads - 1 } else { 0 });
        let start = cx.ticks();
        let done = run_technique(Technique::Exhaustive, &Exhaustive::new(knobs), knobs, cx).map(|_: bool| ());
        self.idle.set_expected(0);
        let mut queue = self.queue.lock();
        queue.is_proving = false;
        queue.ticks_of_proofs += cx.ticks() - start;
        queue.has_failed_proof = done.is_ok() && !cx.is_proved();
        queue.best_known = cx.best().metrics();
        drop(queue);
        done
    }
}

/// The relinking of two solutions, as a window in a neighborhood of its own.
fn relinking(mine: &Solution, best: &Solution, objective: Objective) -> WindowSearch {
    let (neighborhood, solution) = (moves_fingerprint(mine.lurd()), moves_fingerprint(best.lurd()));
    let coverage = Coverage::Partial;
    WindowSearch { neighborhood, objective, solution, content: solution, pushes: 0..usize::MAX, coverage }
}

/// A running task, over when dropped. A thread that panics ends the run: the others would wait for it.
struct TaskGuard<'a>(&'a SharedArms<'a>);

impl Drop for TaskGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Err(Stop::Cancelled));
        }
        self.0.queue.lock().n_running -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
