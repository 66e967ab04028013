//! Runs that continue from a checkpoint: nothing is repeated, nothing gets worse, and other solutions are no trouble.

use proptest::prelude::*;
use sokocore::{Level, Objective, PlantSpec, Solution, n_cases, planted, replay};
use sokomethods::{Checkpoint, Knobs, Optimizer, Technique, TechniqueSet, optimize_from};
use sokosearch::{Budget, Cancel, Context, End, MemoryAccount, Pool, Stop};

/// Four boxes, with many solutions of equal worth.
const SQUARE: (&str, &str) =
    ("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######", "lrlrlrlUruLdrdrUluRdldlDrdLururDldR");
/// Two boxes; every arm has its turn soon.
const SMALL: (&str, &str) = ("######\n##   #\n#@$ $#\n#.  .#\n######", "RurrDLulDrdL");

/// What a run did.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    best: Solution,
    end: Result<(), Stop>,
    ticks: u64,
    n_tubes: u64,
    is_proved: bool,
    checkpoint: Checkpoint,
}

fn solved((rows, moves): (&str, &str)) -> (Level, Solution) {
    let level = Level::parse(rows).unwrap();
    let solution = replay(&level, &moves.parse().unwrap()).unwrap();
    (level, solution)
}

fn knobs(techniques: TechniqueSet) -> Knobs {
    let mut knobs = Knobs::default();
    knobs.techniques = techniques;
    knobs
}

/// Everything but the search of the whole space, which would prove these levels within a moment.
fn unproved() -> TechniqueSet {
    TechniqueSet::default().without(Technique::Exhaustive)
}

/// The quick ones of the arms that search from the best solution alone.
fn from_the_best() -> TechniqueSet {
    let slow =
        [Technique::ThreeBoxes, Technique::FourBoxes, Technique::RuinRecreate, Technique::Plateau, Technique::Lineages];
    slow.into_iter().fold(unproved(), TechniqueSet::without)
}

/// Runs by moves; the checkpoint goes through its bytes.
fn run(level: &Level, start: &Solution, knobs: &Knobs, work: Option<u64>, from: Option<&Checkpoint>) -> Run {
    let from = from.map(|checkpoint| Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap());
    let pool = Pool::new(level, start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(256 << 20), Cancel::default()).with_work(work);
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let (end, checkpoint) = optimize_from(knobs, from.as_ref(), None, &mut cx);
    let best = pool.best(Objective::MOVES);
    assert!(best.metrics().moves <= start.metrics().moves);
    let (ticks, n_tubes, is_proved) = (cx.ticks(), cx.tally().n_tubes, cx.is_proved());
    Run { best, end, ticks, n_tubes, is_proved, checkpoint: checkpoint.expect("there is no scope") }
}

#[test]
fn a_proved_run_ends_at_once_and_proves_the_same() {
    let (level, start) = solved(SMALL);
    let first = Optimizer::new(&level).objective(Objective::MOVES).objective(Objective::PUSHES).run(&start).unwrap();
    assert!(first.is_proved());
    let mut optimizer = Optimizer::new(&level).objective(Objective::MOVES).objective(Objective::PUSHES);
    for result in &first.results {
        let checkpoint = result.checkpoint.as_ref().unwrap();
        assert!(checkpoint.is_proved() && checkpoint.is_exhausted() && checkpoint.is_of(&level));
        optimizer = optimizer.resume(checkpoint);
    }
    // From the poor start as well: the checkpoint has the best.
    for start in [first.solution(), &start] {
        let second = optimizer.run(start).unwrap();
        assert!(second.is_proved() && second.end() == End::Exhausted);
        assert_eq!(second.ticks(), 0);
        for (one, other) in first.results.iter().zip(&second.results) {
            assert_eq!(one.best.metrics(), other.best.metrics());
            let checkpoint = other.checkpoint.as_ref().unwrap();
            assert!(checkpoint.is_proved() && checkpoint.n_runs() == 2);
        }
    }
}

#[test]
fn an_exhausted_run_ends_at_once_with_the_same_end() {
    let (level, start) = solved(SMALL);
    let knobs = knobs(unproved());
    let first = run(&level, &start, &knobs, None, None);
    assert_eq!((first.end, first.is_proved), (Ok(()), false));
    assert!(first.checkpoint.is_exhausted() && first.n_tubes > 0);
    let second = run(&level, &first.best, &knobs, None, Some(&first.checkpoint));
    assert_eq!((&second.best, second.end, second.is_proved), (&first.best, Ok(()), false));
    assert_eq!((second.ticks, second.n_tubes), (0, 0), "nothing is left to try");
    assert_eq!(second.checkpoint.ticks(), first.checkpoint.ticks());
    // Other settings search something else.
    let wider = knobs.clone().with_vicinity([30, 15]);
    let third = run(&level, &first.best, &wider, None, Some(&second.checkpoint));
    assert!(third.n_tubes > 0 && third.checkpoint.ticks() == second.checkpoint.ticks() + third.ticks);
}

/// In pieces of any length, a run searches each window once, but for those that the end of a piece cuts off.
#[test]
fn windows_searched_in_vain_are_not_searched_again() {
    let (level, start) = solved(SQUARE);
    let knobs = knobs(from_the_best());
    let whole = run(&level, &start, &knobs, None, None);
    assert_eq!(whole.end, Ok(()));
    for work in [20_000, 150_000] {
        let (mut last, mut n_runs, mut n_tubes) = (run(&level, &start, &knobs, Some(work), None), 1, 0);
        n_tubes += last.n_tubes;
        while last.end.is_err() {
            assert!(n_runs < 10_000, "it gets nowhere");
            let before = last.best.metrics().moves;
            // A slice longer than the piece would be cut off again and again.
            let longer = Some(work * (n_runs + 1));
            last = run(&level, &last.best, &knobs, longer, Some(&last.checkpoint));
            assert!(last.best.metrics().moves <= before);
            n_runs += 1;
            n_tubes += last.n_tubes;
        }
        assert_eq!(last.best.metrics(), whole.best.metrics());
        assert_eq!(last.checkpoint.n_runs(), n_runs);
        // A gain of a window that was cut off may be found in another window then.
        assert!(n_tubes <= whole.n_tubes + whole.n_tubes / 10 + 2 * n_runs, "{n_tubes} and {}", whole.n_tubes);
    }
}

#[test]
fn a_run_in_two_halves_is_repeatable_and_no_worse_than_the_first() {
    let (level, start) = solved(SQUARE);
    for n in [0, 1_000, 30_000, 300_000, 3_000_000] {
        let two = || {
            let first = run(&level, &start, &knobs(unproved()), Some(n), None);
            let second = run(&level, &first.best, &knobs(unproved()), Some(n), Some(&first.checkpoint));
            assert!(second.checkpoint.ticks() >= first.checkpoint.ticks());
            (first, second)
        };
        let ((first, second), again) = (two(), two());
        assert_eq!((&first.best, &second.best), (&again.0.best, &again.1.best));
        assert_eq!((second.ticks, second.n_tubes), (again.1.ticks, again.1.n_tubes));
    }
}

/// A worse start is replaced by the checkpoint's solution; one that is as good revives the arms.
#[test]
fn another_start_takes_up_what_still_holds() {
    let (level, start) = solved(SQUARE);
    let knobs = knobs(from_the_best());
    let first = run(&level, &start, &knobs, None, None);
    let worse = run(&level, &start, &knobs, None, Some(&first.checkpoint));
    assert_eq!((worse.best.metrics(), worse.n_tubes), (first.best.metrics(), 0), "it starts from the better one");
    // The level is its own mirror image.
    let swap = |letter| match letter {
        'l' => 'r',
        'r' => 'l',
        'L' => 'R',
        'R' => 'L',
        other => other,
    };
    let mirrored: String = first.best.lurd().to_string().chars().map(swap).collect();
    let other = replay(&level, &mirrored.parse().unwrap()).unwrap();
    let again = run(&level, &other, &knobs, None, Some(&first.checkpoint));
    assert_eq!((again.best.metrics(), again.end), (first.best.metrics(), Ok(())));
    assert!(again.n_tubes > 0 && again.checkpoint.n_windows() > first.checkpoint.n_windows());
}

#[test]
fn checkpoints_of_other_levels_and_objectives_are_left_out() {
    let (level, start) = solved(SQUARE);
    let (small, small_start) = solved(SMALL);
    let knobs = knobs(unproved());
    let of_small = run(&small, &small_start, &knobs, Some(50_000), None).checkpoint;
    let anew = run(&level, &start, &knobs, Some(50_000), None);
    assert!(!of_small.is_of(&level));
    let with_other = run(&level, &start, &knobs, Some(50_000), Some(&of_small));
    assert_eq!(with_other, Run { checkpoint: with_other.checkpoint.clone(), ..anew });
    assert_eq!(with_other.checkpoint.n_runs(), 1);
    let optimizer = Optimizer::new(&level).objective(Objective::PUSHES).resume(&with_other.checkpoint).work(1_000);
    let by_pushes = optimizer.run(&start).unwrap();
    assert_eq!(by_pushes.results[0].checkpoint.as_ref().map(Checkpoint::n_runs), Some(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(12, 60)).unwrap()))]

    /// However the work is divided, the end is the optimum, and proved.
    #[test]
    fn pieces_come_to_the_same_proof((level, moves) in planted(PlantSpec::default()), work in 1_000..200_000_u64) {
        let start = replay(&level, &moves).unwrap();
        let all = Knobs::default();
        let whole = run(&level, &start, &all, None, None);
        prop_assume!(whole.is_proved);
        let mut last = run(&level, &start, &all, Some(work), None);
        let mut n_runs = 1;
        while last.end.is_err() && !last.is_proved {
            last = run(&level, &last.best, &all, Some(work * n_runs), Some(&last.checkpoint));
            n_runs += 1;
            prop_assert!(n_runs < 1_000, "it gets nowhere");
        }
        prop_assert_eq!(last.best.metrics(), whole.best.metrics());
        prop_assert!(last.is_proved);
    }
}
