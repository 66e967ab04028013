//! Deordered solutions are solutions, searches of clusters agree with a search of all states, and the arm gains and ends.

use std::collections::VecDeque;

use hashbrown::HashSet;
use proptest::prelude::*;
use sokocore::{
    Direction, Level, Objective, PlantSpec, Push, Reach, Solution, Square, moves_of, planted, pushes_of, replay,
};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

use super::cluster_search::BoxCluster;
use super::deordering::DeorderedWindow;
use super::*;
use crate::checkpoint::field::{Field, FieldReader};
use crate::push_order::Link;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;

/// Runs something with a context by pushes whose pool begins with a solution. Returns what it returns, and the best solution.
fn within<T>(
    level: &Level,
    start: &Solution,
    run: impl FnOnce(ArmContext<'_>, &mut Context<'_>) -> T,
) -> (T, Solution) {
    let pool = Pool::new(level, start, &[Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default());
    let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(level));
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let result = run(arm_cx, &mut cx);
    (result, pool.best(Objective::PUSHES))
}

fn links(level: &Level, start: &Solution) -> Vec<Link> {
    within(level, start, |_, cx| PushOrder::new(cx).unwrap().links().to_vec()).0
}

/// Draws windows until one can be gathered.
fn draw(level: &Level, links: &[Link], seed: u64) -> Option<DeorderedWindow> {
    let mut deordering = Deordering::new(level);
    (0..200).find_map(|n| deordering.draw(links, links.len(), &mut Draws::new(mix(seed, n))))
}

/// The fewest pushes of a cluster, by breadth-first search over all boxes of the cluster and the player's region.
fn fewest_pushes(level: &Level, cluster: &BoxCluster) -> Option<usize> {
    let board = level.board();
    let mut reach = Reach::new(board);
    let all = |own: &[Square]| board.set_of(own.iter().copied().chain(cluster.fixed.iter()));
    let sorted = |squares: &[Square]| {
        let mut squares = squares.to_vec();
        squares.sort_unstable();
        squares
    };
    let targets = sorted(&cluster.targets);
    let mut queue = VecDeque::from([(sorted(&cluster.homes), cluster.player, 0)]);
    let mut seen = HashSet::new();
    while let Some((own, player, n_pushes)) = queue.pop_front() {
        let boxes = all(&own);
        let region = reach.flood(board, &boxes, player);
        if !seen.insert((own.clone(), region.zone())) {
            continue;
        }
        if own == targets && region.contains(cluster.exit) {
            return Some(n_pushes);
        }
        for push in region.pushes().filter(|push| own.contains(&push.from)) {
            let to = push.to(board).unwrap();
            let moved: Vec<Square> = own.iter().map(|&sq| if sq == push.from { to } else { sq }).collect();
            queue.push_back((sorted(&moved), push.from, n_pushes + 1));
        }
    }
    None
}

fn spec() -> PlantSpec {
    PlantSpec { boxes: 2..=4, ..PlantSpec::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_deordered_solution_has_the_same_pushes_and_ends((level, moves) in planted(spec()), seed: u64) {
        let start = replay(&level, &moves).unwrap();
        let links = links(&level, &start);
        let Some(window) = draw(&level, &links, seed) else { return Ok(()) };
        let deordered = moves_of(&level, &window.pushes).and_then(|moves| replay(&level, &moves).ok());
        let Some(deordered) = deordered else { return Err(TestCaseError::fail("it is no solution")) };
        if deordered.metrics().pushes < start.metrics().pushes {
            // It is solved before its end: the pushes after that are left out.
            return Ok(());
        }
        let sorted = |pushes: &[Push]| {
            let mut pushes = pushes.to_vec();
            pushes.sort_unstable_by_key(|push| (push.from, push.dir.idx()));
            pushes
        };
        prop_assert_eq!(sorted(&pushes_of(&level, deordered.lurd())), sorted(&pushes_of(&level, start.lurd())));
        // The boxes of the cluster are where its pushes begin, and end where it says.
        let mut position = level.start().clone();
        window.pushes[..window.range.start].iter().for_each(|&push| assert!(position.push(level.board(), push)));
        prop_assert!(window.cluster.homes.iter().all(|&sq| position.boxes.contains(sq)));
        prop_assert!(window.cluster.fixed.is_subset(&position.boxes));
        window.pushes[window.range.clone()].iter().for_each(|&push| assert!(position.push(level.board(), push)));
        prop_assert!(window.cluster.targets.iter().all(|&sq| position.boxes.contains(sq)));
        prop_assert_eq!(position.player, window.cluster.exit);
    }

    #[test]
    fn a_cluster_has_the_fewest_pushes((level, moves) in planted(spec()), seed: u64) {
        let start = replay(&level, &moves).unwrap();
        let links = links(&level, &start);
        let Some(window) = draw(&level, &links, seed) else { return Ok(()) };
        let n_pushes = window.range.len();
        let fewest = fewest_pushes(&level, &window.cluster);
        prop_assert!(fewest.is_some_and(|fewest| fewest <= n_pushes), "the window has its own pushes");
        let mut search = ClusterSearch::new(level.board());
        for limit in [n_pushes, n_pushes + 3] {
            let found = search.fewer_pushes(&window.cluster, limit);
            prop_assert_eq!(found.as_ref().map(Vec::len), fewest.filter(|&fewest| fewest < limit));
            let Some(found) = found else { continue };
            let mut pushes = window.pushes.clone();
            pushes.splice(window.range.clone(), found);
            let solution = moves_of(&level, &pushes).and_then(|moves| replay(&level, &moves).ok());
            prop_assert!(solution.is_some(), "what follows the window stays possible");
        }
        prop_assert!(search.take_ticks() > 0);
    }
}

/// Three boxes in a hall that are pushed past their goals, and back when all are.
fn past_and_back() -> (Level, Solution) {
    let rows = [
        "##########",
        "#        #",
        "#  $.    #",
        "#        #",
        "#  $.    #",
        "#        #",
        "#  $.    #",
        "#@       #",
    ];
    let level = Level::parse(&format!("{}\n##########", rows.join("\n"))).unwrap();
    let square = |row: usize, column: usize| level.board().square_at(row, column).unwrap();
    let past = [2, 4, 6].into_iter().flat_map(|row| [3, 4].map(|column| (row, column, Direction::Right)));
    let back = [2, 4, 6].map(|row| (row, 5, Direction::Left));
    let pushes: Vec<Push> =
        past.chain(back).map(|(row, column, dir)| Push { from: square(row, column), dir }).collect();
    let solution = moves_of(&level, &pushes).and_then(|moves| replay(&level, &moves).ok()).unwrap();
    (level, solution)
}

fn knobs() -> Knobs {
    Knobs { seed: 3, ..Knobs::default() }
}

#[test]
fn pushes_that_are_far_apart_are_saved() {
    let (level, start) = past_and_back();
    assert_eq!(start.metrics().pushes, 9);
    let (end, best) = within(&level, &start, |arm_cx, cx| {
        let mut arm = DeorderedWindows::new(&knobs());
        let end = arm.run_slice(arm_cx, cx);
        assert!(cx.ticks() > 0 && arm.counts.n_gainless < arm.counts.n_drawn);
        end
    });
    assert_eq!((end, best.metrics().pushes), (Ok(ArmSliceEnd::Finished), 3), "three pushes have no excess");
}

#[test]
fn it_ends_without_gains_and_begins_again_with_another_solution() {
    let (level, start) = past_and_back();
    let (mut arm, _) = within(&level, &start, |arm_cx, cx| {
        let mut arm = DeorderedWindows::new(&knobs());
        arm.counts.n_gainless = MAX_GAINLESS - 1;
        assert!(!arm.is_done());
        while !arm.is_done() {
            arm.run_slice(arm_cx, cx).unwrap();
        }
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        arm
    });
    arm.revive();
    assert!(!arm.is_done());
}

#[test]
fn it_continues_from_a_checkpoint() {
    let (level, start) = past_and_back();
    within(&level, &start, |arm_cx, cx| {
        let mut arm = DeorderedWindows::new(&knobs());
        arm.run_slice(arm_cx, cx).unwrap();
        let saved = arm.save();
        let mut written = Vec::new();
        saved.write(&mut written);
        let read = SavedSearch::read(&mut FieldReader::new(&written));
        assert_eq!(read.as_ref(), Some(&saved));
        let mut other = DeorderedWindows::new(&knobs());
        other.restore(&saved, arm_cx, cx);
        assert_eq!(other.counts, arm.counts);
    });
}

#[test]
fn levels_with_few_boxes_do_without_it() {
    let (level, start) = past_and_back();
    assert!(within(&level, &start, |arm_cx, cx| DeorderedWindows::within(arm_cx, cx).is_none()).0);
    let (wall, floor) = ("#".repeat(FEWEST_BOXES + 3), " ".repeat(FEWEST_BOXES - 2));
    let crowded = format!("{wall}\n#@$.{floor}#\n# {} #\n{wall}", "*".repeat(FEWEST_BOXES - 1));
    let level = Level::parse(&crowded).unwrap();
    let start = replay(&level, &"R".parse().unwrap()).unwrap();
    assert!(within(&level, &start, |arm_cx, cx| DeorderedWindows::within(arm_cx, cx).is_some()).0);
}

#[test]
fn a_part_of_the_work_is_reserved_once_the_others_have_begun() {
    let arm = DeorderedWindows::new(&knobs());
    assert!([0, RESERVED_FROM - 1].iter().all(|&ticks| arm.reserved_share(ticks) < 1e-9));
    assert!((arm.reserved_share(RESERVED_FROM) - SHARE).abs() < 1e-9);
}
