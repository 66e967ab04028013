//! Records curves: runs of the optimizer in segments, each of which continues from the checkpoint of the last one.
//!
//! ```text
//!   ticks   0   2.5 M  5 M   10 M      20 M                 40 M
//!           ├────┼─────┼──────┼──────────┼────────────────────┤   each end is exact, and kept on disk
//!              gains between: by the processor time of the thread
//! ```
//!
//! All levels are recorded to one end before any is recorded to the next, so that a recording that is interrupted is
//! complete up to there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use parking_lot::Mutex;
use sokocore::{Metrics, Objective};
use sokomethods::{Checkpoint, Knobs, SharedSolutionSource, optimize_from};
use sokonight::PolishedSource;
use sokosearch::{Budget, Cancel, Context, Event, MemoryAccount, Pool, Progress};

use super::NightBenchArgs;
use super::curve::{CurvePoint, ItemCurve};
use crate::bench::level_set::BenchLevel;
use crate::bench::usage::thread_cpu_seconds;

/// The end of the first segment.
const FIRST_END: u64 = 2_500_000;
/// Segments shorter than this do without other solutions of the solver, as slices of a night do.
const SHORTEST_WITH_SOURCE: u64 = 32_000_000;

/// Records the curves of all levels up to so many ticks.
pub(super) fn record(args: &NightBenchArgs, items: &[(BenchLevel, Objective)], ticks: u64) -> anyhow::Result<()> {
    fs::create_dir_all(&args.curves).with_context(|| format!("making {}", args.curves.display()))?;
    let mut end = FIRST_END;
    loop {
        let end_of_all = end.min(ticks);
        for (level, objective) in items {
            extend(args, level, *objective, end_of_all)?;
        }
        eprintln!("all curves have {end_of_all} ticks");
        if end >= ticks {
            return Ok(());
        }
        end *= 2;
    }
}

/// Extends a curve by one segment, unless it is as long already.
fn extend(args: &NightBenchArgs, level: &BenchLevel, objective: Objective, end: u64) -> anyhow::Result<()> {
    let folder = &args.curves;
    let mut curve = ItemCurve::read(folder, level.number, objective)?.unwrap_or_else(|| start(level, objective));
    let n_before = curve.n_ticks();
    if curve.is_settled() || n_before >= end {
        return Ok(());
    }
    let kept = checkpoint_path(folder, level.number, objective);
    let checkpoint = fs::read(&kept).ok().map(|bytes| Checkpoint::from_bytes(&bytes)).transpose()?;
    let pool = Pool::new(&level.level, &level.start, &[objective]);
    let work = end - n_before;
    let budget = Budget::new(None, MemoryAccount::new(args.memory << 20), Cancel::default()).with_work(Some(work));
    let source = (work >= SHORTEST_WITH_SOURCE)
        .then(|| SharedSolutionSource::new(PolishedSource::new(&level.level, &budget, &Cancel::default())));
    let knobs = Knobs::default().with_source(source);
    let begun = seconds()?;
    let watch = GainWatch { objective, gains: Mutex::default() };
    let mut cx = Context::new(&pool, objective, &budget, &watch);
    let (result, last) = optimize_from(&knobs, checkpoint.as_ref(), None, &mut cx);
    let ticks_a_second = cx.ticks() as f64 / (seconds()? - begun).max(1e-6);
    for (at, metrics) in watch.gains.lock().drain(..) {
        #[expect(clippy::cast_possible_truncation, reason = "ticks of a segment, rounded down")]
        let ticks = n_before + (((at - begun) * ticks_a_second) as u64).min(cx.ticks());
        curve.points.push(point(ticks, &metrics, false));
    }
    let is_settled = result.is_ok() || pool.is_proved(objective);
    // Where a segment ends before its work is done, the next one begins there.
    let ticks = if is_settled { n_before + cx.ticks() } else { end };
    curve.points.push(point(ticks, &pool.best(objective).metrics(), is_settled));
    if let Some(last) = last {
        sokoio::write_file(&kept, &last.to_bytes())?;
    }
    curve.write(folder)?;
    eprintln!("{:>3} {objective:<7} {ticks:>10} ticks  {}", level.number, pool.best(objective).metrics());
    Ok(())
}

fn seconds() -> anyhow::Result<f64> {
    thread_cpu_seconds().context("this system does not tell the processor time of a thread")
}

/// Makes a curve with its start alone.
fn start(level: &BenchLevel, objective: Objective) -> ItemCurve {
    ItemCurve { number: level.number, objective, points: vec![point(0, &level.start.metrics(), false)] }
}

fn point(ticks: u64, metrics: &Metrics, is_settled: bool) -> CurvePoint {
    CurvePoint { ticks, moves: metrics.moves, pushes: metrics.pushes, is_settled }
}

fn checkpoint_path(folder: &Path, number: usize, objective: Objective) -> PathBuf {
    ItemCurve::path(folder, number, objective).with_extension("checkpoint")
}

/// Notes what is gained, with the processor time of the thread.
#[derive(Debug)]
struct GainWatch {
    objective: Objective,
    gains: Mutex<Vec<(f64, Metrics)>>,
}

impl Progress for GainWatch {
    fn on(&self, event: Event<'_>) {
        if let Event::Improved { objective, metrics, .. } = event
            && objective == self.objective
            && let Some(seconds) = thread_cpu_seconds()
        {
            self.gains.lock().push((seconds, metrics));
        }
    }
}
