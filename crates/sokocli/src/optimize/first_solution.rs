//! Levels without a solution are solved before they are optimized.
//!
//! Half of a level's time may go into that; what is left, the rest and whatever of the half was not needed, is for
//! making the solution shorter.

use std::time::Duration;

use sokocore::Objective;
use sokosolver::{Answer, Outcome};

use super::OptimizeRun;
use super::level_task::LevelTask;
use super::skip_reason::SkipReason;
use crate::json::LevelRef;
use crate::level_fault::is_solved_at_start;
use crate::level_jobs::{JobTurn, LevelJobs, LevelResources};
use crate::solve::level_solver::LevelSolver;
use crate::watch::Watch;

/// What part of a level's time the solver may take: one in so many.
const SHARE: u32 = 2;

/// Looks for solutions of those of the tasks that have none; one that is solved can be optimized from then on.
/// Returns the time that each of the tasks has used.
pub(super) fn find_first_solutions(run: &OptimizeRun<'_, '_>, open: &[usize], time: Option<Duration>) -> Vec<Duration> {
    let unsolved: Vec<usize> = (0..open.len()).filter(|&at| run.tasks()[open[at]].start().is_none()).collect();
    let (plan, time) = (run.plan, time.map(|time| time / SHARE));
    let work = plan.work.map(|work| work / u64::from(SHARE));
    let n_threads = if work.is_some() { 1 } else { plan.n_threads };
    let solver = LevelSolver::plain(n_threads, work, plan.memory);
    let n_jobs = run.args.run.jobs.map(std::num::NonZeroUsize::get);
    let jobs = LevelJobs { n_threads, n_jobs, may_begin_again: work.is_none(), is_unordered: true, time };
    let mut used = vec![Duration::ZERO; open.len()];
    let turn = |at: usize, resources: LevelResources| {
        let task = &run.tasks()[open[unsolved[at]]];
        if run.session.cancel.is_cancelled() {
            task.unsolved(SkipReason::NotBegun);
            return JobTurn::Ended { result: Duration::ZERO, set_up: None };
        }
        solve(run, &solver, task, resources, time)
    };
    jobs.run(unsolved.len(), turn, |at, elapsed| {
        used[unsolved[at]] = elapsed;
        run.tasks()[open[unsolved[at]]].add_time_of_solver(elapsed);
    });
    used
}

/// Solves the level of a task, if it can be done in the time.
fn solve(
    run: &OptimizeRun<'_, '_>,
    solver: &LevelSolver,
    task: &LevelTask<'_>,
    resources: LevelResources,
    time: Option<Duration>,
) -> JobTurn<Duration> {
    let title = task.title();
    let left = time.map(|time| time.saturating_sub(resources.used));
    let limit = resources.limit(left);
    let view = run.screen.level(task.at().number, &title, limit);
    let watch = Watch::new(view, &run.session.lines, LevelRef::of(task.at()), Objective::MOVES)
        .after(task.time_used(Objective::MOVES) + resources.used);
    let (outcome, deferred_drop) = solver.solve(task.level, &[], resources, limit, &run.session.cancel, &watch);
    drop((watch, deferred_drop));
    if outcome.has_fault() {
        run.session.console.complaints.fault_of_search(&title);
    }
    let elapsed = resources.used + outcome.elapsed;
    if limit != left && matches!(outcome.answer, Answer::Unsolved(_)) && !run.session.cancel.is_cancelled() {
        return JobTurn::TooLarge;
    }
    let set_up = outcome.set_up();
    take(run, task, outcome);
    JobTurn::Ended { result: elapsed, set_up: Some(set_up) }
}

/// Takes over what the solver found.
fn take(run: &OptimizeRun<'_, '_>, task: &LevelTask<'_>, outcome: Outcome) {
    match outcome.answer {
        Answer::Solved { solution, by, .. } => {
            task.begin_solved(solution, by, run.plan);
            run.saver.level_improved(task);
        }
        Answer::Unsolvable { .. } if is_solved_at_start(task.level) => task.unsolved(SkipReason::SolvedAtStart),
        Answer::Unsolvable { by, .. } => task.unsolved(SkipReason::Unsolvable(by)),
        Answer::Unsolved(end) => task.unsolved(SkipReason::NotSolved(end)),
    }
}
