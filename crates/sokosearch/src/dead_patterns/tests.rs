//! What is learned, when, and that no solution passes through it.

use proptest::prelude::*;
use sokocore::{Objective, PlantSpec, planted, replay};

use super::*;
use crate::{Budget, Cancel, ConfigSet, Engine, LiveIndex, Pool, Spine};

/// Calls with a context of a run on a level that has done so much work, within so many bytes.
fn after(ticks: u64, bytes: u64, call: impl FnOnce(&mut Context<'_>)) {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n#       #\n#########").unwrap();
    let start = replay(&level, &"uRRllLLdlU".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(bytes), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    cx.tick_by(ticks).unwrap();
    call(&mut cx);
}

/// The key of two boxes, by their rows and columns.
fn pair(cx: &Context<'_>, boxes: [(usize, usize); 2]) -> (Vec<u64>, usize) {
    let live = LiveIndex::new(cx.level());
    let bits = boxes.map(|(row, column)| live.bit(cx.level().board().square_at(row, column).unwrap()).unwrap());
    (vec![bits.iter().fold(0, |key, bit| key | 1 << bit)], bits[0])
}

#[test]
fn two_boxes_at_a_wall_are_known_after_some_work_and_left_out_of_sets() {
    after(1 << 20, 1 << 24, |cx| {
        cx.lesson().go_on(cx).unwrap();
        let live = LiveIndex::new(cx.level());
        // Not frozen: each can be pushed along the wall, but there is one goal for both.
        let (dead, alive) = (pair(cx, [(1, 3), (1, 5)]), pair(cx, [(1, 3), (2, 5)]));
        let lesson = cx.lesson();
        let known = lesson.known().unwrap();
        assert!(known.is_dead(&dead.0, dead.1) && !known.is_dead(&alive.0, alive.1));
        for (engine, holds) in [(Engine::Fast, false), (Engine::Reference, true)] {
            let mut set = ConfigSet::new(&live, engine, cx).unwrap();
            assert_eq!(set.add_unless_dead(&dead.0, &[dead.1], cx), Ok(holds), "{engine:?}");
            assert_eq!(set.add_unless_dead(&alive.0, &[alive.1], cx), Ok(true));
        }
    });
}

/// Until it knows, a lesson takes its share of the work and no more.
#[test]
fn learning_goes_on_bit_by_bit() {
    after(160, 1 << 24, |cx| {
        let lesson = cx.lesson();
        let (mut n_calls, mut own) = (0, 0);
        while lesson.known().is_none() {
            let before = cx.ticks();
            lesson.go_on(cx).unwrap();
            own += cx.ticks() - before;
            assert!(own <= cx.ticks() / SHARE);
            cx.tick_by(160).unwrap();
            n_calls += 1;
            assert!(n_calls < 10_000);
        }
        assert!(n_calls > 10);
        let ticks = cx.ticks();
        lesson.go_on(cx).unwrap();
        assert_eq!(cx.ticks(), ticks, "there is nothing left to learn");
    });
}

#[test]
fn without_memory_nothing_is_learned_and_nothing_fails() {
    after(1 << 20, 64, |cx| {
        cx.lesson().go_on(cx).unwrap();
        assert!(cx.lesson().known().is_none());
        assert_eq!(cx.budget().memory().used(), 0);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_solution_passes_through_a_dead_pattern((level, moves) in planted(PlantSpec {
        width: 5..=8, height: 5..=8, boxes: 2..=5, pulls: 10..=60, ..PlantSpec::default()
    })) {
        let start = replay(&level, &moves).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        cx.tick_by(1 << 40).unwrap();
        let lesson = cx.lesson();
        lesson.go_on(&mut cx).unwrap();
        prop_assert!(lesson.known.get().is_some());
        let live = LiveIndex::new(&level);
        let spine = Spine::new(&level, &live, &start, budget.memory()).unwrap();
        for state in spine.states() {
            let is_dead = |bit| lesson.known().is_some_and(|known| known.is_dead(&state.key, bit));
            prop_assert!(!LiveIndex::bits_of(&state.key).any(is_dead));
        }
    }
}
