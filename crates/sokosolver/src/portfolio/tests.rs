//! The portfolio with searches whose doings are known.

use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::{Level, Push, pushes_of, replay};
use sokosearch::{Budget, Cancel, Charge, End, MemoryAccount, Stop};

use super::entrant::Entrant;
use super::race;
use super::shares::Weights;
use crate::{Answer, Attempt, AttemptEnd, Effort, Search, SolveProgress, Verdict};

mod anytime;
mod hands;
mod price;
mod with_strategies;

const LEVEL: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
const MOVES: &str = "drruurDullDrdL";

/// A search that does as it is told, ten ticks at a time.
struct Actor<F> {
    act: F,
    has_hands: bool,
    charge: Option<Charge>,
    n_steps: u64,
}

impl<F: FnMut(&mut ActorState<'_>) -> Option<Verdict> + Send + Clone + 'static> Search for Actor<F> {
    fn name(&self) -> &str {
        "actor"
    }

    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop> {
        loop {
            effort.ticks_of(10)?;
            self.n_steps += 1;
            let charge = self.charge.get_or_insert_with(|| effort.memory().nothing());
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

    fn another_hand(&self, _: &Effort) -> Option<Box<dyn Search>> {
        let hand = || Self { act: self.act.clone(), has_hands: true, charge: None, n_steps: 0 };
        self.has_hands.then(|| -> Box<dyn Search> { Box::new(hand()) })
    }
}

/// What an actor can see and do.
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

fn entrant<F>(name: &str, weight: u32, act: F) -> Entrant
where
    F: FnMut(&mut ActorState<'_>) -> Option<Verdict> + Send + Sync + Clone + 'static,
{
    entrant_with(name, weight, false, act)
}

fn entrant_with<F>(name: &str, weight: u32, has_hands: bool, act: F) -> Entrant
where
    F: FnMut(&mut ActorState<'_>) -> Option<Verdict> + Send + Sync + Clone + 'static,
{
    let start = move |_: &mut Effort| -> Result<Box<dyn Search>, Stop> {
        Ok(Box::new(Actor { act: act.clone(), has_hands, charge: None, n_steps: 0 }))
    };
    Entrant { name: name.to_owned(), weights: Weights::all(weight), proves: false, start: Box::new(start) }
}

/// Searches forever.
fn idler(name: &str, weight: u32) -> Entrant {
    entrant(name, weight, |_| None)
}

/// Solves the level after so many steps.
fn solver(name: &str, n_steps: u64) -> Entrant {
    let pushes = solution(&level());
    entrant(name, 1, move |state| (state.n_steps >= n_steps).then(|| Verdict::Solved(pushes.clone())))
}

/// Runs them and drops what is left.
fn run(
    level: &Level,
    entrants: Vec<Entrant>,
    n_threads: usize,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Answer, Vec<Attempt>, u64) {
    let task = race::Task { entrants, n_threads, standing: None, polish: None };
    let ran = race::run(level, task, budget, progress);
    (ran.answer, ran.tried, ran.ticks)
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
        let entrants = vec![idler("idler", 1), solver("solver", 10_000)];
        let (answer, tried, _) = run(&level(), entrants, n_threads, &budget(10_000_000), &());
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
        let entrants = vec![idler("a", 3), idler("b", 2), idler("c", 1)];
        run(&level(), entrants, 1, &budget(3_000_000), &())
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

/// Nobody has more than its share and a quarter when the winner answers: the price of a portfolio.
#[test]
fn two_equals_cost_the_winner_little_more_than_double() {
    let entrants = vec![idler("idler", 1), solver("solver", 100_000)];
    let (answer, _, ticks) = run(&level(), entrants, 1, &budget(u64::MAX), &());
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
        super::lineup::entrants(&level, &super::SolveKnobs::default(), &MemoryAccount::new(1 << 28), None);
    let names: Vec<_> = names.iter().map(|entrant| entrant.name.as_str()).collect();
    assert_eq!(names, ["packing"]);
}

#[test]
fn who_eats_all_memory_is_dropped_and_starves_nobody() {
    let hog = || {
        entrant("hog", 1, |state| {
            state.grow(1 << 16);
            None
        })
    };
    let pushes = solution(&level());
    let modest = entrant("modest", 1, move |state| {
        state.grow(100);
        (state.n_steps >= 30_000).then(|| Verdict::Solved(pushes.clone()))
    });
    let (answer, tried, _) = run(&level(), vec![hog(), hog(), modest], 1, &budget(100_000_000), &());
    assert!(matches!(answer, Answer::Solved { ref by, .. } if by == "modest"), "{answer:?}");
    assert_eq!(tried[0].end, AttemptEnd::Stopped(Stop::Memory));
    assert_eq!(tried[2].end, AttemptEnd::Solved);
}

/// When nobody else is left, the one that was out of memory gets all there is, once.
#[test]
fn the_last_one_gets_all_the_memory() {
    let pushes = solution(&level());
    let big = entrant("big", 1, move |state| {
        state.grow(1 << 16);
        (state.n_steps >= 1_000).then(|| Verdict::Solved(pushes.clone()))
    });
    let quitters = (0..3).map(|_| entrant("quitter", 1, |state| (state.n_steps > 9_000).then_some(Verdict::GaveUp)));
    let entrants: Vec<_> = std::iter::once(big).chain(quitters).collect();
    let (answer, ..) = run(&level(), entrants, 1, &budget(100_000_000), &());
    assert!(matches!(answer, Answer::Solved { ref by, .. } if by == "big"), "{answer:?}");
    let hog = entrant("hog", 1, |state| {
        state.grow(1 << 20);
        None
    });
    let budget = budget(100_000_000);
    let (answer, ..) = run(&level(), vec![hog], 1, &budget, &());
    assert_eq!(answer, Answer::Unsolved(End::Stopped(Stop::Memory)));
    assert_eq!(budget.memory().used(), 0, "what was dropped is free");
}

#[test]
fn wrong_finds_and_broken_strategies_do_not_end_the_run() {
    let wrong = entrant("wrong", 1, |_| Some(Verdict::Solved(Vec::new())));
    let broken = entrant("broken", 1, |state| {
        assert!(state.n_steps < 100, "breaks down on purpose");
        None
    });
    let (answer, tried, _) = run(&level(), vec![wrong, broken, solver("solver", 5_000)], 1, &budget(10_000_000), &());
    assert!(matches!(answer, Answer::Solved { .. }));
    assert_eq!((tried[0].end, tried[1].end), (AttemptEnd::Wrong, AttemptEnd::Failed));
}

#[test]
fn who_gives_up_leaves_and_nothing_follows() {
    let quitter = || entrant("quitter", 1, |state| (state.n_steps > 10).then_some(Verdict::GaveUp));
    let (answer, tried, _) = run(&level(), vec![quitter(), quitter()], 2, &budget(10_000_000), &());
    assert_eq!(answer, Answer::Unsolved(End::Exhausted));
    assert!(tried.iter().all(|attempt| attempt.end == AttemptEnd::GaveUp));
    let loser = entrant("loser", 1, |_| Some(Verdict::Unsolvable));
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
fn entrants_are_shared_between_threads() {
    let counter = Arc::new(Mutex::new(0_u64));
    let count = Arc::clone(&counter);
    let counting = entrant("counting", 1, move |state| {
        *count.lock() += 1;
        (state.n_steps >= 50).then_some(Verdict::GaveUp)
    });
    run(&level(), vec![counting, idler("a", 1), idler("b", 1)], 3, &budget(1_000_000), &());
    assert_eq!(*counter.lock(), 50);
}

/// Whoever has a place in the portfolio must be in the table of strategies.
#[test]
fn the_portfolio_knows_its_strategies() {
    let level = level();
    let names: Vec<_> =
        super::lineup::entrants(&level, &super::SolveKnobs::default(), &MemoryAccount::new(1 << 28), None);
    assert_eq!(names.len(), super::lineup::N_PLACES);
}

/// The answer comes before the memory is freed, which takes time; until then it stays charged.
#[test]
fn trees_outlive_the_answer() {
    for n_threads in [1, 2] {
        let pushes = solution(&level());
        let solver = entrant("solver", 1, move |state| {
            state.grow(1 << 10);
            (state.n_steps >= 5_000).then(|| Verdict::Solved(pushes.clone()))
        });
        let hog = entrant("hog", 1, |state| {
            state.grow(1 << 10);
            None
        });
        let budget = budget(u64::MAX);
        let task = race::Task { entrants: vec![hog, solver], n_threads, standing: None, polish: None };
        let ran = race::run(&level(), task, &budget, &());
        assert!(matches!(ran.answer, Answer::Solved { .. }));
        assert!(budget.memory().used() > 5_000 << 10, "both trees are there");
        drop(ran.leftovers);
        assert_eq!(budget.memory().used(), 0);
    }
}
