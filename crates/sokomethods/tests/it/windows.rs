//! Gains of symmetry, phase lattice, relinking and box permutation that the others do not find, and exact windows.

mod levels;

use std::ops::Range;
use std::time::Duration;

use levels::{Carving, Staircase, Way, in_one_pass, in_two_passes, mirrored_rooms, parse, shafts, solution};

use proptest::prelude::*;
use sokocore::{Direction, Level, Lurd, Metrics, Objective, PlantSpec, Solution, Symmetry, optimum, planted, replay};
use sokomethods::{BoxPermutation, Knobs, Method, MirrorRest, PhaseLattice, Relink, Vicinity};
use sokosearch::{Budget, Cancel, Context, Engine, Event, MemoryAccount, Pool, Progress, RingOrder};

const SLICE: u64 = 20_000_000;

/// Fails when a method offers moves that do not replay.
struct NothingRejected;

impl Progress for NothingRejected {
    fn on(&self, event: Event<'_>) {
        assert!(!matches!(event, Event::Rejected { .. }), "{event:?}");
    }
}

/// Runs a method once. Returns the best solution, which is never worse, and the ticks.
fn run(level: &Level, start: &Solution, objective: &str, method: &dyn Method) -> (Solution, u64) {
    let objective: Objective = objective.parse().unwrap();
    let pool = Pool::new(level, start, &[objective]);
    let limit = Some(Duration::from_secs(100));
    let budget = Budget::new(limit, MemoryAccount::new(1 << 30), Cancel::default());
    let mut cx = Context::new(&pool, objective, &budget, &NothingRejected);
    let improved = method.run(&mut cx).expect("nothing stops it");
    let best = pool.best(objective);
    assert_eq!(replay(level, best.lurd()).unwrap().metrics(), best.metrics());
    assert!(objective.score(&best.metrics()) <= objective.score(&start.metrics()), "{method:?} made it worse");
    assert_eq!(improved, best.metrics() != start.metrics(), "{method:?} says what it did");
    (best, cx.ticks())
}

fn metrics(level: &Level, start: &Solution, objective: &str, method: &dyn Method) -> Metrics {
    run(level, start, objective, method).0.metrics()
}

fn permutation(n_free: usize) -> BoxPermutation {
    BoxPermutation::all(n_free, n_free, SLICE, Engine::Fast)
}

/// Mirroring all that is left saves the walk to the far room and back; every part of it alone saves nothing.
#[test]
fn symmetry_finds_what_reordering_does_not() {
    let (level, start) = mirrored_rooms();
    let (mirrored, ticks) = run(&level, &start, "moves", &MirrorRest);
    assert_eq!(mirrored.metrics().moves, start.metrics().moves - 6);
    for distance in 3..=5 {
        let lattice = PhaseLattice::new(distance, Engine::Fast);
        assert_eq!(metrics(&level, &start, "moves", &lattice).moves, start.metrics().moves);
    }
    for n_free in 2..=4 {
        assert_eq!(metrics(&level, &start, "moves", &permutation(n_free)).moves, start.metrics().moves);
    }
    let (relinked, relink_ticks) = run(&level, &start, "moves", &Relink::new(Vec::new(), 0, Engine::Fast));
    assert_eq!(relinked.metrics().moves, mirrored.metrics().moves, "the images of all configurations contain it");
    assert!(relink_ticks > 20 * ticks, "{relink_ticks} against {ticks}");
}

/// All eight boxes are to be pushed twice in one go: at half time four of them are early.
#[test]
fn the_phase_lattice_reorders_what_windows_do_not() {
    let level = shafts(8);
    let start = solution(&level, &in_two_passes(0..8));
    let best = metrics(&level, &start, "moves", &PhaseLattice::new(4, Engine::Fast));
    assert_eq!(best.moves, 8 * 4 - 2 + 7 * 2);
    for n_free in 2..=6 {
        assert!(metrics(&level, &start, "moves", &permutation(n_free)).moves > best.moves, "{n_free}");
    }
    assert_eq!(metrics(&level, &start, "moves", &MirrorRest).moves, start.metrics().moves);
    assert_eq!(metrics(&level, &start, "moves", &Relink::new(Vec::new(), 10, Engine::Fast)), start.metrics());
}

/// The documented failure of vicinity search: four boxes must move at once.
#[test]
fn four_boxes_that_must_move_at_once_take_a_window() {
    let staircase = Staircase { n_gates: 4, detour: 4 };
    let mut picture = Carving::new(staircase.row_of_x() + 3, staircase.right() + 2);
    staircase.carve(&mut picture);
    picture.put((1, staircase.right()), '@');
    let level = picture.level();
    let start = solution(&level, &staircase.runs(Way::Loop));
    let best = solution(&level, &staircase.runs(Way::Gates)).metrics();
    assert_eq!((start.metrics().pushes, best.pushes), (12, 6));
    let vicinity = Vicinity::new(&[999, 999, 999], RingOrder::ALL[0], &Knobs::default());
    let found = |method: &dyn Method| metrics(&level, &start, "pushes", method).pushes;
    assert_eq!(found(&vicinity), 12);
    assert_eq!(found(&permutation(4)), 12, "X itself must be free as well");
    assert_eq!(found(&permutation(5)), 6);
    assert_eq!(found(&BoxPermutation::within(0..12, 5, SLICE, Engine::Reference)), 6);
    assert_eq!(found(&MirrorRest), 12);
    assert_eq!(found(&PhaseLattice::new(5, Engine::Fast)), 12);
    assert_eq!(found(&Relink::new(Vec::new(), 10, Engine::Fast)), 12);
}

/// Each of two solutions is good in one half and needs two passes in the other: too many boxes for the other methods.
#[test]
fn relinking_takes_the_good_halves_of_both() {
    let level = shafts(24);
    let both = solution(&level, &in_one_pass(0..24)).metrics();
    let one = solution(&level, &[in_one_pass(0..12), in_two_passes(12..24)].concat());
    let other = solution(&level, &[in_two_passes(0..12), in_one_pass(12..24)].concat());
    assert_eq!(one.metrics().moves, both.moves + 12 * 2 + 2 * 22);
    for (one, other) in [(&one, &other), (&other, &one)] {
        for engine in [Engine::Fast, Engine::Reference] {
            let relink = Relink::new(vec![other.clone()], 0, engine);
            assert_eq!(metrics(&level, one, "moves", &relink), both);
        }
        let found = |method: &dyn Method| metrics(&level, one, "moves", method).moves;
        assert_eq!(found(&MirrorRest), one.metrics().moves);
        assert_eq!(found(&permutation(6)), one.metrics().moves);
        assert_eq!(found(&Relink::new(Vec::new(), 10, Engine::Fast)), one.metrics().moves);
        assert!(found(&PhaseLattice::new(4, Engine::Fast)) > both.moves);
    }
}

/// Two given solutions reach the optimum together at once; one of them alone does not with as much work.
#[test]
fn several_given_solutions_reach_the_optimum_sooner() {
    let level = shafts(24);
    let best = solution(&level, &in_one_pass(0..24)).metrics();
    let one = solution(&level, &[in_one_pass(0..12), in_two_passes(12..24)].concat());
    let other = solution(&level, &[in_two_passes(0..12), in_one_pass(12..24)].concat());
    let optimized = |others: Vec<Solution>, relinks: bool| {
        let pool = Pool::new(&level, &one, &[Objective::PUSHES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(Some(WORK));
        let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &NothingRejected);
        // Nothing but relinking: no rearranging, no rings.
        let relink = Relink::new(others, 0, Engine::Fast);
        let lattice = PhaseLattice::new(3, Engine::Fast);
        let method: &dyn Method = if relinks { &relink } else { &lattice };
        let _ = method.run(&mut cx);
        pool.best(Objective::PUSHES).metrics()
    };
    const WORK: u64 = 60_000;
    assert_eq!(optimized(vec![one.clone(), other], true), best);
    assert!(optimized(vec![one.clone()], true).moves > best.moves);
    assert!(optimized(Vec::new(), false).moves > best.moves);
}

/// A solution too long to be relinked as a whole is relinked in windows.
#[test]
fn long_solutions_are_relinked_window_by_window() {
    let level = shafts(400);
    let both = solution(&level, &in_one_pass(0..400)).metrics();
    let halves = |first: Range<usize>, second: Range<usize>| [in_one_pass(first), in_two_passes(second)].concat();
    let one = solution(&level, &halves(0..399, 399..400));
    let poor = solution(&level, &[in_two_passes(0..2), in_one_pass(2..400)].concat());
    assert_eq!(one.metrics().pushes, 800);
    assert_eq!(metrics(&level, &poor, "moves", &Relink::new(vec![one], 0, Engine::Fast)), both);
}

/// Windows of 400 pushes that overlapped by half would each miss the begin or the end of what the other solution does
/// better, from push 150 to push 450; the window after the first one starts where that begins.
#[test]
fn windows_of_relinking_begin_where_boxes_do() {
    let level = shafts(325);
    let both = solution(&level, &in_one_pass(0..325)).metrics();
    let one = solution(&level, &[in_one_pass(0..75), in_two_passes(75..225), in_one_pass(225..325)].concat());
    let other = solution(&level, &[in_two_passes(0..75), in_one_pass(75..225), in_two_passes(225..325)].concat());
    assert!(one.metrics().pushes == 650 && one.metrics().moves < other.metrics().moves);
    assert_eq!(metrics(&level, &one, "moves", &Relink::new(vec![other], 0, Engine::Fast)), both);
}

/// Fewest box changes: pushing each box all the way takes more steps, so no search by moves finds it.
#[test]
fn windows_are_searched_by_the_objective_itself() {
    let rows = ["##########", "#        #", "# .$   $.#", "#   @    #", "##########"];
    let level = parse(&rows);
    let place = |column| (2, column);
    let runs = [
        (place(3), Direction::Right, 1),
        (place(7), Direction::Left, 1),
        (place(4), Direction::Left, 2),
        (place(6), Direction::Right, 2),
    ];
    let start = solution(&level, &runs);
    assert_eq!(start.metrics().box_changes, 4);
    for method in [&permutation(2) as &dyn Method, &Vicinity::new(&[10], RingOrder::ALL[0], &Knobs::default())] {
        assert_eq!(metrics(&level, &start, "boxchanges/moves", method).box_changes, 2, "{method:?}");
        let straightest = optimum(&level, "playerlines/moves".parse().unwrap()).unwrap().metrics();
        assert_eq!(metrics(&level, &start, "playerlines/moves", method), straightest, "{method:?}");
    }
}

#[test]
fn relinking_takes_over_a_better_solution_and_needs_another_one() {
    let level = shafts(3);
    let (poor, good) = (solution(&level, &in_two_passes(0..3)), solution(&level, &in_one_pass(0..3)));
    let relink = Relink::new(vec![poor.clone(), good.clone()], 0, Engine::Fast);
    assert_eq!(metrics(&level, &poor, "moves", &relink), good.metrics());
    let (same, ticks) = run(&level, &poor, "moves", &Relink::new(vec![poor.clone()], 10, Engine::Fast));
    assert_eq!((same, ticks), (poor, 0));
}

/// Trap 7: the end state of a window is fixed, player and all; what counts is the whole solution.
#[test]
fn trap_07_a_window_ends_in_the_state_of_the_solution() {
    let level = parse(&["######", "##   #", "#@$ $#", "#.  .#", "######"]);
    let start = replay(&level, &"drruurDullDrdL".parse().unwrap()).unwrap();
    for (from, to) in [(0, 1), (0, 2), (1, 2), (1, 3)] {
        for objective in ["moves", "pushes", "boxlines", "boxlines/pushes", "pushes-only"] {
            let window = BoxPermutation::within(from..to, 2, SLICE, Engine::Fast);
            run(&level, &start, objective, &window);
        }
    }
    let whole = BoxPermutation::within(0..99, 2, SLICE, Engine::Fast);
    assert_eq!(metrics(&level, &start, "moves", &whole).to_string(), "12/5/5/3/4/11");
}

/// Trap 8: a box line that began before the window continues in it.
#[test]
fn trap_08_box_lines_continue_across_the_border() {
    let level = parse(&["######", "###.##", "### ##", "# $$.#", "#  @##", "######"]);
    let start = replay(&level, &"UdlluRRU".parse().unwrap()).unwrap();
    assert_eq!(start.metrics().box_lines, 3);
    let window = BoxPermutation::within(1..4, 2, SLICE, Engine::Fast);
    assert_eq!(metrics(&level, &start, "boxlines", &window).to_string(), "9/4/2/2/2/5");
}

/// Trap 23: the image of the rest begins on the other side of the box, where the player cannot get.
#[test]
fn trap_23_an_image_out_of_reach_is_not_taken() {
    let rows = ["###########", "#.   $   .#", "#   ###   #", "#@        #", "###########"];
    let level = parse(&rows);
    let far = solution(&level, &[((1, 5), Direction::Left, 4)]);
    assert_eq!(metrics(&level, &far, "moves", &MirrorRest).moves, far.metrics().moves - 4);
    let closed = parse(&["###########", "#.   $   .#", "#   ###  @#", "###########"]);
    let start = solution(&closed, &[((1, 5), Direction::Left, 4)]);
    assert_eq!(metrics(&closed, &start, "moves", &MirrorRest), start.metrics());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// With all boxes free a window over the whole solution is the whole game: exact in the metrics of the search.
    #[test]
    fn all_boxes_free_is_brute_force((level, moves) in planted(PlantSpec { boxes: 1..=3, ..PlantSpec::default() })) {
        let start = replay(&level, &moves).unwrap();
        for (name, n_exact) in [
            ("moves", 2),
            ("pushes", 2),
            ("pushes-only", 1),
            ("boxlines/moves", 2),
            ("boxlines/pushes", 2),
            ("boxchanges/moves", 6),
            ("boxchanges/pushes", 6),
            ("sessions/moves", 6),
            ("playerlines/pushes", 6),
            ("playerlines/boxchanges", 6),
        ] {
            let objective: Objective = name.parse().unwrap();
            let best = optimum(&level, objective).expect("it is solved").metrics();
            for engine in [Engine::Fast, Engine::Reference] {
                let whole = BoxPermutation::all(3, 3, SLICE, engine);
                let found = metrics(&level, &start, name, &whole);
                for metric in &objective.order()[..n_exact] {
                    prop_assert_eq!(metric.of(&found), metric.of(&best), "{} {:?} {:?}", name, engine, level);
                }
            }
        }
    }

    /// Trap 23: on the images of a level the images of a solution have the same result.
    #[test]
    fn trap_23_images_of_a_level_come_to_the_same(
        (level, moves) in planted(PlantSpec { boxes: 1..=3, ..PlantSpec::default() }),
    ) {
        let start = replay(&level, &moves).unwrap();
        let methods: [Box<dyn Method>; 4] = [
            Box::new(BoxPermutation::all(3, 3, SLICE, Engine::Fast)),
            Box::new(PhaseLattice::new(4, Engine::Fast)),
            Box::new(Relink::new(Vec::new(), 0, Engine::Fast)),
            Box::new(MirrorRest),
        ];
        // The result of a greedy method may differ on an image; that of an exact one may not.
        let n_exact = 1;
        for (at, method) in methods.iter().enumerate() {
            let found = metrics(&level, &start, "moves", method.as_ref());
            for symmetry in Symmetry::ALL {
                let image = Level::from_grid(symmetry.grid(level.grid())).unwrap();
                let moves: Lurd = symmetry.moves(&moves);
                let other = metrics(&image, &replay(&image, &moves).unwrap(), "moves", method.as_ref());
                if at < n_exact {
                    prop_assert_eq!((found.moves, found.pushes), (other.moves, other.pushes));
                }
            }
        }
    }

    /// Never worse, whatever the objective, the slice or the window; what is found replays.
    #[test]
    fn never_worse(
        (level, moves) in planted(PlantSpec { boxes: 1..=5, width: 5..=8, ..PlantSpec::default() }),
        (from, len) in (0..20_usize, 1..20_usize),
        n_free in 1..6_usize,
        slice in prop::sample::select(vec![0_u64, 1, 50, 3_000, 1_000_000]),
        distance in 0..6_usize,
    ) {
        let start = replay(&level, &moves).unwrap();
        for objective in ["moves", "pushes", "pushes-only", "boxlines/moves", "boxchanges/pushes", "playerlines/moves"] {
            for engine in [Engine::Fast, Engine::Reference] {
                run(&level, &start, objective, &BoxPermutation::within(from..from + len, n_free, slice, engine));
                run(&level, &start, objective, &BoxPermutation::all(n_free, n_free, slice, engine));
                run(&level, &start, objective, &PhaseLattice::new(distance, engine));
                run(&level, &start, objective, &PhaseLattice::new(distance, engine).within(from..from + len));
                run(&level, &start, objective, &Relink::new(vec![start.clone()], 3, engine));
            }
            run(&level, &start, objective, &MirrorRest);
        }
    }
}
