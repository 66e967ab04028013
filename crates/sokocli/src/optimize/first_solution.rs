//! Levels without a solution are solved before they are optimized, one after the other, each with all threads.
//!
//! Half of a level's time may go into that; what is left, the rest and whatever of the half was not needed, is for
//! making the solution shorter.

use std::time::Duration;

use sokocore::Level;
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::{Answer, Optimal, SolveKnobs};

use super::avoided::Avoided;
use super::level_task::LevelTask;
use super::preparation::{Preparation, SkipReason, Skipped};
use super::time_share::TimeShare;
use crate::complaint;
use crate::plan::Plan;
use crate::saver::Saver;
use crate::screen::Screen;
use crate::solve::found::end_name;
use crate::solve::polish::polish;
use crate::solve::view::SolveView;
use crate::table::short;

/// What part of a level's time the solver may take: one in so many.
const SHARE: u32 = 2;

/// Looks for solutions of the levels that have none; whichever is solved joins the tasks.
pub(super) fn solve_first<'a>(
    prepared: &mut Preparation<'a>,
    avoided: &'a [Avoided],
    plan: &Plan,
    saver: &Saver,
    cancel: &Cancel,
    screen: &Screen,
) {
    let (unsolved, others): (Vec<_>, Vec<_>) = std::mem::take(&mut prepared.skipped)
        .into_iter()
        .partition(|skipped| matches!(skipped.reason, SkipReason::NoSolution | SkipReason::NoValidSolution));
    prepared.skipped = others;
    for skipped in unsolved {
        let level = match Avoided::of(avoided, skipped.at.number, &[]) {
            Some(Ok((level, _))) => Ok(level),
            _ => skipped.at.entry.level(),
        };
        match level {
            Ok(level) if !cancel.is_cancelled() => match solve(level, &skipped, plan, cancel, screen) {
                Ok(task) => {
                    prepared.tasks.push(task);
                    saver.level_improved();
                    saver.tick(&prepared.tasks);
                }
                Err(reason) => prepared.skipped.push(Skipped { reason, ..skipped }),
            },
            _ => prepared.skipped.push(skipped),
        }
    }
    prepared.tasks.sort_by_key(|task| task.at.number);
    prepared.skipped.sort_by_key(|skipped| skipped.at.number);
}

/// Makes a task of a level that the solver solves; otherwise says why there is none.
fn solve<'a>(
    level: &'a Level,
    skipped: &Skipped<'a>,
    plan: &Plan,
    cancel: &Cancel,
    screen: &Screen,
) -> Result<LevelTask<'a>, SkipReason> {
    let at = skipped.at;
    let time = plan.time.map(|time| time / SHARE);
    let work = plan.work.map(|work| work / u64::from(SHARE));
    let memory = MemoryAccount::new(plan.memory_of_worker(1));
    let budget = Budget::new(time, memory, cancel.clone()).with_work(work);
    let n_threads = if work.is_some() { 1 } else { plan.n_threads };
    let view = SolveView::new(screen, &format!("solving {}", at.entry.title_or_number()), time);
    let outcome = sokosolver::solve(level, &SolveKnobs { n_threads, ..SolveKnobs::default() }, &budget, &view);
    drop(view);
    if outcome.has_fault() {
        let title = at.entry.title_or_number();
        complaint::error(&format!("{title}: a search failed by a fault of this program; please report it"));
    }
    let title = short(at.entry.title().unwrap_or(""));
    match outcome.answer {
        Answer::Solved { solution, by, .. } => {
            let solution = polish(level, &solution, Optimal::Any, cancel);
            let (metrics, seconds) = (solution.metrics(), outcome.elapsed.as_secs_f64());
            let what = format!("solved {}/{} by {by}, {seconds:.2} s", metrics.moves, metrics.pushes);
            screen.line(&format!("level {} {title}: {what}", at.number));
            let left = plan.time.map(|time| time.saturating_sub(outcome.elapsed).max(Duration::from_millis(1)));
            let time = TimeShare::new(left, plan.objectives.len(), plan.n_threads);
            LevelTask::of_first(at, level, solution, by, plan, time).ok_or(SkipReason::NoSolution)
        }
        Answer::Unsolvable { by } => Err(SkipReason::Unsolvable(by)),
        Answer::Unsolved(end) => Err(SkipReason::NotSolved(end_name(end))),
    }
}
