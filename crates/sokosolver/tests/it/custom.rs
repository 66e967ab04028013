//! Custom strategies: their share of the work, their faults, and what they are given.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sokocore::{Level, Push, pushes_of};
use sokosearch::{End, Stop};
use sokosolver::{Answer, AttemptEnd, CustomStrategy, Optimal, Search, Solver, Verdict, WorkMeter};

const LEVEL: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
const MOVES: &str = "drruurDullDrdL";

/// Counts ticks, and says what it is told to say after so many.
struct Scripted {
    n_ticks: u64,
    used: Arc<AtomicU64>,
    verdict: fn(Vec<Push>) -> Verdict,
    level: Level,
}

impl Search for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        while self.used.load(Ordering::Relaxed) < self.n_ticks {
            self.used.fetch_add(1, Ordering::Relaxed);
            meter.tick()?;
        }
        Ok((self.verdict)(pushes_of(&self.level, &MOVES.parse().unwrap())))
    }
}

/// Makes a strategy that ends after so many ticks, and the counter of its ticks.
fn scripted(n_ticks: u64, verdict: fn(Vec<Push>) -> Verdict) -> (CustomStrategy, Arc<AtomicU64>) {
    let used = Arc::new(AtomicU64::new(0));
    let own = Arc::clone(&used);
    let strategy = CustomStrategy::new("scripted", move |level, _| {
        Ok(Box::new(Scripted { n_ticks, used: Arc::clone(&own), verdict, level: level.clone() }))
    });
    (strategy, used)
}

fn level() -> Level {
    Level::parse(LEVEL).unwrap()
}

#[test]
fn its_solution_is_replayed_and_credited() {
    let level = level();
    for verdict in [Verdict::Solved, Verdict::Better] {
        let (strategy, _) = scripted(100, verdict);
        let outcome = Solver::new(&level).custom(strategy).only_custom().run();
        assert_eq!((outcome.by(), outcome.metrics().unwrap().moves), (Some("scripted"), 14));
        assert_eq!(outcome.tried[0].end, AttemptEnd::Solved);
    }
}

#[test]
fn a_wrong_solution_or_a_panic_ends_its_attempt_only() {
    let level = level();
    let wrong: fn(Vec<Push>) -> Verdict = |pushes| Verdict::Solved(pushes[..1].to_vec());
    let panics: fn(Vec<Push>) -> Verdict = |_| panic!("a fault of the plug-in");
    for (verdict, end) in [(wrong, AttemptEnd::Wrong), (panics, AttemptEnd::Failed)] {
        let outcome = Solver::new(&level).custom(scripted(0, verdict).0).only_custom().run();
        assert_eq!(outcome.answer, Answer::Unsolved(End::Exhausted));
        assert_eq!(outcome.tried[0].end, end);
        assert!(outcome.has_fault());
    }
}

#[test]
fn it_prunes_for_a_proof_and_proves_nothing() {
    let level = level();
    let outcome =
        Solver::new(&level).custom(scripted(0, Verdict::Solved).0).only_custom().optimal(Optimal::Moves).run();
    assert_eq!((outcome.metrics().unwrap().moves, outcome.is_proved()), (14, false));
    let outcome = Solver::new(&level).custom(scripted(0, Verdict::Solved).0).optimal(Optimal::Moves).run();
    assert_eq!((outcome.metrics().unwrap().moves, outcome.is_proved()), (12, true));
}

/// Beside one other strategy of equal weight it gets half of the work; with twice the weight, two thirds.
#[test]
fn its_weight_is_its_share_of_the_work() {
    let level = level();
    let share = |weight| {
        let (other, of_other) = scripted(u64::MAX, Verdict::Solved);
        let (own, of_own) = scripted(u64::MAX, Verdict::Solved);
        let solver = Solver::new(&level).custom(own.with_weight(weight)).custom(other).only_custom();
        let outcome = solver.work(1_000_000).run();
        assert_eq!(outcome.end, End::Stopped(Stop::Work));
        let [own, other] = [of_own, of_other].map(|used| used.load(Ordering::Relaxed) as f64);
        own / (own + other)
    };
    assert!((share(CustomStrategy::ORDINARY_WEIGHT) - 0.5).abs() < 0.05);
    assert!((share(2 * CustomStrategy::ORDINARY_WEIGHT) - 2.0 / 3.0).abs() < 0.05);
}

/// Levels that start solved are solved from the position after each first push.
#[test]
fn it_is_given_the_level_after_the_first_push() {
    let level = Level::parse("#######\n#     #\n# @*  #\n#     #\n#######").unwrap();
    let seen = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&seen);
    let strategy = CustomStrategy::new("counting", move |given, _| {
        assert!(!given.is_solved(&given.start().boxes));
        count.fetch_add(1, Ordering::Relaxed);
        Err(Stop::Memory)
    });
    let outcome = Solver::new(&level).custom(strategy).only_custom().run();
    assert!(outcome.solution().is_none() && !outcome.has_fault());
    assert!(seen.load(Ordering::Relaxed) > 0);
}
