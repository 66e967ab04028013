//! The levels that limits are checked on, each in a file of its own so that reading takes next to no time.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sokocore::{Carving, Level, Lurd, Objective, PlantSpec, Solution, plant, replay};

use crate::bench::level_set::{BenchLevel, bench_levels, standard_set};
use crate::dataset::SplitMix64;

/// A level with one solution, in a file of its own.
pub(super) struct LevelFile {
    pub(super) number: usize,
    pub(super) title: String,
    pub(super) path: PathBuf,
    pub(super) n_pushes: u64,
    n_boxes: u64,
}

impl LevelFile {
    /// What tubes with two displaced boxes grow with: pairs of boxes, along the solution.
    pub(super) const fn n_pairs(&self) -> u64 {
        self.n_pushes * self.n_boxes * self.n_boxes
    }
}

/// Seed of the first level of our own that has the pushes.
const SEED: u64 = 1;
const OWN_WIDTH: usize = 30;
const OWN_HEIGHT: usize = 24;
/// Pulls of the backward play; the fourth try comes out with 5,805 pushes.
const OWN_PULLS: usize = 6_000;
/// Pushes that the long level of our own has at least.
pub(super) const OWN_PUSHES: u64 = 5_000;

/// Writes the chosen levels of a set, or levels of our own where there is none, into a directory.
pub(super) fn split(set: Option<&Path>, chosen: &[usize], dir: &Path) -> anyhow::Result<Vec<LevelFile>> {
    let mut files = Vec::new();
    let Some(set) = set.map(Path::to_path_buf).or_else(standard_set) else {
        println!("no dev.sok in SOKO_LEVELS or in ../shared/levels: levels of our own only");
        let (level, solution) = long_level()?;
        return Ok(vec![write(dir, 1, "a level of our own", &level, &solution)?]);
    };
    for BenchLevel { number, title, level, start } in bench_levels(&set, Objective::MOVES)? {
        if chosen.is_empty() || chosen.contains(&number) {
            files.push(write(dir, number, &title, &level, &start)?);
        }
    }
    Ok(files)
}

/// Writes a level and its solution into a file.
pub(super) fn write(
    dir: &Path,
    number: usize,
    title: &str,
    level: &Level,
    solution: &Solution,
) -> anyhow::Result<LevelFile> {
    let path = dir.join(format!("level-{number}.sok"));
    let mut text = format!("{title}\n\n{}\nSolution\n", level.grid());
    let letters: Vec<char> = solution.lurd().to_string().chars().collect();
    for line in letters.chunks(70) {
        writeln!(text, "{}", line.iter().collect::<String>())?;
    }
    sokoio::write_file(&path, text.as_bytes())?;
    Ok(LevelFile {
        number,
        title: title.to_owned(),
        path,
        n_pushes: solution.metrics().pushes,
        n_boxes: level.n_boxes() as u64,
    })
}

/// A level of our own, the same on every machine, on a board of 30 x 24 with a solution of over 5,000 pushes.
pub(super) fn long_level() -> anyhow::Result<(Level, Solution)> {
    let spec = PlantSpec {
        width: OWN_WIDTH..=OWN_WIDTH,
        height: OWN_HEIGHT..=OWN_HEIGHT,
        // Few boxes and much room: with more, most solutions are cut short where all boxes chance to be on goals.
        carving: Carving::Pillars(5),
        boxes: 8..=8,
        spare_goals: 0..=0,
        pulls: OWN_PULLS..=OWN_PULLS,
        detours: 20,
    };
    let mut random = SplitMix64(SEED);
    let is_long = |(level, moves): (Level, Lurd)| {
        let solution = replay(&level, &moves).ok()?;
        let is_full = (level.grid().width(), level.grid().height()) == (OWN_WIDTH, OWN_HEIGHT);
        (is_full && solution.metrics().pushes >= OWN_PUSHES).then_some((level, solution))
    };
    let mut tries = (0..200).filter_map(|_| plant(&spec, &mut |n| random.below(n)));
    tries.find_map(is_long).context("no level of our own came out long enough")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_level_is_as_long_as_it_says() {
        let (level, solution) = long_level().unwrap();
        assert!(solution.metrics().pushes >= OWN_PUSHES, "{}", solution.metrics());
        assert_eq!((level.grid().width(), level.grid().height()), (30, 24));
        assert_eq!(long_level().unwrap().1.lurd(), solution.lurd());
    }
}
