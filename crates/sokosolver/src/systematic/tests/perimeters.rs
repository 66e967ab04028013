//! Iterative deepening with a perimeter: its bounds hold, and it saves positions.

use sokocore::n_cases;

use super::*;
use crate::board::SearchDirection;
use crate::systematic::perimeter::GoalPerimeter;
use crate::systematic::start_positions::roots;

const ROUNDS: [Algorithm; 2] = [Algorithm::IdaStar, Algorithm::Iddfs];
const ORDERS: [(Optimal, &str); 4] = [
    (Optimal::Pushes, "pushes"),
    (Optimal::Moves, "moves"),
    (Optimal::PushesMoves, "pushes"),
    (Optimal::MovesPushes, "moves"),
];

/// Three boxes in front of a door.
const DOOR: &[&str] =
    &["###########", "#    #    #", "# $  #  . #", "# @$    . #", "#  $ #  . #", "#    #    #", "###########"];

/// It has no solution, and fewer positions from the end than from the start.
const SHUT: &[&str] = &["########", "#   $ .#", "#  ..$$#", "#   @. #", "########"];

fn parse(rows: &[&str]) -> Level {
    Level::parse(&rows.join("\n")).unwrap()
}

/// The verdict of a search, and how many positions it expanded.
fn run(level: &Level, algorithm: Algorithm, heading: Heading, optimal: Optimal) -> (Verdict, u64) {
    let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
    let mut search = systematic(level, &settings);
    (search.resume(&mut meter()).expect("no limit is set"), search.n_nodes())
}

/// The cost of a solution as the searches count it.
fn cost(optimal: Optimal, metrics: sokocore::Metrics) -> u64 {
    match optimal {
        Optimal::Any | Optimal::Pushes => metrics.pushes,
        Optimal::Moves => metrics.moves,
        Optimal::PushesMoves => metrics.pushes << 16 | metrics.moves,
        Optimal::MovesPushes => metrics.moves << 16 | metrics.pushes,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(16, 48)).unwrap_or(48)))]

    /// A hit at no more than the outside bound is exact, one beyond is an upper bound; without a hit the outside bound
    /// holds.
    #[test]
    fn a_perimeter_of_any_size_is_right_about_the_start((level, _) in planted(spec())) {
        let board = Arc::new(SearchBoard::new(&level).unwrap());
        for (optimal, objective) in ORDERS {
            let best = optimum(&level, objective.parse::<Objective>().unwrap()).unwrap();
            let best = cost(optimal, best.metrics());
            let key = CostRule::for_optimal(optimal).player_key();
            let (boxes, player) = roots::<2>(&board, SearchDirection::Forward, key).unwrap()[0];
            let settings = Settings { optimal, ..Settings::default() };
            let mut meter = meter();
            let mut perimeter = GoalPerimeter::new(&board, &LevelSource::new(&level, &board, &settings), &settings, &meter);
            for n in (0..18).map(|n| 1 << n) {
                perimeter.grow(n, &mut meter).unwrap();
                let bound = perimeter.outside_bound();
                match perimeter.hit(&boxes, player) {
                    Some(hit) if hit.to_go <= bound => prop_assert_eq!(hit.to_go, best, "{:?} {:?}", optimal, level),
                    Some(hit) => prop_assert!(hit.to_go >= best && bound <= best, "{:?} {:?}", optimal, level),
                    None => prop_assert!(bound <= best, "{:?} {:?}", optimal, level),
                }
            }
            prop_assert!(perimeter.hit(&boxes, player).is_some());
        }
    }
}

/// Percents of the positions that the search takes without it.
#[test]
fn a_path_that_hits_the_perimeter_needs_no_further_search() {
    let level = parse(DOOR);
    let all = [
        (Algorithm::Iddfs, Optimal::Pushes, 10),
        (Algorithm::IdaStar, Optimal::Moves, 10),
        (Algorithm::Iddfs, Optimal::Moves, 10),
        (Algorithm::IdaStar, Optimal::MovesPushes, 10),
    ];
    for (algorithm, optimal, at_most) in all.into_iter().take(n_cases(2, 4)) {
        let (one, forward) = run(&level, algorithm, Heading::Forward, optimal);
        let (other, both) = run(&level, algorithm, Heading::Both, optimal);
        let [one, other] = [one, other].map(|verdict| cost(optimal, replayed(&level, &verdict).metrics()));
        assert_eq!(one, other, "{algorithm:?} {optimal:?}");
        assert!(both * 100 < forward * at_most, "{algorithm:?} {optimal:?}: {both} positions of {forward}");
    }
}

/// Pulls alone can prove that there is no solution.
#[test]
fn a_perimeter_without_the_start_decides_the_level() {
    let level = parse(SHUT);
    for algorithm in ROUNDS {
        let [forward, both] = [Heading::Forward, Heading::Both].map(|heading| {
            let settings = Settings { algorithm, heading, ..Settings::default().plain() };
            let mut search = systematic(&level, &settings);
            assert_eq!(search.resume(&mut meter()), Ok(Verdict::Unsolvable));
            search.n_nodes()
        });
        assert!(both * 2 < forward, "{algorithm:?}: {both} positions of {forward}");
    }
}

/// Slices of any length: the same pushes, the same positions.
#[test]
fn a_growing_perimeter_is_resumed_where_it_paused() {
    let level = parse(DOOR);
    for (algorithm, optimal) in [(Algorithm::IdaStar, Optimal::Moves), (Algorithm::Iddfs, Optimal::Pushes)] {
        let whole = run(&level, algorithm, Heading::Both, optimal);
        for slice in [2, 3, 97] {
            let settings = Settings { algorithm, heading: Heading::Both, optimal, ..Settings::default() };
            let (mut meter, mut search) = (meter(), systematic(&level, &settings));
            let paused = loop {
                meter.start_slice(slice);
                match search.resume(&mut meter) {
                    Err(Stop::Work) => {}
                    other => break (other.unwrap(), search.n_nodes()),
                }
            };
            assert_eq!(whole, paused, "{algorithm:?} {slice}");
        }
    }
}

/// Without memory for a perimeter the search is the one from the start, and no account is exceeded at any size.
#[test]
fn with_little_memory_the_perimeter_is_small_or_absent() {
    let level = parse(DOOR);
    for (algorithm, optimal) in ROUNDS.into_iter().zip([Optimal::Moves, Optimal::Pushes]) {
        let run = |heading, bytes| {
            let account = MemoryAccount::new(bytes);
            let mut meter = WorkMeter::new(Budget::new(None, account.clone(), Cancel::default()), Cancel::default());
            let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
            let mut search = systematic(&level, &settings);
            let verdict = search.resume(&mut meter).expect("rounds continue with little memory");
            assert!(account.peak() <= bytes);
            (cost(optimal, replayed(&level, &verdict).metrics()), search.n_nodes())
        };
        let best = run(Heading::Forward, 1 << 28).0;
        assert_eq!(run(Heading::Both, 1 << 20), run(Heading::Forward, 1 << 20));
        for bytes in (1..=12).step_by(12 / n_cases(2, 12)).map(|n| n << 20) {
            assert_eq!(run(Heading::Both, bytes).0, best, "{algorithm:?} {bytes}");
        }
    }
}
