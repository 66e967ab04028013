//! Every algorithm in every direction against brute force and against each other.

mod bounds;
mod corrals;
mod perimeters;
pub(crate) mod proofs;
pub(crate) mod small_levels;
mod techniques;

use super::*;
use crate::{BoundWeight, Heading, Optimal};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sokocore::{Objective, PlantSpec, Solution, moves_of, n_cases, optimum, planted, replay};
use sokosearch::{Budget, Cancel, MemoryAccount};

const HEADINGS: [Heading; 3] = [Heading::Forward, Heading::Backward, Heading::Both];
const ALGORITHMS: [Algorithm; 6] =
    [Algorithm::Greedy, Algorithm::AStar, Algorithm::IdaStar, Algorithm::Bfs, Algorithm::Iddfs, Algorithm::Dfs];
/// Those that count costs.
const PROOFS: [Algorithm; 4] = [Algorithm::AStar, Algorithm::IdaStar, Algorithm::Bfs, Algorithm::Iddfs];

fn meter() -> WorkMeter {
    WorkMeter::new(Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()), Cancel::default())
}

fn solve(level: &Level, settings: &Settings) -> (Verdict, u64) {
    let mut meter = meter();
    let verdict = systematic(level, settings).resume(&mut meter).expect("no limit is set");
    (verdict, meter.ticks())
}

fn replayed(level: &Level, verdict: &Verdict) -> Solution {
    let Verdict::Solved(pushes) = verdict else { panic!("{verdict:?} {level:?}") };
    let moves = moves_of(level, pushes).unwrap_or_else(|| panic!("an illegal push: {level:?}"));
    replay(level, &moves).unwrap()
}

pub(crate) fn spec() -> PlantSpec {
    PlantSpec { boxes: 2..=3, spare_goals: 0..=1, pulls: 1..=40, ..PlantSpec::default() }
}

/// Short solutions: depth-first proofs of fewest moves take a hundred times as long on the longest of [`spec`].
fn short_spec() -> PlantSpec {
    PlantSpec { pulls: 1..=12, ..spec() }
}

/// Thirty boxes far apart in a hall: each position has more children than there are ticks between two polls of the
/// clock.
#[test]
fn the_clock_is_polled_where_every_position_has_many_children() {
    let mut rows = vec!["#".repeat(35)];
    for _ in 0..5 {
        rows.push(format!("#{}#", " ".repeat(33)));
        rows.push(format!("#  {} #", "$    ".repeat(6)));
        rows.push(format!("#{}#", " ".repeat(33)));
    }
    rows.push(format!("#@{}  #", ".".repeat(30)));
    rows.push("#".repeat(35));
    let level = Level::parse(&rows.join("\n")).unwrap();
    let settings = Settings { algorithm: Algorithm::Bfs, optimal: Optimal::Pushes, ..Settings::default().plain() };
    let time = std::time::Duration::from_millis(100);
    let budget = Budget::new(Some(time), MemoryAccount::new(1 << 27), Cancel::default());
    let mut meter = WorkMeter::new(budget, Cancel::default());
    assert_eq!(systematic(&level, &settings).resume(&mut meter), Err(Stop::Time));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(24, 48)).unwrap_or(48)))]

    #[test]
    fn every_algorithm_solves_planted_levels_in_every_direction((level, _) in planted(spec())) {
        for algorithm in ALGORITHMS {
            for heading in HEADINGS {
                let settings = Settings { algorithm, heading, ..Settings::default() };
                let solution = replayed(&level, &solve(&level, &settings).0);
                prop_assert!(level.is_solved(&solution_end(&level, &solution)));
            }
        }
    }

    #[test]
    fn fewest_pushes_are_proved_in_every_direction((level, _) in planted(spec())) {
        let best = optimum(&level, "pushes".parse::<Objective>().unwrap()).unwrap().metrics().pushes;
        for algorithm in PROOFS {
            for heading in HEADINGS {
                let settings = Settings { algorithm, heading, optimal: Optimal::Pushes, ..Settings::default() };
                let solution = replayed(&level, &solve(&level, &settings).0);
                prop_assert_eq!(solution.metrics().pushes, best, "{:?} {:?} {:?}", algorithm, heading, level);
            }
        }
    }
}

proptest! {
    // Depth-first proofs of fewest moves take most of the time of all tests here.
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(8, 48)).unwrap_or(48)))]

    #[test]
    fn moves_and_pushes_are_proved_in_any_order((level, _) in planted(short_spec())) {
        for (optimal, objective) in [
            (Optimal::Moves, "moves"),
            (Optimal::MovesPushes, "moves"),
            (Optimal::PushesMoves, "pushes"),
        ] {
            let objective = objective.parse::<Objective>().unwrap();
            let best = optimum(&level, objective).unwrap().metrics();
            for algorithm in PROOFS {
                for heading in HEADINGS {
                    let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
                    let found = replayed(&level, &solve(&level, &settings).0).metrics();
                    let two = |metrics: &sokocore::Metrics| match optimal {
                        Optimal::Moves => (metrics.moves, 0),
                        _ => (metrics.moves, metrics.pushes),
                    };
                    prop_assert_eq!(two(&found), two(&best), "{:?} {:?} {:?} {:?}", algorithm, optimal, heading, level);
                }
            }
        }
    }
}

pub(crate) fn solution_end(level: &Level, solution: &Solution) -> sokocore::SquareSet {
    let mut position = level.start().clone();
    for push in sokocore::pushes_of(level, solution.lurd()) {
        assert!(position.push(level.board(), push));
    }
    position.boxes
}

/// The first level shows no fault at the start: only an exhausted search can prove it unsolvable.
#[test]
fn unsolvable_is_said_after_an_exhaustive_search() {
    let level = Level::parse("########\n#  .   #\n# $#$# #\n#@ . # #\n########").unwrap();
    for algorithm in ALGORITHMS {
        for heading in HEADINGS {
            let settings = Settings { algorithm, heading, ..Settings::default() };
            let verdict = solve(&level, &settings).0;
            assert!(!matches!(verdict, Verdict::Solved(_)) || replayed(&level, &verdict).metrics().pushes > 0);
        }
    }
    let level = Level::parse("#######\n#.$ $.#\n#@#####\n#######").unwrap();
    assert_eq!(solve(&level, &Settings::default()).0, Verdict::Unsolvable);
}

/// Trap 6: a start that is solved already takes a push at least.
#[test]
fn trap_06_a_solved_start_takes_a_cycle() {
    let level = Level::parse("######\n# *@ #\n#    #\n######").unwrap();
    for algorithm in ALGORITHMS {
        for heading in HEADINGS {
            let settings = Settings { algorithm, heading, ..Settings::default() };
            assert!(replayed(&level, &solve(&level, &settings).0).metrics().pushes >= 2);
        }
    }
}

/// One slice or many: the same ticks, the same solution.
#[test]
fn a_search_is_resumed_where_it_paused() {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @#  #\n# .   $ #\n#########").unwrap();
    for algorithm in ALGORITHMS {
        let settings = Settings { algorithm, ..Settings::default() };
        let whole = solve(&level, &settings).0;
        let mut meter = meter();
        let mut search = systematic(&level, &settings);
        let paused = loop {
            meter.start_slice(7);
            match search.resume(&mut meter) {
                Err(Stop::Work) => {}
                other => break other.unwrap(),
            }
        };
        assert_eq!(whole, paused);
    }
}

/// The best solution pushes a box on and back rather than walk around it, so it visits the box set of the start again.
#[test]
fn fewest_moves_may_pass_the_start_again() {
    let level = Level::parse("#######\n#     #\n# * # #\n# @$  #\n# # * #\n#.   ##\n#######").unwrap();
    for heading in HEADINGS {
        for algorithm in PROOFS {
            let settings = Settings { algorithm, heading, optimal: Optimal::Moves, ..Settings::default() };
            assert_eq!(replayed(&level, &solve(&level, &settings).0).metrics().moves, 18);
        }
    }
}

/// With little memory greedy drops its worst positions and continues, A* stops, IDA* finds the optimum.
#[test]
fn little_memory_is_never_exceeded_and_makes_no_false_claim() {
    let rows = ["#########", "#   #   #", "# $ $ $ #", "#. .#. .#", "# $ $ $ #", "#. .@   #", "#########"];
    let level = Level::parse(&rows.join("\n")).unwrap();
    let run = |algorithm, optimal, bytes| {
        let account = MemoryAccount::new(bytes);
        let budget = Budget::new(None, account.clone(), Cancel::default()).with_work(Some(3_000_000));
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let settings = Settings { algorithm, optimal, heading: Heading::Forward, ..Settings::default() };
        let verdict = systematic(&level, &settings).resume(&mut meter);
        assert!(account.peak() <= bytes);
        verdict
    };
    let best = replayed(&level, &run(Algorithm::AStar, Optimal::Pushes, 1 << 28).unwrap()).metrics().pushes;
    assert_eq!(run(Algorithm::AStar, Optimal::Pushes, 200 << 10), Err(Stop::Memory));
    let deepened = run(Algorithm::IdaStar, Optimal::Pushes, 800 << 10).unwrap();
    assert_eq!(replayed(&level, &deepened).metrics().pushes, best);
    assert!(!matches!(run(Algorithm::Greedy, Optimal::Any, 800 << 10), Ok(Verdict::Unsolvable)));
}

/// A board beyond the tables is given up, one with a box in a corner is unsolvable.
#[test]
fn only_lost_levels_are_unsolvable() {
    let lost = Level::parse("######\n#$ @.#\n######").unwrap();
    assert!(is_unsolvable(&lost));
    let fine = Level::parse("######\n#@ $.#\n######").unwrap();
    assert!(!is_unsolvable(&fine));
}
