//! Looks at every level before the search begins: which ones can be optimized, what is wrong with the others.

use sokocore::Solution;

use super::avoided::Avoided;
use super::level_task::LevelTask;
use super::snapshot::Snapshot;
use super::time_share::TimeShare;
use crate::complaint::{self, with_causes};
use crate::inputs::{InputLevel, Inputs};
use crate::level_ranges::LevelRanges;
use crate::plan::Plan;
use crate::wording::count;

/// Levels in their order, and what is wrong with the inputs.
#[derive(Debug)]
pub(super) struct Preparation<'a> {
    /// Those to be optimized.
    pub(super) tasks: Vec<LevelTask<'a>>,
    /// Those that are left as they are.
    pub(super) skipped: Vec<Skipped<'a>>,
    /// Boards that are no levels, solutions that solve nothing.
    pub(super) n_faults: usize,
}

/// A level that cannot be optimized.
#[derive(Debug)]
pub(super) struct Skipped<'a> {
    pub(super) at: InputLevel<'a>,
    pub(super) reason: SkipReason,
}

/// Why a level cannot be optimized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SkipReason {
    /// The board is no level.
    BadBoard(String),
    /// No solution was given.
    NoSolution,
    /// None of the solutions given is valid.
    NoValidSolution,
    /// The solver looked for a solution, but found none within its share of the time.
    NotSolved(&'static str),
    /// The solver found that there is none.
    Unsolvable(String),
    /// The squares to be avoided are needed, or all solutions given enter them.
    NotAvoided(String),
}

impl SkipReason {
    /// Says it in the table.
    pub(super) fn text(&self) -> String {
        match self {
            Self::BadBoard(error) => format!("error: {error}"),
            Self::NoSolution => "no solution to improve".to_owned(),
            Self::NoValidSolution => "no valid solution to improve".to_owned(),
            Self::NotSolved(end) => format!("not solved ({end})"),
            Self::Unsolvable(by) => format!("unsolvable ({by})"),
            Self::NotAvoided(why) => why.clone(),
        }
    }

    /// Says it in JSON.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::BadBoard(_) => "bad board",
            Self::NoSolution => "no solution",
            Self::NoValidSolution => "no valid solution",
            Self::NotSolved(_) => "not solved",
            Self::Unsolvable(_) => "unsolvable",
            Self::NotAvoided(_) => "not avoided",
        }
    }
}

/// How talkative the preparation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Warnings {
    /// Say everything.
    Shown,
    /// Say only what makes the exit code 1.
    Hidden,
}

/// Replays all solutions of the chosen levels and says what is wrong with them.
pub(super) fn prepare<'a>(
    inputs: &'a Inputs,
    (snapshots, avoided): (&'a [Snapshot], &'a [Avoided]),
    levels: Option<&LevelRanges>,
    plan: &Plan,
    warnings: Warnings,
) -> Preparation<'a> {
    let mut prepared = Preparation { tasks: Vec::new(), skipped: Vec::new(), n_faults: 0 };
    for at in inputs.levels().filter(|at| levels.is_none_or(|levels| levels.contains(at.number))) {
        let (solutions, n_faults) = valid_solutions(&at, warnings);
        prepared.n_faults += n_faults;
        let level = match at.entry.level() {
            Ok(level) => level,
            Err(error) => {
                prepared.n_faults += 1;
                complaint::error(&at.bad_board(error));
                prepared.skipped.push(Skipped { at, reason: SkipReason::BadBoard(with_causes(error)) });
                continue;
            }
        };
        let (level, solutions) = match Avoided::of(avoided, at.number, &solutions) {
            None => (level, solutions),
            Some(Ok(closed)) => closed,
            Some(Err(why)) => {
                prepared.skipped.push(Skipped { at, reason: SkipReason::NotAvoided(why) });
                continue;
            }
        };
        let time = || TimeShare::new(plan.time, plan.objectives.len(), plan.n_threads);
        let own = snapshots.iter().filter(|snapshot| snapshot.number == at.number);
        let own: Vec<_> = own.filter_map(|snapshot| LevelTask::of_snapshot(at, snapshot, plan, time())).collect();
        match LevelTask::new(at, level, &solutions, plan, time()) {
            Some(task) => prepared.tasks.push(task),
            None if !own.is_empty() => {}
            None if n_faults > 0 => prepared.skipped.push(Skipped { at, reason: SkipReason::NoValidSolution }),
            None => prepared.skipped.push(Skipped { at, reason: SkipReason::NoSolution }),
        }
        prepared.tasks.extend(own);
    }
    prepared
}

/// Returns the solutions that solve the level, with their index among the games, and how many do not.
fn valid_solutions(at: &InputLevel<'_>, warnings: Warnings) -> (Vec<(usize, Solution)>, usize) {
    let (mut valid, mut n_faults) = (Vec::new(), 0);
    if at.entry.level().is_err() {
        return (valid, n_faults);
    }
    for (game, solution) in at.entry.solutions() {
        let line = at.entry.games()[game].line();
        match solution {
            Ok(solution) => {
                let remarks = solution.remarks();
                if remarks.case_corrected > 0 && warnings == Warnings::Shown {
                    let moves = count(remarks.case_corrected, "letter");
                    complaint::warning(&format!("{}: {moves} of the wrong case; read as replayed", at.place(line)));
                }
                if remarks.cut_after_solved > 0 && warnings == Warnings::Shown {
                    let moves = count(remarks.cut_after_solved, "move");
                    complaint::warning(&format!("{}: {moves} after the level is solved; ignored", at.place(line)));
                }
                valid.push((game, solution));
            }
            Err(error) => {
                n_faults += 1;
                let cause = with_causes(error);
                complaint::warning(&format!("{}: {cause}; kept in the output, but not used", at.place(line)));
            }
        }
    }
    (valid, n_faults)
}
