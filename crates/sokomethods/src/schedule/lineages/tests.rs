//! Lineages are raised, remembered, fed from a source, and come to an end.

use std::sync::atomic::{AtomicU64, Ordering};

use sokocore::{Level, replay};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount};

use super::*;
use crate::{SharedSource, Source};

const ROWS: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
const WANDERING: &str = "rrrLulDDulDRdrdL";
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

/// Runs slices from a start until as many generations as that are over, and returns the best.
fn raise(n_generations: u64, in_vain: u64, source: Option<SharedSource>) -> (Solution, Lineages) {
    let level = Level::parse(ROWS).unwrap();
    let start = ["RurrDLulDrdL", WANDERING].iter().find_map(|moves| replay(&level, &moves.parse().unwrap()).ok());
    let start = start.expect("one of them solves the level");
    let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
    let (knobs, live) = (Knobs { source, ..Knobs::default() }, LiveIndex::new(&level));
    let field = Field { knobs: &knobs, live: &live, searched: &SearchedWindows::default() };
    let mut lineages = Lineages { generation: 1, in_vain, ..Lineages::new(start, 0) };
    while lineages.generation < 1 + n_generations {
        lineages.run_slice(field, &mut cx).unwrap();
    }
    (pool.best(Objective::PUSHES), lineages)
}

#[test]
fn a_lineage_is_raised_and_remembered() {
    let (best, lineages) = raise(2, 0, None);
    assert_eq!(best.metrics().pushes, 3);
    assert!(!lineages.grown.is_empty());
    assert_eq!(lineages.in_vain, 2);
    assert!(!lineages.source_is_dry, "it was not asked yet");
}

#[test]
fn the_source_is_asked_when_lineages_came_to_nothing() {
    let level = Level::parse(ROWS).unwrap();
    let fresh = replay(&level, &BEST.parse().unwrap()).unwrap();
    let source = SharedSource::new(Once(fresh, AtomicU64::new(0)));
    let (best, lineages) = raise(4, BEFORE_SOURCE, Some(source));
    assert_eq!(best.metrics().pushes, 3);
    assert!(lineages.source_is_dry, "it was asked twice, and said that it has no more");
}

#[test]
fn it_ends() {
    let (_, lineages) = raise(MAX_GENERATIONS, 0, None);
    assert!(lineages.is_done());
}
