//! A search by several threads against the same search by one.

use proptest::prelude::*;
use sokocore::{Direction, Level, Objective, PlantSpec, Solution, n_cases, planted, replay};
use sokosearch::{
    Boxes, Budget, Cancel, Context, Engine, LiveIndex, MemoryAccount, Neighborhood, Order, Pool, Report, RingOrder,
    SearchWindow, Spine, Stop, Tally, ThreadPermits, search_everything, search_near,
};

/// The arguments of a search.
#[derive(Clone, Copy)]
struct Case<'a> {
    level: &'a Level,
    start: &'a Solution,
    objective: Objective,
    /// `None` for all configurations.
    limits: Option<&'a [usize]>,
    window: (usize, usize),
    work: Option<u64>,
    memory: u64,
}

/// The result of a search.
#[derive(Debug)]
struct Outcome {
    best: Solution,
    report: Result<Report, Stop>,
    tally: Tally,
    ticks: u64,
    peak: u64,
}

impl Case<'_> {
    /// Searches with permits for so many more threads, for layers of at least so many states.
    fn run(self, n_helpers: usize, least_items: usize) -> Outcome {
        let pool = Pool::new(self.level, self.start, &[self.objective]);
        let budget = Budget::new(None, MemoryAccount::new(self.memory), Cancel::default()).with_work(self.work);
        let live = LiveIndex::new(self.level);
        let spine = Spine::new(self.level, &live, self.start, &MemoryAccount::new(1 << 20)).unwrap();
        let (from, to) = (self.window.0, self.window.1.min(spine.end()));
        let (order, directions) = (Order::of(&self.objective), Direction::ALL);
        let window = SearchWindow { live: &live, spine: &spine, from, to, order, directions, engine: Engine::Fast };
        let permits = ThreadPermits::new(n_helpers).with_least_layer(least_items);
        let mut cx = Context::new(&pool, self.objective, &budget, &()).with_thread_permits(&permits);
        let found = match self.limits {
            Some(limits) => {
                let limits = limits[..limits.len().min(self.level.n_boxes())].to_vec();
                let near = Neighborhood { limits, ring: RingOrder::ALL[0], boxes: Boxes::All };
                search_near(window, &near, &mut cx)
            }
            None => search_everything(window, &mut cx),
        };
        assert_eq!((permits.n_free(), budget.memory().used()), (n_helpers, 0), "all is released");
        let report = found.map(|report| report.expect("this engine searches it"));
        let (tally, ticks, peak) = (cx.tally(), cx.ticks(), budget.memory().peak());
        Outcome { best: pool.best(self.objective), report, tally, ticks, peak }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(16, 40)).unwrap_or(40)))]

    /// One thread or several, one shard or several: the same path, the same states, the same work.
    #[test]
    fn threads_change_nothing(
        (level, moves) in planted(PlantSpec { boxes: 2..=4, ..PlantSpec::default() }),
        cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        limits in prop::sample::select(vec![None, Some(&[5][..]), Some(&[3, 6][..]), Some(&[2, 2, 4][..])]),
        whole in any::<bool>(),
    ) {
        prop_assume!(level.n_boxes() == level.board().goals().len());
        let start = replay(&level, &moves).unwrap();
        let n_pushes = usize::try_from(start.metrics().pushes).unwrap();
        let (one, other) = (cut.0.index(n_pushes + 1), cut.1.index(n_pushes + 1));
        let window = if whole { (0, n_pushes) } else { (one.min(other), one.max(other)) };
        prop_assume!(window.0 < window.1);
        for objective in [Objective::MOVES, Objective::PUSHES] {
            let case = Case { level: &level, start: &start, objective, limits, window, work: None, memory: 1 << 28 };
            let alone = case.run(0, 0);
            for n_helpers in 1..4 {
                for least_items in [0, 3, usize::MAX] {
                    let shared = case.run(n_helpers, least_items);
                    prop_assert_eq!(shared.best.metrics(), alone.best.metrics(), "{}", objective);
                    prop_assert_eq!(shared.best.lurd(), alone.best.lurd());
                    prop_assert_eq!(shared.tally.n_configs, alone.tally.n_configs);
                    prop_assert_eq!(shared.tally.n_states, alone.tally.n_states);
                    let (shared_report, report) = (shared.report.unwrap(), alone.report.unwrap());
                    prop_assert_eq!(Report { bytes: 0, ..shared_report }, Report { bytes: 0, ..report });
                    prop_assert_eq!(shared.ticks, alone.ticks);
                }
            }
        }
    }

    /// Stopped by work or memory in the middle, threads stop, and their result is valid and no worse than the start.
    #[test]
    fn trap_15_threads_stop_when_told(
        (level, moves) in planted(PlantSpec { boxes: 2..=4, ..PlantSpec::default() }),
        work in prop::option::of(1..2_000_u64),
        memory in 4_u64..80,
        n_helpers in 1..4_usize,
    ) {
        prop_assume!(level.n_boxes() == level.board().goals().len());
        let start = replay(&level, &moves).unwrap();
        for objective in [Objective::MOVES, Objective::PUSHES] {
            let memory = memory << 10;
            let window = (0, usize::MAX);
            let case = Case { level: &level, start: &start, objective, limits: None, window, work, memory };
            let Outcome { best, report, ticks, peak, .. } = case.run(n_helpers, 0);
            prop_assert!(objective.score(&best.metrics()) <= objective.score(&start.metrics()));
            prop_assert_eq!(replay(&level, best.lurd()).map(|solution| solution.metrics()), Ok(best.metrics()));
            prop_assert!(peak <= memory);
            prop_assert!(report.is_ok() || work.is_some_and(|work| ticks >= work), "{:?} {}", report, ticks);
            if report.is_ok_and(|report| report.finished) {
                let all = Case { work: None, memory: 1 << 28, ..case }.run(0, 0);
                prop_assert_eq!(best.metrics(), all.best.metrics());
            }
        }
    }
}
