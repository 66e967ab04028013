//! The packing-order search as a whole; its rules, each on a board where it decides, are below.

use std::path::PathBuf;

use proptest::prelude::{ProptestConfig, prop_assert, proptest};
use sokocore::{FloorSquare, PlantSpec, moves_of, planted, pushes_of, replay};
use sokosearch::{Budget, Cancel, MemoryAccount};

use super::*;
use crate::board::board_state::BoardState;
use crate::deadlock::learner::DeadlockLearner;

mod corrals;
mod deadlocks;
mod orders;
mod records;
mod sharing;
mod techniques;

/// A hall with a row of goals; the tests put boxes where they like.
const HALL: &str = "##########\n#@       #\n#   $$   #\n#   ..   #\n#        #\n#        #\n##########";

/// Corridors that lead to a room of six goals.
const WAREHOUSE: &str = "    #####\n    #   #\n    #$  #\n  ###  $##\n  #  $ $ #\n### # ## #   ######\n#   # ## #####  ..#\n# $  $          ..#\n##### ### #@##  ..#\n    #     #########\n    #######";

fn meter() -> WorkMeter {
    WorkMeter::new(Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()), Cancel::default())
}

fn tables(text: &str) -> (Level, Arc<LevelTables>) {
    let level = Level::parse(text).unwrap();
    let tables = LevelTables::new(&level).unwrap();
    (level, Arc::new(tables))
}

fn learner(tables: &Arc<LevelTables>) -> DeadlockLearner {
    learner_within(tables, &meter())
}

fn learner_within(tables: &Arc<LevelTables>, meter: &WorkMeter) -> DeadlockLearner {
    DeadlockLearner::new(Arc::clone(tables), &Settings::default(), meter)
}

/// Returns the number of the square in a row and column.
fn at(level: &Level, tables: &LevelTables, row: usize, column: usize) -> FloorSquare {
    tables.board().number(level.board().square_at(row, column).unwrap())
}

fn state(tables: &LevelTables, boxes: &[FloorSquare]) -> BoardState {
    let mut state = BoardState::new(tables);
    boxes.iter().for_each(|&sq| state.add(tables, sq));
    state
}

fn check_solved(level: &Level, verdict: Result<Verdict, Stop>) {
    let Ok(Verdict::Solved(pushes)) = verdict else { panic!("{verdict:?} {level:?}") };
    replay(level, &moves_of(level, &pushes).expect("all pushes are legal")).unwrap();
}

#[test]
fn it_is_deterministic_stops_when_cancelled_and_survives_tiny_memory() {
    let level = Level::parse(WAREHOUSE).unwrap();
    let run = |slice: Option<u64>| {
        let (mut search, mut meter) = (PackingSearch::new("packing", &level, PackingVariant::ALL), meter());
        let mut n_slices = 0;
        loop {
            if let Some(slice) = slice {
                meter.start_slice(slice);
            }
            match search.resume(&mut meter) {
                Err(Stop::Work) => n_slices += 1,
                end => {
                    let n_positions = search.n_positions();
                    let pushes = end.clone();
                    check_solved(&level, end);
                    return (pushes, n_positions, n_slices);
                }
            }
        }
    };
    let (whole, in_slices) = (run(None), run(Some(200)));
    assert_eq!(whole, run(None));
    assert_eq!((&whole.0, whole.1), (&in_slices.0, in_slices.1));
    assert!(in_slices.2 > 3, "{}", in_slices.2);
    let cancel = Cancel::default();
    cancel.cancel();
    let mut stopped = WorkMeter::new(Budget::new(None, MemoryAccount::new(1 << 28), cancel), Cancel::default());
    assert_eq!(PackingSearch::new("packing", &level, PackingVariant::ALL).resume(&mut stopped), Err(Stop::Cancelled));
    let search = |bytes| {
        let account = MemoryAccount::new(bytes);
        let mut poor = WorkMeter::new(Budget::new(None, account, Cancel::default()), Cancel::default());
        let mut search = PackingSearch::new("packing", &level, PackingVariant::ALL);
        let end = search.resume(&mut poor);
        drop(search);
        assert_eq!(poor.memory().used(), 0);
        end
    };
    check_solved(&level, search(1 << 16));
    assert_eq!(search(1 << 10), Err(Stop::Memory), "nothing is learned in a little memory, and nothing stored in none");
}

#[test]
fn it_proves_nothing_and_says_so() {
    let level = Level::parse("######\n#@$ .#\n######").unwrap();
    let settings = Settings { optimal: Optimal::Pushes, ..Settings::default() };
    let verdict = packing("packing", &level, &settings, PackingVariant::ALL).resume(&mut meter());
    assert_eq!(verdict, Ok(Verdict::GaveUp));
    let unsolvable = Level::parse("########\n#@$ $ .#\n#    ..#\n#  $$$ #\n########")
        .map(|level| PackingSearch::new("packing", &level, PackingVariant::ALL).resume(&mut meter()));
    assert!(unsolvable.is_err() || unsolvable.is_ok_and(|verdict| verdict == Ok(Verdict::GaveUp)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_learned_forbids_a_solution(
        (level, moves) in planted(PlantSpec { boxes: 3..=6, spare_goals: 0..=0, pulls: 1..=60, ..PlantSpec::default() })
    ) {
        let mut search = PackingSearch::new("packing", &level, PackingVariant::ALL);
        let mut meter = meter();
        meter.start_slice(200_000);
        if let Ok(Verdict::Solved(pushes)) = search.resume(&mut meter) {
            prop_assert!(moves_of(&level, &pushes).is_some_and(|moves| replay(&level, &moves).is_ok()));
        }
        if let Some(Prepared { tables, library, .. }) = &search.prepared {
            let mut boxes: Vec<FloorSquare> = tables.board().starts().to_vec();
            for push in pushes_of(&level, &moves) {
                let from = tables.board().number(push.from);
                let to = tables.board().step(from, push.dir.idx());
                prop_assert!(!library.sets().forbids_counted(&library.sets().occupancy(boxes.iter().copied()), from, to));
                boxes.iter_mut().filter(|sq| **sq == from).for_each(|sq| *sq = to);
            }
        }
    }
}

/// Reads the levels of a collection from `SOKO_LEVELS` or beside the workspace; `None` if it is not there.
fn xsokoban() -> Option<Vec<Level>> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/levels");
    let directory = std::env::var_os("SOKO_LEVELS").map_or_else(beside, PathBuf::from);
    let text = std::fs::read_to_string(directory.join("solve/xsokoban.sok")).ok()?;
    let is_row = |line: &&str| line.contains('#') && line.chars().all(|letter| "# .$*+@".contains(letter));
    let mut levels = Vec::new();
    let mut rows = Vec::new();
    for line in text.lines().chain([""]) {
        if is_row(&line) {
            rows.push(line);
        } else if !rows.is_empty() {
            levels.push(Level::parse(&rows.join("\n")).ok()?);
            rows.clear();
        }
    }
    (levels.len() == 90).then_some(levels)
}
