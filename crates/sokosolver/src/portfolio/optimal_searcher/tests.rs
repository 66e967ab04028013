//! A search pruned by an incumbent ends with the optimum, whichever solution it begins with.

use hashbrown::HashSet;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sokocore::{Objective, Position, Push, Reach, moves_of, n_cases, optimum, planted, pushes_of, replay};
use sokosearch::MemoryAccount;

use super::*;
use crate::systematic::tests::spec;

fn budget(memory: u64) -> Budget {
    Budget::new(None, MemoryAccount::new(memory), Cancel::default())
}

/// Runs slices of so many ticks until the search is over; returns the best solution and the last slice. The lower bound
/// never falls, and never exceeds the optimum.
fn run(search: &mut IncumbentSearch, start: &Solution, ticks: u64, optimum: u64) -> (Solution, OptimalSlice) {
    let (mut incumbent, mut bound) = (start.clone(), 0);
    for _ in 0..10_000 {
        let slice = search.run_slice(&incumbent, ticks).unwrap();
        assert!((bound..=optimum).contains(&search.lower_bound()), "{bound} {} {optimum}", search.lower_bound());
        bound = search.lower_bound();
        match slice {
            OptimalSlice::Better(solution) => incumbent = solution,
            OptimalSlice::Pending => {}
            OptimalSlice::Optimal | OptimalSlice::GaveUp => return (incumbent, slice),
        }
    }
    panic!("it does not end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(24, 400)).unwrap_or(400)))]

    #[test]
    fn the_optimum_is_proved_from_any_solution((level, planted) in planted(spec())) {
        let start = replay(&level, &planted).unwrap();
        for (metric, optimal, objective) in [
            (Metric::Pushes, Optimal::Pushes, Objective::PUSHES),
            (Metric::Moves, Optimal::Moves, Objective::MOVES),
        ] {
            let best = optimum(&level, objective).unwrap();
            let least = metric.of(&best.metrics());
            for spec in [selection::sole_prover, selection::a_star_spec] {
                for incumbent in [&start, &best] {
                    let mut search = IncumbentSearch::new(&level, optimal, spec, &budget(1 << 26));
                    let (found, end) = run(&mut search, incumbent, 1_000, least);
                    prop_assert_eq!(end, OptimalSlice::Optimal);
                    prop_assert_eq!((metric.of(&found.metrics()), search.lower_bound()), (least, least));
                    prop_assert!(level.is_solved(&crate::systematic::tests::solution_end(&level, &found)));
                }
            }
        }
    }
}

/// Three boxes in front of a door.
const DOOR: &str = "###########\n#    #    #\n# $  #  . #\n# @$    . #\n#  $ #  . #\n#    #    #\n###########";

fn solved(level: &Level) -> Solution {
    let answer = crate::solve(level, &crate::SolveKnobs::default(), &budget(1 << 26), &());
    answer.solution().unwrap().clone()
}

/// An incumbent that another search has made optimal ends this one with a proof, without a solution of its own.
#[test]
fn incumbents_may_become_better_between_slices() {
    let level: Level = DOOR.parse().unwrap();
    let start = solved(&level);
    let best = optimum(&level, Objective::PUSHES).unwrap();
    let mut search = IncumbentSearch::new(&level, Optimal::Pushes, selection::a_star_spec, &budget(1 << 26));
    assert_eq!(search.run_slice(&start, 50), Ok(OptimalSlice::Pending));
    let (found, end) = run(&mut search, &best, 50, best.metrics().pushes);
    assert_eq!((found, end), (best.clone(), OptimalSlice::Optimal));
    assert_eq!(search.run_slice(&best, 50), Ok(OptimalSlice::Optimal), "it stays proved");
}

#[test]
fn a_search_ends_with_its_memory() {
    let level: Level = DOOR.parse().unwrap();
    let start = solved(&level);
    let mut search = IncumbentSearch::new(&level, Optimal::Moves, selection::a_star_spec, &budget(1 << 18));
    let is_over = |slice: &Result<OptimalSlice, Stop>| *slice != Ok(OptimalSlice::Pending);
    assert_eq!((0..100).map(|_| search.run_slice(&start, 1_000)).find(is_over), Some(Err(Stop::Memory)));
    assert!(search.lower_bound() <= optimum(&level, Objective::MOVES).unwrap().metrics().moves);
}

#[test]
fn other_metrics_and_solved_levels_have_no_search() {
    let level: Level = DOOR.parse().unwrap();
    for metric in Metric::ALL {
        let has_search = AStarSearcher.begin(&level, metric, &budget(1 << 26)).is_some();
        assert_eq!(has_search, matches!(metric, Metric::Moves | Metric::Pushes), "{metric:?}");
    }
    let solved: Level = "#####\n#@* #\n#####".parse().unwrap();
    assert!(AStarSearcher.begin(&solved, Metric::Pushes, &budget(1 << 26)).is_none());
}

/// The fewest pushes from the start of a level to its goals, with the player in the region of `end`: breadth first.
fn fewest_pushes(level: &Level, end: Square) -> Option<usize> {
    let board = level.board();
    let mut reach = Reach::new(board);
    let mut is_end = |position: &Position| {
        level.is_solved(&position.boxes) && position.region(board, &mut reach).squares().contains(&end)
    };
    let mut name = Reach::new(board);
    let (mut seen, mut layer, mut n_pushes) = (HashSet::new(), vec![level.start().clone()], 0);
    while !layer.is_empty() {
        let mut next = Vec::new();
        for position in layer {
            let region = position.region(board, &mut name);
            if !seen.insert((position.boxes.clone(), region.squares().iter().min().copied())) {
                continue;
            }
            for push in region.pushes() {
                let mut after = position.clone();
                after.player = push.stand(board).unwrap();
                assert!(after.push(board, push));
                if is_end(&after) {
                    return Some(n_pushes + 1);
                }
                next.push(after);
            }
        }
        (layer, n_pushes) = (next, n_pushes + 1);
    }
    None
}

/// Returns the position after the pushes, which can all be made.
fn after(level: &Level, pushes: &[Push]) -> Position {
    let mut position = level.start().clone();
    for &push in pushes {
        position.player = push.stand(level.board()).unwrap();
        assert!(position.push(level.board(), push));
    }
    position
}

/// Searches a window of a solution to its end; returns the fewest pushes found, of those it had.
fn search_window(window: &Level, end: Square, pushes: &[Push]) -> Vec<Push> {
    let mut best = pushes.to_vec();
    let Some(mut search) = AStarSearcher.begin_subproblem(window, end, pushes.len() as u64, &budget(1 << 26)) else {
        return best;
    };
    for _ in 0..10_000 {
        match search.run_slice(500).unwrap() {
            SubproblemSlice::Better(better) => {
                assert!(better.len() < best.len());
                best = better;
            }
            SubproblemSlice::Pending => {}
            SubproblemSlice::Exhausted => {
                assert_eq!(search.run_slice(500), Ok(SubproblemSlice::Exhausted), "it stays so");
                return best;
            }
        }
    }
    panic!("it does not end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(48, 2_000)).unwrap_or(2_000)))]

    /// Between any two positions of a solution: the ends are kept, and no path has fewer pushes.
    #[test]
    fn windows_keep_their_ends(
        (level, planted) in planted(spec()),
        (from, length) in (0_usize..20, 1_usize..20),
    ) {
        let solution = pushes_of(&level, &planted);
        let from = from % solution.len();
        let to = solution.len().min(from + length);
        let (first, last) = (after(&level, &solution[..from]), after(&level, &solution[..to]));
        let window = level.subproblem(&first, &last.boxes).unwrap();
        let found = search_window(&window, last.player, &solution[from..to]);
        let whole = [&solution[..from], &found, &solution[to..]].concat();
        prop_assert!(replay(&level, &moves_of(&level, &whole).unwrap()).is_ok());
        let mut reach = Reach::new(level.board());
        let ended = after(&window, &found);
        prop_assert_eq!(&ended.boxes, &last.boxes);
        prop_assert!(ended.region(level.board(), &mut reach).squares().contains(&last.player));
        if first.boxes != last.boxes {
            prop_assert_eq!(Some(found.len()), fewest_pushes(&window, last.player));
        }
    }
}

/// The box set of the end is reached with one push, with the player on the left of the box.
#[test]
fn the_region_of_the_player_counts() {
    let level: Level = "##########\n#@$.     #\n######   #\n######   #\n##########".parse().unwrap();
    let fewest = |column| {
        let end = level.board().square_at(1, column).unwrap();
        let mut search = AStarSearcher.begin_subproblem(&level, end, 100, &budget(1 << 26)).unwrap();
        let SubproblemSlice::Better(pushes) = search.run_slice(1_000_000).unwrap() else { panic!("there is a path") };
        assert_eq!(Some(pushes.len()), fewest_pushes(&level, end));
        pushes.len()
    };
    assert_eq!((fewest(2), fewest(4)), (1, 9), "on the right it has walked round the box");
}

#[test]
fn windows_that_leave_the_boxes_where_they_are_are_not_searched() {
    let level: Level = "######\n#@ * #\n#    #\n######".parse().unwrap();
    assert!(AStarSearcher.begin_subproblem(&level, level.start().player, 4, &budget(1 << 26)).is_none());
    let more_goals: Level = "######\n#@$..#\n#    #\n######".parse().unwrap();
    assert!(AStarSearcher.begin_subproblem(&more_goals, level.start().player, 4, &budget(1 << 26)).is_none());
}

/// Both strategies solve a window; a source has one solution, and gives up after its ticks.
#[test]
fn a_window_is_solved_anew_by_either_strategy() {
    let window = Level::parse(DOOR).unwrap();
    let begin = |level: &Level, seed| AStarSearcher.begin_replanning(level, seed, &budget(1 << 26));
    let mut strategies = HashSet::new();
    for seed in 0..4 {
        let mut source = begin(&window, seed).unwrap();
        let SourceSlice::Solution { solution, by } = source.run_slice(200_000).unwrap() else { panic!("seed {seed}") };
        assert_eq!(replay(&window, solution.lurd()), Ok(solution));
        assert_eq!(source.run_slice(200_000), Ok(SourceSlice::Exhausted));
        strategies.insert(by);
    }
    assert_eq!(strategies.len(), 2, "{strategies:?}");
    let (spec, _) = selection::replanning_spec(&window, 1).unwrap();
    let mut source = Replanner::new(&window, spec, 3, &budget(1 << 26));
    let slices: Vec<_> = (0..10).map(|_| source.run_slice(1).unwrap()).collect();
    assert_eq!((slices.first(), slices.last()), (Some(&SourceSlice::Pending), Some(&SourceSlice::Exhausted)));
    let solved = Level::parse("#####\n#@*.#\n# $ #\n#####").unwrap();
    let end = solved.board().set_of(solved.start().boxes.iter());
    let stays = solved.subproblem(solved.start(), &end).unwrap();
    assert!(begin(&stays, 0).is_none() && begin(&stays, 1).is_none());
}
