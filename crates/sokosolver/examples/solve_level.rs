//! Solves a level with the portfolio, and writes the solution and who found it.
//!
//! `cargo run -p sokosolver --example solve_level`

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use sokocore::Level;
use sokosolver::{Answer, Solver};

const LEVEL: &str = "
 #####
##   ##
#  $  #
# #@$ #
#  .. #
##   ##
 #####";

/// No box can leave its corner.
const HOPELESS: &str = "
#####
#$  #
# @.#
#####";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Solves the levels, and writes the answers.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for text in [LEVEL, HOPELESS] {
        let level = Level::parse(text.trim_matches('\n'))?;
        let outcome = Solver::new(&level).time(Duration::from_secs(30)).memory(256 << 20).run();
        match &outcome.answer {
            Answer::Solved { solution, .. } => writeln!(out, "{}: {}", outcome.answer, solution.lurd())?,
            answer => writeln!(out, "{answer}")?,
        }
    }
    Ok(())
}
