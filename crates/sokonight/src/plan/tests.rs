//! Which slices begin side by side, and which alone.

use sokocore::{Level, Objective, replay};
use sokoio::LevelId;

use super::*;
use crate::NightLevel;
use crate::{SliceEnding, SliceGain};

const THREADS: usize = 4;

/// A level with a solution, whose best is so far above the bound as its title says.
fn night_level(title: &str) -> NightLevel {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let solution = replay(&level, &"drruurDullDrdL".parse().unwrap()).unwrap();
    NightLevel {
        id: LevelId::of(&level),
        level,
        collection: "made up".to_owned(),
        number: 1,
        title: title.to_owned(),
        known: vec![solution],
        proved: Vec::new(),
        bounds: (1, 1),
        work: Vec::new(),
        is_unsolvable: false,
    }
}

fn knobs() -> NightKnobs {
    NightKnobs::default().with_objectives([Objective::MOVES]).with_threads(THREADS).with_equal_slices(true)
}

fn report(gain: SliceGain) -> SliceReport {
    SliceReport { result: gain, gains: Vec::new(), bound: None, ended: "time", has_failed: false }
}

#[test]
fn few_items_share_all_threads() {
    let check = |n_levels: usize, expect: &[usize]| {
        let levels: Vec<_> = (0..n_levels).map(|_| night_level("")).collect();
        let states: Vec<_> = levels.iter().map(|level| LevelState::new(level, &[Objective::MOVES])).collect();
        let mut plan = NightPlan::new(&states, &knobs());
        let taken = (0..THREADS).map_while(|worker| plan.take(worker, THREADS, Duration::ZERO));
        assert_eq!(taken.map(|taken| taken.n_threads).collect::<Vec<_>>(), expect);
    };
    check(1, &[4]);
    check(2, &[2, 2]);
    check(3, &[1, 1, 2]);
    check(9, &[1, 1, 1, 1]);
}

/// What is short of memory gets a wide slice. The others end first, and the workers that are free meanwhile take slices
/// that end by then.
#[test]
fn a_wide_slice_waits_for_the_others_and_no_thread_for_long() {
    let levels: Vec<_> = (0..9).map(|_| night_level("")).collect();
    let states: Vec<_> = levels.iter().map(|level| LevelState::new(level, &[Objective::MOVES])).collect();
    let knobs = knobs().with_equal_slices(false);
    let mut plan = NightPlan::new(&states, &knobs);
    let now = Duration::ZERO;
    let [first, second] = [0, 1].map(|worker| plan.take(worker, 2, now).unwrap());
    assert_eq!((first.n_threads, second.n_threads), (1, 1));
    let short = SliceGain::new(first.time / 2, 1e6, SliceEnding::ShortOfMemory);
    let now = first.time / 2;
    plan.running[1].as_mut().unwrap().end = now + 3 * SHORTEST_BEFORE_WIDE / 2;
    plan.end(0, &first, &states[first.idx], &report(short), &knobs);
    // It is reserved now; the worker takes something shorter.
    let between = plan.take(0, 2, now).unwrap();
    assert_eq!(plan.reserved.map(|turn| turn.item), Some(first.item));
    assert!(between.item != first.item && between.time <= 3 * SHORTEST_BEFORE_WIDE / 2);
    let now = now + SHORTEST_BEFORE_WIDE;
    let dry = SliceGain::new(SHORTEST_BEFORE_WIDE, 0.0, SliceEnding::Open);
    plan.end(0, &between, &states[between.idx], &report(dry), &knobs);
    assert!(plan.take(0, 2, now).is_none(), "too little is left before the other slice ends");
    plan.end(1, &second, &states[second.idx], &report(dry), &knobs);
    let wide = plan.take(1, 2, now).unwrap();
    assert_eq!((wide.item, wide.n_threads), (first.item, 2));
    assert!(plan.take(0, 2, now).is_none(), "it runs alone");
    plan.end(1, &wide, &states[wide.idx], &report(dry), &knobs);
    assert!(plan.take(0, 2, now).is_some());
}

#[test]
fn a_level_that_is_proved_unsolvable_or_optimal_has_no_items() {
    let unsolvable = NightLevel { known: Vec::new(), is_unsolvable: true, ..night_level("") };
    let proved = NightLevel { proved: vec![Objective::MOVES], bounds: (14, 3), ..night_level("") };
    let unsolved = NightLevel { known: Vec::new(), ..night_level("") };
    let n_items = |level: &NightLevel| {
        let states = [LevelState::new(level, &[Objective::MOVES])];
        NightPlan::new(&states, &knobs().with_equal_slices(false)).n_open()
    };
    assert_eq!([unsolvable, proved, unsolved, night_level("")].each_ref().map(n_items), [0, 0, 1, 2]);
}
