//! Makes a solution shorter, in moves and in pushes, and writes what each method gained.
//!
//! `cargo run -p sokomethods --example optimize_solution`

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use sokocore::{Level, Objective, replay};
use sokomethods::Optimizer;

const LEVEL: &str = "
#######
#.   .#
# $ $ #
#  @  #
# $ $ #
#.   .#
#######";

/// A solution with detours.
const MOVES: &str = "lrlrlUruLdrdrUluRdldlDrdLururDldR";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Optimizes the solution, and writes the results.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let start = replay(&level, &MOVES.parse()?)?;
    let outcome = Optimizer::new(&level)
        .objective(Objective::MOVES)
        .objective(Objective::PUSHES)
        .time(Duration::from_secs(30))
        .memory(64 << 20)
        .run(&start)?;
    for result in &outcome.results {
        writeln!(out, "{result}")?;
    }
    for gains in outcome.gains.iter().filter(|gains| gains.gained > 0) {
        writeln!(out, "{} gained {} {}", gains.method, gains.gained, gains.objective)?;
    }
    writeln!(out, "{}", outcome.solution().lurd())?;
    Ok(())
}
