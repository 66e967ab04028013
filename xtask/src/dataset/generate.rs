//! `cargo xtask dataset generate`: levels of our own, with poor solutions for optimizers to work on, or [like
//! Boxoban's](boxoban) for bulk work.
//!
//! Rooms are cut and boxes pulled by [`sokocore::plant`], whose choices come from a small seeded generator here:
//! the same arguments give the same file, forever. The planted solutions wander on purpose. A level is kept if it
//! is not trivial and no bare hall, every box is pushed, and the solution uses most of the floor.

mod boxoban;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use sokocore::{Carving, Level, Lurd, PlantSpec, WEYL_STEP, mix64, plant, pushes_of, replay};

/// Arguments of `cargo xtask dataset generate`.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// Levels without solutions, like those of a known set; the options of size and play are not for them
    #[arg(long, value_enum, conflicts_with_all = ["width", "height", "boxes", "pulls"])]
    like: Option<Like>,
    /// Seed of the generator: the same seed gives the same levels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of levels
    #[arg(long, visible_alias = "levels", default_value_t = 20)]
    count: usize,
    /// Most columns of a level, walls included
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u16).range(5..=1000))]
    width: u16,
    /// Most rows of a level, walls included
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u16).range(5..=1000))]
    height: u16,
    /// Most boxes of a level
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=8))]
    boxes: u16,
    /// Pulls of the backward play: at most so many pushes has a solution
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..))]
    pulls: u16,
    /// File to write, in .sok form; with --like a new folder for files of a thousand levels
    #[arg(short, long)]
    output: PathBuf,
}

/// The sets whose levels can be imitated.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Like {
    /// Ten by ten cells, four boxes; about one level in 25 has no solution
    Boxoban,
}

/// Makes the levels and writes them.
pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<()> {
    if let Some(Like::Boxoban) = args.like {
        return boxoban::write(args.seed, args.count, &args.output);
    }
    let levels = generate(args.seed, args.count, &args.spec());
    anyhow::ensure!(
        levels.len() == args.count,
        "only {} of {} levels came out; allow more room, fewer boxes or more pulls",
        levels.len(),
        args.count
    );
    let text = to_sok(args.seed, &levels)?;
    std::fs::write(&args.output, text).with_context(|| format!("cannot write {}", args.output.display()))
}

impl GenerateArgs {
    /// From half the size to the full one, from half the boxes to all of them.
    fn spec(&self) -> PlantSpec {
        let [width, height, boxes, pulls] = [self.width, self.height, self.boxes, self.pulls].map(usize::from);
        let area = width * height;
        PlantSpec {
            width: (width / 2).max(5)..=width,
            height: (height / 2).max(5)..=height,
            carving: Carving::Rooms((area / 24).max(2)..=(area / 12).max(4)),
            boxes: boxes.div_ceil(2)..=boxes,
            spare_goals: 0..=0,
            pulls: pulls.div_ceil(2)..=pulls,
            detours: 35,
        }
    }
}

/// Planted levels that are tried for one that is kept, before the request counts as impossible.
const TRIES: usize = 1_000;

/// Makes `count` different levels that look like levels, each with a poor solution; fewer if the spec is hopeless.
pub(crate) fn generate(seed: u64, count: usize, spec: &PlantSpec) -> Vec<(Level, Lurd)> {
    let mut random = SplitMix64(seed);
    let mut seen = BTreeSet::new();
    let mut levels = Vec::with_capacity(count.min(TRIES));
    for _ in 0..count.saturating_mul(TRIES) {
        if levels.len() == count {
            break;
        }
        let planted = plant(spec, &mut |n| random.below(n));
        let kept = planted.filter(|(level, moves)| is_worthwhile(level, moves, *spec.pulls.start() / 2));
        if let Some((level, moves)) = kept.filter(|(level, _)| seen.insert(level.grid().to_string())) {
            levels.push((level, moves));
        }
    }
    levels
}

/// Returns whether the solution makes enough pushes, moves every box and treads most of the floor, and the level
/// has walls inside.
fn is_worthwhile(level: &Level, moves: &Lurd, min_pushes: usize) -> bool {
    let pushes = pushes_of(level, moves);
    pushes.len() >= min_pushes
        && moves_all_boxes(level, moves)
        && treads_most_floor(level, moves)
        && has_inner_walls(level)
}

/// Returns whether walls take a sixth of what is inside the border: a bare hall is no level.
fn has_inner_walls(level: &Level) -> bool {
    let n_inside = (level.grid().width() - 2) * (level.grid().height() - 2);
    (n_inside - level.board().n_squares()) * 6 >= n_inside
}

fn moves_all_boxes(level: &Level, moves: &Lurd) -> bool {
    let mut untouched = level.start().boxes.clone();
    for push in pushes_of(level, moves) {
        untouched.remove(push.from);
    }
    untouched.is_empty()
}

fn treads_most_floor(level: &Level, moves: &Lurd) -> bool {
    let mut player = level.start().player;
    let mut trodden = level.board().no_squares();
    trodden.insert(player);
    for step in moves.steps() {
        let Some(next) = level.board().step(player, step.dir()) else { return false };
        player = next;
        trodden.insert(player);
    }
    trodden.len() * 3 >= level.board().n_squares() * 2
}

/// Writes titles, boards and solutions; refuses any solution that does not replay.
fn to_sok(seed: u64, levels: &[(Level, Lurd)]) -> anyhow::Result<String> {
    let mut text = format!("Planted levels, seed {seed}: the solutions are poor on purpose.\n");
    for (at, (level, moves)) in levels.iter().enumerate() {
        let solution = replay(level, moves).with_context(|| format!("the solution of level {} is wrong", at + 1))?;
        let metrics = solution.metrics();
        write!(text, "\nPlanted {seed}-{}\n\n{}", at + 1, level.grid())?;
        writeln!(text, "\nSolution {}/{}", metrics.moves, metrics.pushes)?;
        let letters: Vec<char> = solution.lurd().to_string().chars().collect();
        for line in letters.chunks(70) {
            writeln!(text, "{}", line.iter().collect::<String>())?;
        }
    }
    Ok(text)
}

/// The generator of Steele, Lea and Flood (2014): small, seeded, the same everywhere.
#[derive(Debug)]
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(WEYL_STEP);
        mix64(self.0)
    }

    /// A number below `n`, from the high bits.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let scaled = (u128::from(self.next()) * n as u128) >> 64;
        usize::try_from(scaled).expect("invariant: the scaled number is below n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: GenerateArgs,
    }

    fn spec(line: &str) -> PlantSpec {
        Line::parse_from(line.split_whitespace()).args.spec()
    }

    #[test]
    fn splitmix64_gives_the_published_numbers() {
        let mut random = SplitMix64(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn levels_are_many_different_and_worth_the_work() {
        let spec = spec("generate --output x --boxes 5 --pulls 60");
        let levels = generate(7, 25, &spec);
        assert_eq!(levels.len(), 25);
        for (level, moves) in &levels {
            let metrics = replay(level, moves).unwrap().metrics();
            assert!(metrics.pushes >= 15 && metrics.moves > metrics.pushes);
            assert!((3..=5).contains(&level.n_boxes()));
            assert!(moves_all_boxes(level, moves));
            assert!(level.grid().width() <= 14 && level.grid().height() <= 11);
        }
        assert_eq!(levels, generate(7, 25, &spec));
        assert_ne!(levels, generate(8, 25, &spec));
    }

    #[test]
    fn the_text_holds_every_board_and_solution() {
        let levels = generate(1, 3, &spec("generate --output x"));
        let text = to_sok(1, &levels).unwrap();
        for (level, _) in &levels {
            assert!(text.contains(&level.grid().to_string()));
        }
        assert_eq!(text.matches("Solution ").count(), 3);
        assert!(text.lines().all(|line| line.len() <= 70));
    }

    #[test]
    fn a_hopeless_request_ends() {
        let spec = PlantSpec { pulls: 0..=0, ..PlantSpec::default() };
        assert!(generate(1, 1, &spec).is_empty());
    }
}
