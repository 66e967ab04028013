//! Which patterns are found, when, and that no solution passes through them.

use proptest::prelude::*;
use sokocore::{Objective, PlantSpec, planted, replay};

use super::*;
use crate::{
    Boxes, Budget, Cancel, ConfigSet, ConfigStore, Engine, LiveIndex, Neighborhood, Order, Pool, RingOrder,
    SearchWindow, Spine, StoreKind, Tube, TubeOptions, search,
};

/// Calls with the context of a run on a level with this much memory.
fn within(bytes: u64, call: impl FnOnce(&mut Context<'_>)) {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n#       #\n#########").unwrap();
    let start = replay(&level, &"uRRllLLdlU".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(bytes), Cancel::default());
    call(&mut Context::new(&pool, Objective::MOVES, &budget, &()));
}

/// The key of two boxes, by their rows and columns.
fn pair(cx: &Context<'_>, boxes: [(usize, usize); 2]) -> (Vec<u64>, usize) {
    let live = LiveIndex::new(cx.level());
    let bits = boxes.map(|(row, column)| live.bit(cx.level().board().square_at(row, column).unwrap()).unwrap());
    (vec![bits.iter().fold(0, |key, bit| key | 1 << bit)], bits[0])
}

#[test]
fn two_boxes_at_a_wall_are_found_after_some_work_and_kept_out_of_sets() {
    within(1 << 24, |cx| {
        PatternBuilder::of(cx.pool()).advance(1 << 30, cx).unwrap();
        let live = LiveIndex::new(cx.level());
        // Not frozen: each can be pushed along the wall, but there is one goal for both.
        let (dead, alive) = (pair(cx, [(1, 3), (1, 5)]), pair(cx, [(1, 3), (2, 5)]));
        let builder = PatternBuilder::of(cx.pool());
        let table = builder.table().unwrap();
        let both = LiveIndex::bits_of(&dead.0).collect::<Vec<_>>();
        assert_eq!(table.with(&dead.0, dead.1), Some([both[0], both[0], both[1]]));
        assert_eq!(table.with(&alive.0, alive.1), None);
        for (engine, holds) in [(Engine::Fast, false), (Engine::Reference, true)] {
            let mut set = ConfigSet::new(&live, engine, cx).unwrap();
            assert_eq!(set.add_unless_dead(&dead.0, &[dead.1], cx), Ok(holds), "{engine:?}");
            assert_eq!(set.add_unless_dead(&alive.0, &[alive.1], cx), Ok(true));
        }
    });
}

/// Until the table is finished, the builder takes its share of the work and no more.
#[test]
fn building_advances_by_its_share() {
    within(1 << 24, |cx| {
        cx.tick_by(1 << 40).unwrap();
        let (builder, mut n_calls, mut own) = (PatternBuilder::of(cx.pool()), 0, 0);
        while builder.table().is_none() {
            let before = cx.ticks();
            builder.advance(160, cx).unwrap();
            n_calls += 1;
            own += cx.ticks() - before;
            assert!(own <= 160 * n_calls / SHARE, "what the run did before does not count");
        }
        assert!((10..10_000).contains(&n_calls), "{n_calls}");
        let ticks = cx.ticks();
        builder.advance(1 << 20, cx).unwrap();
        assert_eq!(cx.ticks(), ticks, "there is nothing left to learn");
    });
}

/// Another pool for the same level shares the builder.
#[test]
fn pools_of_one_level_share_a_pattern_builder() {
    within(1 << 24, |cx| {
        let start = cx.best();
        let beside = cx.pool().beside(&start, &[Objective::MOVES]);
        PatternBuilder::of(cx.pool()).advance(1 << 30, cx).unwrap();
        assert!(
            PatternBuilder::of(&beside).table().is_some() && PatternBuilder::of(&cx.pool().fork()).table().is_some()
        );
    });
}

#[test]
fn without_memory_nothing_is_learned_and_nothing_fails() {
    within(64, |cx| {
        PatternBuilder::of(cx.pool()).advance(1 << 30, cx).unwrap();
        assert!(PatternBuilder::of(cx.pool()).table().is_none());
        assert_eq!(cx.budget().memory().used(), 0);
    });
}

/// The best metrics found in a tube of the limits 9 and 5, and its number of configurations.
fn search_tube(level: &Level, start: &sokocore::Solution, engine: Engine, knows: bool) -> (sokocore::Metrics, u64) {
    let pool = Pool::new(level, start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    if knows {
        PatternBuilder::of(cx.pool()).advance(1 << 40, &mut cx).unwrap();
    }
    let live = LiveIndex::new(level);
    let spine = Spine::new(level, &live, start, budget.memory()).unwrap();
    let neighborhood = Neighborhood { limits: vec![5, 9], ring: RingOrder::ALL[0], boxes: Boxes::All };
    let order = Order::MovesPushes;
    let tube = Tube::around(
        &live,
        &spine,
        0..=spine.end(),
        &neighborhood,
        TubeOptions { engine, order, store: StoreKind::Hash },
        &mut cx,
    )
    .unwrap();
    let directions = neighborhood.ring.directions();
    let window =
        SearchWindow { live: &live, spine: &spine, from: 0, to: spine.end(), order, directions, engine: Engine::Fast };
    search(window, &tube.store, &mut cx).unwrap();
    (cx.best().metrics(), tube.store.n_configs() as u64)
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
        let builder = PatternBuilder::of(cx.pool());
        builder.advance(1 << 40, &mut cx).unwrap();
        prop_assert!(builder.table.get().is_some());
        let live = LiveIndex::new(&level);
        let spine = Spine::new(&level, &live, &start, budget.memory()).unwrap();
        for state in spine.states() {
            let is_dead = |bit| builder.table().is_some_and(|table| table.with(&state.key, bit).is_some());
            prop_assert!(!LiveIndex::bits_of(&state.key).any(is_dead));
        }
    }

    /// With patterns known from the beginning a tube is smaller, and the best solution in it the same.
    #[test]
    fn tubes_without_dead_patterns_hold_the_same_solutions((level, moves) in planted(PlantSpec {
        width: 6..=8, height: 6..=8, boxes: 2..=5, pulls: 20..=80, ..PlantSpec::default()
    })) {
        let start = replay(&level, &moves).unwrap();
        let (all, n_all) = search_tube(&level, &start, Engine::Reference, false);
        let (living, n_living) = search_tube(&level, &start, Engine::Fast, true);
        prop_assert_eq!(living, all);
        prop_assert!(n_living <= n_all);
    }
}
