//! Soko as Festival: solves the levels of a file, each after the other.
//!
//! | argument | what it does here |
//! |---|---|
//! | `-out_file F` | each solved level is appended at once, with its board; standard output unless given |
//! | `-time N` | seconds of each level; 0 for ten minutes |
//! | `-cores N` | threads; 0 for all |

use std::time::Duration;

use sokocore::{Level, Objective, Solution};
use sokolibrary::PROGRAM;
use sokomethods::polish;
use sokosearch::MemoryAccount;
use sokosolver::{Outcome, Solver};

use super::found_file::solution_text;
use super::named_values::NamedValues;
use super::{DialectNames, DialectRun};
use crate::args::DialectArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::InputLevel;
use crate::wording::harmless;

/// Time of a level unless told, in seconds.
const DEFAULT_TIME: u64 = 600;

const NAMES: DialectNames = DialectNames { output: "out_file", threads: "cores", all: &["out_file", "time", "cores"] };

/// Runs the command.
pub(crate) fn run(args: &DialectArgs, console: &Console) -> anyhow::Result<Exit> {
    let values = NamedValues::of(&args.arguments);
    let time = match values.number("time")? {
        0 => DEFAULT_TIME,
        seconds => seconds,
    };
    let run = DialectRun::begin(&values, &NAMES, console)?;
    let mut n_bad = 0;
    for at in run.inputs.levels() {
        match at.entry.level() {
            Ok(_) if run.cancel.is_cancelled() => run.found.remark(&format!("{}: not begun", at.name()))?,
            Ok(level) => solve(&run, &at, level, Duration::from_secs(time))?,
            Err(error) => {
                n_bad += 1;
                run.found.remark(&format!("{}: {error}", at.name()))?;
            }
        }
    }
    Ok(run.end(n_bad))
}

fn solve(run: &DialectRun, at: &InputLevel<'_>, level: &Level, time: Duration) -> anyhow::Result<()> {
    let solver = Solver::new(level).time(time).threads(run.n_threads).memory(run.memory).cancel(&run.cancel);
    let outcome = solver.run();
    match outcome.solution() {
        Some(solution) => {
            let memory = MemoryAccount::new(run.memory);
            let solution = polish(level, solution, Objective::MOVES, &memory, &run.cancel);
            run.found.write(&solved_text(at, &solution, &outcome))
        }
        None => run.found.remark(&format!("{}: {}", at.name(), outcome.answer)),
    }
}

/// A level with its solution, as `.sok` text.
fn solved_text(at: &InputLevel<'_>, solution: &Solution, outcome: &Outcome) -> String {
    let (title, board) = (harmless(&at.entry.title_or_number()), at.entry.board_rows().join("\n"));
    let (version, by, seconds) =
        (env!("CARGO_PKG_VERSION"), outcome.by().unwrap_or_default(), outcome.elapsed.as_secs_f64());
    let solved = solution_text(solution);
    format!("{title}\n\n{board}\n\n{solved}Solver: {PROGRAM} {version}, {by}\nSolver time: {seconds:.2} s\n\n")
}
