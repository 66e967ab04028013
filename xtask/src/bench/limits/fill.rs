//! `xtask bench fill`: a process that does nothing but search tubes that do not fit into its memory.
//!
//! The program seldom takes all of its memory: its slices are small and windows grow only when they were searched in
//! vain. So whether the account is true is tried where it is full all the time: passes over whole solutions, again and
//! again with shorter windows, by each engine. What the process itself takes is left out of the account as the program
//! leaves it out ([`MemoryAccount::left_for_searches`]).

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use sokocore::Objective;
use sokoio::Collection;
use sokomethods::{Knobs, Method as _, Vicinity};
use sokosearch::{Budget, Cancel, Context, Engine, MemoryAccount, Pool, RingOrder, StoreKind, run_jobs};

use super::super::{parse_seconds, usage};
use super::By;

/// Arguments of `xtask bench fill`.
#[derive(Debug, Args)]
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
    /// Seconds of all processors: on a busy machine those on the wall say nothing about what was done.
    #[arg(long, value_parser = parse_seconds)]
    time: Duration,
}

/// What the account has to reach, in hundredths of its limit, for the memory to count as full.
const FULL: u64 = 95;
/// Processor seconds for which the search runs on full memory.
const AFTER_FULL: f64 = 1.0;

/// Knobs with which vicinity search runs on this engine.
fn knobs(by: By) -> Knobs {
    let engine = if by == By::Reference { Engine::Reference } else { Engine::Fast };
    let store = if by == By::Tree { StoreKind::Tree } else { StoreKind::Auto };
    Knobs::default().with_engine(engine).with_store(store)
}

/// Ends the work when it has had its time, or soon after the memory was full.
fn end_it(memory: &MemoryAccount, cancel: &Cancel, time: f64) {
    let mut last = time;
    loop {
        let cpu = usage::own_cpu_seconds().unwrap_or(f64::MAX);
        if memory.peak() * 100 >= memory.limit() * FULL {
            last = last.min(cpu + AFTER_FULL);
        }
        if cpu >= last {
            return cancel.cancel();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Fills the memory until the time is over, and says what the account says.
pub(in super::super) fn run(args: &FillArgs) -> anyhow::Result<()> {
    let collection = Collection::read(&args.file)?;
    let entry = collection.levels().first().context("no level")?;
    let level = entry.level().ok().context("no valid level")?;
    let start = entry.solutions().find_map(|(_, solution)| solution.ok()).context("no valid solution")?;
    let whole = args.memory << 20;
    let limit = MemoryAccount::left_for_searches(whole, usage::own_resident_bytes().unwrap_or(16 << 20), args.threads);
    let (cancel, time) = (Cancel::default(), args.time.as_secs_f64());
    let budget = Budget::new(None, MemoryAccount::new(limit), cancel.clone());
    let memory = budget.memory().clone();
    std::thread::spawn(move || end_it(&memory, &cancel, time));
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
