//! Runs one strategy over the levels of a file and prints a line for each: a developer's tool.
//!
//! ```text
//! solve_set FILE STRATEGY [--seconds S] [--ticks N] [--megabytes M] [--every K] [--first I] [--only I]
//!           [--without SWITCH]... [--optimal pushes|moves|pushes-moves|moves-pushes] [--algorithm A] [--heading H]
//! ```
//!
//! Seconds are of processor time of a quiet machine: the clock runs on while others use the processor.
#![expect(clippy::print_stdout, reason = "a developer's tool that prints its results")]

use std::error::Error;
use std::time::Duration;

use sokocore::{Level, moves_of, replay};
use sokoio::Collection;
use sokosearch::{Budget, Cancel, MemoryAccount, Stop};
use sokosolver::{Algorithm, Effort, Heading, Optimal, Settings, Strategy, Verdict};

/// What to run, and how long.
struct Plan {
    strategy: &'static Strategy,
    settings: Settings,
    seconds: f64,
    ticks: Option<u64>,
    bytes: u64,
    every: usize,
    first: usize,
    only: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("name a file of levels")?;
    let name = args.next().ok_or("name a strategy")?;
    let strategy = Strategy::named(&name).ok_or("no strategy of this name")?;
    let mut plan = Plan {
        strategy,
        settings: Settings::default(),
        seconds: 10.0,
        ticks: None,
        bytes: 1 << 31,
        every: 1,
        first: 1,
        only: None,
    };
    while let Some(option) = args.next() {
        let value = args.next().ok_or("an option lacks its value")?;
        set(&mut plan, &option, &value)?;
    }
    let collection = Collection::read(file.as_ref())?;
    let (mut n_levels, mut n_solved) = (0, 0);
    for entry in collection.levels() {
        let chosen = plan.only.map_or_else(
            || entry.number() >= plan.first && (entry.number() - plan.first).is_multiple_of(plan.every),
            |only| entry.number() == only,
        );
        let Ok(level) = entry.level() else { continue };
        if chosen {
            n_levels += 1;
            let (line, solved) = run(level, &plan);
            n_solved += usize::from(solved);
            println!("{:>4} {:<28} {line}", entry.number(), entry.title_or_number());
        }
    }
    println!("{name}: {n_solved} of {n_levels}");
    Ok(())
}

fn set(plan: &mut Plan, option: &str, value: &str) -> Result<(), Box<dyn Error>> {
    let settings = &mut plan.settings;
    match option {
        "--seconds" => plan.seconds = value.parse()?,
        "--ticks" => plan.ticks = Some(value.parse()?),
        "--megabytes" => plan.bytes = value.parse::<u64>()? << 20,
        "--every" => plan.every = value.parse::<usize>()?.max(1),
        "--first" => plan.first = value.parse()?,
        "--only" => plan.only = Some(value.parse()?),
        "--optimal" => {
            settings.optimal = match value {
                "pushes" => Optimal::Pushes,
                "moves" => Optimal::Moves,
                "pushes-moves" => Optimal::PushesMoves,
                "moves-pushes" => Optimal::MovesPushes,
                _ => Optimal::Any,
            }
        }
        "--algorithm" => {
            settings.algorithm = match value {
                "a-star" => Algorithm::AStar,
                "ida-star" => Algorithm::IdaStar,
                "bfs" => Algorithm::Bfs,
                "iddfs" => Algorithm::Iddfs,
                "dfs" => Algorithm::Dfs,
                _ => Algorithm::Greedy,
            }
        }
        "--heading" => {
            settings.heading = match value {
                "forward" => Heading::Forward,
                "backward" => Heading::Backward,
                _ => Heading::Both,
            }
        }
        "--without" => {
            let switch = match value {
                "pairs" => &mut settings.pairs,
                "triples" => &mut settings.triples,
                "freeze" => &mut settings.freeze,
                "diagonals" => &mut settings.diagonals,
                "frozen-walls" => &mut settings.frozen_walls,
                "pi-corrals" => &mut settings.pi_corrals,
                "corral-proofs" => &mut settings.corral_proofs,
                "tunnels" => &mut settings.tunnels,
                _ => return Err("no switch of this name".into()),
            };
            *switch = false;
        }
        _ => return Err(format!("no option {option}").into()),
    }
    Ok(())
}

/// Solves one level; returns what to print after its name, and whether it was solved.
fn run(level: &Level, plan: &Plan) -> (String, bool) {
    let account = MemoryAccount::new(plan.bytes);
    let time = Some(Duration::from_secs_f64(plan.seconds));
    let budget = Budget::new(time, account.clone(), Cancel::default()).with_work(plan.ticks);
    let mut effort = Effort::new(budget, Cancel::default());
    let mut search = (plan.strategy.build)(level, &plan.settings);
    let verdict = search.go_on(&mut effort);
    let seconds = effort.budget().elapsed().as_secs_f64();
    let (word, pushes) = match &verdict {
        Ok(Verdict::Solved(pushes)) => {
            let replayed = moves_of(level, pushes).and_then(|moves| replay(level, &moves).ok());
            match replayed {
                Some(solution) => ("solved", format!("{}", solution.metrics())),
                None => ("WRONG", String::new()),
            }
        }
        Ok(Verdict::Unsolvable) => ("unsolvable", String::new()),
        Ok(Verdict::GaveUp) => ("gave up", String::new()),
        Err(Stop::Memory) => ("memory", String::new()),
        Err(_) => ("-", String::new()),
    };
    let megabytes = account.peak() >> 20;
    let line = format!("{word:<10} {seconds:>8.3} s {:>12} ticks {megabytes:>5} MiB  {pushes}", effort.ticks());
    (line, word == "solved")
}
