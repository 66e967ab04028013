//! Lineages are raised, remembered, fed from a source, and come to an end.

use std::sync::atomic::{AtomicU64, Ordering};

use sokocore::{Level, replay};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

use super::*;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::windows_in_hand::WindowsInHand;
use crate::{Knobs, SharedSource, Source};

const ROWS: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
const WANDERING: &str = "RurrDLulDrdL";
const BEST: &str = "drruurDullDrdL";

/// Gives one solution, then says that there is no more.
#[derive(Debug)]
struct Once(Solution, AtomicU64);

impl Source for Once {
    fn go_on(&self, _: u64) -> Result<Sourced, Stop> {
        let is_first = self.1.fetch_add(1, Ordering::Relaxed) == 0;
        Ok(if is_first { Sourced::Solution(self.0.clone()) } else { Sourced::Exhausted })
    }
}

/// Finds nothing, for ever.
#[derive(Debug)]
struct Silent;

impl Source for Silent {
    fn go_on(&self, _: u64) -> Result<Sourced, Stop> {
        Ok(Sourced::Nothing)
    }
}

/// Raises as many generations from a start, and returns the best.
fn raise(n_generations: u64, source: Option<SharedSource>) -> (Solution, Lineages) {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &WANDERING.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
    let (knobs, live) = (Knobs { source, ..Knobs::default() }, LiveIndex::new(&level));
    let field =
        Field { knobs: &knobs, live: &live, searched: &SearchedWindows::default(), in_hand: &WindowsInHand::default() };
    let mut lineages = Lineages::new(start, 0);
    while lineages.generation < n_generations {
        lineages.run_slice(field, &mut cx).unwrap();
    }
    (pool.best(Objective::PUSHES), lineages)
}

#[test]
fn a_generation_finds_the_best_and_counts() {
    let (best, lineages) = raise(2, None);
    assert_eq!(best.metrics().pushes, 3);
    assert!(lineages.kin.iter().count() > 0);
    assert_eq!(lineages.in_vain, 2);
}

#[test]
fn the_source_is_asked_in_every_other_generation() {
    let level = Level::parse(ROWS).unwrap();
    let fresh = || replay(&level, &BEST.parse().unwrap()).unwrap();
    let source = || SharedSource::new(Once(fresh(), AtomicU64::new(0)));
    let (_, lineages) = raise(1, Some(source()));
    assert!(!lineages.source_is_dry, "it was not asked yet");
    let (best, lineages) = raise(4, Some(source()));
    assert_eq!(best.metrics().pushes, 3);
    assert!(lineages.source_is_dry, "it was asked twice, and said that it has no more");
}

#[test]
fn a_source_that_finds_nothing_does_not_hold_the_lineages_up() {
    let (_, lineages) = raise(3, Some(SharedSource::new(Silent)));
    assert_eq!((lineages.generation, lineages.source_is_dry), (3, false));
}

#[test]
fn it_ends() {
    let (_, lineages) = raise(MAX_GENERATIONS, None);
    assert!(lineages.is_done());
}

#[test]
fn player_lines_are_led_in_by_moves() {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &format!("du{WANDERING}").parse().unwrap()).unwrap();
    let own = Objective::starting_with(&[Metric::PlayerLines]);
    let pool = Pool::new(&level, &start, &[own]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, own, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
    let field =
        Field { knobs: &knobs, live: &live, searched: &SearchedWindows::default(), in_hand: &WindowsInHand::default() };
    lead_in(field, &mut cx).unwrap();
    assert!(pool.best(own).metrics().player_lines < start.metrics().player_lines);
    let mut by_moves = Context::new(&pool, Objective::MOVES, &budget, &());
    lead_in(field, &mut by_moves).unwrap();
    assert_eq!(by_moves.ticks(), 0, "moves need no lead-in");
}
