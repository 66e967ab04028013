//! The campaign `repeatability`: a run that is limited by work, on one thread, is the same everywhere.
//!
//! Builds with and without optimization optimize and solve the same levels with the same work, alone and beside other
//! threads that keep all processors busy. What they print and what they write must be the same to the byte, times left
//! aside, and lines of progress, which are printed by the clock.
//!
//! Builds with debug assertions are left out: they have fewer widths of boards, of which some take the place of others,
//! and so their tables have other sizes and their strategies other turns.
//!
//! Builds for processors of 32 bits, and with the highest byte of a number first, are compared where they can be made and
//! run, but for the bytes in use: those depend on the size of an address.
//!
//! * [`other_processors`]: their builds.

mod other_processors;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use sokocore::mix64;

use super::run::CampaignRun;
use super::soko::{Desk, hard_level, room_levels};
use crate::dataset::SplitMix64;
use crate::workspace::{self, cargo, root};

/// Most time for a run.
const LIMIT: Duration = Duration::from_secs(1800);
/// Members of the lines of JSON that tell of the clock or of the machine.
const OF_CLOCK: [&str; 3] = ["seconds", "resident_bytes", "version"];
/// Members that tell of the size of an address.
const OF_ADDRESSES: [&str; 1] = ["peak_bytes"];

/// Compares runs until the time is over.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let mut builds = vec![("release", run.soko()?), ("unoptimized", unoptimized_build()?)];
    let n_here = builds.len();
    builds.extend(other_processors::builds(run)?);
    let names: Vec<_> = builds.iter().map(|(name, _)| *name).collect();
    run.log(&format_args!("compared: {}", names.join(", ")))?;
    let mut chance = SplitMix64(run.seed());
    while run.has_time() {
        let levels = levels(chance.next())?;
        let work = 10_000 << chance.below(6);
        let optimize = format!("optimize levels.sok -o out.sok --threads 1 --work {work} --memory 256MiB --json");
        let solve = format!("solve levels.sok -o out.sok --threads 1 --work {work} --memory 256MiB --json");
        for line in [optimize, solve] {
            let mut first: Option<(String, Outcome)> = None;
            for (at, (build, soko)) in builds.iter().enumerate() {
                for is_busy in [false, true] {
                    let place = format!("{build} build, {}", if is_busy { "beside others" } else { "alone" });
                    let outcome = beside(is_busy, || Outcome::of(soko, &levels, &line))?;
                    run.tried(1)?;
                    let Some((first_place, first)) = &first else {
                        first = Some((place, outcome));
                        continue;
                    };
                    let is_same = if at < n_here { *first == outcome } else { first.is_same_elsewhere(&outcome) };
                    if !is_same {
                        let what = format!("soko {line} differs: {first_place}, and {place}");
                        let repeat = format!("repeatability --seed {}", run.seed());
                        run.defect(&what, &repeat, &format!("{levels}\n{}\n{}", first.shown(), outcome.shown()))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// What a run leaves, but for times.
#[derive(Debug, PartialEq)]
struct Outcome {
    said: Vec<Value>,
    written: String,
}

impl Outcome {
    fn of(soko: &Path, levels: &str, line: &str) -> anyhow::Result<Self> {
        let desk = Desk::new(soko)?;
        desk.write("levels.sok", levels)?;
        let ended = desk.soko(line, LIMIT)?;
        ensure!(ended.code() == Some(0), "soko {line} fails: {}", ended.shown());
        let lines = ended.stdout.lines().map(serde_json::from_str::<Value>).collect::<Result<Vec<_>, _>>();
        let lines = lines.context("the program prints something else")?;
        let said = lines.into_iter().filter(is_by_work).map(|line| without(&OF_CLOCK, line)).collect();
        // The day when a solution was found.
        let written = desk.read("out.sok")?;
        let written =
            written.lines().filter(|line| !line.starts_with("Solver date") && !line.starts_with("Solver time"));
        Ok(Self { said, written: written.map(|line| format!("{line}\n")).collect() })
    }

    /// Whether a processor of another kind leaves the same.
    fn is_same_elsewhere(&self, other: &Self) -> bool {
        let said = |of: &Self| of.said.iter().cloned().map(|line| without(&OF_ADDRESSES, line)).collect::<Vec<_>>();
        said(self) == said(other) && self.written == other.written
    }

    fn shown(&self) -> String {
        let said: Vec<_> = self.said.iter().map(ToString::to_string).collect();
        format!("{}\n{}", said.join("\n"), self.written)
    }
}

/// Whether a line of JSON is printed for what has been done, and not once a second.
fn is_by_work(line: &Value) -> bool {
    line["type"] != "progress"
}

/// Leaves out the members whose names end so, at any depth.
fn without(ends: &[&str], value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(name, _)| !ends.iter().any(|end| name.ends_with(end)));
            Value::Object(kept.map(|(name, value)| (name, without(ends, value))).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(|value| without(ends, value)).collect()),
        value => value,
    }
}

/// Some bundled levels with poor solutions, some that are made, and the first is one that stays hard.
fn levels(seed: u64) -> anyhow::Result<String> {
    let bundled =
        std::fs::read_to_string(root().join("testdata/first.sok")).context("cannot read testdata/first.sok")?;
    Ok(format!("{}\n{bundled}\n{}", hard_level(), room_levels(3, seed)))
}

/// Does something while as many threads as there are processors, and one more, are busy, or none.
fn beside<T>(is_busy: bool, run: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(!is_busy);
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get) + 1;
    thread::scope(|scope| {
        for number in 0..n_threads as u64 {
            let is_over = &is_over;
            scope.spawn(move || {
                let mut value = number;
                while !is_over.load(Ordering::Relaxed) {
                    value = mix64(std::hint::black_box(value));
                }
            });
        }
        let done = run();
        is_over.store(true, Ordering::Relaxed);
        done
    })
}

/// Makes the build that is not optimized, without debug assertions, and returns the program.
fn unoptimized_build() -> anyhow::Result<PathBuf> {
    let target = workspace::Metadata::load()?.target_directory.join("unoptimized");
    let mut build = cargo(&["build", "--quiet", "--package", "sokocli", "--target-dir"]);
    build.arg(&target).env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
    workspace::run(build)?;
    Ok(target.join("debug").join(format!("soko{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_clock_is_left_out_at_any_depth() {
        let line = json!({"seconds": 1.5, "moves": 3, "all": [{"peak_resident_bytes": 9, "pushes": 1}]});
        assert_eq!(without(&OF_CLOCK, line), json!({"moves": 3, "all": [{"pushes": 1}]}));
    }

    #[test]
    fn progress_is_printed_by_the_clock() {
        assert!(!is_by_work(&json!({"type": "progress", "doing": "packing"})));
        assert!(is_by_work(&json!({"type": "improved", "by": "packing"})));
    }

    #[test]
    fn other_threads_end_with_what_they_are_beside() {
        assert_eq!([beside(false, || 1), beside(true, || 2)], [1, 2]);
    }
}
