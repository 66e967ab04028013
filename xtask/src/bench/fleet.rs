//! `cargo xtask bench fleet`: what one server of a fleet does in a second.
//!
//! Levels are submitted, and workers take slices and end them without a search in between, each by a connection of its
//! own, so that nothing but the server and the protocol counts. Workers and server share the machine. What the server uses
//! of its processors for a slice is told, too: the simulation of larger fleets asks for it.

mod server_meter;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use parking_lot::Mutex;
use sokocore::{PlantSpec, planted_levels};
use sokofleet::testing::run_empty_slice;
use sokofleet::{Fleet, FleetName, Submission, Wishes};
use sokoio::{Collection, NewLevel};
use sokosearch::Clock;

use super::parse_seconds;
use server_meter::ServerMeter;

/// Arguments of `cargo xtask bench fleet`.
#[derive(Debug, Args)]
pub(super) struct FleetArgs {
    /// Levels that are submitted.
    #[arg(long, default_value_t = 10_000)]
    levels: usize,
    /// Workers.
    #[arg(long, default_value_t = 200)]
    workers: usize,
    /// How long they work.
    #[arg(long, default_value = "10", value_parser = parse_seconds)]
    time: Duration,
}

/// Runs the bench.
pub(super) fn run(args: &FleetArgs) -> anyhow::Result<()> {
    let (server, meter) = ServerMeter::start()?;
    let name = FleetName::default();
    let fleet = Fleet::create_or_open(&server.address(), &name)?;
    let mut collection = Collection::new();
    let spec = PlantSpec { boxes: 2..=3, pulls: 8..=30, ..PlantSpec::default() };
    for (level, _) in planted_levels(spec, 1).take(args.levels) {
        collection
            .append_level(&NewLevel::new(level.grid().to_string().lines()))
            .context("cannot make a collection")?;
    }
    let submission = [Submission::new("planted", &collection)];
    let clock = Clock::start();
    let submitted = fleet.submit(&submission, &Wishes::default(), &|_, _| {})?;
    let first = clock.elapsed();
    let clock = Clock::start();
    fleet.submit(&submission, &Wishes::default(), &|_, _| {})?;
    let (n_levels, second) = (submitted.n_levels, clock.elapsed());
    println!("{n_levels} levels submitted in {:.1} s, and again in {:.1} s", first.as_secs_f64(), second.as_secs_f64());
    println!("server: {}", meter.memory()?);
    let clock = Clock::start();
    let view = fleet.view()?;
    println!("looked at in {:.2} s: {} items", clock.elapsed().as_secs_f64(), view.items.len());

    let (latencies, is_over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let before = meter.read()?;
    let clock = Clock::start();
    let work = |worker: usize| -> anyhow::Result<()> {
        let fleet = Fleet::open(&server.address(), &FleetName::default())?;
        while !is_over.load(Ordering::Relaxed) {
            if let Some(latency) = run_empty_slice(&fleet, &format!("w{worker}"))? {
                latencies.lock().push(latency);
            }
        }
        Ok(())
    };
    let n_failed = thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..args.workers).map(|worker| scope.spawn(move || work(worker))).collect();
        thread::sleep(args.time);
        is_over.store(true, Ordering::Relaxed);
        let ended = workers.into_iter().map(|worker| worker.join().is_ok_and(|done| done.is_ok()));
        ended.filter(|is_well| !is_well).count()
    });
    let elapsed = clock.elapsed().as_secs_f64();
    let mut latencies = latencies.into_inner();
    ensure!(!latencies.is_empty(), "no slice was dealt out");
    latencies.sort_unstable();
    let at = |part: usize| latencies[(latencies.len() - 1) * part / 100].as_secs_f64() * 1e3;
    let after = meter.read()?;
    #[expect(clippy::cast_precision_loss, reason = "numbers of slices and messages")]
    let [n_slices, n_messages] = [latencies.len() as u64, after.n_messages - before.n_messages].map(|n| n as f64);
    let seconds = after.seconds - before.seconds;
    let rate = n_slices / elapsed;
    println!("{} workers: {rate:.0} slices a second, {n_failed} workers failed", args.workers);
    println!("a slice: median {:.1} ms, 99 of 100 within {:.1} ms, longest {:.1} ms", at(50), at(99), at(100));
    println!(
        "server: {}; {:.1} messages and {:.0} us of its processors a slice, {:.1} us a message",
        meter.memory()?,
        n_messages / n_slices,
        1e6 * seconds / n_slices,
        1e6 * seconds / n_messages
    );
    Ok(())
}
