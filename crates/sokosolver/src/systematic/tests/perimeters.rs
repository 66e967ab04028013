//! Searches in rounds that come home in a perimeter: it says what is true, and it saves positions.

use super::*;
use crate::ground::Way;
use crate::systematic::home::roots;
use crate::systematic::perimeter::Perimeter;

const ROUNDS: [Algorithm; 2] = [Algorithm::IdaStar, Algorithm::Iddfs];
const ORDERS: [(Optimal, &str); 4] = [
    (Optimal::Pushes, "pushes"),
    (Optimal::Moves, "moves"),
    (Optimal::PushesMoves, "pushes"),
    (Optimal::MovesPushes, "moves"),
];

/// Three boxes on their way through a door.
const DOOR: &[&str] =
    &["###########", "#    #    #", "# $  #  . #", "# @$    . #", "#  $ #  . #", "#    #    #", "###########"];

/// It has no solution, and fewer positions from the end than from the start.
const SHUT: &[&str] = &["########", "#   $ .#", "#  ..$$#", "#   @. #", "########"];

fn parse(rows: &[&str]) -> Level {
    Level::parse(&rows.join("\n")).unwrap()
}

/// What a search comes to, and how many positions it expanded.
fn run(level: &Level, algorithm: Algorithm, heading: Heading, optimal: Optimal) -> (Verdict, u64) {
    let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
    let mut search = systematic(level, &settings);
    (search.go_on(&mut effort()).expect("no limit is set"), search.n_nodes())
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
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A gate at no more than the floor is exact, one beyond is a way, and what has none takes as much as the floor.
    #[test]
    fn a_perimeter_of_any_size_says_what_is_true_of_the_start((level, _) in planted(spec())) {
        let ground = Arc::new(Ground::new(&level).unwrap());
        for (optimal, objective) in ORDERS {
            let best = optimum(&level, objective.parse::<Objective>().unwrap()).unwrap();
            let best = cost(optimal, best.metrics());
            let exact = optimal != Optimal::Pushes;
            let (boxes, player) = roots::<1>(&ground, Way::Forward, exact).unwrap()[0];
            let settings = Settings { optimal, ..Settings::default() };
            let mut effort = effort();
            let mut perimeter = Perimeter::new(&ground, &settings, &effort);
            for n in (0..18).map(|n| 1 << n) {
                perimeter.grow(n, &mut effort).unwrap();
                let floor = perimeter.floor();
                match perimeter.gate(&boxes, player) {
                    Some(gate) if gate.to_go <= floor => prop_assert_eq!(gate.to_go, best, "{:?} {:?}", optimal, level),
                    Some(gate) => prop_assert!(gate.to_go >= best && floor <= best, "{:?} {:?}", optimal, level),
                    None => prop_assert!(floor <= best, "{:?} {:?}", optimal, level),
                }
            }
            prop_assert!(perimeter.gate(&boxes, player).is_some());
        }
    }
}

/// Percents of the positions that the search takes without it.
#[test]
fn a_line_that_comes_home_needs_no_search_beyond() {
    let level = parse(DOOR);
    for (algorithm, optimal, at_most) in [
        (Algorithm::Iddfs, Optimal::Pushes, 10),
        (Algorithm::Iddfs, Optimal::Moves, 10),
        (Algorithm::IdaStar, Optimal::Moves, 10),
        (Algorithm::IdaStar, Optimal::MovesPushes, 10),
    ] {
        let (one, forward) = run(&level, algorithm, Heading::Forward, optimal);
        let (other, both) = run(&level, algorithm, Heading::Both, optimal);
        let [one, other] = [one, other].map(|verdict| cost(optimal, replayed(&level, &verdict).metrics()));
        assert_eq!(one, other, "{algorithm:?} {optimal:?}");
        assert!(both * 100 < forward * at_most, "{algorithm:?} {optimal:?}: {both} positions of {forward}");
    }
}

/// Pulls alone can tell that there is no solution.
#[test]
fn a_perimeter_without_the_start_decides_the_level() {
    let level = parse(SHUT);
    for algorithm in ROUNDS {
        let [forward, both] = [Heading::Forward, Heading::Both].map(|heading| {
            let settings = Settings { algorithm, heading, ..Settings::default().plain() };
            let mut search = systematic(&level, &settings);
            assert_eq!(search.go_on(&mut effort()), Ok(Verdict::Unsolvable));
            search.n_nodes()
        });
        assert!(both * 2 < forward, "{algorithm:?}: {both} positions of {forward}");
    }
}

/// Slices of any length: the same pushes, the same positions.
#[test]
fn a_growing_perimeter_goes_on_where_it_paused() {
    let level = parse(DOOR);
    for (algorithm, optimal) in [(Algorithm::IdaStar, Optimal::Moves), (Algorithm::Iddfs, Optimal::Pushes)] {
        let whole = run(&level, algorithm, Heading::Both, optimal);
        for slice in [2, 3, 97] {
            let settings = Settings { algorithm, heading: Heading::Both, optimal, ..Settings::default() };
            let (mut effort, mut search) = (effort(), systematic(&level, &settings));
            let paused = loop {
                effort.start_slice(slice);
                match search.go_on(&mut effort) {
                    Err(Stop::Work) => {}
                    other => break (other.unwrap(), search.n_nodes()),
                }
            };
            assert_eq!(whole, paused, "{algorithm:?} {slice}");
        }
    }
}

/// Without room for a perimeter the search is the one from the start, and no account is passed at any size.
#[test]
fn with_little_memory_the_perimeter_is_small_or_absent() {
    let level = parse(DOOR);
    for (algorithm, optimal) in ROUNDS.into_iter().zip([Optimal::Moves, Optimal::Pushes]) {
        let run = |heading, bytes| {
            let account = MemoryAccount::new(bytes);
            let mut effort = Effort::new(Budget::new(None, account.clone(), Cancel::default()), Cancel::default());
            let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
            let mut search = systematic(&level, &settings);
            let verdict = search.go_on(&mut effort).expect("rounds go on with little memory");
            assert!(account.peak() <= bytes);
            (cost(optimal, replayed(&level, &verdict).metrics()), search.n_nodes())
        };
        let best = run(Heading::Forward, 1 << 28).0;
        assert_eq!(run(Heading::Both, 1 << 20), run(Heading::Forward, 1 << 20));
        for bytes in (1..=12).map(|n| n << 20) {
            assert_eq!(run(Heading::Both, bytes).0, best, "{algorithm:?} {bytes}");
        }
    }
}
