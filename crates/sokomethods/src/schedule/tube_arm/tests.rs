//! Sweeps go round what is in other hands, and come back to it.

use sokocore::{Level, Objective, replay};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

use super::*;
use crate::Knobs;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::windows_in_hand::WindowsInHand;

/// Pushes of a window, of which the seam is the half: one box is on its way all the time.
const LENGTH: usize = 10;

/// Runs slices of an arm on a box that is pushed 30 times along a corridor.
fn check(memory: u64, run: impl FnOnce(&mut TubeArm, &Spine, Field<'_>, &mut Context<'_>)) {
    let wall = "#".repeat(34);
    let level = Level::parse(&format!("{wall}\n#@${}.#\n{wall}", " ".repeat(29))).unwrap();
    let solution = replay(&level, &"R".repeat(30).parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
    let (searched, in_hand) = (SearchedWindows::default(), WindowsInHand::default());
    let field = Field { knobs: &knobs, live: &live, searched: &searched, in_hand: &in_hand };
    let mut arm = TubeArm { length: LENGTH, longest: LENGTH, ..TubeArm::new(vec![2], Boxes::All, 0, live.n_live()) };
    let spine = Spine::new(&level, &live, &solution, &MemoryAccount::new(1 << 20)).unwrap();
    run(&mut arm, &spine, field, &mut cx);
    assert_eq!(pool.best(Objective::MOVES), solution);
}

/// The window that the arm would search next.
fn next(arm: &TubeArm, spine: &Spine, field: Field<'_>, cx: &Context<'_>) -> Option<Range<usize>> {
    match arm.next_window(spine, field, cx) {
        Next::Search(hand) => Some(hand.pushes().clone()),
        Next::Searched | Next::Taken => None,
    }
}

/// Another thread searches the first window: the sweep goes on where that ends, and comes back to it.
#[test]
fn windows_in_other_hands_are_left_out_and_searched_later() {
    check(1 << 20, |arm, spine, field, cx| {
        let Next::Search(hand) = arm.next_window(spine, field, cx) else { panic!("nobody is there") };
        assert_eq!(*hand.pushes(), 0..LENGTH);
        assert_eq!(next(arm, spine, field, cx), Some(LENGTH..2 * LENGTH), "not 5..15, which overlaps");
        assert_eq!(arm.run_slice(field, cx), Ok(Slice::Finished));
        assert_eq!(next(arm, spine, field, cx), Some(15..25), "10..20 was searched");
        while arm.run_slice(field, cx) != Ok(Slice::Taken) {}
        assert_eq!((arm.cursor, arm.vain_sweeps), (0, 0), "the sweep is not over");
        drop(hand);
        let mut searched = Vec::new();
        while arm.vain_sweeps == 0 {
            searched.extend(next(arm, spine, field, cx));
            arm.run_slice(field, cx).unwrap();
        }
        assert_eq!(searched.iter().map(|window| window.start).collect::<Vec<_>>(), [0, 5]);
    });
}

#[test]
fn another_neighborhood_is_not_in_the_way() {
    check(1 << 20, |arm, spine, field, cx| {
        let others = TubeArm { length: 30, longest: 30, ..TubeArm::new(vec![2], Boxes::Pushed, 0, 31) };
        let Next::Search(_hand) = others.next_window(spine, field, cx) else { panic!("nobody is there") };
        assert_eq!(next(arm, spine, field, cx), Some(0..LENGTH));
    });
}

/// Without room for what was searched in vain, sweeps come to their ends all the same.
#[test]
fn an_arm_that_cannot_remember_is_done_all_the_same() {
    let slices = |memory| {
        let mut slices = Vec::new();
        check(memory, |arm, _, field, cx| {
            while !arm.is_done() {
                slices.push(arm.run_slice(field, cx).unwrap());
                assert!(slices.len() < 1_000, "it goes on and on");
            }
            arm.revive();
            (0..5).for_each(|_| slices.push(arm.run_slice(field, cx).unwrap()));
        });
        slices
    };
    assert!(slices(1 << 20).ends_with(&[Slice::Skipped; 5]));
    assert!(!slices(18 << 10).contains(&Slice::Skipped));
}
