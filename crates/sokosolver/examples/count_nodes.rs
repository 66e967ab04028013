//! Runs one strategy over the levels of a file and prints how many positions it expands: a developer's tool.
//!
//! `count_nodes FILE STRATEGY SECONDS [EVERY]`
#![expect(clippy::print_stdout, reason = "a developer's tool that prints its results")]

use std::error::Error;
use std::time::Duration;

use sokoio::Collection;
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::{Effort, Settings, Strategy, Verdict};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, name, seconds, rest @ ..] = args.as_slice() else { return Err("name file, strategy, seconds".into()) };
    let strategy = Strategy::named(name).ok_or("no strategy of this name")?;
    let every: usize = rest.first().map_or(Ok(1), |every| every.parse())?;
    for entry in Collection::read(file.as_ref())?.levels().iter().step_by(every.max(1)) {
        let Ok(level) = entry.level() else { continue };
        let time = Some(Duration::from_secs_f64(seconds.parse()?));
        let budget = Budget::new(time, MemoryAccount::new(1 << 31), Cancel::default());
        let mut effort = Effort::new(budget, Cancel::default());
        let mut search = (strategy.build)(level, &Settings::default());
        let is_solved = matches!(search.go_on(&mut effort), Ok(Verdict::Solved(_)));
        let elapsed = effort.budget().elapsed().as_secs_f64();
        let n_nodes = search.n_nodes();
        println!("{:>4} {} {n_nodes:>8} nodes {elapsed:>8.3} s", entry.number(), if is_solved { '+' } else { '-' });
    }
    Ok(())
}
