//! Proves a solution optimal: the best solution gets cheaper and the lower bound rises until they meet.
//!
//! `cargo run -p sokosolver --example prove_optimal`

use std::error::Error;
use std::io::{self, Write};

use sokocore::{Level, replay};
use sokosolver::{Optimal, SolveEvent, Solver};

const LEVEL: &str = "
#######
#.   .#
# $ $ #
#  @  #
# $ $ #
#.   .#
#######";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Proves the fewest moves of the level, and writes how.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let known = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
    let mut lines = Vec::new();
    let solver =
        Solver::new(&level).optimal(Optimal::MovesPushes).work(10_000_000).known(&known)?.on_event(
            |event| match event {
                SolveEvent::Improved { strategy, metrics, .. } => lines.push(format!("{metrics} by {strategy}")),
                SolveEvent::Bound { strategy, bound } => lines.push(format!("at least {bound} moves, by {strategy}")),
                _ => {}
            },
        );
    let outcome = solver.run();
    drop(solver);
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", outcome.answer)?;
    writeln!(out, "proved: {}, at least {} moves", outcome.is_proved(), outcome.lower_bound.unwrap_or(0))?;
    Ok(())
}
