//! The signature of the optimizer: what it makes of our own levels within an amount of work.
//!
//! The work is limited by ticks instead of seconds, so the totals are the same on every machine. A change that moves them
//! updates the record in the same commit and says why.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use sokocore::Objective;

use super::optimize::{OptimizeBenchArgs, run_set};
use crate::workspace;

/// The level set of the signature, and its record.
pub(super) const SIGNATURE_SET: &str = "testdata/bench.sok";
const SIGNATURE_FILE: &str = "testdata/bench-signature.toml";
const SIGNATURE_WORK: u64 = 400_000;

/// What must not change by accident.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Signature {
    /// Ticks allowed for each level.
    work: u64,
    n_levels: u64,
    n_tubes: u64,
    n_configs: u64,
    n_states: u64,
    moves: u64,
    pushes: u64,
}

/// Computes the signature and puts it on record.
pub(super) fn record() -> anyhow::Result<()> {
    let now = Signature::compute()?;
    let text =
        format!("# Made by `cargo xtask bench --record`; checked by `cargo xtask ci`.\n{}", toml::to_string(&now)?);
    sokoio::write_file(&path(), text.as_bytes())?;
    println!("{SIGNATURE_FILE}: {now:?}");
    Ok(())
}

/// Computes the signature and compares it with the record.
pub(super) fn check() -> anyhow::Result<()> {
    let now = Signature::compute()?;
    let text = std::fs::read_to_string(path()).with_context(|| format!("cannot read {SIGNATURE_FILE}"))?;
    let recorded: Signature = toml::from_str(&text).with_context(|| format!("{SIGNATURE_FILE} is damaged"))?;
    if recorded != now {
        bail!(
            "the bench signature moved\n  on record: {recorded:?}\n  now:       {now:?}\n\
             if that is meant, run `cargo xtask bench --record` and say why in the commit"
        );
    }
    println!("the signature holds: {now:?}");
    Ok(())
}

fn path() -> PathBuf {
    workspace::root().join(SIGNATURE_FILE)
}

impl Signature {
    fn compute() -> anyhow::Result<Self> {
        let args = OptimizeBenchArgs {
            set: None,
            time: Duration::MAX,
            work: Some(SIGNATURE_WORK),
            objective: Objective::MOVES,
            memory: 256,
            tree: false,
            csv: None,
        };
        let mut now = Self { work: SIGNATURE_WORK, ..Self::default() };
        for row in &run_set(&workspace::root().join(SIGNATURE_SET), &args)? {
            now.n_levels += 1;
            now.n_tubes += row.tally.n_tubes;
            now.n_configs += row.tally.n_configs;
            now.n_states += row.tally.n_states;
            now.moves += row.end.moves;
            now.pushes += row.end.pushes;
        }
        Ok(now)
    }
}

#[cfg(test)]
mod tests {
    /// Counts of work do not depend on the build, so the one with all assertions will do.
    #[test]
    fn the_bench_signature_holds() {
        super::check().unwrap();
    }
}
