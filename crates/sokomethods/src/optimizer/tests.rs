//! The optimizer's settings reach the searches, and its results are told apart.

use std::time::Duration;

use sokocore::Lurd;

use super::*;
use crate::{Interval, Method};

const LEVEL: &str = "#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######";
const MOVES: &str = "lUruLdrdrUluRdldlDrdLururDldR";

fn level() -> Level {
    Level::parse(LEVEL).unwrap()
}

/// A level that is proved in a moment, and a solution with detours.
fn small() -> (Level, Solution) {
    let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $   #\n#.    #\n#######").unwrap();
    let poor = replay(&level, &"lrlrlrdLrruUluRdlLdlUdD".parse().unwrap()).unwrap();
    (level, poor)
}

/// A solution with detours.
fn poor(level: &Level) -> Solution {
    replay(level, &format!("lrlrlr{MOVES}").parse().unwrap()).unwrap()
}

#[test]
fn wrong_solutions_are_errors() {
    let level = level();
    let other = Level::parse("######\n#@$ .#\n######").unwrap();
    let of_other = replay(&other, &"RR".parse().unwrap()).unwrap();
    assert!(Optimizer::new(&level).run(&of_other).is_err());
    assert!(Optimizer::new(&level).known(&of_other).is_err());
    let knobs = Knobs::default().with_others([of_other]);
    assert!(Optimizer::new(&level).knobs(knobs).run(&poor(&level)).is_err());
}

#[test]
fn each_limit_ends_a_run() {
    let level = level();
    let cancel = Cancel::default();
    cancel.cancel();
    let end = |optimizer: Optimizer<'_>| {
        let outcome = optimizer.run(&poor(&level)).unwrap();
        assert!(!outcome.is_proved() && outcome.solution().metrics().moves <= 35);
        outcome.end()
    };
    assert_eq!(end(Optimizer::new(&level).work(100)), End::Stopped(Stop::Work));
    assert_eq!(end(Optimizer::new(&level).time(Duration::ZERO)), End::Stopped(Stop::Time));
    assert_eq!(end(Optimizer::new(&level).cancel(&cancel)), End::Stopped(Stop::Cancelled));
    assert_eq!(end(Optimizer::new(&level).memory(4 << 10)), End::Stopped(Stop::Memory));
    assert_eq!(end(Optimizer::new(&level).first_gain()), End::Stopped(Stop::FirstGain));
}

#[test]
fn limited_work_repeats_itself_for_several_objectives() {
    let level = level();
    let run = || {
        let optimizer = Optimizer::new(&level).objective(Objective::PUSHES).objective(Objective::MOVES).work(50_000);
        let outcome = optimizer.run(&poor(&level)).unwrap();
        let result = |objective| outcome.by(objective).map(|result| (result.best.clone(), result.ticks)).unwrap();
        assert_eq!(outcome.solution(), &result(Objective::PUSHES).0);
        [Objective::PUSHES, Objective::MOVES].map(result)
    };
    assert_eq!(run(), run());
}

/// Reports of several threads stay in order, and add up to what was gained.
#[test]
fn improvements_are_reported_in_order_by_any_number_of_threads() {
    let (level, poor) = small();
    for n_threads in [1, 2, 3] {
        let mut reported = Vec::new();
        let optimizer = Optimizer::new(&level)
            .objective(Objective::MOVES)
            .objective(Objective::PUSHES)
            .threads(n_threads)
            .on_improvement(|found| {
                assert!(found.objective.score(&found.solution.metrics()) < found.objective.score(&found.before));
                reported.push((found.objective, found.before, found.solution.metrics()));
            });
        let outcome = optimizer.run(&poor).unwrap();
        drop(optimizer);
        for result in &outcome.results {
            let own = || reported.iter().filter(|(objective, ..)| *objective == result.objective);
            let chain = own().zip(own().skip(1));
            assert!(chain.into_iter().all(|((.., after), (_, before, _))| after == before));
            assert_eq!(own().next_back().map(|(.., after)| *after), Some(result.best.metrics()));
            let gained: u64 = outcome
                .gains
                .iter()
                .filter(|gains| gains.objective == result.objective)
                .map(|gains| gains.gained)
                .sum();
            let primary = |solution: &Solution| result.objective.score(&solution.metrics()).primary();
            assert_eq!(gained, primary(&result.before) - primary(&result.best));
        }
    }
}

#[test]
fn the_best_of_the_given_solutions_is_the_start() {
    let level = level();
    let better = replay(&level, &MOVES.parse().unwrap()).unwrap();
    let outcome = Optimizer::new(&level).known(&better).unwrap().work(1).run(&poor(&level)).unwrap();
    assert_eq!(outcome.results[0].before, better);
}

#[test]
fn the_end_is_kept_if_told() {
    let level = Level::parse("#######\n#     #\n#.$@$.#\n#######").unwrap();
    let start = replay(&level, &"ududRlL".parse().unwrap()).unwrap();
    let outcome = Optimizer::new(&level).keep_end().run(&start).unwrap();
    assert_eq!(outcome.solution().lurd().to_string(), "RlL");
    assert!(outcome.is_proved());
}

/// Offers a solution that only it knows.
#[derive(Debug)]
struct Knows(Lurd);

impl Method for Knows {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        Ok(cx.found(&self.0))
    }
}

#[test]
fn a_custom_method_is_an_arm_with_a_name() {
    let (level, poor) = small();
    let best = Optimizer::new(&level).run(&poor).unwrap();
    assert!(best.is_proved());
    // Without memory for tubes, only the custom method knows the way.
    let method = CustomMethod::new("knows", Knows(best.solution().lurd().clone()));
    let mut seen = false;
    let optimizer = Optimizer::new(&level).memory(16 << 10).method(method.clone()).on_event(|event| {
        seen |= matches!(event, Event::Working { method: "knows", .. });
    });
    let outcome = optimizer.run(&poor).unwrap();
    drop(optimizer);
    assert!(seen);
    assert_eq!(outcome.solution().metrics(), best.solution().metrics());
    assert!(outcome.gains.iter().any(|gains| gains.method == "knows" && gains.n_gains > 0), "{:?}", outcome.gains);
    assert_eq!(method, method.clone());
    assert_ne!(method, method.clone().with_rank(3));
}

/// Extreme settings are no reason to panic.
#[test]
fn extreme_settings_are_harmless() {
    let level = level();
    for vicinity in [vec![], vec![0], vec![1; 9], vec![usize::MAX, 5]] {
        let mut knobs = Knobs::default().with_vicinity(vicinity);
        (knobs.rearrange_ahead, knobs.delay_ahead, knobs.free_boxes, knobs.phase_distance) = (0, 0, 0, 0);
        (knobs.window_slice, knobs.relink_ring, knobs.n_threads) = (0, 0, 0);
        knobs.scope = Interval::new(3, 2).map(|interval| Scope { interval: Some(interval), ..Scope::default() });
        for knobs in [Knobs { scope: None, ..knobs.clone() }, knobs] {
            let outcome = Optimizer::new(&level).knobs(knobs).work(200_000).run(&poor(&level)).unwrap();
            assert!(outcome.is_improved());
        }
    }
}
