//! Lower bounds are raised by search before a level is optimized, if that is asked for, in a share of its time.
//!
//! The searches prune by the solutions that are known. A better solution that they find is one more to optimize. In later
//! passes only those are repeated that may get further, see [`bound_attempts`](super::bound_attempts); the time of the
//! others is for the optimizer.

use std::time::Duration;

use sokocore::{Metric, Objective, Solution};
use sokosearch::Clock;
use sokosolver::Optimal;

use super::OptimizeRun;
use super::level_task::LevelTask;
use crate::bound_share::BoundShare;
use crate::json::LevelRef;
use crate::level_jobs::{JobTurn, LevelJobs, LevelResources};
use crate::solve::level_solver::LevelSolver;
use crate::watch::Watch;

/// Raises the bounds of those of the tasks that have a solution; adds to the time that each of them has used.
pub(super) fn raise_bounds(run: &OptimizeRun<'_, '_>, open: &[usize], used: &mut [Duration], time: Option<Duration>) {
    let Some(share) = run.plan.bound_share else { return };
    let chosen: Vec<usize> = (0..open.len()).filter(|&at| !metrics(&run.tasks()[open[at]]).is_empty()).collect();
    let n_threads = if run.plan.work.is_some() { 1 } else { run.plan.n_threads };
    let n_jobs = run.args.run.jobs.map(std::num::NonZeroUsize::get);
    let time = time.map(|time| share.of_time(time));
    let jobs = LevelJobs { n_threads, n_jobs, may_begin_again: false, is_unordered: true, time };
    let turn = |at: usize, resources: LevelResources| {
        let clock = Clock::start();
        raise(run, &run.tasks()[open[chosen[at]]], resources, time, share);
        JobTurn::Ended { result: clock.elapsed(), set_up: None }
    };
    jobs.run(chosen.len(), turn, |at, elapsed| {
        used[chosen[at]] += elapsed;
        run.tasks()[open[chosen[at]]].add_time_of_solver(elapsed);
    });
}

/// The metrics of which a bound is asked for and not reached yet.
fn metrics(task: &LevelTask<'_>) -> Vec<(Metric, Optimal, Objective)> {
    if task.start().is_none() || task.snapshot.is_some() {
        return Vec::new();
    }
    let all = [(Metric::Pushes, Optimal::Pushes, Objective::PUSHES), (Metric::Moves, Optimal::Moves, Objective::MOVES)];
    let is_asked = |metric| task.objectives.iter().any(|objective| objective.order()[0] == metric);
    let is_open = |metric| task.lower_bound(metric).is_none_or(|bound| task.best(metric) > Some(bound));
    all.into_iter().filter(|&(metric, ..)| is_asked(metric) && is_open(metric)).collect()
}

/// Raises the bounds of a level, one after the other, each in an equal share of what is left of the time.
fn raise(
    run: &OptimizeRun<'_, '_>,
    task: &LevelTask<'_>,
    resources: LevelResources,
    time: Option<Duration>,
    share: BoundShare,
) {
    let Some(start) = task.start() else { return };
    let (clock, title) = (Clock::start(), task.title());
    let n_side_by_side = resources.n_side_by_side;
    let mut metrics = metrics(task);
    let even = |n: usize| time.map(|time| time / u32::try_from(n.max(1)).unwrap_or(u32::MAX));
    let limit = even(metrics.len());
    metrics.retain(|&(metric, ..)| task.may_raise(metric, limit, n_side_by_side));
    for (at, &(metric, optimal, objective)) in metrics.iter().enumerate() {
        let n_left = u32::try_from(metrics.len() - at).unwrap_or(1);
        let limit = time.map(|time| time.saturating_sub(clock.elapsed()) / n_left);
        if run.session.cancel.is_cancelled() || limit.is_some_and(|limit| limit.is_zero()) {
            return;
        }
        let work = run.plan.work.map(|work| share.of_work(work) / u64::try_from(metrics.len()).unwrap_or(1));
        let solver = LevelSolver::proving(optimal, run.plan.n_threads, work, run.plan.memory);
        let known: Vec<Solution> = [Objective::MOVES, Objective::PUSHES].map(|kept| start.pool.best(kept)).into();
        let found = |solution: &Solution| {
            // A solution that is no better stays out of the pool.
            if start.pool.offer(solution.lurd()).is_ok_and(|(improved, _)| !improved.is_empty()) {
                run.saver.level_improved(task);
            }
        };
        let watch = Watch::new(
            run.screen.level(task.at().number, &title, limit),
            &run.session.lines,
            LevelRef::of(task.at()),
            objective,
        );
        let watch = watch.after(task.time_used(objective)).with_found(&found);
        let watch = watch.with_best(Some(start.pool.best(objective).metrics()));
        let watch = watch.with_lower_bound(task.lower_bound(metric));
        let (outcome, deferred_drop) = solver.solve(task.level, &known, resources, limit, &run.session.cancel, &watch);
        drop((watch, deferred_drop));
        if outcome.has_fault() {
            run.session.console.complaints.fault_of_search(&title);
        }
        outcome.solution().into_iter().for_each(found);
        task.learn(metric, optimal, &outcome, n_side_by_side);
    }
}
