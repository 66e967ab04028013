//! Counts the configurations of a level that may lie on a solution, within limits of memory and work.
//!
//! `cargo run -p sokosearch --example count_configurations`

use std::error::Error;
use std::io::{self, Write};

use sokocore::{Level, Objective, replay};
use sokosearch::{
    Budget, Cancel, ConfigStore as _, Context, Engine, LiveIndex, MemoryAccount, Order, Pool, n_placements, whole_space,
};

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

/// Counts, and writes what it counted.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let live = LiveIndex::new(&level);
    writeln!(out, "{} boxes on {} of {} squares", level.n_boxes(), live.n_live(), level.board().n_squares())?;
    if let Some(n) = n_placements(&level, &live) {
        writeln!(out, "{n} placements")?;
    }

    // A search works on a solution, within limits, through its context.
    let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let account = MemoryAccount::new(16 << 20);
    let budget = Budget::new(None, account.clone(), Cancel::default()).with_work(Some(1_000_000));
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    match whole_space(&live, Engine::Fast, Order::MovesPushes, &mut cx) {
        Ok(Some(space)) => {
            writeln!(
                out,
                "{} configurations that pulls from the goals reach, {} ticks",
                space.n_configs(),
                cx.ticks()
            )?;
            writeln!(out, "{} KiB charged", account.used() >> 10)?;
        }
        Ok(None) => writeln!(out, "too many for {} MiB", account.limit() >> 20)?,
        Err(stop) => writeln!(out, "stopped: {stop}")?,
    }
    Ok(())
}
