//! Replays a solution and prints all six metrics, then the same moves with every walk made as short as possible.
//!
//! Run: `cargo run -p sokocore --example replay`.

use std::error::Error;
use std::io::{self, Write};

use sokocore::{Level, Lurd, Metric, Metrics, Objective, moves_of, pushes_of, replay};

/// The level "Two doors" of `testdata/first.sok`.
const LEVEL: &str = "\
##########
#    #   #
# $  # $ #
#    #   #
## #### ##
#        #
#  $@$   #
#  ....  #
##########
";

/// Its solution in that file.
const MOVES: &str = "ulDurrrruuluurDDDDllllluuluurDDDDrrrrrDulllllldRurrrrdrrdLuulllllddRluurDurrD";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}

/// Writes what the program prints.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level: Level = LEVEL.parse()?;
    let moves: Lurd = MOVES.parse()?;
    let solution = replay(&level, &moves)?;
    print_metrics(out, &solution.metrics())?;

    let pushes = pushes_of(&level, solution.lurd());
    let shorter = moves_of(&level, &pushes).ok_or("the pushes of a solution can be made")?;
    let shorter = replay(&level, &shorter)?;
    writeln!(out, "\nwith the shortest walks: {}", shorter.metrics())?;
    for objective in [Objective::MOVES, Objective::PUSHES, "boxlines/pushes".parse()?] {
        let is_better = objective.score(&shorter.metrics()) < objective.score(&solution.metrics());
        writeln!(out, "by {objective}: {}", if is_better { "better" } else { "no better" })?;
    }
    Ok(())
}

fn print_metrics(out: &mut impl Write, metrics: &Metrics) -> io::Result<()> {
    writeln!(out, "metrics: {metrics}")?;
    Metric::ALL.iter().try_for_each(|metric| writeln!(out, "{metric:>12} {:>3}", metric.of(metrics)))
}
