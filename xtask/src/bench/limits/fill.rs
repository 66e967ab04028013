//! `xtask bench fill`: a process that does nothing but search tubes that do not fit into its memory.
//!
//! The program seldom takes all of its memory: its slices are small and windows grow only when they were searched in
//! vain. So whether the account is true is tried where it is full all the time: passes over whole solutions, again and
//! again with shorter windows, by each engine. What the process itself takes is left out of the account as the program
//! leaves it out: the resident size at the beginning, a quarter of the whole at most.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args as ClapArgs;
use serde_json::json;
use sokocore::Objective;
use sokoio::Collection;
use sokomethods::{Knobs, Method as _, StoreKind, Vicinity};
use sokosearch::{Budget, Cancel, Context, Engine, MemoryAccount, Pool, RingOrder, run_jobs};

use super::super::{parse_seconds, usage};
use super::By;

/// Arguments of `xtask bench fill`.
#[derive(Debug, ClapArgs)]
pub(in super::super) struct FillArgs {
    /// A level with a solution.
    file: PathBuf,
    #[arg(long, value_enum)]
    with: By,
    #[arg(long)]
    objective: Objective,
    #[arg(long)]
    threads: usize,
    /// MiB for the whole process.
    #[arg(long)]
    memory: u64,
    #[arg(long, value_parser = parse_seconds)]
    time: std::time::Duration,
}

/// Knobs with which vicinity search runs on this engine.
fn knobs(by: By) -> Knobs {
    let engine = if by == By::Reference { Engine::Reference } else { Engine::Fast };
    let store = if by == By::Tree { StoreKind::Tree } else { StoreKind::Hash };
    Knobs { engine, store, ..Knobs::default() }
}

/// Fills the memory until the time is over, and says what the account says.
pub(in super::super) fn run(args: &FillArgs) -> anyhow::Result<()> {
    let collection = Collection::read(&args.file)?;
    let entry = collection.levels().first().context("no level")?;
    let level = entry.level().ok().context("no valid level")?;
    let start = entry.solutions().find_map(|(_, solution)| solution.ok()).context("no valid solution")?;
    let whole = args.memory << 20;
    let own = usage::own_resident_bytes().unwrap_or(16 << 20).min(whole / 4);
    let budget = Budget::new(Some(args.time), MemoryAccount::new(whole - own), Cancel::default());
    run_jobs(args.threads, 0..args.threads, |thread| {
        let knobs = knobs(args.with);
        for ring in RingOrder::ALL.into_iter().cycle().skip(thread) {
            // From the poor start again, so that there is always as much to do.
            let pool = Pool::new(level, &start, &[args.objective]);
            let mut cx = Context::new(&pool, args.objective, &budget, &());
            // Whatever it was stopped by, time is looked at below.
            let _ = Vicinity::new(&[20, 40], ring, &knobs).run(&mut cx);
            if cx.poll().is_err() {
                break;
            }
        }
    });
    println!("{}", json!({ "type": "result", "peak_bytes": budget.memory().peak(), "ended_by": "time" }));
    Ok(())
}
