//! Rounds, which search the whole spine with displacements around a part of it, and searches that are stopped.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sokocore::{Level, Metrics, Objective, PlantSpec, Solution, planted, replay};

use super::*;
use crate::{
    Boxes, Budget, Cancel, Cost, LiveIndex, MemoryAccount, Order, Pool, RingOrder, Spine, StoreKind, Tube, TubeOptions,
    search as search_store,
};

/// How to search around the states from a first to a last one.
#[derive(Clone, Copy)]
enum Mode {
    Window,
    Round,
    /// As a round, with a generated store.
    Generated,
}

fn neighborhood() -> Neighborhood {
    Neighborhood { limits: vec![4, 8], ring: RingOrder::ALL[0], boxes: Boxes::All }
}

fn best_after(level: &Level, start: &Solution, part: RangeInclusive<usize>, mode: Mode) -> Metrics {
    let pool = Pool::new(level, start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let live = LiveIndex::new(level);
    let spine = Spine::new(level, &live, start, budget.memory()).unwrap();
    let near = neighborhood();
    let (order, directions) = (Order::MovesPushes, near.ring.directions());
    let whole =
        SearchWindow { live: &live, spine: &spine, from: 0, to: spine.end(), order, directions, engine: Engine::Fast };
    let report = match mode {
        Mode::Window => search_near(SearchWindow { from: *part.start(), to: *part.end(), ..whole }, &near, &mut cx)
            .unwrap()
            .unwrap(),
        Mode::Round => search_round(whole, part, &near, &mut cx).unwrap().unwrap(),
        Mode::Generated => {
            let options = TubeOptions { engine: Engine::Reference, order, store: StoreKind::Hash };
            let mut tube = Tube::around(&live, &spine, part, &near, options, &mut cx).unwrap();
            spine.states().iter().for_each(|state| _ = tube.store.insert(&state.key, &cx).unwrap());
            search_store(whole, &tube.store, &mut cx).unwrap()
        }
    };
    assert!(report.finished);
    cx.best().metrics()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A round finds what a search through the neighborhoods of its states and the rest of the spine finds, and never
    /// less than a window of these states.
    #[test]
    fn a_round_is_no_less_than_its_window(
        (level, moves) in planted(PlantSpec { boxes: 1..=4, pulls: 10..=60, ..PlantSpec::default() }),
        (first, length) in (0..1_000_usize, 1..1_000_usize),
    ) {
        let start = replay(&level, &moves).unwrap();
        prop_assume!(level.n_boxes() == level.board().goals().len());
        let end = usize::try_from(start.metrics().pushes).unwrap();
        let first = first % end;
        let part = first..=(first + 1 + length % end).min(end);
        let [window, round, generated] = [Mode::Window, Mode::Round, Mode::Generated].map(|mode| best_after(&level, &start, part.clone(), mode));
        prop_assert_eq!(round, generated);
        let score = |metrics: &Metrics| (metrics.moves, metrics.pushes);
        prop_assert!(score(&round) <= score(&window), "{round} {window}");
    }
}

/// A window keeps the state at its end; a round of the same states may reach the later spine by another path.
#[test]
fn rounds_gain_across_the_borders_of_windows() {
    let mut runner = TestRunner::deterministic();
    let levels = planted(PlantSpec { boxes: 2..=4, pulls: 20..=60, ..PlantSpec::default() });
    let n_gains = (0..40).filter(|_| {
        let (level, moves) = levels.new_tree(&mut runner).unwrap().current();
        if level.n_boxes() != level.board().goals().len() {
            return false;
        }
        let start = replay(&level, &moves).unwrap();
        let half = usize::try_from(start.metrics().pushes).unwrap().div_ceil(2);
        let [window, round] = [Mode::Window, Mode::Round].map(|mode| best_after(&level, &start, 0..=half, mode).moves);
        round < window
    });
    assert!(n_gains.count() > 0);
}

/// Runs a search by pushes through the whole spine for some ticks at most. Returns how it ended, the ticks that it took, and
/// the cost to go of the first state if the best join is there.
fn run_by_pushes(level: &Level, start: &Solution, ticks: Option<u64>) -> (Result<(), Stop>, u64, Option<Cost>) {
    let pool = Pool::new(level, start, &[Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(ticks);
    let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
    let live = LiveIndex::new(level);
    let spine = Spine::new(level, &live, start, budget.memory()).unwrap();
    let near = neighborhood();
    let (order, directions, engine) = (Order::PushesMoves, near.ring.directions(), Engine::Fast);
    let window = SearchWindow { live: &live, spine: &spine, from: 0, to: spine.end(), order, directions, engine };
    let tube = SpineNeighborhood { neighborhood: &near, first: 0, last: spine.end() };
    let mut search = WavefrontSearch::<2, 2>::new(window, Some(tube), &cx).unwrap();
    let end = search.run(&mut cx);
    let to_go = search.joins().best().filter(|join| join.state == 0).map(|join| join.to_go);
    (end, cx.ticks(), to_go)
}

/// The moves to go of a push layer are final before all its configurations are expanded.
#[test]
fn a_search_that_is_stopped_in_a_push_layer_offers_what_it_reached() {
    let mut runner = TestRunner::deterministic();
    let levels = planted(PlantSpec { boxes: 2..=4, pulls: 20..=60, ..PlantSpec::default() });
    let mut n_offered = 0;
    for _ in 0..20 {
        let (level, moves) = levels.new_tree(&mut runner).unwrap().current();
        if level.n_boxes() != level.board().goals().len() {
            continue;
        }
        let start = replay(&level, &moves).unwrap();
        let (end, n_ticks, optimal) = run_by_pushes(&level, &start, None);
        assert_eq!(end, Ok(()));
        for ticks in (1..n_ticks).step_by(97) {
            let (end, _, to_go) = run_by_pushes(&level, &start, Some(ticks));
            let Some(to_go) = to_go.filter(|_| end.is_err()) else { continue };
            assert_eq!(Some(to_go), optimal, "after {ticks} of {n_ticks} ticks");
            n_offered += 1;
        }
    }
    assert!(n_offered > 0, "no search was stopped after it had reached the start in its last push layer");
}
