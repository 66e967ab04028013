//! Parts of solutions are cut out, improved and spliced back; prefix and suffix never change.

use proptest::prelude::*;
use sokocore::{Level, Metrics, Objective, PlantSpec, Solution, planted, pushes_of, replay};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, Stop};

use super::part_optimizer::n_pushes;
use super::sub_level::{CutError, Finish, SubLevel};
use super::*;
use crate::{Knobs, optimize};

/// Optimizes within a scope and checks that nothing else changed. Returns the best.
fn check(level: &Level, start: &Solution, objective: Objective, scope: &Scope) -> Solution {
    let pool = Pool::new(level, start, &[objective]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default()).with_work(Some(200_000));
    let mut cx = Context::new(&pool, objective, &budget, &());
    let knobs = Knobs { vicinity: vec![8, 4], scope: Some(scope.clone()), ..Knobs::default() };
    let _: Result<(), Stop> = optimize(&knobs, &mut cx);
    assert!(cx.ticks() <= 200_000 && !cx.is_proved());
    let best = pool.best(objective);
    assert!(objective.score(&best.metrics()) <= objective.score(&start.metrics()));
    assert_kept(level, start, &best, objective, &scope.pushes);
    best
}

/// The pushes before and after the scope are the same. If the part solves the level the rest is gone; then the solution
/// costs no more than what the old one had cost at the end of the scope.
fn assert_kept(level: &Level, start: &Solution, best: &Solution, objective: Objective, scope: &Range<usize>) {
    let [old, new] = [start, best].map(|solution| pushes_of(level, solution.lurd()));
    let (from, to) = (scope.start.min(old.len()), scope.end.min(old.len()));
    assert_eq!(old[..from], new[..from], "the pushes before the scope");
    let n_after = old.len() - to;
    let is_kept = new.len() >= from + n_after && old[to..] == new[new.len() - n_after..];
    let metric = objective.order()[0];
    let cost_at_end = || {
        let steps = start.lurd().steps();
        let mut pushes = (1..).zip(steps).filter(|(_, step)| step.is_push());
        let n_moves = to.checked_sub(1).and_then(|last| pushes.nth(last)).map_or(0, |(n_moves, _)| n_moves);
        metric.of(&Metrics::count(&steps[..n_moves]))
    };
    assert!(is_kept || metric.of(&best.metrics()) <= cost_at_end(), "the pushes after the scope");
}

fn scope(pushes: Range<usize>) -> Scope {
    Scope { pushes, ..Scope::default() }
}

fn solved(rows: &[&str], moves: &str) -> (Level, Solution) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let start = replay(&level, &moves.parse().unwrap()).unwrap();
    (level, start)
}

/// A needless walk before every push.
const ROWS: [&str; 5] = ["########", "#      #", "#@$  . #", "#      #", "########"];
const WASTEFUL: &str = "udRudRudR";

#[test]
fn only_the_scope_gets_shorter() {
    let (level, start) = solved(&ROWS, WASTEFUL);
    let best = |scope: &Scope| check(&level, &start, Objective::MOVES, scope).lurd().to_string();
    assert_eq!(best(&scope(0..1)), "RudRudR");
    assert_eq!(best(&scope(1..2)), "udRRudR");
    assert_eq!(best(&scope(1..usize::MAX)), "udRRR");
    assert_eq!(best(&Scope::default()), "RRR");
    assert_eq!(best(&scope(7..9)), WASTEFUL, "beyond the solution");
    let interval = Interval::new(2, 1);
    assert_eq!(best(&Scope { interval, ..scope(0..3) }), "RRR");
    assert_eq!(Interval::new(2, 2), None);
}

/// Trap 7: the end of a part is an exact state; the walk after it is not to get longer.
#[test]
fn trap_07_a_part_ends_with_the_player_in_place() {
    let rows = ["######", "##   #", "#@$ $#", "#.  .#", "######"];
    let (level, start) = solved(&rows, "dudrruurDullDrdL");
    for from in 0..n_pushes(&start) {
        for to in from + 1..=n_pushes(&start) {
            for objective in [Objective::MOVES, Objective::PUSHES] {
                check(&level, &start, objective, &scope(from..to));
            }
        }
    }
    let two = check(&level, &start, Objective::MOVES, &scope(0..2));
    assert_eq!(two.metrics().moves, 12, "two more pushes, and the player where it was");
}

/// Trap 6 and 7: the box goes away and comes back, so its last square is passed with the player elsewhere.
#[test]
fn trap_06_a_part_that_passes_its_last_boxes_is_cut_there() {
    let rows = ["#########", "#       #", "# @$   .#", "#       #", "#########"];
    // Right, right; around; left; around; right to the goal: after pushes 1 and 3 the box is on one square.
    let (level, start) = solved(&rows, "RRurrdLulldRRRR");
    let cut = SubLevel::cut(&level, start.lurd(), 0..3, Finish::Exact, UnpushedBoxes::Free);
    assert_eq!(cut.err(), Some(CutError::PassesEnd { after: 1 }));
    assert_eq!(
        SubLevel::cut(&level, start.lurd(), 2..2, Finish::Exact, UnpushedBoxes::Free).err(),
        Some(CutError::NoPushes)
    );
    for (from, to) in [(0, 3), (1, 3), (0, 4), (2, 7)] {
        check(&level, &start, Objective::MOVES, &scope(from..to));
    }
}

/// The end of a part need not be solved, but a position on a better way to it may be.
#[test]
fn a_part_that_solves_the_level_ends_the_solution() {
    let rows = ["#######", "#    .#", "# $  $#", "#  .*@#", "##   ##", "#######"];
    let (level, start) = solved(&rows, "UlullldRurrdLulDrddrUlulldRdrruruLullddRluurD");
    for (unpushed, interval) in [(UnpushedBoxes::Frozen, None), (UnpushedBoxes::Free, Interval::new(4, 2))] {
        let scope = Scope { pushes: 6..8, interval, unpushed };
        let best = check(&level, &start, Objective::MOVES, &scope);
        assert_eq!(best.lurd().to_string(), "UlullldRurrdLulDrddrUlulldRuurrD");
    }
}

/// A piece of the part does so, and the rest of the part is gone with the suffix.
#[test]
fn a_piece_that_solves_the_level_leaves_the_prefix() {
    let rows = ["######", "#   .#", "#  $+#", "#. # #", "# #  #", "#$*  #", "#    #", "######"];
    let moves = "LulldRurrdddddlllUdrruuruuulldRldlDuuurrrDDDlddrUUUUddddlllUU";
    let (level, start) = solved(&rows, moves);
    assert!(check(&level, &start, Objective::MOVES, &scope(3..11)).metrics().moves < 61);
}

#[test]
fn frozen_boxes_stay() {
    // Free, the upper box goes to the far goal, and the lower one takes its place.
    let rows = ["##########", "#@  *  . #", "#  $ ##  #", "#        #", "#        #", "##########"];
    let (level, start) = solved(&rows, "durrDldRRRRdrUU");
    let best = |unpushed| {
        let scope = Scope { unpushed, ..Scope::default() };
        let best = check(&level, &start, Objective::PUSHES, &scope).metrics();
        (best.moves, best.pushes)
    };
    assert_eq!(best(UnpushedBoxes::Frozen), (13, 7));
    assert_eq!(best(UnpushedBoxes::Free), (14, 5));
    let cut = |unpushed| SubLevel::cut(&level, start.lurd(), 0..7, Finish::Solved, unpushed).unwrap();
    assert_eq!(cut(UnpushedBoxes::Free).level().n_boxes(), 2);
    assert_eq!(cut(UnpushedBoxes::Frozen).level().n_boxes(), 1);
}

#[test]
fn the_first_gain_ends_the_run() {
    let (level, start) = solved(&ROWS, WASTEFUL);
    for pushes in [0..2, 0..usize::MAX] {
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &()).ending_at_first();
        let knobs = Knobs { scope: Some(scope(pushes)), ..Knobs::default() };
        assert_eq!(optimize(&knobs, &mut cx), Err(Stop::FirstGain));
        assert!(cx.has_ended_at_first());
        assert!(pool.best(Objective::MOVES).metrics().moves < start.metrics().moves);
    }
}

#[test]
fn ends_are_kept() {
    let rows = ["#######", "#     #", "#.$@$.#", "#######"];
    let (level, start) = solved(&rows, "udududLrR");
    for (engine, whole) in [(sokosearch::Engine::Fast, None), (sokosearch::Engine::Reference, Some(Scope::default()))] {
        for objective in [Objective::MOVES, Objective::PUSHES, "boxlines/pushes".parse().unwrap()] {
            let pool = Pool::new(&level, &start, &[objective]).keeping_ends();
            let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default());
            let mut cx = Context::new(&pool, objective, &budget, &());
            let knobs = Knobs { engine, scope: whole.clone(), ..Knobs::default() };
            assert_eq!(optimize(&knobs, &mut cx), Ok(()));
            assert_eq!(pool.best(objective).lurd().to_string(), "LrR", "{objective}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the scope, prefix and suffix stay, and the result replays.
    #[test]
    fn scopes_are_kept(
        (level, moves) in planted(PlantSpec { pulls: 10..=30, ..PlantSpec::default() }),
        (from, length) in (0_usize..12, 1_usize..12),
        interval in 2_usize..6,
        variant in 0..4,
    ) {
        let Ok(start) = replay(&level, &moves) else { return Ok(()) };
        let unpushed = if variant % 2 == 0 { UnpushedBoxes::Free } else { UnpushedBoxes::Frozen };
        let interval = Interval::new(interval, interval / 2).filter(|_| variant / 2 == 0);
        let scope = Scope { pushes: from..from + length, interval, unpushed };
        for objective in [Objective::MOVES, Objective::PUSHES] {
            check(&level, &start, objective, &scope);
        }
    }

    /// No solution that a free run finds on that square is better.
    #[test]
    fn kept_ends_are_kept((level, moves) in planted(PlantSpec::default())) {
        let Ok(start) = replay(&level, &moves) else { return Ok(()) };
        let run = |keeps: bool| {
            let pool = Pool::new(&level, &start, &[Objective::MOVES]);
            let pool = if keeps { pool.keeping_ends() } else { pool };
            let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default()).with_work(Some(300_000));
            let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
            let _: Result<(), Stop> = optimize(&Knobs { vicinity: vec![8, 4], ..Knobs::default() }, &mut cx);
            let best = pool.best(Objective::MOVES);
            (best.metrics().moves, Pool::new(&level, &best, &[Objective::MOVES]).keeping_ends().kept_end(Objective::MOVES))
        };
        let wanted = Pool::new(&level, &start, &[Objective::MOVES]).keeping_ends().kept_end(Objective::MOVES);
        let ((free, end), (kept, kept_end)) = (run(false), run(true));
        prop_assert_eq!(kept_end, wanted);
        prop_assert!(free <= kept);
        prop_assert!(end != wanted || free == kept, "{} {}", free, kept);
    }
}
