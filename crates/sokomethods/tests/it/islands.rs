//! Islands: runs on one level that tell each other which windows they search and have searched.

use std::sync::Arc;

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokocore::{Level, Objective, Solution, replay};
use sokomethods::{
    IslandWindow, IslandWindows, Knobs, Optimizer, Technique, TechniqueSet, WindowClaim, WindowExchange, optimize,
};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, Stop};

/// Four boxes, with many solutions of equal worth.
const SQUARE: (&str, &str) =
    ("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######", "lrlrlrlUruLdrdrUluRdldlDrdLururDldR");
/// Two boxes; every arm has its turn soon.
const SMALL: (&str, &str) = ("######\n##   #\n#@$ $#\n#.  .#\n######", "RurrDLulDrdL");

/// What a run did.
#[derive(Debug)]
struct Run {
    best: Solution,
    end: Result<(), Stop>,
    n_tubes: u64,
    is_proved: bool,
}

fn solved((rows, moves): (&str, &str)) -> (Level, Solution) {
    let level = Level::parse(rows).unwrap();
    let solution = replay(&level, &moves.parse().unwrap()).unwrap();
    (level, solution)
}

/// Settings without the search of the whole space, which would prove these levels within a moment, and without annealing,
/// which lasts long and exchanges no windows.
fn knobs(exchange: Arc<dyn WindowExchange>) -> Knobs {
    let mut knobs = Knobs::default().with_window_exchange(exchange);
    knobs.techniques = TechniqueSet::default().without(Technique::Exhaustive).without(Technique::RuinRecreate);
    knobs
}

fn run((rows, moves): (&str, &str), knobs: &Knobs, work: Option<u64>) -> Run {
    let (level, start) = solved((rows, moves));
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(256 << 20), Cancel::default()).with_work(work);
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let end = optimize(knobs, &mut cx);
    let (n_tubes, is_proved) = (cx.tally().n_tubes, cx.is_proved());
    Run { best: pool.best(Objective::MOVES), end, n_tubes, is_proved }
}

/// Gives each claim the same answer, and records those that have not ended.
#[derive(Debug)]
struct Recorded {
    answer: WindowClaim,
    claims: Mutex<HashMap<u64, u32>>,
    n_claims: Mutex<u64>,
    n_searched: Mutex<u64>,
}

impl Recorded {
    fn answering(answer: WindowClaim) -> Arc<Self> {
        Arc::new(Self { answer, claims: Mutex::default(), n_claims: Mutex::default(), n_searched: Mutex::default() })
    }

    fn end(&self, window: &IslandWindow) {
        *self.claims.lock().entry(window.content()).or_default() -= u32::from(self.answer == WindowClaim::Granted);
    }
}

impl WindowExchange for Recorded {
    fn claim(&self, window: &IslandWindow) -> WindowClaim {
        *self.n_claims.lock() += 1;
        *self.claims.lock().entry(window.content()).or_default() += u32::from(self.answer == WindowClaim::Granted);
        self.answer
    }

    fn note_searched(&self, window: &IslandWindow) {
        *self.n_searched.lock() += 1;
        self.end(window);
    }

    fn release(&self, window: &IslandWindow) {
        self.end(window);
    }

    fn n_ended(&self) -> u64 {
        0
    }
}

#[test]
fn every_claim_ends_whatever_ends_the_run() {
    for (n_threads, work) in [(1, Some(30_000)), (1, Some(2_000_000)), (3, Some(2_000_000))] {
        let exchange = Recorded::answering(WindowClaim::Granted);
        run(SQUARE, &knobs(exchange.clone()).with_threads(n_threads), work);
        assert!(*exchange.n_claims.lock() > 10);
        assert!(*exchange.n_searched.lock() > 5);
        assert!(exchange.claims.lock().values().all(|&n| n == 0), "{n_threads} threads, {work:?} ticks");
    }
}

/// Islands that hold all windows and are gone: the run searches these windows in the end.
#[test]
fn claims_of_others_never_end_a_run() {
    let alone = run(SMALL, &knobs(Recorded::answering(WindowClaim::Granted)), None);
    for n_threads in [1, 3] {
        let exchange = Recorded::answering(WindowClaim::Taken);
        let run = run(SMALL, &knobs(exchange.clone()).with_threads(n_threads), None);
        assert_eq!((run.end, run.best.metrics()), (Ok(()), alone.best.metrics()));
        assert!(*exchange.n_searched.lock() > 5, "they were searched in spite of the claims");
    }
}

/// News that are wrong keep a run from windows, not from its proof, and end it all the same.
#[test]
fn wrong_news_harm_no_result() {
    let exchange = Recorded::answering(WindowClaim::Searched);
    let misled = run(SMALL, &knobs(exchange.clone()), None);
    assert_eq!(misled.end, Ok(()));
    let proved = run(SMALL, &Knobs::default().with_window_exchange(exchange), None);
    assert!(proved.is_proved && proved.best.metrics().moves <= misled.best.metrics().moves);
}

#[test]
fn an_island_skips_what_another_has_searched() {
    let (level, _) = solved(SQUARE);
    let island = |knobs: &Knobs| {
        Arc::new(IslandWindows::new(knobs.exchange_key(&level, Objective::MOVES), MemoryAccount::new(1 << 20)))
    };
    let plain = knobs(Recorded::answering(WindowClaim::Granted));
    let (one, other, stranger) = (island(&plain), island(&plain), island(&plain.clone().with_vicinity([15, 5])));
    let first = run(SQUARE, &knobs(one.clone()), Some(1_000_000));
    let news = one.take_news();
    assert!(other.absorb("one", &news) && !stranger.absorb("one", &news));
    let second = run(SQUARE, &knobs(other.clone()), Some(1_000_000));
    assert!(other.n_skipped() > 0);
    assert!(second.n_tubes < first.n_tubes || second.best.metrics().moves < first.best.metrics().moves);
}

/// The ticks of the arms tell runs apart.
#[test]
fn seeds_take_the_arms_in_other_orders() {
    let (level, start) = solved(SQUARE);
    let ticks_of_arms = |seed: u64| {
        let mut knobs = Knobs::default().with_seed(seed);
        knobs.techniques = TechniqueSet::default().without(Technique::Exhaustive);
        let outcome = Optimizer::new(&level).knobs(knobs).work(300_000).run(&start).unwrap();
        let checkpoint = outcome.results[0].checkpoint.as_ref().unwrap();
        checkpoint.arms().map(|(name, ticks)| (name.to_owned(), ticks)).collect::<Vec<_>>()
    };
    let mut runs: Vec<_> = (0..8).map(ticks_of_arms).collect();
    assert_eq!(ticks_of_arms(5), runs[5], "one seed gives one run");
    runs.sort_unstable();
    runs.dedup();
    assert_eq!(runs.len(), 8);
}

/// One of several islands in this process, which hear each other at once.
#[derive(Debug)]
struct Neighbor {
    me: usize,
    all: Arc<Vec<IslandWindows>>,
}

impl Neighbor {
    fn tell(&self) {
        let news = self.all[self.me].take_news();
        for (_, other) in self.all.iter().enumerate().filter(|(other, _)| *other != self.me) {
            assert!(other.absorb(&format!("island {}", self.me), &news));
        }
    }
}

impl WindowExchange for Neighbor {
    fn claim(&self, window: &IslandWindow) -> WindowClaim {
        let answer = self.all[self.me].claim(window);
        self.tell();
        answer
    }

    fn note_searched(&self, window: &IslandWindow) {
        self.all[self.me].note_searched(window);
        self.tell();
    }

    fn release(&self, window: &IslandWindow) {
        self.all[self.me].release(window);
        self.tell();
    }

    fn n_ended(&self) -> u64 {
        self.all[self.me].n_ended()
    }
}

/// Islands that work at the same time wait for none of them, and end.
#[test]
fn islands_at_the_same_time_end() {
    const N_ISLANDS: usize = 3;
    let (level, _) = solved(SMALL);
    let key = knobs(Recorded::answering(WindowClaim::Granted)).exchange_key(&level, Objective::MOVES);
    let all =
        Arc::new((0..N_ISLANDS).map(|_| IslandWindows::new(key, MemoryAccount::new(1 << 20))).collect::<Vec<_>>());
    let alone = run(SMALL, &knobs(Recorded::answering(WindowClaim::Granted)), None);
    let ends = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for me in 0..N_ISLANDS {
            let (all, ends) = (all.clone(), &ends);
            scope.spawn(move || {
                let knobs = knobs(Arc::new(Neighbor { me, all })).with_seed(me as u64);
                ends.lock().push(run(SMALL, &knobs, None));
            });
        }
    });
    let ends = ends.into_inner();
    assert!(ends.iter().all(|run| run.end == Ok(())));
    assert_eq!(ends.iter().map(|run| run.best.metrics().moves).min(), Some(alone.best.metrics().moves));
    assert!(all.iter().map(IslandWindows::n_skipped).sum::<u64>() > 0);
}
