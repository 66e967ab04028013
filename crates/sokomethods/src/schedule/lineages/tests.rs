//! Lineages are improved, archived, started from a source, and end.

use sokocore::{Level, replay};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool, SolutionSource};

use super::start_shares::StartShares;
use super::*;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;
use crate::{Knobs, SharedSolutionSource};

mod by_pushes;

pub(super) const ROWS: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
pub(super) const WASTEFUL: &str = "RurrDLulDrdL";
pub(super) const BEST: &str = "drruurDullDrdL";

/// Finds one solution, and then is exhausted.
#[derive(Debug)]
struct Once(Option<Solution>);

impl SolutionSource for Once {
    fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
        let slice = |solution| SourceSlice::Solution { solution, by: "once".to_owned() };
        Ok(self.0.take().map_or(SourceSlice::Exhausted, slice))
    }
}

/// Finds nothing, and is never exhausted.
#[derive(Debug)]
struct AlwaysPending;

impl SolutionSource for AlwaysPending {
    fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
        Ok(SourceSlice::Pending)
    }
}

/// Runs something by pushes within ample memory, with this source.
pub(super) fn within_run<T>(
    pool: &Pool<'_>,
    source: Option<SharedSolutionSource>,
    run: impl FnOnce(ArmContext<'_>, &mut Context<'_>) -> T,
) -> T {
    within(pool, Objective::PUSHES, None, &Knobs { source, ..Knobs::default() }, run)
}

/// Runs something on a pool within ample memory and so many ticks.
pub(super) fn within<T>(
    pool: &Pool<'_>,
    objective: Objective,
    work: Option<u64>,
    knobs: &Knobs,
    run: impl FnOnce(ArmContext<'_>, &mut Context<'_>) -> T,
) -> T {
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default()).with_work(work);
    let mut cx = Context::new(pool, objective, &budget, &());
    let live = LiveIndex::new(pool.level());
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    run(ArmContext { knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 }, &mut cx)
}

/// Runs `n_generations` from a start, and returns the best.
fn run_generations(n_generations: u64, source: Option<SharedSolutionSource>) -> (Solution, Lineages) {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &WASTEFUL.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
    let mut lineages = Lineages::new(start, 0);
    within_run(&pool, source, |arm_cx, cx| {
        while lineages.generation < n_generations {
            lineages.run_slice(arm_cx, cx).unwrap();
        }
    });
    (pool.best(Objective::PUSHES), lineages)
}

#[test]
fn a_generation_finds_the_best_and_counts() {
    let (best, lineages) = run_generations(2, None);
    assert_eq!(best.metrics().pushes, 3);
    assert!(lineages.archive.iter().count() > 0);
    assert_eq!(lineages.generations_without_gain, 2);
}

/// A window that took longer than the lineage's time would otherwise be begun again and again.
#[test]
fn a_slice_of_an_arm_is_not_cut_short_in_a_lineage() {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &WASTEFUL.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
    within_run(&pool, None, |arm_cx, cx| {
        let stages = vec![Stage::by(Objective::PUSHES)];
        let mut lineage = Lineage::new(start.clone(), stages, arm_cx.knobs.clone(), arm_cx);
        let mut n_slices = 0;
        while !lineage.is_exhausted() {
            lineage.improve(1, arm_cx, cx).unwrap();
            n_slices += 1;
            assert!(n_slices < 1_000, "it never ends");
        }
        assert_eq!(lineage.current().metrics().pushes, 3);
    });
}

#[test]
fn the_source_runs_in_every_other_generation() {
    let level = Level::parse(ROWS).unwrap();
    let fresh = || replay(&level, &BEST.parse().unwrap()).unwrap();
    let source = || SharedSolutionSource::new(Once(Some(fresh())));
    let (_, lineages) = run_generations(1, Some(source()));
    assert!(!lineages.is_source_exhausted, "it did not run yet");
    let (best, lineages) = run_generations(4, Some(source()));
    assert_eq!(best.metrics().pushes, 3);
    assert!(lineages.is_source_exhausted, "it ran twice, the second time without a solution");
}

#[test]
fn a_source_that_finds_nothing_does_not_stop_the_lineages() {
    let (_, lineages) = run_generations(3, Some(SharedSolutionSource::new(AlwaysPending)));
    assert_eq!((lineages.generation, lineages.is_source_exhausted), (3, false));
}

/// Starts are collected and compared once, with a reserved share of the work; the best is offered to the run.
#[test]
fn starts_are_compared_once() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(WASTEFUL), &[Objective::PUSHES]);
    let run = |given: Vec<Solution>, source: Option<SharedSolutionSource>| {
        within_run(&pool, source, |arm_cx, cx| {
            let mut starts = MultiStart::new(given, SparePushes::of(cx), 0);
            let mut n_slices = 0;
            while !starts.is_done() {
                assert!(starts.reserved_share(0) > 0.0);
                starts.run_slice(arm_cx, cx).unwrap();
                n_slices += 1;
            }
            starts.revive();
            assert!(starts.is_done() && starts.reserved_share(0) == 0.0);
            n_slices
        })
    };
    assert_eq!(run(Vec::new(), None), 1, "nothing to compare");
    assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 5);
    assert!(run(vec![solution(WASTEFUL)], Some(SharedSolutionSource::new(Once(Some(solution(BEST)))))) > 2);
    assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
    let n_slices = run(Vec::new(), Some(SharedSolutionSource::new(AlwaysPending)));
    assert!(n_slices < 300, "the source is not asked forever");
}

/// Finds a solution in the last of so many slices, and none after it.
#[derive(Debug)]
struct Late {
    slices_left: u64,
    solution: Solution,
}

impl SolutionSource for Late {
    fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
        self.slices_left = self.slices_left.wrapping_sub(1);
        Ok(match self.slices_left {
            0 => SourceSlice::Solution { solution: self.solution.clone(), by: "late".to_owned() },
            _ => SourceSlice::Pending,
        })
    }
}

/// A source that finds nothing has some of the work for a while, then little, and most of it when it finds a start.
#[test]
fn a_source_without_a_start_waits() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(WASTEFUL), &[Objective::PUSHES]);
    let source = SharedSolutionSource::new(Late { slices_left: 100, solution: solution(BEST) });
    let shares = within_run(&pool, Some(source), |arm_cx, cx| {
        let mut starts = MultiStart::new(Vec::new(), SparePushes::of(cx), 0);
        let mut shares = vec![starts.reserved_share(0)];
        while !starts.is_done() && shares.len() <= 110 {
            starts.run_slice(arm_cx, cx).unwrap();
            shares.push(starts.reserved_share(0));
        }
        shares
    });
    let mut steps = shares.clone();
    steps.dedup();
    // The first slice takes given starts, which are none.
    assert!(shares.len() > 110 && steps == [0.8, 0.2, 0.1, 0.05, 0.8], "{shares:?}");
    assert!(shares[31] == 0.1 && shares[99] == 0.05, "it waits for long: {shares:?}");
}

/// Without pushes to spare the shares are full by pushes, but small by moves, and where a pass over the best is long.
#[test]
fn shares_depend_on_the_best_of_the_run() {
    let shares = |level: &Level, moves: &str, objective| {
        let best = replay(level, &moves.parse().unwrap()).unwrap();
        let pool = Pool::new(level, &best, &[objective]);
        within(&pool, objective, None, &Knobs::default(), |arm_cx, cx| {
            StartShares::of(&best, SparePushes::of(cx), arm_cx, cx)
        })
    };
    let small = Level::parse(ROWS).unwrap();
    assert_eq!(shares(&small, WASTEFUL, Objective::PUSHES), StartShares::Falling);
    assert_eq!(shares(&small, BEST, Objective::PUSHES), StartShares::Full);
    assert_eq!(shares(&small, BEST, Objective::MOVES), StartShares::Small);
    // In a room of 58 times 58 squares six boxes go 50 squares to the right.
    let (wall, floor) = ("#".repeat(60), format!("#{}#\n", " ".repeat(58)));
    let row = format!("# ${}.{}#\n", " ".repeat(49), " ".repeat(6));
    let rows = format!("{wall}\n{}{}{wall}", format!("{row}{floor}").repeat(6), floor.repeat(46));
    let large = Level::parse(&rows.replacen("# $", "#@$", 1)).unwrap();
    let moves = format!("{}d{}d", "R".repeat(50), "l".repeat(50)).repeat(6);
    assert_eq!(shares(&large, &moves, Objective::PUSHES), StartShares::Small);
}

/// In turn: while no start is found, at first and at last; once one is; while starts are compared; the last two in a later
/// batch.
#[test]
fn full_shares_do_not_fall_and_small_ones_are_a_tenth() {
    let table = |shares: StartShares| {
        let waiting = [0, 8, 32].map(|n_slices| shares.waiting(n_slices, 0));
        let others = [shares.collecting(0), shares.comparing(0), shares.collecting(1), shares.comparing(1)];
        [&waiting[..], &others].concat()
    };
    let falling = table(StartShares::Falling);
    assert_eq!(falling, [0.2, 0.1, 0.05, 0.8, 0.4, 0.25, 0.25]);
    assert_eq!(table(StartShares::Full), [0.8, 0.8, 0.8, 0.8, 0.4, 0.25, 0.25]);
    assert_eq!(table(StartShares::Small), falling.iter().map(|share| 0.1 * share).collect::<Vec<_>>());
}

/// Gives the same two solutions in every run, unless it is told to skip them.
#[derive(Debug)]
struct Skips {
    solutions: Vec<Solution>,
    position: u64,
}

impl SolutionSource for Skips {
    fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
        let next = usize::try_from(self.position).ok().and_then(|at| self.solutions.get(at));
        let Some(solution) = next.cloned() else { return Ok(SourceSlice::Pending) };
        self.position += 1;
        Ok(SourceSlice::Solution { solution, by: "skips".to_owned() })
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn skip_to(&mut self, position: u64) {
        self.position = position;
    }
}

/// A comparison of starts that is resumed asks the source for what comes later, and keeps the starts that it has.
#[test]
fn starts_are_resumed_where_they_were() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(WASTEFUL), &[Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let (live, searched, locks) = (LiveIndex::new(&level), SearchedWindows::default(), WindowLocks::default());
    let source = || {
        let solutions = vec![solution(WASTEFUL), solution(BEST)];
        SharedSolutionSource::new(Skips { solutions, position: 0 })
    };
    let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
    let knobs = Knobs { source: Some(source()), ..Knobs::default() };
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let mut first = MultiStart::new(Vec::new(), SparePushes::of(&cx), 0);
    (0..2).for_each(|_| assert_eq!(first.run_slice(arm_cx, &mut cx), Ok(ArmSliceEnd::CutShort)));
    let saved = first.save();
    let knobs = Knobs { source: Some(source()), ..Knobs::default() };
    let arm_cx = ArmContext { knobs: &knobs, ..arm_cx };
    let mut second = MultiStart::new(Vec::new(), SparePushes::of(&cx), 0);
    second.restore(&saved, arm_cx, &cx);
    assert_eq!(second.save(), saved);
    let mut n_slices = 0;
    while !second.is_done() {
        second.run_slice(arm_cx, &mut cx).unwrap();
        n_slices += 1;
    }
    assert!(n_slices > 2, "the starts are compared");
    let mut third = MultiStart::new(vec![solution(BEST)], SparePushes::of(&cx), 0);
    third.restore(&second.save(), arm_cx, &cx);
    assert!(third.is_done(), "what was given is known");
}

/// A generation that a run stops in the middle is there at the end, and the next run continues it.
#[test]
fn a_generation_that_is_stopped_is_resumed() {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &WASTEFUL.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
    let saved = within(&pool, Objective::PUSHES, Some(2_000), &Knobs::default(), |arm_cx, cx| {
        let mut first = Lineages::new(start.clone(), 0);
        assert_eq!(first.run_slice(arm_cx, cx), Err(Stop::Work));
        first.save()
    });
    let mut second = Lineages::new(pool.best(Objective::PUSHES), 0);
    within_run(&pool, None, |arm_cx, cx| {
        second.restore(&saved, arm_cx, cx);
        assert_eq!((&second.root, second.save()), (&start, saved));
        assert!(second.halving.is_some());
        while second.generation == 0 {
            second.run_slice(arm_cx, cx).unwrap();
        }
    });
    assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
}

#[test]
fn generations_without_a_gain_end_the_search() {
    let (_, lineages) = run_generations(MAX_GENERATIONS, None);
    assert!(lineages.is_done());
}

#[test]
fn player_lines_are_first_improved_by_moves() {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &format!("du{WASTEFUL}").parse().unwrap()).unwrap();
    let own = Objective::starting_with(&[Metric::PlayerLines]);
    let pool = Pool::new(&level, &start, &[own]);
    let ticks = |objective| {
        within(&pool, objective, None, &Knobs::default(), |arm_cx, cx| {
            lead_in_by_moves(arm_cx, cx).unwrap();
            cx.ticks()
        })
    };
    assert!(ticks(own) > 0);
    assert!(pool.best(own).metrics().player_lines < start.metrics().player_lines);
    assert_eq!(ticks(Objective::MOVES), 0, "moves need no lead-in");
}

#[test]
fn a_former_best_is_the_start_of_a_lineage_once() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(BEST), &[Objective::PUSHES]);
    let mut lineages = Lineages::new(solution(BEST), 0);
    within_run(&pool, None, |arm_cx, cx| {
        lineages.keep_former(&solution(WASTEFUL), cx);
        assert_eq!(lineages.archive.iter().collect::<Vec<_>>(), [&solution(WASTEFUL)]);
        let n_lineages = |lineages: &mut Lineages| lineages.start_generation(None, arm_cx, cx).n_lineages();
        assert_eq!([n_lineages(&mut lineages), n_lineages(&mut lineages)], [N_LINEAGES + 1, N_LINEAGES]);
    });
}
