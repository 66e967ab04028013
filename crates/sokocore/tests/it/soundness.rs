//! No check may call a position dead that can still be solved, and no bound may ask for too many pushes.
//!
//! Two oracles: planted solutions, whose positions are alive by construction, and on tiny levels the whole graph
//! of reachable positions. A last test makes sure that the checks do find most dead positions, so that the others
//! do not pass by silence.

use std::collections::BTreeMap;

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assert_eq, proptest};
use sokocore::{
    Carving, Cell, DeadlockChecks, Grid, Level, PlantSpec, Position, Push, PushLowerBound, Reach, Square, SquareSet,
    n_cases, planted, pushes_of,
};

/// How often each check called a position dead.
type Found = BTreeMap<&'static str, usize>;

/// Asks every check about every box; returns the names of those that say deadlock, and counts them.
fn ask(checks: &mut DeadlockChecks, position: &Position, n_found: &mut Found) -> Vec<&'static str> {
    let found = checks.ask(position);
    found.iter().for_each(|&name| *n_found.entry(name).or_default() += 1);
    found
}

/// The positions along a solution, each with the pushes left.
fn positions_along(level: &Level, moves: &sokocore::Lurd) -> Vec<(Position, u64)> {
    let pushes = pushes_of(level, moves);
    let mut position = level.start().clone();
    let mut positions = vec![(position.clone(), pushes.len() as u64)];
    for (at, &push) in pushes.iter().enumerate() {
        assert!(position.push(level.board(), push));
        positions.push((position.clone(), (pushes.len() - at - 1) as u64));
    }
    positions
}

/// Every reachable (boxes, zone) with its successors, and the pushes that it needs to be solved at least.
struct Graph {
    positions: Vec<Position>,
    pushes_left: Vec<Option<u64>>,
}

const MAX_POSITIONS: usize = 4_000;

/// Explores all reachable positions; `None` if there are too many.
fn explore(level: &Level) -> Option<Graph> {
    let board = level.board();
    let mut reach = Reach::new(board);
    let mut number: BTreeMap<(SquareSet, Square), usize> = BTreeMap::new();
    let mut positions = vec![level.start().clone()];
    number.insert((level.start().boxes.clone(), level.start().region(board, &mut reach).zone()), 0);
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new()];
    let mut at = 0;
    while at < positions.len() {
        let position = positions[at].clone();
        let pushes: Vec<Push> = position.region(board, &mut reach).pushes().collect();
        for push in pushes {
            let mut next = position.clone();
            assert!(next.push(board, push));
            let zone = next.region(board, &mut reach).zone();
            let to = *number.entry((next.boxes.clone(), zone)).or_insert_with(|| {
                positions.push(next);
                predecessors.push(Vec::new());
                positions.len() - 1
            });
            predecessors[to].push(at);
        }
        at += 1;
        if positions.len() > MAX_POSITIONS {
            return None;
        }
    }
    let mut pushes_left = vec![None; positions.len()];
    let mut layer: Vec<usize> = (0..positions.len()).filter(|&at| level.is_solved(&positions[at].boxes)).collect();
    for left in 0.. {
        layer.retain(|&at| pushes_left[at].is_none());
        for &at in &layer {
            pushes_left[at] = Some(left);
        }
        layer = layer.iter().flat_map(|&at| predecessors[at].iter().copied()).collect();
        if layer.is_empty() {
            break;
        }
    }
    Some(Graph { positions, pushes_left })
}

fn check_whole_graph(level: &Level) -> Result<(), TestCaseError> {
    let Some(graph) = explore(level) else { return Ok(()) };
    check_graph(level, &graph, &mut DeadlockChecks::new(level).unwrap())
}

/// Asks about all positions that can be solved.
fn check_graph(level: &Level, graph: &Graph, checks: &mut DeadlockChecks) -> Result<(), TestCaseError> {
    for (position, left) in graph.positions.iter().zip(&graph.pushes_left) {
        let Some(left) = left else { continue };
        let found = checks.ask(position);
        prop_assert!(found.is_empty(), "{:?} call {:?} of {:?} dead", found, position, level);
        let bound = checks.bound(position);
        prop_assert!(bound.is_some_and(|bound| bound <= *left), "{:?} for {} pushes of {:?}", bound, left, position);
        let has_spare_goals = level.n_boxes() < level.board().goals().len();
        prop_assert!(has_spare_goals || bound.is_some_and(|bound| (left - bound) % 2 == 0), "parity of {:?}", position);
    }
    Ok(())
}

fn rooms() -> PlantSpec {
    PlantSpec { width: 5..=7, height: 5..=7, carving: Carving::Rooms(2..=5), pulls: 3..=30, ..PlantSpec::default() }
}

fn crowded() -> PlantSpec {
    let carving = Carving::Pillars(8);
    PlantSpec { width: 6..=8, height: 6..=8, boxes: 4..=8, carving, pulls: 20..=60, ..PlantSpec::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn planted_solutions_are_never_called_dead((level, moves) in planted(crowded())) {
        let mut checks = DeadlockChecks::new(&level).unwrap();
        for (position, left) in positions_along(&level, &moves) {
            let found = checks.ask(&position);
            prop_assert!(found.is_empty(), "{:?} call {:?} of {:?} dead", found, position, level);
            prop_assert!(checks.bound(&position).is_some_and(|bound| bound <= left));
        }
    }

    #[test]
    fn solvable_positions_of_small_halls_are_never_called_dead((level, _) in planted(PlantSpec {
        width: 5..=7, height: 5..=6, boxes: 2..=4, ..PlantSpec::default()
    })) {
        check_whole_graph(&level)?;
    }

    #[test]
    fn solvable_positions_of_small_rooms_are_never_called_dead((level, _) in planted(rooms())) {
        check_whole_graph(&level)?;
    }
}

/// Shapes that random levels seldom have: fences, closed rooms, doors.
#[test]
fn solvable_positions_of_chosen_levels_are_never_called_dead() {
    let levels: [&[&str]; 5] = [
        &["#######", "##$   #", "## $  #", "#. #  #", "#.. $ #", "#   @ #", "#######"],
        &["########", "#.#    #", "#.  $$ #", "#.# $@ #", "########"],
        &["########", "#      #", "# .**$@#", "#      #", "#####  #", "    ####"],
        &["#######", "#  .  #", "# $#$ #", "#.$@ .#", "#  #  #", "#######"],
        &["########", "#. .$  #", "#  ##$ #", "# $#.  #", "#  @   #", "########"],
    ];
    for rows in levels {
        let level = Level::parse(&rows.join("\n")).unwrap();
        if let Err(error) = check_whole_graph(&level) {
            panic!("{error}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For one box the bound is exact, as soon as the player may choose where to start.
    #[test]
    fn a_lone_box_needs_exactly_the_bound((level, _) in planted(PlantSpec { boxes: 1..=1, ..rooms() })) {
        let board = level.board();
        let sq = level.start().boxes.iter().next().unwrap();
        let pushes_from = |player: Square| {
            let mut grid = level.grid().clone();
            let pieces = [
                (level.start().player, [Cell::Floor, Cell::Goal]),
                (player, [Cell::Player, Cell::PlayerOnGoal]),
            ];
            for (at, piece) in pieces {
                let (row, column) = board.place(at);
                grid.set(row, column, piece[usize::from(board.goals().contains(at))]);
            }
            explore(&Level::from_grid(grid).unwrap()).unwrap().pushes_left[0]
        };
        let fewest = board.squares().filter(|&player| player != sq).filter_map(pushes_from).min();
        prop_assert!(fewest.is_some());
        prop_assert_eq!(PushLowerBound::new(&level).unwrap().of(&level.start().boxes), fewest);
    }
}

/// Boxes, goals and walls strewn at random over 5 x 5 squares; seldom solvable, but crowded.
fn strewn(seed: u64) -> Option<Level> {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let mut free: Vec<(usize, usize)> = (1..6).flat_map(|row| (1..6).map(move |column| (row, column))).collect();
    let mut grid = Grid::filled(7, 7, Cell::Wall);
    free.iter().for_each(|&(row, column)| grid.set(row, column, Cell::Floor));
    let n_boxes = 3 + below(3);
    let n_on_goal = below(3);
    let (n_walls, n_spare) = (below(6), below(2));
    let n_goals = n_boxes - n_on_goal + n_spare;
    let pieces = [
        (n_walls, Cell::Wall),
        (n_boxes - n_on_goal, Cell::Box),
        (n_on_goal, Cell::BoxOnGoal),
        (n_goals, Cell::Goal),
        (1, Cell::Player),
    ];
    for (count, piece) in pieces {
        for _ in 0..count {
            let (row, column) = free.swap_remove(below(free.len()));
            grid.set(row, column, piece);
        }
    }
    Level::from_grid(grid).ok()
}

/// The crowd makes fences, frozen groups and closed areas that planted levels seldom have; every check finds
/// some dead positions and none that can be solved.
#[test]
fn strewn_levels_agree_with_the_whole_graph() {
    let mut n_found = Found::new();
    let (mut n_alive, mut n_dead) = (0, 0);
    for seed in 0..n_cases(300, 1_000) as u64 {
        let Some(level) = strewn(seed) else { continue };
        let Some(graph) = explore(&level) else { continue };
        let mut checks = DeadlockChecks::new(&level).unwrap();
        if let Err(error) = check_graph(&level, &graph, &mut checks) {
            panic!("seed {seed}: {error}");
        }
        n_alive += graph.pushes_left.iter().flatten().count();
        for (position, _) in graph.positions.iter().zip(&graph.pushes_left).filter(|(_, left)| left.is_none()).take(50)
        {
            n_dead += 1;
            ask(&mut checks, position, &mut n_found);
        }
    }
    for name in ["freeze", "all frozen", "matching", "matching around frozen", "diagonal", "bound", "patterns"] {
        assert!(n_found.contains_key(name), "{name} found none of {n_dead} dead positions: {n_found:?}");
    }
    assert!(n_alive > n_cases(3_000, 10_000), "only {n_alive} positions were alive");
}

/// On a level with plenty of dead positions each check finds some and together they find most.
#[test]
fn dead_positions_are_found() {
    let level = Level::parse("########\n#.#    #\n#.  $$ #\n#.# $@ #\n########").unwrap();
    let graph = explore(&level).unwrap();
    let mut checks = DeadlockChecks::new(&level).unwrap();
    let dead = graph.positions.iter().zip(&graph.pushes_left).filter(|(_, left)| left.is_none());
    let (mut n_dead, mut n_any, mut n_found) = (0, 0, Found::new());
    for (position, _) in dead {
        n_dead += 1;
        n_any += usize::from(!ask(&mut checks, position, &mut n_found).is_empty());
    }
    for name in ["freeze", "matching", "bound"] {
        assert!(n_found.contains_key(name), "{name} found nothing: {n_found:?}");
    }
    assert!(n_any * 10 >= n_dead * 9, "{n_any} of {n_dead}: {n_found:?}");
}
