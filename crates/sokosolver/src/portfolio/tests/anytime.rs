//! Runs for the best solution that are stopped at any time, against brute force.

use sokocore::n_cases;

use super::*;
use crate::portfolio::best_known::BestKnown;
use crate::systematic::tests::proofs::{ORDERS, levels};
use crate::{Algorithm, Heading, Optimal, Outcome, Settings, SolveEvent, SolveKnobs, Strategy, solve};

/// Where runs are cut, in ticks.
const WORK: [u64; 14] = [1, 3, 10, 30, 60, 100, 150, 220, 400, 700, 1_500, 4_000, 30_000, u64::MAX];

/// The metric that counts first.
fn first(optimal: Optimal, metrics: &sokocore::Metrics) -> u64 {
    match optimal {
        Optimal::Moves | Optimal::MovesPushes => metrics.moves,
        Optimal::Any | Optimal::Pushes | Optimal::PushesMoves => metrics.pushes,
    }
}

/// The metrics that count, in order; the second is 0 if only one counts.
fn counted(optimal: Optimal, metrics: &sokocore::Metrics) -> (u64, u64) {
    let second = match optimal {
        Optimal::PushesMoves => metrics.moves,
        Optimal::MovesPushes => metrics.pushes,
        Optimal::Any | Optimal::Pushes | Optimal::Moves => 0,
    };
    (first(optimal, metrics), second)
}

/// Lower bound, optimum and best solution found must be in this order, and what is proved is the optimum.
#[track_caller]
fn check(level: &Level, knobs: &SolveKnobs, outcome: &Outcome, best: &sokocore::Solution) {
    let optimal = knobs.settings.optimal;
    let best = best.metrics();
    assert!(!outcome.has_fault(), "{outcome:?} {level:?}");
    let bound = outcome.lower_bound.expect("the run is for the best solution");
    assert!(bound <= first(optimal, &best), "{bound} of {best} {knobs:?} {outcome:?} {level:?}");
    match &outcome.answer {
        Answer::Solved { solution, proved, .. } => {
            assert_eq!(replay(level, solution.lurd()).as_ref(), Ok(solution));
            let found = solution.metrics();
            assert!(counted(optimal, &found) >= counted(optimal, &best));
            assert_eq!(*proved, outcome.is_proved());
            if *proved {
                assert_eq!(counted(optimal, &found), counted(optimal, &best), "{knobs:?} {outcome:?} {level:?}");
                assert_eq!((bound, outcome.end), (first(optimal, &best), End::Exhausted));
            }
        }
        Answer::Unsolvable { .. } => panic!("it has a solution: {knobs:?} {level:?}"),
        Answer::Unsolved(_) => assert!(knobs.known.is_empty(), "{knobs:?}"),
    }
}

/// The knobs of runs for proofs: the portfolio, and each algorithm in each direction.
fn all_knobs(optimal: Optimal) -> Vec<SolveKnobs> {
    use Algorithm::{AStar, Bfs, IdaStar, Iddfs};
    let settings = Settings { optimal, ..Settings::default() };
    let mut all = vec![SolveKnobs { settings: settings.clone(), ..SolveKnobs::default() }];
    for algorithm in [AStar, IdaStar, Bfs, Iddfs] {
        for heading in [Heading::Forward, Heading::Backward, Heading::Both] {
            let settings = Settings { algorithm, heading, ..settings.clone() };
            all.push(SolveKnobs { strategy: Strategy::named("systematic"), settings, ..SolveKnobs::default() });
        }
    }
    all
}

#[test]
fn a_run_that_is_stopped_anywhere_is_right() {
    let mut n_open = 0;
    for (at, (level, best)) in levels().take(n_cases(2, 24)).enumerate() {
        let any = solve(&level, &SolveKnobs::default(), &budget(u64::MAX), &()).solution().cloned().unwrap();
        for ((optimal, _), best) in ORDERS.into_iter().zip(&best) {
            for (n, knobs) in all_knobs(optimal).into_iter().enumerate() {
                let work = WORK.iter().skip((at + n) % 3).step_by(if n == 0 { 1 } else { 3 }).chain(&[u64::MAX]);
                let known = [Vec::new(), vec![any.clone()], vec![any.clone(), best.clone()]];
                for (&work, known) in work.zip(known.into_iter().cycle()) {
                    let knobs = SolveKnobs { known, n_threads: 1 + usize::from(work % 400 == 0), ..knobs.clone() };
                    let outcome = solve(&level, &knobs, &budget(work), &());
                    check(&level, &knobs, &outcome, best);
                    assert!(work < u64::MAX || outcome.is_proved(), "{knobs:?} {outcome:?} {level:?}");
                    n_open += usize::from(outcome.solution().is_some() && !outcome.is_proved());
                }
            }
        }
    }
    assert!(n_open > n_cases(25, 100), "{n_open}");
}

/// A hall: with little work there is a solution, but no proof of fewest moves.
const HALL: &str = "##########\n#        #\n# $ $ $  #\n#  . . . #\n# $ $@   #\n#  . .   #\n#        #\n##########";

/// The improvements and bounds of a run.
#[derive(Default)]
struct EventLog(Mutex<Vec<(String, u64)>>);

impl SolveProgress for EventLog {
    fn on(&self, event: SolveEvent<'_>) {
        let entry = match event {
            SolveEvent::Improved { metrics, solution, .. } => {
                assert_eq!(solution.metrics(), metrics);
                ("improved", metrics.moves)
            }
            SolveEvent::Bound { bound, .. } => ("bound", bound),
            _ => return,
        };
        self.0.lock().push((entry.0.to_owned(), entry.1));
    }
}

#[test]
fn a_solution_is_there_long_before_its_proof() {
    let level = Level::parse(HALL).unwrap();
    for n_threads in [1, 2] {
        let knobs = SolveKnobs {
            settings: Settings { optimal: Optimal::Moves, ..Settings::default() },
            n_threads,
            looks_first: false,
            ..SolveKnobs::default()
        };
        let listener = EventLog::default();
        let outcome = solve(&level, &knobs, &budget(300_000), &listener);
        let moves = outcome.solution().expect("the portfolio finds one").metrics().moves;
        assert_eq!((outcome.is_proved(), outcome.end), (false, End::Stopped(Stop::Work)));
        let heard = listener.0.into_inner();
        let of = |what: &str| heard.iter().filter(|(is, _)| is == what).map(|&(_, n)| n).collect::<Vec<_>>();
        let (improved, bounds) = (of("improved"), of("bound"));
        assert!(improved.is_sorted_by(|a, b| a > b) && improved.last() == Some(&moves), "{improved:?}");
        assert!(bounds.is_sorted_by(|a, b| a < b) && bounds.last().copied() == outcome.lower_bound, "{bounds:?}");
        assert!(outcome.lower_bound.unwrap() < moves);
        let finder = outcome.tried.iter().find(|attempt| attempt.end == AttemptEnd::Solved).unwrap();
        assert!(!finder.strategy.contains("star") && finder.lower_bound.is_none());
        let stats = outcome.stats();
        assert!(stats.generated > Some(stats.expanded) && stats.pruned > Some(0), "{stats:?}");
    }
}

/// If a solution is known there are no finders, and a proof ends with that solution if it is the best.
#[test]
fn a_known_solution_is_proved_without_another_one() {
    let level = level();
    let known = replay(&level, &MOVES.parse().unwrap()).unwrap();
    let settings = Settings { optimal: Optimal::PushesMoves, ..Settings::default() };
    let knobs = SolveKnobs { settings, known: vec![known.clone()], ..SolveKnobs::default() };
    let outcome = solve(&level, &knobs, &budget(10_000_000), &());
    assert_eq!(outcome.answer, Answer::Solved { solution: known.clone(), by: "known".to_owned(), proved: true });
    assert!(outcome.tried.iter().all(|attempt| attempt.strategy.contains("star")), "{outcome:?}");
    assert!(outcome.tried.iter().any(|attempt| attempt.end == AttemptEnd::Proved), "{outcome:?}");
    let cut = solve(&level, &knobs, &budget(1), &());
    assert!(matches!(cut.answer, Answer::Solved { proved: false, .. }));
    let other = Level::parse("######\n#@$ .#\n######").unwrap();
    let outcome = solve(&other, &knobs, &budget(10_000_000), &());
    assert_eq!(outcome.solution().unwrap().metrics().pushes, 2, "a solution of another level is ignored");
}

/// A polished solution is replayed, and kept if it is better.
#[test]
fn solutions_are_polished_before_they_are_upper_bounds() {
    let hall = Level::parse(HALL).unwrap();
    let first = solve(&hall, &SolveKnobs::default(), &budget(300_000), &()).solution().cloned().unwrap();
    let wrong = replay(&level(), &MOVES.parse().unwrap()).unwrap();
    for (polished, is_taken) in [(first, true), (wrong, false)] {
        let settings = Settings { optimal: Optimal::Moves, ..Settings::default() };
        let own = polished.clone();
        let polish = Arc::new(move |_: &sokocore::Solution| own.clone());
        let knobs = SolveKnobs { settings, polish: Some(polish), ..SolveKnobs::default() };
        let outcome = solve(&hall, &knobs, &budget(300_000), &());
        assert!(outcome.solution().is_some());
        assert!(is_taken || outcome.solution() != Some(&polished));
    }
}

/// A start that is solved, from which each first push is a level of its own.
#[test]
fn a_solved_start_has_bounds_too() {
    let level = Level::parse("########\n#      #\n# * *@ #\n#      #\n#   #  #\n########").unwrap();
    for (optimal, objective) in ORDERS {
        let best = sokocore::optimum(&level, objective.parse::<sokocore::Objective>().unwrap()).unwrap();
        let settings = Settings { optimal, ..Settings::default() };
        for work in [1, 50, 200, 1_000, 5_000, u64::MAX] {
            for known in [Vec::new(), vec![best.clone()]] {
                let knobs = SolveKnobs { settings: settings.clone(), known, ..SolveKnobs::default() };
                let outcome = solve(&level, &knobs, &budget(work), &());
                check(&level, &knobs, &outcome, &best);
                assert!(work < u64::MAX || outcome.is_proved());
            }
        }
    }
}

/// What is proved after a first push, a bound or that there is no solution, is not said of the level.
#[test]
fn attempts_after_a_first_push_prove_nothing_about_the_level() {
    let level = Level::parse("########\n#. *   #\n#  * #@#\n########").unwrap();
    let names = [None, Some("compact"), Some("a-star"), Some("a-star-both")];
    for (strategy, optimal) in names.iter().flat_map(|&name| [Optimal::Pushes, Optimal::Moves].map(|mode| (name, mode)))
    {
        let settings = Settings { optimal, ..Settings::default() };
        let strategy = strategy.and_then(Strategy::named);
        let knobs = SolveKnobs { settings, strategy, looks_first: false, ..SolveKnobs::default() };
        let outcome = solve(&level, &knobs, &budget(1_000_000), &());
        assert_eq!(outcome.metrics().map(|metrics| (metrics.pushes, metrics.moves)), Some((2, 5)));
        for attempt in &outcome.tried {
            assert_eq!(attempt.lower_bound, None, "{attempt:?}");
            assert_ne!(attempt.end, AttemptEnd::Unsolvable, "{attempt:?}");
        }
        assert!(!outcome.tried.is_empty());
    }
}

/// A wrong proof is detected as soon as a better solution is found.
#[test]
fn a_wrong_proof_is_reported() {
    let level = level();
    let pushes = solution(&level);
    let prover = spec("prover", 1, move |state| (state.n_steps > 10).then(|| Verdict::Solved(pushes.clone())));
    let mut best_known = BestKnown::new(&level, Optimal::Pushes);
    best_known.raise(9);
    let specs = vec![StrategySpec { role: Role::Prover, ..prover }];
    let race_spec = race::RaceSpec { specs, n_threads: 1, best_known: Some(best_known), polish: None };
    let outcome_of_race = race::run(&level, race_spec, &budget(1_000_000), &());
    assert!(matches!(outcome_of_race.answer, Answer::Solved { proved: false, .. }));
    assert_eq!((outcome_of_race.lower_bound, outcome_of_race.tried[0].end), (None, AttemptEnd::Wrong));
}

/// Boxes may be pushed to dead squares, whose numbers lie beyond what sets of live squares have room for.
#[test]
fn dead_squares_beyond_the_width_of_a_set_are_no_bug() {
    let row = |at: usize| match at {
        0 | 9 => "#".repeat(12),
        3 => "#  $   .   #".to_owned(),
        5 => "#   @ $  . #".to_owned(),
        _ => format!("#{}#", " ".repeat(10)),
    };
    let level = Level::parse(&(0..10).map(row).collect::<Vec<_>>().join("\n")).unwrap();
    assert!(level.board().n_squares() > 64 && level.live().len() <= 64);
    for optimal in [Optimal::Any, Optimal::Pushes, Optimal::Moves] {
        let settings = Settings { optimal, ..Settings::default() };
        let knobs = SolveKnobs { settings, ..SolveKnobs::default() };
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(Some(2_000_000));
        let outcome = solve(&level, &knobs, &budget, &());
        assert!(!outcome.has_fault() && outcome.solution().is_some(), "{optimal:?}: {:?}", outcome.tried);
        assert_eq!(outcome.is_proved(), optimal != Optimal::Any, "{optimal:?}");
    }
}
