//! Says of every push at the start whether the level is lost after it, as far as cheap checks can tell, and of all
//! others how many pushes are needed at least.
//!
//! Run: `cargo run -p sokocore --example deadlocks`.

use std::error::Error;
use std::io::{self, Write};

use sokocore::{FreezeCheck, GoalMatching, Level, Push, PushLowerBound};

/// The level "Planted 7-1" of `testdata/bench.sok`.
const LEVEL: &str = "\
#########
#####   #
###  .  #
# * $ $ #
#  .@   #
#########
";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}

/// Writes what the program prints.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level: Level = LEVEL.parse()?;
    let (board, start) = (level.board(), level.start());
    let dead = !level.live();
    writeln!(out, "Dead squares, where no box may stand:\n{}", board.picture().mark(&dead, 'x'))?;
    let mut checks = Checks::new(&level)?;
    for push in start.pushes(board) {
        let (row, column) = board.place(push.from);
        writeln!(out, "row {}, column {}, {}: {}", row + 1, column + 1, push.dir, checks.verdict(&level, push))?;
    }
    Ok(())
}

/// Scratch space of the checks, for any number of positions of one level.
struct Checks {
    freeze: FreezeCheck,
    matching: GoalMatching,
    bound: PushLowerBound,
}

impl Checks {
    fn new(level: &Level) -> Result<Self, Box<dyn Error>> {
        let bound = PushLowerBound::new(level).ok_or("the level is too large for the bound")?;
        Ok(Self { freeze: FreezeCheck::new(level), matching: GoalMatching::new(level), bound })
    }

    fn verdict(&mut self, level: &Level, push: Push) -> String {
        let mut next = level.start().clone();
        next.push(level.board(), push);
        let Some(to) = push.to(level.board()).filter(|&to| level.live().contains(to)) else {
            return "lost, on a dead square".to_owned();
        };
        if let Some(group) = self.freeze.deadlock_group(&next.boxes, to) {
            return format!("lost, {} frozen", group.count());
        }
        if self.matching.is_deadlock(&next.boxes) {
            return "lost, a box without a goal".to_owned();
        }
        match self.bound.of(&next.boxes) {
            Some(pushes) => format!("at least {pushes} more"),
            None => "lost".to_owned(),
        }
    }
}
