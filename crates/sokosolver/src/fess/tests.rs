//! The whole search, and its parts on small boards.

use std::time::Duration;

use sokocore::{FloorSquare, Level, moves_of, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use super::path::pushes_along;
use super::*;
use crate::board::bit_set::BitSet;
use crate::board::{FloorPush, SearchBoard};
use crate::fess::features::links::Links;
use crate::fess::features::out_of_plan::sources;
use crate::fess::macro_move::MacroMove;
use crate::fess::tree::fess_tree::{FessTree, MoveSelection};
use crate::fess::tree::nodes::{FessNode, NodeScore};
use crate::fess::tree::pending_moves::PendingMove;

mod advisors;
mod means;

const LEVEL: &str = "#########\n#   #   #\n# $   . #\n#  $#@. #\n# $   . #\n#   #   #\n#########";

fn meter(megabytes: u64) -> WorkMeter {
    let budget = Budget::new(Some(Duration::from_secs(20)), MemoryAccount::new(megabytes << 20), Cancel::default());
    WorkMeter::new(budget, Cancel::default())
}

fn solve(slice: Option<u64>) -> (Verdict, u64) {
    let level = Level::parse(LEVEL).unwrap();
    let mut meter = meter(64);
    let mut search = fess("fess", &level, &Settings::default(), FessVariant::ALL, &mut meter).unwrap();
    loop {
        if let Some(slice) = slice {
            meter.start_slice(slice);
        }
        match search.resume(&mut meter) {
            Ok(verdict) => return (verdict, search.n_nodes()),
            Err(stop) => assert_eq!(stop, Stop::Work),
        }
    }
}

#[test]
fn a_solution_replays_and_does_not_depend_on_slices() {
    let level = Level::parse(LEVEL).unwrap();
    let (verdict, n_nodes) = solve(None);
    let Verdict::Solved(pushes) = &verdict else { panic!("not solved") };
    let moves = moves_of(&level, pushes).unwrap();
    assert!(replay(&level, &moves).is_ok());
    assert_eq!(solve(Some(50)), (verdict, n_nodes));
}

/// Three threads with one scheduler: they work on the same searches and join paths of each other's.
#[test]
fn three_workers_solve_as_well_as_one() {
    let level = Level::parse(LEVEL).unwrap();
    let knobs = crate::SolveKnobs { strategy: crate::Strategy::named("fess"), n_threads: 3, ..Default::default() };
    for _ in 0..20 {
        let budget = Budget::new(Some(Duration::from_secs(20)), MemoryAccount::new(64 << 20), Cancel::default());
        let outcome = crate::solve(&level, &knobs, &budget, &());
        assert!(matches!(outcome.answer, crate::Answer::Solved { .. }), "{outcome:?}");
        assert_eq!(budget.memory().used(), 0);
    }
}

/// Taken in turns, in the smallest slices, workers leave no variant out.
#[test]
fn workers_in_turns_share_one_scheduler() {
    let level = Level::parse(LEVEL).unwrap();
    let mut meters = [meter(64), meter(64), meter(64)];
    let mut first = fess("fess", &level, &Settings::default(), FessVariant::ALL, &mut meters[0]).unwrap();
    assert!(first.fork_worker(&meters[1]).is_none(), "there is no worker yet");
    while first.n_nodes() == 0 {
        meters[0].start_slice(10);
        assert_eq!(first.resume(&mut meters[0]), Err(Stop::Work));
    }
    let others = [first.fork_worker(&meters[1]).unwrap(), first.fork_worker(&meters[2]).unwrap()];
    let mut workers: Vec<_> = std::iter::once(first).chain(others).collect();
    let verdict = 'solved: loop {
        for (worker, meter) in workers.iter_mut().zip(&mut meters) {
            meter.start_slice(30);
            match worker.resume(meter) {
                Ok(verdict) => break 'solved verdict,
                Err(stop) => assert_eq!(stop, Stop::Work),
            }
        }
    };
    let Verdict::Solved(pushes) = verdict else { panic!("{verdict:?}") };
    assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
    assert!(meters.iter().all(|meter| meter.ticks() > 0));
}

#[test]
fn without_memory_it_stops() {
    let level = Level::parse(LEVEL).unwrap();
    let mut meter = meter(0);
    let mut search = fess("fess", &level, &Settings::default(), FessVariant::ALL, &mut meter).unwrap();
    assert_eq!(search.resume(&mut meter), Err(Stop::Memory));
}

#[test]
fn a_box_in_the_door_cuts_the_link_between_two_rooms() {
    let level = Level::parse("###########\n#   ##    #\n#  . $  @ #\n#   ##    #\n###########").unwrap();
    let tables = FessTables::<2>::within(Arc::new(LevelTables::new(&level).unwrap()), &mut meter(1)).unwrap();
    let mut links = Links::new(&tables);
    let starts = tables.starts;
    assert_eq!((links.begin(&tables, &BitSet::default()), links.begin(&tables, &starts)), (0, 1));
    let (board, door) = (tables.board(), tables.board().starts()[0]);
    let inside = board.step(board.step(board.step(door, 3), 3), 3);
    assert_eq!(links.after(&tables, &starts.moved(door, inside), door, inside), 0);
}

#[test]
fn a_wall_cuts_off_the_squares_behind_it() {
    let level = Level::parse("#########\n#       #\n#@ $   .#\n#########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let mut walls = BitSet::<2>::default();
    assert!(sources(&board, board.goals(), &walls).has(board.starts()[0]));
    walls.insert(board.step(board.step(board.starts()[0], 1), 1));
    assert!(!sources(&board, board.goals(), &walls).has(board.starts()[0]));
}

#[test]
fn every_variant_solves_a_level_by_itself() {
    let level = Level::parse(LEVEL).unwrap();
    for variant in FessVariant::ALL {
        let variants: &'static [&'static FessVariant] = Box::leak(Box::new([*variant]));
        let mut meter = meter(64);
        let mut search = fess(variant.name, &level, &Settings::default(), variants, &mut meter).unwrap();
        let verdict = search.resume(&mut meter);
        let Ok(Verdict::Solved(pushes)) = verdict else { panic!("{} has not solved it: {verdict:?}", variant.name) };
        assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok(), "{}", variant.name);
    }
}

#[test]
fn every_variant_can_be_asked_for_by_name() {
    for variant in FessVariant::ALL {
        assert!(crate::Strategy::named(variant.name).is_some(), "{}", variant.name);
    }
}

/// The path by pushes and the path by pulls make one path, even if the box comes back to its square.
#[test]
fn a_path_becomes_single_pushes() {
    let level = Level::parse("########\n#      #\n# @$ . #\n#      #\n########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let start = SearchBoard::set::<2>(board.starts());
    let sq = board.starts()[0];
    let right = board.step(sq, 1);
    let moved = start.moved(sq, right);
    let far = start.moved(sq, board.step(right, 1));
    let pushes = pushes_along(&board, &[(start, board.player()), (moved, sq), (moved, sq), (far, right)]).unwrap();
    assert_eq!(pushes, [sq, right].map(|from| board.push(FloorPush { from, dir: 1 })));
    assert!(pushes_along(&board, &[(moved, sq), (start, board.player())]).is_some());
    assert!(pushes_along(&board, &[(start, board.player()), (far, sq), (start, right), (moved, sq)]).is_some());
}

/// A node with many macro moves yields them all in their order, though few are kept. What was closed when the node was
/// added is left out, what was closed since then is passed over.
#[test]
fn macro_moves_generated_again_continue_where_the_kept_ones_ended() {
    let all: Vec<PendingMove> = (0..300_u16)
        .map(|n| {
            let [from, to, player] = [FloorSquare::new(n); 3];
            let (macro_move, score_key) = (MacroMove { from, to, player }, u64::from(n * 7 % 300));
            PendingMove {
                macro_move,
                hash: u64::from(n + 1) << 16,
                score_key,
                weight: u8::from(n % 5 > 0),
                sinks: false,
            }
        })
        .collect();
    for mut tree in [FessTree::<2>::default(), FessTree::new(MoveSelection::ValueTree)] {
        let mut expected: Vec<PendingMove> = all[10..].to_vec();
        expected.sort_by_key(|pending| (pending.weight, pending.score_key));
        assert!(all[..10].iter().all(|pending| tree.close(pending.hash)));
        let root = tree.add(
            &FessNode::root(BitSet::default(), BitSet::default(), FloorSquare::new(0), NodeScore::default()),
            all.clone(),
        );
        let late = expected.iter().skip(100).copied().find(|pending| pending.score_key.is_multiple_of(2)).unwrap();
        tree.close(late.hash);
        expected.retain(|pending| *pending != late);
        let mut n_again = 0;
        for pending in expected {
            let next = tree.next(|_| {
                n_again += 1;
                all.clone()
            });
            assert_eq!(next, Some((root, pending)));
            assert!(tree.close(pending.hash));
        }
        assert!(tree.next(|_| Vec::new()).is_none());
        assert!((1..10).contains(&n_again), "{n_again}");
    }
}

/// A position proved lost keeps its entry in the heap, but none of its macro moves is taken.
#[test]
fn pruned_macro_moves_are_not_taken() {
    let pending = |n: u16| {
        let [from, to, player] = [n, n, 0].map(FloorSquare::new);
        let macro_move = MacroMove { from, to, player };
        PendingMove { macro_move, hash: u64::from(n) << 16, weight: 1, ..PendingMove::default() }
    };
    let mut boxes = BitSet::<2>::default();
    boxes.insert(FloorSquare::new(1));
    let first = FessNode::root(boxes, BitSet::default(), FloorSquare::new(0), NodeScore::default());
    let mut tree = FessTree::default();
    let root = tree.add(&first, (1..6).map(pending).collect());
    let next = |tree: &mut FessTree<2>| {
        tree.next(|_| (1..6).map(pending).collect()).map(|(at, pending)| (at, pending.macro_move.to.get()))
    };
    assert_eq!(next(&mut tree), Some((root, 1)));
    let [from, to, player] = [1, 2, 0].map(FloorSquare::new);
    let moved = PendingMove { macro_move: MacroMove { from, to, player }, ..pending(1) };
    let child = tree.add(&first.child(root, &moved), (11..16).map(pending).collect());
    assert_eq!((1..64).filter_map(|_| tree.count_in_ancestors(child)).collect::<Vec<_>>(), []);
    assert_eq!(tree.count_in_ancestors(child), Some((child, 64)));
    tree.prune(|node| node.boxes.has(FloorSquare::new(2)));
    let taken: Vec<_> = std::iter::from_fn(|| next(&mut tree)).collect();
    assert_eq!(taken, [(root, 2), (root, 3), (root, 4), (root, 5)]);
}
