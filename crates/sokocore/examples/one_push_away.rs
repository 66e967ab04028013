//! Draws every position that is one push away from the start.
//!
//! Run: `cargo run -p sokocore --example one_push_away`.

use std::error::Error;
use std::io::{self, Write};

use sokocore::{Level, Reach};

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
    let mut reach = Reach::new(board);
    let region = start.region(board, &mut reach);
    writeln!(out, "The player can walk to {} of {} squares:", region.squares().len(), board.n_squares())?;
    write!(out, "{}", start.display(board).mark(&region.to_set(), '-'))?;
    for push in region.pushes() {
        let stand = push.stand(board).ok_or("a push has a square to push from")?;
        let walk = region.distance(stand).ok_or("the player can walk there")?;
        let mut next = start.clone();
        next.push(board, push);
        let (row, column) = board.place(push.from);
        writeln!(out, "\nrow {}, column {}, {} after {walk} steps:", row + 1, column + 1, push.dir)?;
        write!(out, "{}", next.display(board))?;
    }
    Ok(())
}
