//! The levels of a set with the solutions that the optimizer starts from.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sokocore::{Level, Objective, Solution};
use sokoio::Collection;

use crate::workspace;

/// A level with its best solution.
#[derive(Debug)]
pub(super) struct BenchLevel {
    /// Its number in the set, counted from 1.
    pub(super) number: usize,
    pub(super) title: String,
    pub(super) level: Level,
    pub(super) start: Solution,
}

/// Reads the levels that have a solution, each with the best one by the objective.
pub(super) fn bench_levels(set: &Path, objective: Objective) -> anyhow::Result<Vec<BenchLevel>> {
    let collection = Collection::read(set)?;
    let levels = (1..).zip(collection.levels()).filter_map(|(number, entry)| {
        let level = entry.level().ok()?.clone();
        let solutions = entry.solutions().filter_map(|(_, solution)| solution.ok());
        let start = solutions.min_by_key(|solution| objective.score(&solution.metrics()))?;
        Some(BenchLevel { number, title: entry.title_or_number(), level, start })
    });
    Ok(levels.collect())
}

/// Returns the sets that were named; without any the usual one for measurements, or an error that says where it would be.
pub(super) fn sets_or_standard(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let standard = standard_set()
        .context("there is no level set: name one with --set, or let SOKO_LEVELS name a directory with dev.sok")?;
    Ok(vec![standard])
}

/// The usual set for measurements, if it is there.
pub(super) fn standard_set() -> Option<PathBuf> {
    let named = std::env::var_os("SOKO_LEVELS").map(PathBuf::from);
    let beside = workspace::root().join("../shared/levels");
    named.into_iter().chain([beside]).map(|dir| dir.join("dev.sok")).find(|path| path.exists())
}
