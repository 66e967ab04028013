//! What is known about deadlocks, proved and learned, on boards where it decides.

use super::*;
use crate::board::SearchBoard;
use crate::deadlock::box_freeze::Freeze;
use crate::deadlock::deadlock_sets::DeadlockSets;
use crate::deadlock::prover::Prover;

#[test]
fn patterns_forbid_for_the_players_region_only_and_areas_for_all() {
    let (level, yard) = yard(HALL);
    let sq = |row, column| at(&level, &yard, row, column);
    let mut sets = DeadlockSets::new(&yard);
    sets.add_pattern(&[sq(2, 2), sq(2, 3)], [sq(2, 5)].into_iter());
    let mut load = sets.load([sq(2, 2)].into_iter());
    assert!(!sets.is_deadlock(&load, sq(2, 4), sq(2, 3)), "the player comes to a square he may stand on");
    assert!(!sets.is_deadlock(&load, sq(2, 2), sq(2, 3)), "the box leaves the pattern and comes back to it");
    sets.add_pattern(&[sq(3, 2), sq(2, 3)], [sq(2, 4)].into_iter());
    assert!(!sets.is_deadlock(&sets.load([sq(2, 2)].into_iter()), sq(2, 4), sq(2, 3)));
    sets.extend(&mut load, [sq(2, 2)].into_iter());
    sets.put(&mut load, sq(3, 2));
    assert!(sets.is_deadlock(&load, sq(2, 4), sq(2, 3)));
    sets.take(&mut load, sq(3, 2));
    assert!(!sets.is_deadlock(&load, sq(2, 4), sq(2, 3)));
    sets.add_area(&[sq(4, 3), sq(4, 4), sq(4, 5)], 1);
    let load = sets.load([sq(4, 5)].into_iter());
    assert!(sets.is_deadlock(&load, sq(3, 3), sq(4, 3)) && !sets.is_deadlock(&load, sq(4, 4), sq(4, 3)));
    assert!(!sets.is_deadlock(&sets.load(std::iter::empty()), sq(3, 3), sq(4, 3)));
    let bits = |squares: &[u16]| {
        let mut words = vec![0; yard.ground().n_words()];
        squares.iter().for_each(|&sq| words[usize::from(sq) / 64] |= 1 << (sq % 64));
        words
    };
    assert!(sets.forbids(&bits(&[sq(4, 5), sq(4, 3)]), sq(3, 3), sq(4, 3)));
    assert!(sets.forbids(&bits(&[sq(3, 2), sq(2, 3)]), sq(2, 4), sq(2, 3)));
    assert!(!sets.forbids(&bits(&[sq(3, 2), sq(2, 3)]), sq(2, 5), sq(2, 3)));
}

#[test]
fn boxes_freeze_each_other_and_are_dead_off_goal_only() {
    let (level, yard) = yard(HALL);
    let sq = |row, column| at(&level, &yard, row, column);
    let mut freeze = Freeze::default();
    let block = [sq(2, 4), sq(2, 5), sq(3, 4), sq(3, 5)];
    assert!(freeze.is_dead(&yard, &field(&yard, &block), sq(3, 4)));
    assert!(!freeze.is_frozen(&yard, &field(&yard, &block[..3]), sq(3, 4)));
    let (level, yard) = self::yard("########\n#      #\n#@$$   #\n#..    #\n########");
    let sq = |row, column| at(&level, &yard, row, column);
    let home = field(&yard, &[sq(3, 1), sq(3, 2)]);
    assert!(freeze.is_frozen(&yard, &home, sq(3, 1)) && !freeze.is_dead(&yard, &home, sq(3, 1)));
}

#[test]
fn a_proof_holds_for_the_side_from_which_a_door_cannot_be_opened() {
    // Two boxes in a corridor with goals on both sides: from either side they cannot be parted.
    let (level, yard) = yard("###########\n#  . # .  #\n#   $ $ @ #\n#    #    #\n###########");
    let sq = |row, column| at(&level, &yard, row, column);
    let (sets, mut prover) = (DeadlockSets::new(&yard), Prover::new(&yard));
    let corridor = [sq(2, 5), sq(2, 6)];
    assert!(prover.is_dead(&yard, &sets, &corridor, &[], sq(2, 8), 100));
    assert!(!prover.is_dead(&yard, &sets, &corridor[..1], &[], sq(2, 8), 100));
    assert!(!prover.is_dead(&yard, &sets, &corridor, &[], sq(2, 8), 0), "nothing is proved without a node");
    assert!(prover.is_stuck(&yard, &sets, &corridor, sq(2, 8)));
    let region = prover.region(&yard, &corridor, sq(2, 8));
    assert!(region.contains(&sq(3, 9)) && !region.contains(&sq(2, 1)));
}

/// Where nothing is to be proved the nearest goals show it soon; where there is a proof it is as long in any order.
#[test]
fn proofs_that_fail_end_sooner_when_boxes_go_to_their_nearest_goals() {
    let (level, yard) =
        yard("###########\n#         #\n# $ $     #\n# @      .#\n#        .#\n#         #\n###########");
    let sets = DeadlockSets::new(&yard);
    let boxes = yard.ground().starts().to_vec();
    let inside: Vec<u16> = (0..yard.ground().wall()).filter(|sq| !boxes.contains(sq)).collect();
    let nodes = |mut prover: Prover| {
        assert!(!prover.is_dead(&yard, &sets, &boxes, &inside, at(&level, &yard, 3, 2), 10_000));
        prover.n_total()
    };
    let (led, unled) = (nodes(Prover::new(&yard)), nodes(Prover::new(&yard).in_any_order()));
    assert!(led < 100 && 2 * led < unled, "{led} {unled}");
}

#[test]
fn dead_rooms_are_learned_and_dead_ends_explained() {
    // Both boxes of the corridor are stuck, the third has nothing to do with it.
    let (level, yard) = yard("###########\n#  . # .  #\n#   $ $ @ #\n#    # $. #\n###########");
    let sq = |row, column| at(&level, &yard, row, column);
    let mut lessons = DeadlockLearner::new(&yard);
    let all = [sq(2, 5), sq(2, 6), sq(3, 7)];
    assert!(lessons.explain(&yard, &all, sq(2, 8)));
    let load = lessons.sets().load([sq(2, 5)].into_iter());
    assert!(lessons.sets().is_deadlock(&load, sq(2, 7), sq(2, 6)), "the third box was left out");
    let met = [sq(2, 5), sq(2, 6)];
    lessons.offer(&yard, &met, &[], sq(2, 8));
    assert!(!lessons.offer(&yard, &met, &[], sq(2, 8)), "looked at once");
}

/// Two boxes in a dead end with one goal; nothing encloses the player or them, and the third box can go anywhere.
#[test]
fn what_cannot_be_resolved_is_learned_without_the_boxes_that_are_free() {
    let (level, yard) = yard("############\n#    #######\n#  $   $$ .#\n#..  @######\n############");
    let sq = |row, column| at(&level, &yard, row, column);
    let (mut lessons, player) = (DeadlockLearner::new(&yard), yard.ground().player());
    assert!(lessons.reflect(&yard, &[sq(2, 3), sq(2, 7)], player, 500).is_none(), "one of them fits");
    let (mut boxes, region) = lessons.reflect(&yard, yard.ground().starts(), player, 500).unwrap();
    boxes.sort_unstable();
    assert_eq!(boxes, [sq(2, 7), sq(2, 8)]);
    assert!(region.contains(&player) && !region.contains(&sq(2, 9)));
    assert!(lessons.reflect(&yard, yard.ground().starts(), player, 500).is_none(), "looked at once with so much work");
    let all = SearchBoard::set::<1>(yard.ground().starts());
    assert!(lessons.sets().forbids(&all.0, player, sq(2, 8)));
}
