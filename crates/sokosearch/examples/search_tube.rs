//! Searches the neighborhood of a solution: all configurations with one box displaced to one of its nearest squares.
//!
//! `cargo run -p sokosearch --example search_tube`

use std::error::Error;
use std::io::{self, Write};

use parking_lot::Mutex;
use sokocore::{Level, Objective, replay};
use sokosearch::{
    Boxes, Budget, Cancel, Context, Engine, Event, LiveIndex, MemoryAccount, Neighborhood, Order, Pool, Progress,
    RingOrder, SearchWindow, Spine, search_near,
};

const LEVEL: &str = "
######
##   #
#@$ $#
#.  .#
######";

/// Notes the improvements.
#[derive(Default)]
struct Improvements(Mutex<Vec<String>>);

impl Progress for Improvements {
    fn on(&self, event: Event<'_>) {
        if let Event::Improved { metrics, .. } = event {
            self.0.lock().push(format!("improved: {metrics}"));
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Searches, and writes what came of it.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let start = replay(&level, &"drruurDullDrdL".parse()?)?;
    writeln!(out, "start: {}", start.metrics())?;

    let (pool, improvements) = (Pool::new(&level, &start, &[Objective::MOVES]), Improvements::default());
    let budget = Budget::new(None, MemoryAccount::new(16 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &improvements);

    let live = LiveIndex::new(&level);
    let ring = RingOrder::ALL[0];
    let neighborhood = Neighborhood { limits: vec![8], ring, boxes: Boxes::All };
    let searched = Spine::new(&level, &live, &start, budget.memory()).and_then(|spine| {
        let (order, directions) = (Order::of(&Objective::MOVES), ring.directions());
        let (from, to, engine) = (0, spine.end(), Engine::Fast);
        let window = SearchWindow { live: &live, spine: &spine, from, to, order, directions, engine };
        search_near(window, &neighborhood, &mut cx)
    });
    for line in improvements.0.into_inner() {
        writeln!(out, "{line}")?;
    }
    match searched {
        Ok(Some(report)) => writeln!(out, "all of the tube searched: {}", report.finished)?,
        Ok(None) => writeln!(out, "not for this engine")?,
        Err(stop) => writeln!(out, "stopped: {stop}")?,
    }
    writeln!(out, "best: {}", pool.best(Objective::MOVES).lurd())?;
    Ok(())
}
