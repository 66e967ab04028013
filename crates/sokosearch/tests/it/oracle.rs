//! The reference engine against a naive search, and the traps that concern it.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sokocore::{
    Direction, Level, Lurd, Metrics, Objective, PlantSpec, Solution, Square, SquareSet, n_cases, optimum, planted,
    replay,
};
use sokosearch::{
    Budget, Cancel, ConfigStore, Context, Engine, LiveIndex, MemoryAccount, Neighborhood, Order, Pool, Report,
    RingOrder, SearchWindow, Spine, Stop, StoreKind, Tube, TubeOptions, TubeStore, plateau_walk_near, search,
    search_everything, search_near,
};

const ORDERS: [(&str, Order); 5] = [
    ("moves", Order::MovesPushes),
    ("pushes", Order::PushesMoves),
    ("pushes-only", Order::PushesOnly),
    ("boxlines/moves", Order::LinesMoves),
    ("boxlines/pushes", Order::LinesPushes),
];

/// The cost of a best solution: uniform-cost search over everything that the two metrics can see.
fn naive(level: &Level, order: Order) -> (u64, u64) {
    type LastPush = Option<(Square, Direction)>;
    type Open = ((u64, u64), Vec<Square>, Square, LastPush, bool);
    let price = |walk: bool, line: bool| match order {
        Order::MovesPushes => (1, u64::from(!walk)),
        Order::PushesMoves => (u64::from(!walk), 1),
        Order::PushesOnly => (u64::from(!walk), 0),
        Order::LinesMoves => (u64::from(line), 1),
        Order::LinesPushes => (u64::from(line), u64::from(!walk)),
    };
    let board = level.board();
    let start = level.start();
    let mut open: BTreeSet<Open> = BTreeSet::new();
    let mut closed: BTreeSet<(SquareSet, Square, LastPush)> = BTreeSet::new();
    open.insert(((0, 0), start.boxes.iter().collect(), start.player, None, false));
    while let Some((cost, squares, player, last, pushed)) = open.pop_first() {
        let mut boxes = board.no_squares();
        squares.iter().for_each(|&sq| _ = boxes.insert(sq));
        if pushed && level.is_solved(&boxes) {
            return cost;
        }
        if pushed || closed.insert((boxes.clone(), player, last)) {
            for dir in Direction::ALL {
                let Some(next) = board.step(player, dir) else { continue };
                let add = |price: (u64, u64)| (cost.0 + price.0, cost.1 + price.1);
                if !boxes.contains(next) {
                    open.insert((add(price(true, false)), squares.clone(), next, last, false));
                    continue;
                }
                let Some(to) = board.step(next, dir).filter(|to| !boxes.contains(*to)) else { continue };
                let mut moved = boxes.clone();
                moved.remove(next);
                moved.insert(to);
                let line = last != Some((next, dir));
                let squares: Vec<Square> = moved.iter().collect();
                if moved.is_subset(level.live()) && !closed.contains(&(moved, next, Some((to, dir)))) {
                    open.insert((add(price(false, line)), squares, next, Some((to, dir)), true));
                }
            }
        }
    }
    unreachable!("the level has a solution")
}

fn cost(order: Order, metrics: &Metrics) -> (u64, u64) {
    let cost = order.cost(metrics);
    (u64::from(cost.primary), u64::from(cost.secondary))
}

/// The configurations searched through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Through {
    Hash,
    Tree,
    /// A tube that is not generated.
    Near,
    /// All configurations, not generated.
    Everything,
}

impl Through {
    fn any() -> impl Strategy<Value = Self> {
        prop::sample::select(vec![Self::Hash, Self::Tree, Self::Near, Self::Everything])
    }
}

/// The arguments of a search.
#[derive(Clone, Copy)]
struct Case<'a> {
    level: &'a Level,
    start: &'a Solution,
    objective: Objective,
    limits: &'a [usize],
    window: (usize, usize),
    engine: Engine,
    through: Through,
    work: Option<u64>,
}

impl<'a> Case<'a> {
    /// The whole solution, through all configurations.
    fn whole(level: &'a Level, start: &'a Solution, objective: &'a str) -> Self {
        Self {
            level,
            start,
            objective: objective.parse().unwrap(),
            limits: &[999; 4],
            window: (0, usize::MAX),
            engine: Engine::Reference,
            through: Through::Hash,
            work: None,
        }
    }

    fn run(self) -> (Solution, Result<Report, Stop>) {
        let objective = self.objective;
        let order = Order::of(&objective);
        let pool = Pool::new(self.level, self.start, &[objective]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
        let live = LiveIndex::new(self.level);
        let spine = Spine::new(self.level, &live, self.start, budget.memory()).unwrap();
        let limits = self.limits[..self.limits.len().min(self.level.n_boxes())].to_vec();
        let neighborhood = Neighborhood { limits, ring: RingOrder::ALL[0], boxes: sokosearch::Boxes::All };
        let (from, to) = (self.window.0, self.window.1.min(spine.end()));
        let mut cx = Context::new(&pool, objective, &budget, &());
        let kind = if self.through == Through::Tree { StoreKind::Tree } else { StoreKind::Hash };
        let tube = Tube::around(
            &live,
            &spine,
            from..=to,
            &neighborhood,
            TubeOptions { engine: self.engine, order, store: kind },
            &mut cx,
        )
        .unwrap();
        let directions = Direction::ALL;
        let window = SearchWindow { live: &live, spine: &spine, from, to, order, directions, engine: self.engine };
        let limited = budget.clone().with_work(self.work);
        let mut cx = Context::new(&pool, objective, &limited, &());
        let near = match self.through {
            Through::Near => search_near(window, &neighborhood, &mut cx),
            Through::Everything => search_everything(window, &mut cx),
            Through::Hash | Through::Tree => Ok(None),
        };
        let is_counted = self.engine == Engine::Fast && matches!(order, Order::MovesPushes | Order::PushesMoves);
        let asks = matches!(self.through, Through::Near | Through::Everything);
        if asks && is_counted && self.level.n_boxes() == self.level.board().goals().len() {
            assert!(!matches!(near, Ok(None)), "no path was read");
        }
        let report = match near {
            Ok(Some(report)) => Ok(report),
            Err(stop) => Err(stop),
            Ok(None) => {
                let n_configs = tube.store.n_configs();
                match tube.into_store(&live, &cx).unwrap() {
                    TubeStore::Tree(tree) => {
                        assert_eq!((kind, tree.n_configs()), (StoreKind::Tree, n_configs));
                        search(window, &tree, &mut cx)
                    }
                    TubeStore::Hash(store) => {
                        assert_eq!(kind, StoreKind::Hash);
                        search(window, &store, &mut cx)
                    }
                }
            }
        };
        (pool.best(objective), report)
    }
}

fn parse(rows: &[&str], moves: &str) -> (Level, Solution) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let start = replay(&level, &moves.parse::<Lurd>().unwrap()).unwrap();
    (level, start)
}

const T1: [&str; 5] = ["######", "#@  .#", "# $ ##", "##   #", "######"];
const T2: [&str; 5] = ["######", "##   #", "#@$ $#", "#.  .#", "######"];
const T3: [&str; 4] = ["######", "#.  .#", "#@$ $#", "#    #"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(20, 40)).unwrap_or(40)))]

    /// Through the tube of all configurations, every order finds what the naive search finds.
    #[test]
    fn both_engines_agree_with_the_naive_search((level, moves) in planted(PlantSpec::default()), through in Through::any()) {
        let start = replay(&level, &moves).unwrap();
        for (objective, order) in ORDERS {
            for engine in [Engine::Reference, Engine::Fast] {
                let (best, report) = Case { engine, through, ..Case::whole(&level, &start, objective) }.run();
                prop_assert!(report.unwrap().finished);
                prop_assert_eq!(cost(order, &best.metrics()), naive(&level, order), "{}\n{:?}", objective, level);
            }
        }
    }

    /// Trap 14: the backward search, seeded with every last push, finds the best of all six metrics.
    #[test]
    fn trap_14_the_fast_engine_is_exact_in_all_six_metrics((level, moves) in planted(PlantSpec::default())) {
        let start = replay(&level, &moves).unwrap();
        for objective in [Objective::MOVES, Objective::PUSHES] {
            let exact = optimum(&level, objective).unwrap();
            for through in [Through::Hash, Through::Near, Through::Everything] {
                let name = objective.to_string();
                let (best, _) = Case { engine: Engine::Fast, through, ..Case::whole(&level, &start, &name) }.run();
                prop_assert_eq!(best.metrics(), exact.metrics(), "{} {:?}\n{:?}", objective, through, level);
            }
        }
    }

    /// Trap 7 and trap 15: any window, stopped after any number of expansions, gives a valid solution no worse.
    #[test]
    fn trap_07_and_15_windows_and_stops_never_lose(
        (level, moves) in planted(PlantSpec::default()),
        cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        work in 1..2_000_u64,
        engine in prop::sample::select(vec![Engine::Reference, Engine::Fast]),
        through in Through::any(),
    ) {
        let start = replay(&level, &moves).unwrap();
        let n_pushes = usize::try_from(start.metrics().pushes).unwrap();
        let (one, other) = (cut.0.index(n_pushes + 1), cut.1.index(n_pushes + 1));
        let window = (one.min(other), one.max(other));
        prop_assume!(window.0 < window.1);
        for (name, _) in ORDERS {
            let objective: Objective = name.parse().unwrap();
            let case = Case { engine, through, limits: &[3, 6], window, work: Some(work), ..Case::whole(&level, &start, name) };
            let (best, report) = case.run();
            prop_assert!(objective.score(&best.metrics()) <= objective.score(&start.metrics()));
            prop_assert_eq!(replay(&level, best.lurd()).map(|solution| solution.metrics()), Ok(best.metrics()));
            let (all, done) = Case { work: None, ..case }.run();
            prop_assert!(done.as_ref().unwrap().reached == window.1);
            prop_assert!(report.is_err() || all == best, "{name}: {} {} {report:?} {done:?} {}", all.metrics(), best.metrics(), start.metrics());
        }
    }

    /// In windows, through the same tube, testing for membership finds what generating finds, in all six metrics.
    #[test]
    fn asking_finds_what_generating_finds(
        (level, moves) in planted(PlantSpec { boxes: 2..=4, ..PlantSpec::default() }),
        cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        mut limits in prop::collection::vec(1..9_usize, 0..=3),
    ) {
        limits.sort_unstable();
        let start = replay(&level, &moves).unwrap();
        let n_pushes = usize::try_from(start.metrics().pushes).unwrap();
        let (one, other) = (cut.0.index(n_pushes + 1), cut.1.index(n_pushes + 1));
        let window = (one.min(other), one.max(other));
        prop_assume!(window.0 < window.1);
        for name in ["moves", "pushes"] {
            let case = Case { engine: Engine::Fast, limits: &limits, window, ..Case::whole(&level, &start, name) };
            let (generated, _) = case.run();
            let (asked, report) = Case { through: Through::Near, ..case }.run();
            prop_assert!(report.unwrap().finished);
            prop_assert_eq!(asked.metrics(), generated.metrics(), "{} {:?}\n{:?}", name, window, level);
        }
    }

    /// A random optimal path is as good as the best, in the two metrics that are counted.
    #[test]
    fn plateau_walks_end_on_an_optimal_path((level, moves) in planted(PlantSpec::default()), seed in any::<u64>()) {
        let start = replay(&level, &moves).unwrap();
        for (objective, order) in &ORDERS[..2] {
            let objective: Objective = objective.parse().unwrap();
            let order = *order;
            let pool = Pool::new(&level, &start, &[objective]);
            let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
            let live = LiveIndex::new(&level);
            let spine = Spine::new(&level, &live, &start, budget.memory()).unwrap();
            let limits = vec![999; level.n_boxes().min(4)];
            let neighborhood = Neighborhood { limits, ring: RingOrder::ALL[0], boxes: sokosearch::Boxes::All };
            let (to, directions) = (spine.end(), Direction::ALL);
            let window = SearchWindow { live: &live, spine: &spine, from: 0, to, order, directions, engine: Engine::Fast };
            let mut cx = Context::new(&pool, objective, &budget, &());
            prop_assume!(level.n_boxes() == level.board().goals().len());
            let has_moved = plateau_walk_near(window, &neighborhood, seed, &mut cx).unwrap().unwrap();
            prop_assert!(has_moved || order == Order::PushesMoves);
            let there = cx.incumbent().metrics();
            let is_best = cost(order, &there).0 == naive(&level, order).0;
            prop_assert!(is_best || !has_moved, "{}: {}\n{:?}", objective, there, level);
        }
    }

    /// Trap 3: for one configuration all push counts have equal parity, for one player square all move counts.
    #[test]
    fn trap_03_parity_holds_along_solutions((level, moves) in planted(PlantSpec::default())) {
        let (row, column) = level.board().place(level.start().player);
        let mut player = level.start().player;
        for (at, step) in moves.steps().iter().enumerate() {
            player = level.board().step(player, step.dir()).unwrap();
            let (r, c) = level.board().place(player);
            prop_assert_eq!((at + 1) % 2, (row + column + r + c) % 2);
        }
    }
}

/// Trap 1: marking a push visited when it is generated would give 10 moves in pushes/moves order.
#[test]
fn trap_01_pushes_are_marked_when_taken_from_the_queue() {
    let (level, start) = parse(&T1, "rrddlUluRR");
    for objective in ["moves", "pushes"] {
        let (best, _) = Case::whole(&level, &start, objective).run();
        assert_eq!((best.metrics().moves, best.metrics().pushes), (8, 3), "{objective}");
    }
}

/// Trap 2: equal moves, fewer pushes.
#[test]
fn trap_02_pushes_break_ties_between_equal_moves() {
    let rows = [T3[0], T3[1], T3[2], T3[3], "######"];
    let (level, start) = parse(&rows, "RdrrULLdlU");
    let (best, _) = Case::whole(&level, &start, "moves").run();
    assert_eq!((best.metrics().moves, best.metrics().pushes), (10, 3));
}

/// Trap 4 and trap 11: boxes that change roles are told apart by position only, and the result replays.
#[test]
fn trap_04_and_11_boxes_may_change_roles() {
    for (start, objective, expect) in [("drruurDullDrdL", "moves", (12, 5)), ("RurrDLulDrdL", "pushes", (14, 3))] {
        let (level, start) = parse(&T2, start);
        let (best, _) = Case::whole(&level, &start, objective).run();
        assert_eq!((best.metrics().moves, best.metrics().pushes), expect);
    }
}

/// Trap 6: the start of a level that starts solved is not its end.
#[test]
fn trap_06_a_solved_start_is_not_the_target() {
    let (level, start) = parse(&["######", "# *@ #", "#    #", "######"], "dlluRdrruL");
    for (objective, order) in ORDERS {
        let (best, _) = Case::whole(&level, &start, objective).run();
        assert!(best.metrics().pushes >= 2);
        assert_eq!(cost(order, &best.metrics()), naive(&level, order));
    }
}

/// Trap 8: a window after the first push of T5 begins inside a box line, so pushing on is free.
#[test]
fn trap_08_windows_know_the_push_before_them() {
    let (level, start) = parse(&["######", "###.##", "### ##", "# $$.#", "#  @##", "######"], "UUddlluRR");
    let (best, report) = Case { window: (1, usize::MAX), ..Case::whole(&level, &start, "boxlines/moves") }.run();
    assert_eq!(report.unwrap().reached, 4, "a count from scratch would pass the limit of one line before the end");
    assert_eq!((best.metrics().box_lines, best.metrics().moves), (2, 9));
}

/// Trap 24: pushes-only search may merge player squares, the others may not.
#[test]
fn trap_24_only_pushes_only_merges_player_squares() {
    let (level, start) = parse(&T1, "rrddlUluRR");
    let (pushes_only, report) = Case::whole(&level, &start, "pushes-only").run();
    assert_eq!(pushes_only.metrics().pushes, 3);
    let (moves, exact) = Case::whole(&level, &start, "moves").run();
    assert_eq!(moves.metrics().moves, 8);
    assert!(report.unwrap().finished && exact.unwrap().finished);
}

/// A walk of 336 moves, more than one slot of recent distances has room for.
#[test]
fn long_walks_are_gone_on_with() {
    let (width, n_lanes) = (22, 15);
    let wall = format!("#{}#", "#".repeat(width + 1));
    let mut rows = vec![wall.clone()];
    for lane in 0..n_lanes {
        let mut row = format!("#{}#", " ".repeat(width + 1));
        let mut gap = wall.clone();
        let at = if lane % 2 == 0 { width + 1 } else { 1 };
        gap.replace_range(at..=at, " ");
        if lane == 0 {
            row.replace_range(1..2, "@");
        }
        if lane + 1 == n_lanes {
            row.replace_range(3..5, "$.");
            gap = wall.clone();
        }
        rows.extend([row, gap]);
    }
    let there: String = (0..n_lanes - 1).map(|lane| ["r", "l"][lane % 2].repeat(width) + "dd").collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (level, start) = parse(&rows, &format!("rl{there}rR"));
    assert_eq!(start.metrics().moves, 340);
    for objective in ["moves", "pushes"] {
        let case =
            Case { engine: Engine::Fast, through: Through::Everything, ..Case::whole(&level, &start, objective) };
        let (best, report) = case.run();
        assert!(report.unwrap().finished);
        assert_eq!((best.metrics().moves, best.metrics().pushes), (338, 1), "{objective}");
    }
}
