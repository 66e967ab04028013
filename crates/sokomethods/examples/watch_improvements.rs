//! Runs the optimizer in a thread, receives improvements from it, and cancels it when one is good enough.
//!
//! `cargo run -p sokomethods --example watch_improvements`

use std::error::Error;
use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;

use sokocore::{Level, replay};
use sokomethods::Optimizer;
use sokosearch::Cancel;

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

/// The moves that are good enough.
const ENOUGH: u64 = 29;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Optimizes the solution until it is good enough, and writes each improvement when it comes.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let start = replay(&level, &MOVES.parse()?)?;
    let (send, receive) = mpsc::channel();
    let cancel = Cancel::default();
    let outcome = thread::scope(|scope| {
        let optimizer = Optimizer::new(&level).time(None).cancel(&cancel).on_improvement(move |found| {
            // The receiver lives until the optimizer is dropped.
            let _ = send.send(found.solution.metrics());
        });
        let run = scope.spawn(move || optimizer.run(&start));
        for metrics in receive {
            writeln!(out, "{} moves", metrics.moves)?;
            if metrics.moves <= ENOUGH {
                cancel.cancel();
            }
        }
        let outcome = run.join().map_err(|_| "a method panicked")?;
        Ok::<_, Box<dyn Error>>(outcome?)
    })?;
    writeln!(out, "good enough: {}", outcome.solution().metrics().moves <= ENOUGH)?;
    Ok(())
}
