//! The deadlock database, proofs and learning, on boards where they decide.

use sokocore::FloorSquare;

use super::*;
use crate::board::SearchBoard;
use crate::board::bit_set::BitView;
use crate::deadlock::deadlock_sets::DeadlockSets;
use crate::deadlock::prover::{Prover, Question};
use crate::deadlock::shared::Deadlock;

#[test]
fn patterns_forbid_for_the_players_region_only_and_areas_for_all() {
    let (level, tables) = tables(HALL);
    let sq = |row, column| at(&level, &tables, row, column);
    let mut sets = DeadlockSets::new(&tables);
    sets.add_pattern(&[sq(2, 2), sq(2, 3)], [sq(2, 5)].into_iter());
    let mut occupancy = sets.occupancy([sq(2, 2)].into_iter());
    assert!(
        !sets.forbids_counted(&occupancy, sq(2, 4), sq(2, 3)),
        "the player ends on a square that the pattern allows"
    );
    assert!(!sets.forbids_counted(&occupancy, sq(2, 2), sq(2, 3)), "the box leaves the pattern and comes back to it");
    sets.add_pattern(&[sq(3, 2), sq(2, 3)], [sq(2, 4)].into_iter());
    assert!(!sets.forbids_counted(&sets.occupancy([sq(2, 2)].into_iter()), sq(2, 4), sq(2, 3)));
    sets.extend(&mut occupancy, [sq(2, 2)].into_iter());
    sets.put(&mut occupancy, sq(3, 2));
    assert!(sets.forbids_counted(&occupancy, sq(2, 4), sq(2, 3)));
    sets.take(&mut occupancy, sq(3, 2));
    assert!(!sets.forbids_counted(&occupancy, sq(2, 4), sq(2, 3)));
    sets.add_capacity_area(&[sq(4, 3), sq(4, 4), sq(4, 5)], 1);
    let occupancy = sets.occupancy([sq(4, 5)].into_iter());
    assert!(
        sets.forbids_counted(&occupancy, sq(3, 3), sq(4, 3)) && !sets.forbids_counted(&occupancy, sq(4, 4), sq(4, 3))
    );
    assert!(!sets.forbids_counted(&sets.occupancy(std::iter::empty()), sq(3, 3), sq(4, 3)));
    let bits = |squares: &[FloorSquare]| {
        let mut words = vec![0; tables.board().n_words()];
        squares.iter().for_each(|&sq| words[sq.idx() / 64] |= 1 << (sq.idx() % 64));
        words
    };
    assert!(sets.forbids(BitView::new(&bits(&[sq(4, 5), sq(4, 3)])), sq(3, 3), sq(4, 3)));
    assert!(sets.forbids(BitView::new(&bits(&[sq(3, 2), sq(2, 3)])), sq(2, 4), sq(2, 3)));
    assert!(!sets.forbids(BitView::new(&bits(&[sq(3, 2), sq(2, 3)])), sq(2, 5), sq(2, 3)));
}

#[test]
fn a_proof_holds_for_the_side_from_which_a_door_cannot_be_opened() {
    // Two boxes in a corridor with goals on both sides: from either side they cannot be parted.
    let (level, tables) = tables("###########\n#  . # .  #\n#   $ $ @ #\n#    #    #\n###########");
    let sq = |row, column| at(&level, &tables, row, column);
    let (sets, mut prover) = (DeadlockSets::new(&tables), Prover::new(&tables));
    let corridor = [sq(2, 5), sq(2, 6)];
    assert!(prover.is_dead_within(&sets, Question { boxes: &corridor, player: sq(2, 8), max_nodes: 100 }, &[]));
    assert!(!prover.is_dead_within(&sets, Question { boxes: &corridor[..1], player: sq(2, 8), max_nodes: 100 }, &[]));
    assert!(
        !prover.is_dead_within(&sets, Question { boxes: &corridor, player: sq(2, 8), max_nodes: 0 }, &[]),
        "nothing is proved without a node"
    );
    assert!(prover.is_stuck(&sets, &corridor, sq(2, 8)));
    let region = prover.region(&corridor, sq(2, 8));
    assert!(region.contains(&sq(3, 9)) && !region.contains(&sq(2, 1)));
}

/// A proof that fails ends sooner when boxes are pushed to their nearest goals; one that succeeds is as long in any
/// order.
#[test]
fn proofs_that_fail_end_sooner_when_boxes_go_to_their_nearest_goals() {
    let (level, tables) =
        tables("###########\n#         #\n# $ $     #\n# @      .#\n#        .#\n#         #\n###########");
    let sets = DeadlockSets::new(&tables);
    let boxes = tables.board().starts().to_vec();
    let inside: Vec<FloorSquare> = tables.board().squares().filter(|sq| !boxes.contains(sq)).collect();
    let nodes = |mut prover: Prover| {
        let question = Question { boxes: &boxes, player: at(&level, &tables, 3, 2), max_nodes: 10_000 };
        assert!(!prover.is_dead_within(&sets, question, &inside));
        prover.n_total()
    };
    let (led, unled) = (nodes(Prover::new(&tables)), nodes(Prover::new(&tables).in_any_order()));
    assert!(led < 100 && 2 * led < unled, "{led} {unled}");
}

#[test]
fn dead_areas_are_learned_and_dead_ends_explained() {
    // Both boxes of the corridor are stuck; the third is irrelevant.
    let (level, tables) = tables("###########\n#  . # .  #\n#   $ $ @ #\n#    # $. #\n###########");
    let sq = |row, column| at(&level, &tables, row, column);
    let mut learner = learner(&tables);
    let all = [sq(2, 5), sq(2, 6), sq(3, 7)];
    assert!(learner.explain(&all, sq(2, 8)));
    let occupancy = learner.sets().occupancy([sq(2, 5)].into_iter());
    assert!(learner.sets().forbids_counted(&occupancy, sq(2, 7), sq(2, 6)), "the third box was left out");
    let met = [sq(2, 5), sq(2, 6)];
    learner.examine_area(&met, &[], sq(2, 8));
    assert!(!learner.examine_area(&met, &[], sq(2, 8)), "examined once");
}

/// Two boxes in a dead end with one goal; nothing encloses the player or them, and the third box can be pushed
/// anywhere.
#[test]
fn what_cannot_be_resolved_is_learned_without_the_boxes_that_are_free() {
    let (level, tables) = tables("############\n#    #######\n#  $   $$ .#\n#..  @######\n############");
    let sq = |row, column| at(&level, &tables, row, column);
    let (mut learner, player) = (learner(&tables), tables.board().player());
    let question = |boxes| Question { boxes, player, max_nodes: 500 };
    let two = [sq(2, 3), sq(2, 7)];
    assert!(learner.prove_subtree(question(&two)).is_none(), "one of them fits");
    let Deadlock { boxes, player: region } = learner.prove_subtree(question(tables.board().starts())).unwrap();
    let mut boxes = boxes.to_vec();
    boxes.sort_unstable();
    assert_eq!(boxes, [sq(2, 7), sq(2, 8)]);
    assert!(region.contains(&player) && !region.contains(&sq(2, 9)));
    assert!(learner.prove_subtree(question(tables.board().starts())).is_none(), "examined once with so many nodes");
    let all = SearchBoard::set::<2>(tables.board().starts());
    assert!(learner.sets().forbids(all.view(), player, sq(2, 8)));
}
