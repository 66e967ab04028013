//! The portfolio with scripted searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sokocore::{Level, Push, pushes_of, replay};
use sokosearch::{Budget, Cancel, Charge, End, MemoryAccount, Stop};

use super::race;
use super::shares::Weights;
use crate::portfolio::strategy_spec::{Role, StrategySpec};
use crate::{Answer, Attempt, AttemptEnd, Search, SolveProgress, Verdict, WorkMeter};

mod anytime;
mod price;
mod with_strategies;
mod workers;

const LEVEL: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
const MOVES: &str = "drruurDullDrdL";

/// A scripted search, of ten ticks a step.
struct Actor<F> {
    act: F,
    can_fork: bool,
    charge: Option<Charge>,
    n_steps: u64,
}

impl<F: FnMut(&mut ActorState<'_>) -> Option<Verdict> + Send + Clone + 'static> Search for Actor<F> {
    fn name(&self) -> &str {
        "actor"
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        loop {
            meter.ticks_of(10)?;
            self.n_steps += 1;
            let charge = self.charge.get_or_insert_with(|| meter.memory().nothing());
            let mut state = ActorState { n_steps: self.n_steps, charge, stop: None };
            let verdict = (self.act)(&mut state);
            state.stop.map_or(Ok(()), Err)?;
            if let Some(verdict) = verdict {
                return Ok(verdict);
            }
        }
    }

    fn n_nodes(&self) -> u64 {
        self.n_steps
    }

    fn fork_worker(&self, _: &WorkMeter) -> Option<Box<dyn Search>> {
        let worker = || Self { act: self.act.clone(), can_fork: true, charge: None, n_steps: 0 };
        self.can_fork.then(|| -> Box<dyn Search> { Box::new(worker()) })
    }
}

/// What the script of an actor can see and do.
struct ActorState<'a> {
    n_steps: u64,
    charge: &'a mut Charge,
    stop: Option<Stop>,
}

impl ActorState<'_> {
    fn grow(&mut self, bytes: u64) {
        self.stop = self.charge.add(bytes).err();
    }
}

fn spec<F>(name: &str, weight: u32, act: F) -> StrategySpec
where
    F: FnMut(&mut ActorState<'_>) -> Option<Verdict> + Send + Sync + Clone + 'static,
{
    spec_with(name, weight, false, act)
}

fn spec_with<F>(name: &str, weight: u32, can_fork: bool, act: F) -> StrategySpec
where
    F: FnMut(&mut ActorState<'_>) -> Option<Verdict> + Send + Sync + Clone + 'static,
{
    let start = move |_: &mut WorkMeter| -> Result<Box<dyn Search>, Stop> {
        Ok(Box::new(Actor { act: act.clone(), can_fork, charge: None, n_steps: 0 }))
    };
    StrategySpec { name: name.to_owned(), weights: Weights::all(weight), role: Role::Finder, start: Box::new(start) }
}

/// Searches forever.
fn idler(name: &str, weight: u32) -> StrategySpec {
    spec(name, weight, |_| None)
}

/// Solves the level after so many steps.
fn solver(name: &str, n_steps: u64) -> StrategySpec {
    let pushes = solution(&level());
    spec(name, 1, move |state| (state.n_steps >= n_steps).then(|| Verdict::Solved(pushes.clone())))
}

/// Runs them and drops what is left.
fn run(
    level: &Level,
    specs: Vec<StrategySpec>,
    n_threads: usize,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Answer, Vec<Attempt>, u64) {
    let race_spec = race::RaceSpec { specs, n_threads, best_known: None, polish: None };
    let outcome_of_race = race::run(level, race_spec, budget, progress);
    (outcome_of_race.answer, outcome_of_race.tried, outcome_of_race.ticks)
}

fn level() -> Level {
    Level::parse(LEVEL).unwrap()
}

fn solution(level: &Level) -> Vec<Push> {
    pushes_of(level, &MOVES.parse().unwrap())
}

fn budget(work: u64) -> Budget {
    Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default()).with_work(Some(work))
}

#[test]
fn the_first_solution_ends_the_run() {
    for n_threads in [1, 2] {
        let specs = vec![idler("idler", 1), solver("solver", 10_000)];
        let (answer, tried, _) = run(&level(), specs, n_threads, &budget(10_000_000), &());
        let Answer::Solved { solution, by, proved } = answer else { panic!("{answer:?}") };
        assert_eq!((by.as_str(), proved, solution.metrics().pushes), ("solver", false, 3));
        assert_eq!((tried[0].end, tried[1].end), (AttemptEnd::Overtaken, AttemptEnd::Solved));
        assert_eq!(tried[1].n_nodes(), 10_000);
        assert!((100_000..100_200).contains(&tried[1].ticks), "{:?}", tried[1]);
    }
}

#[test]
fn work_is_shared_by_weight_and_bounded() {
    let run_all = || {
        let specs = vec![idler("a", 3), idler("b", 2), idler("c", 1)];
        run(&level(), specs, 1, &budget(3_000_000), &())
    };
    let (answer, tried, ticks) = run_all();
    assert_eq!(answer, Answer::Unsolved(End::Stopped(Stop::Work)));
    assert!((3_000_000..3_000_100).contains(&ticks), "{ticks}");
    for (attempt, share) in tried.iter().zip([1_500_000_u64, 1_000_000, 500_000]) {
        assert_eq!(attempt.end, AttemptEnd::Stopped(Stop::Work));
        assert!(attempt.ticks.abs_diff(share) < share / 4, "{attempt:?}");
    }
    let again: Vec<_> = run_all().1.iter().map(|attempt| attempt.ticks).collect();
    assert_eq!(again, tried.iter().map(|attempt| attempt.ticks).collect::<Vec<_>>());
}

/// No strategy has used more than its share and a quarter when the winner answers: the price of a portfolio.
#[test]
fn two_equals_cost_the_winner_little_more_than_double() {
    let specs = vec![idler("idler", 1), solver("solver", 100_000)];
    let (answer, _, ticks) = run(&level(), specs, 1, &budget(u64::MAX), &());
    assert!(matches!(answer, Answer::Solved { .. }));
    assert!(ticks < 1_000_000 * 9 / 4, "{ticks}");
}

#[test]
fn boards_beyond_the_tables_are_left_to_packing() {
    let rows: Vec<String> = std::iter::once("#".repeat(62))
        .chain((0..60).map(|row| match row {
            30 => format!("#{}@$.$.{}#", " ".repeat(25), " ".repeat(30)),
            _ => format!("#{}#", " ".repeat(60)),
        }))
        .chain(std::iter::once("#".repeat(62)))
        .collect();
    let level = Level::parse(&rows.join("\n")).unwrap();
    let names: Vec<_> =
        super::selection::select(&level, &super::SolveKnobs::default(), &MemoryAccount::new(1 << 28), None);
    let names: Vec<_> = names.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["packing"]);
}

#[test]
fn a_strategy_that_takes_all_memory_is_dropped_and_starves_no_other() {
    let hog = || {
        spec("hog", 1, |state| {
            state.grow(1 << 16);
            None
        })
    };
    let pushes = solution(&level());
    let modest = spec("modest", 1, move |state| {
        state.grow(100);
        (state.n_steps >= 30_000).then(|| Verdict::Solved(pushes.clone()))
    });
    let (answer, tried, _) = run(&level(), vec![hog(), hog(), modest], 1, &budget(100_000_000), &());
    assert!(matches!(answer, Answer::Solved { ref by, .. } if by == "modest"), "{answer:?}");
    assert_eq!(tried[0].end, AttemptEnd::Stopped(Stop::Memory));
    assert_eq!(tried[2].end, AttemptEnd::Solved);
}

/// When no other strategy is left, the one that was out of memory gets the whole account, once.
#[test]
fn the_last_one_gets_all_the_memory() {
    let pushes = solution(&level());
    let big = spec("big", 1, move |state| {
        state.grow(1 << 16);
        (state.n_steps >= 1_000).then(|| Verdict::Solved(pushes.clone()))
    });
    let quitters = (0..3).map(|_| spec("quitter", 1, |state| (state.n_steps > 9_000).then_some(Verdict::GaveUp)));
    let specs: Vec<_> = std::iter::once(big).chain(quitters).collect();
    let (answer, ..) = run(&level(), specs, 1, &budget(100_000_000), &());
    assert!(matches!(answer, Answer::Solved { ref by, .. } if by == "big"), "{answer:?}");
    let hog = spec("hog", 1, |state| {
        state.grow(1 << 20);
        None
    });
    let budget = budget(100_000_000);
    let (answer, ..) = run(&level(), vec![hog], 1, &budget, &());
    assert_eq!(answer, Answer::Unsolved(End::Stopped(Stop::Memory)));
    assert_eq!(budget.memory().used(), 0, "what was dropped is free");
}

#[test]
fn wrong_solutions_and_panics_do_not_end_the_run() {
    let wrong = spec("wrong", 1, |_| Some(Verdict::Solved(Vec::new())));
    let broken = spec("broken", 1, |state| {
        assert!(state.n_steps < 100, "panics on purpose");
        None
    });
    let (answer, tried, _) = run(&level(), vec![wrong, broken, solver("solver", 5_000)], 1, &budget(10_000_000), &());
    assert!(matches!(answer, Answer::Solved { .. }));
    assert_eq!((tried[0].end, tried[1].end), (AttemptEnd::Wrong, AttemptEnd::Failed));
}

#[test]
fn a_strategy_that_gives_up_ends_and_nothing_follows() {
    let quitter = || spec("quitter", 1, |state| (state.n_steps > 10).then_some(Verdict::GaveUp));
    let (answer, tried, _) = run(&level(), vec![quitter(), quitter()], 2, &budget(10_000_000), &());
    assert_eq!(answer, Answer::Unsolved(End::Exhausted));
    assert!(tried.iter().all(|attempt| attempt.end == AttemptEnd::GaveUp));
    let loser = spec("loser", 1, |_| Some(Verdict::Unsolvable));
    let (answer, ..) = run(&level(), vec![quitter(), loser], 1, &budget(10_000_000), &());
    assert_eq!(answer, Answer::Unsolvable { by: "loser".to_owned() });
}

#[test]
fn the_user_and_the_clock_end_it() {
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = Budget::new(None, MemoryAccount::new(1 << 20), cancel);
    let late = Budget::new(Some(std::time::Duration::ZERO), MemoryAccount::new(1 << 20), Cancel::default());
    for (budget, stop) in [(cancelled, Stop::Cancelled), (late, Stop::Time)] {
        let (answer, tried, _) = run(&level(), vec![idler("a", 1), idler("b", 1)], 2, &budget, &());
        assert_eq!(answer, Answer::Unsolved(End::Stopped(stop)));
        assert!(tried.iter().any(|attempt| attempt.end == AttemptEnd::Stopped(stop)));
    }
}

#[test]
fn strategies_are_shared_between_threads() {
    let counter = Arc::new(Mutex::new(0_u64));
    let count = Arc::clone(&counter);
    let counting = spec("counting", 1, move |state| {
        *count.lock() += 1;
        (state.n_steps >= 50).then_some(Verdict::GaveUp)
    });
    run(&level(), vec![counting, idler("a", 1), idler("b", 1)], 3, &budget(1_000_000), &());
    assert_eq!(*counter.lock(), 50);
}

/// Every strategy of the portfolio must be in the table of strategies.
#[test]
fn the_portfolio_knows_its_strategies() {
    let level = level();
    let names: Vec<_> =
        super::selection::select(&level, &super::SolveKnobs::default(), &MemoryAccount::new(1 << 28), None);
    assert_eq!(names.len(), super::selection::N_STRATEGIES);
}

/// The answer comes before the memory is freed, which takes time; until then it stays charged.
#[test]
fn trees_outlive_the_answer() {
    for n_threads in [1, 2] {
        let (pushes, has_begun) = (solution(&level()), Arc::new(AtomicBool::new(false)));
        // On a busy machine each thread may wait for long: the hog's tree must be there by then, and must not use up the memory.
        let hog_has_begun = Arc::clone(&has_begun);
        let solver = spec("solver", 1, move |state| {
            state.grow(1 << 10);
            (state.n_steps >= 5_000 && has_begun.load(Ordering::Relaxed)).then(|| Verdict::Solved(pushes.clone()))
        });
        let hog = spec("hog", 1, move |state| {
            if state.n_steps <= 1_000 {
                state.grow(1 << 10);
            }
            hog_has_begun.store(true, Ordering::Relaxed);
            None
        });
        let budget = budget(u64::MAX);
        let race_spec = race::RaceSpec { specs: vec![hog, solver], n_threads, best_known: None, polish: None };
        let outcome_of_race = race::run(&level(), race_spec, &budget, &());
        assert!(matches!(outcome_of_race.answer, Answer::Solved { .. }));
        assert!(budget.memory().used() > 5_000 << 10, "both trees are there");
        drop(outcome_of_race.deferred_drop);
        assert_eq!(budget.memory().used(), 0);
    }
}
