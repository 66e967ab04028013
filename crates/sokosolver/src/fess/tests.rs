//! The whole search, and its parts on small boards.

use std::cell::Cell;
use std::time::Duration;

use sokocore::{Level, moves_of, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use super::meeting::spell;
use super::*;
use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;
use crate::fess::features::links::Links;
use crate::fess::features::zones::sources;
use crate::fess::macro_move::MacroMove;
use crate::fess::tree::cells::FessTree;
use crate::fess::tree::nodes::{Node, Score};
use crate::fess::tree::pending_moves::Edge;

mod advisors;
mod means;

thread_local! {
    /// Whether the trees of this thread have cells, not one queue.
    pub(super) static HAS_CELLS: Cell<bool> = const { Cell::new(true) };
    /// Whether the trees of this thread meet others.
    pub(super) static HAS_PERIMETER: Cell<bool> = const { Cell::new(true) };
    /// The trees of this thread that met last, in the order in which they were planted.
    pub(super) static MET: Cell<Option<[u16; 2]>> = const { Cell::new(None) };
}

const LEVEL: &str = "#########\n#   #   #\n# $   . #\n#  $#@. #\n# $   . #\n#   #   #\n#########";

fn effort(megabytes: u64) -> WorkMeter {
    let budget = Budget::new(Some(Duration::from_secs(20)), MemoryAccount::new(megabytes << 20), Cancel::default());
    WorkMeter::new(budget, Cancel::default())
}

fn solve(slice: Option<u64>) -> (Verdict, u64) {
    let level = Level::parse(LEVEL).unwrap();
    let mut effort = effort(64);
    let mut search = fess("fess", &level, &Settings::default(), Variant::ALL, &mut effort).unwrap();
    loop {
        if let Some(slice) = slice {
            effort.start_slice(slice);
        }
        match search.resume(&mut effort) {
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

/// Two threads with one team: they find the same trees in the roll and join ways of each other's.
#[test]
fn two_hands_solve_as_well_as_one() {
    let level = Level::parse(LEVEL).unwrap();
    let knobs = crate::SolveKnobs { strategy: crate::Strategy::named("fess"), n_threads: 3, ..Default::default() };
    for _ in 0..20 {
        let budget = Budget::new(Some(Duration::from_secs(20)), MemoryAccount::new(64 << 20), Cancel::default());
        let outcome = crate::solve(&level, &knobs, &budget, &());
        assert!(matches!(outcome.answer, crate::Answer::Solved { .. }), "{outcome:?}");
        assert_eq!(budget.memory().used(), 0);
    }
}

/// Taken in turns, in the smallest slices, hands leave no member of the team out.
#[test]
fn hands_in_turns_share_one_team() {
    let level = Level::parse(LEVEL).unwrap();
    let mut efforts = [effort(64), effort(64), effort(64)];
    let mut first = fess("fess", &level, &Settings::default(), Variant::ALL, &mut efforts[0]).unwrap();
    assert!(first.fork_worker(&efforts[1]).is_none(), "there is no team yet");
    while first.n_nodes() == 0 {
        efforts[0].start_slice(10);
        assert_eq!(first.resume(&mut efforts[0]), Err(Stop::Work));
    }
    let others = [first.fork_worker(&efforts[1]).unwrap(), first.fork_worker(&efforts[2]).unwrap()];
    let mut hands: Vec<_> = std::iter::once(first).chain(others).collect();
    let verdict = 'solved: loop {
        for (hand, effort) in hands.iter_mut().zip(&mut efforts) {
            effort.start_slice(30);
            match hand.resume(effort) {
                Ok(verdict) => break 'solved verdict,
                Err(stop) => assert_eq!(stop, Stop::Work),
            }
        }
    };
    let Verdict::Solved(pushes) = verdict else { panic!("{verdict:?}") };
    assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
    assert!(efforts.iter().all(|effort| effort.ticks() > 0));
}

#[test]
fn without_memory_it_stops() {
    let level = Level::parse(LEVEL).unwrap();
    let mut effort = effort(0);
    let mut search = fess("fess", &level, &Settings::default(), Variant::ALL, &mut effort).unwrap();
    assert_eq!(search.resume(&mut effort), Err(Stop::Memory));
}

#[test]
fn a_box_in_the_door_cuts_the_link_between_two_rooms() {
    let level = Level::parse("###########\n#   ##    #\n#  . $  @ #\n#   ##    #\n###########").unwrap();
    let terrain = FessTables::<2>::within(LevelTables::new(&level).unwrap(), &mut effort(1)).unwrap();
    let mut links = Links::new(&terrain);
    let starts = terrain.starts;
    assert_eq!((links.begin(&terrain, &BitSet::default()), links.begin(&terrain, &starts)), (0, 1));
    let (ground, door) = (terrain.ground(), terrain.ground().starts()[0]);
    let inside = ground.step(ground.step(ground.step(door, 3), 3), 3);
    assert_eq!(links.after(&terrain, &starts.moved(door, inside), door, inside), 0);
}

#[test]
fn a_wall_cuts_off_the_squares_behind_it() {
    let level = Level::parse("#########\n#       #\n#@ $   .#\n#########").unwrap();
    let ground = SearchBoard::new(&level).unwrap();
    let mut walls = BitSet::<2>::default();
    assert!(sources(&ground, ground.goals(), &walls).has(ground.starts()[0]));
    walls.insert(ground.step(ground.step(ground.starts()[0], 1), 1));
    assert!(!sources(&ground, ground.goals(), &walls).has(ground.starts()[0]));
}

#[test]
fn every_strategy_solves_a_level_by_itself() {
    let level = Level::parse(LEVEL).unwrap();
    for variant in Variant::ALL {
        let variants: &'static [&'static Variant] = Box::leak(Box::new([*variant]));
        let mut effort = effort(64);
        let mut search = fess(variant.name, &level, &Settings::default(), variants, &mut effort).unwrap();
        let verdict = search.resume(&mut effort);
        let Ok(Verdict::Solved(pushes)) = verdict else { panic!("{} has not solved it: {verdict:?}", variant.name) };
        assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok(), "{}", variant.name);
    }
}

#[test]
fn every_strategy_can_be_asked_for_by_name() {
    for variant in Variant::ALL {
        assert!(crate::Strategy::named(variant.name).is_some(), "{}", variant.name);
    }
}

/// The way there by pushes and the way back by pulls make one way, even if the box comes back to its square.
#[test]
fn a_way_is_spelled_out_push_by_push() {
    let level = Level::parse("########\n#      #\n# @$ . #\n#      #\n########").unwrap();
    let ground = SearchBoard::new(&level).unwrap();
    let start = SearchBoard::set::<1>(ground.starts());
    let sq = ground.starts()[0];
    let right = ground.step(sq, 1);
    let moved = start.moved(sq, right);
    let far = start.moved(sq, ground.step(right, 1));
    let pushes = spell(&ground, &[(start, ground.player()), (moved, sq), (moved, sq), (far, right)]).unwrap();
    assert_eq!(pushes, [ground.push(sq, 1), ground.push(right, 1)]);
    assert!(spell(&ground, &[(moved, sq), (start, ground.player())]).is_some());
    assert!(spell(&ground, &[(start, ground.player()), (far, sq), (start, right), (moved, sq)]).is_some());
}

/// A node with many leaps gives them all in their order, though few are kept: those beyond are made again. What was
/// closed when it was added is left out, what was closed since then is passed over.
#[test]
fn leaps_made_again_go_on_where_the_kept_ones_ended() {
    let all: Vec<Edge> = (0..300_u16)
        .map(|n| {
            let (leap, order) = (MacroMove { from: n, to: n, player: n }, u64::from(n * 7 % 300));
            Edge { leap, hash: u64::from(n + 1) << 16, order, weight: u8::from(n % 5 > 0), sinks: false }
        })
        .collect();
    for mut forest in [FessTree::<1>::default(), FessTree::of_values()] {
        let mut expected: Vec<Edge> = all[10..].to_vec();
        expected.sort_by_key(|edge| (edge.weight, edge.order));
        assert!(all[..10].iter().all(|edge| forest.close(edge.hash)));
        let root = forest.add(&Node::root(BitSet::default(), BitSet::default(), 0, Score::default()), all.clone());
        let late = expected.iter().skip(100).copied().find(|edge| edge.order.is_multiple_of(2)).unwrap();
        forest.close(late.hash);
        expected.retain(|edge| *edge != late);
        let mut n_again = 0;
        for edge in expected {
            let next = forest.next(|_| {
                n_again += 1;
                all.clone()
            });
            assert_eq!(next, Some((root, edge)));
            assert!(forest.close(edge.hash));
        }
        assert!(forest.next(|_| Vec::new()).is_none());
        assert!((1..10).contains(&n_again), "{n_again}");
    }
}

/// A position lost after all keeps its place in the heap, but none of its leaps is taken.
#[test]
fn leaps_that_were_given_up_are_not_taken() {
    let edge = |n: u16| {
        let leap = MacroMove { from: n, to: n, player: 0 };
        Edge { leap, hash: u64::from(n) << 16, weight: 1, ..Edge::default() }
    };
    let mut boxes = BitSet::<1>::default();
    boxes.insert(1);
    let first = Node::root(boxes, BitSet::default(), 0, Score::default());
    let mut forest = FessTree::default();
    let root = forest.add(&first, (1..6).map(edge).collect());
    let next =
        |forest: &mut FessTree<1>| forest.next(|_| (1..6).map(edge).collect()).map(|(at, edge)| (at, edge.leap.to));
    assert_eq!(next(&mut forest), Some((root, 1)));
    let moved = Edge { leap: MacroMove { from: 1, to: 2, player: 0 }, ..edge(1) };
    let child = forest.add(&first.child(root, &moved), (11..16).map(edge).collect());
    assert_eq!((1..64).filter_map(|_| forest.grown(child)).collect::<Vec<_>>(), []);
    assert_eq!(forest.grown(child), Some((child, 64)));
    forest.give_up(|node| node.boxes.has(2));
    let taken: Vec<_> = std::iter::from_fn(|| next(&mut forest)).collect();
    assert_eq!(taken, [(root, 2), (root, 3), (root, 4), (root, 5)]);
}
