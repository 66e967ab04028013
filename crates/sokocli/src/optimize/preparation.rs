//! Looks at every level before the search begins: which ones can be optimized, what is wrong with the others.

use sokocore::{Level, Solution};

use super::avoided::Avoided;
use super::level_task::LevelTask;
use super::skip_reason::SkipReason;
use super::snapshot::SnapshotLevel;
use crate::complaint::{Complaints, with_causes};
use crate::exit::UsageError;
use crate::inputs::InputLevel;
use crate::level_fault::LevelFault;
use crate::plan::Plan;
use crate::wording::count;
use crate::work_list::WorkLevel;

/// Levels in their order, and what is wrong with the inputs.
#[derive(Debug)]
pub(super) struct Preparation<'a> {
    /// Those to be optimized, or to be solved first.
    pub(super) tasks: Vec<LevelTask<'a>>,
    /// Those that are left as they are.
    pub(super) skipped: Vec<Skipped<'a>>,
    /// Bad boards, solutions that solve nothing.
    pub(super) n_faults: usize,
}

/// A level that cannot be optimized.
#[derive(Debug)]
pub(super) struct Skipped<'a> {
    pub(super) at: &'a InputLevel<'a>,
    pub(super) reason: SkipReason,
}

/// Levels made of those on the work list, to be optimized in their place or beside them.
#[derive(Debug)]
pub(super) struct DerivedLevels {
    /// The snapshots to be optimized.
    pub(super) snapshots: Vec<SnapshotLevel>,
    /// The levels without the squares to be avoided.
    pub(super) avoided: Vec<Avoided>,
}

/// Makes a task of every level that can be optimized.
pub(super) fn prepare<'a>(
    list: &'a [WorkLevel<'a>],
    derived: &'a DerivedLevels,
    plan: &Plan,
    complaints: &Complaints,
) -> anyhow::Result<Preparation<'a>> {
    let mut prepared = Preparation { tasks: Vec::new(), skipped: Vec::new(), n_faults: 0 };
    for work in list {
        prepared.n_faults += work.n_invalid;
        match level_of(work, derived, plan) {
            Ok((level, solutions)) => {
                let own = derived.snapshots.iter().filter(|snapshot| snapshot.number == work.at.number);
                let own: Vec<_> = own.map(|snapshot| LevelTask::of_snapshot(work, snapshot, plan)).collect();
                let reason = match (solutions.is_empty(), work.n_invalid) {
                    (false, _) => None,
                    (true, 0) => Some(SkipReason::NoSolution),
                    (true, _) => Some(SkipReason::NoValidSolution),
                };
                match reason {
                    Some(_) if !own.is_empty() => {}
                    Some(reason) if !plan.solves => prepared.skipped.push(Skipped { at: &work.at, reason }),
                    _ => prepared.tasks.push(LevelTask::new(work, level, &solutions, plan)),
                }
                prepared.tasks.extend(own);
            }
            Err(reason) => {
                if let Err(error) = work.level() {
                    let fault = LevelFault::of(error);
                    prepared.n_faults += usize::from(fault.is_error());
                    fault.complain(&work.at, complaints);
                }
                prepared.skipped.push(Skipped { at: &work.at, reason });
            }
        }
    }
    refuse_if_all_too_short(&prepared)?;
    Ok(prepared)
}

/// The level to be played and the solutions to begin from; or why it is left as it is.
fn level_of<'a>(
    work: &'a WorkLevel<'a>,
    derived: &'a DerivedLevels,
    plan: &Plan,
) -> Result<(&'a Level, Vec<Solution>), SkipReason> {
    let level = work.level().map_err(|error| match LevelFault::of(error) {
        LevelFault::BadBoard(_) => SkipReason::BadBoard(with_causes(error)),
        _ => SkipReason::Unsolvable(with_causes(error)),
    })?;
    if let Some(number) = work.same_as {
        return Err(SkipReason::SameAs(number));
    }
    let (level, solutions) = match Avoided::of(&derived.avoided, work.at.number, &work.solutions) {
        None => (level, work.solutions.clone()),
        Some(closed) => closed.map_err(SkipReason::NotAvoided)?,
    };
    let most = solutions.iter().map(|solution| solution.metrics().pushes).max();
    match (plan.first_push(), most) {
        (Some(first), Some(most)) if first >= most => Err(SkipReason::TooShort(format!(
            "--pushes begins after push {first}, and the solution has {}; write 0..{most} or a part of it",
            count(most, "push")
        ))),
        _ => Ok((level, solutions)),
    }
}

/// A range that lies beyond all solutions is a mistake of the command line.
fn refuse_if_all_too_short(prepared: &Preparation<'_>) -> Result<(), UsageError> {
    let first = prepared.skipped.iter().find(|skipped| matches!(skipped.reason, SkipReason::TooShort(_)));
    match first {
        Some(skipped) if prepared.tasks.is_empty() => {
            Err(UsageError(format!("{}: {}", skipped.at.name(), skipped.reason.text())))
        }
        _ => Ok(()),
    }
}
