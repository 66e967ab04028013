//! The campaign `soundness`: every answer on small levels, against exhaustive search.
//!
//! ```text
//!   number ──level_maker──▶ level ──flat_board, position_graph──▶ all positions, pushes left, best solutions
//!                             │                                        │
//!                             ├─ solver_answers, optimizer_answers ────┤ compared: a difference is a defect
//!                             └─ rules on all positions ───────────────┘
//! ```
//!
//! The n-th level of a run has the number of its seed plus n, so that `--seed` with that number tries a level again, and
//! a run continues another one by the next seed. What is asked of a level is left to chance, by the same number.
//!
//! **Invariant**: the referee, `flat_board` with `position_graph` and `best_solution`, shares nothing with the crates that
//! it judges but the picture of a level and the names of metrics.

mod best_solution;
mod flat_board;
mod level_maker;
mod optimizer_answers;
mod position_graph;
mod rules;
mod solver_answers;
mod trial;

use std::panic::{AssertUnwindSafe, catch_unwind};

use sokocore::{Level, mix64};

use self::flat_board::FlatBoard;
use self::position_graph::PositionGraph;
use self::trial::{Counts, Trial};
use super::run::CampaignRun;
use crate::dataset::SplitMix64;

/// Most positions of a level that is compared.
const MAX_POSITIONS: usize = 6_000;
/// Every so many levels are asked for every answer.
const ALL_ANSWERS: u64 = 200;

/// Tries levels until the time is over.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let (mut counts, mut n_large, mut n_none) = (Counts::default(), 0_u64, 0_u64);
    for number in run.seed().. {
        if !run.has_time() {
            break;
        }
        match try_number(number, &mut counts) {
            Tried::NoLevel => n_none += 1,
            Tried::TooLarge => n_large += 1,
            Tried::Level { findings, picture } => {
                for what in findings {
                    run.defect(&what, &format!("soundness --seed {number} --for 1s"), &picture)?;
                }
                run.tried(1)?;
            }
        }
        if (number - run.seed()).is_multiple_of(10_000) {
            run.log(&format_args!("number {number}: {counts:?}, {n_large} too large, {n_none} no level"))?;
        }
    }
    run.log(&format_args!("{counts:?}, {n_large} too large, {n_none} no level"))
}

/// What came of a number.
enum Tried {
    /// Its choices make no level.
    NoLevel,
    /// It has more positions than [`MAX_POSITIONS`].
    TooLarge,
    /// A level, and what disagrees.
    Level { findings: Vec<String>, picture: String },
}

/// Makes the level of a number and asks about it.
fn try_number(number: u64, counts: &mut Counts) -> Tried {
    let Some(level) = level_maker::level(number) else { return Tried::NoLevel };
    try_level(&level, number, counts)
}

fn try_level(level: &Level, number: u64, counts: &mut Counts) -> Tried {
    let Some(board) = FlatBoard::of(level) else { return Tried::TooLarge };
    let Some(graph) = PositionGraph::explore(&board, MAX_POSITIONS) else { return Tried::TooLarge };
    let best = graph.optimum(&board);
    counts.solvable += u64::from(best.is_some());
    let picture = board.draw(board.start);
    let dice = SplitMix64(mix64(!number));
    let mut trial = Trial { level, board: &board, graph: &graph, best, dice, counts, findings: Vec::new() };
    // A panic is a defect of what was asked, and the level is worth more than the message.
    let asked = catch_unwind(AssertUnwindSafe(|| ask(&mut trial, number)));
    let mut findings = trial.findings;
    if let Err(panic) = asked {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        findings.push(format!("panicked: {}", text.unwrap_or("without a message")));
    }
    Tried::Level { findings, picture }
}

fn ask(trial: &mut Trial<'_>, number: u64) {
    solver_answers::check(trial);
    if number.is_multiple_of(ALL_ANSWERS) {
        solver_answers::check_all(trial);
    }
    if trial.dice.below(2) == 0 {
        rules::check(trial);
    }
    if trial.dice.below(4) == 0 {
        optimizer_answers::check(trial);
    }
}

#[cfg(test)]
mod tests;
