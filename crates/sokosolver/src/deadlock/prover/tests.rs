//! Proofs against a search of all positions, and their exact numbers on small boards.

use crate::board::tests::tables;
use crate::deadlock::prover::reference::{Escape, ProofCase, ReferenceProofs, at, bits, least, proof_cases, squares};
use crate::deadlock::prover::*;

/// A hall with two goals at its ends; boxes stay in the row of the goals.
const ROW: &str = "###########\n#         #\n# *   $  .#\n#    @    #\n###########";

fn all_squares(tables: &LevelTables) -> Vec<FloorSquare> {
    tables.board().squares().collect()
}

/// A fence around the whole floor lets no box escape: then a proof expands every position once, and needs as many nodes.
#[test]
fn a_proof_without_escapes_expands_each_position_once() {
    let mut n_dead = 0;
    for case in proof_cases(30, 6) {
        let ProofCase { tables, boxes, player, .. } = &case;
        let (sets, mut prover, all) = (DeadlockSets::new(tables), Prover::new(tables), all_squares(tables));
        let positions = ReferenceProofs(tables.board()).dead_positions(bits(boxes), *player, Escape::Never);
        let is_dead = |prover: &mut Prover, max_nodes| {
            prover.is_dead_within(&sets, Question { boxes, player: *player, max_nodes }, &all)
        };
        assert_eq!(is_dead(&mut prover, u32::MAX), positions.is_some(), "{}", case.picture());
        let Some(positions) = positions else { continue };
        let n = u32::try_from(positions.len()).unwrap();
        assert_eq!(prover.n_total(), u64::from(n), "{}", case.picture());
        let box_key = |boxes: u64| squares(boxes).fold(0, |key, sq| key ^ tables.key(sq));
        let key = |(boxes, region): (u64, u64)| box_key(boxes) ^ tables.key(least(region)).rotate_left(31);
        let keys: HashSet<u64> = positions.into_iter().map(key).collect();
        assert_eq!(prover.visited, keys, "{}", case.picture());
        assert!(is_dead(&mut prover, n) && !is_dead(&mut prover, n - 1), "{}", case.picture());
        assert_eq!(prover.n_total(), 3 * u64::from(n), "the node beyond the limit is counted, {}", case.picture());
        n_dead += 1;
    }
    assert!((20..160).contains(&n_dead), "{n_dead} of 180");
}

/// A prover keeps no fence of an earlier question.
#[test]
fn boxes_that_escape_are_left_out_of_a_proof() {
    let mut n_dead = [0; 2];
    for case in proof_cases(24, 8) {
        let ProofCase { tables, boxes, player, inside } = &case;
        let (sets, mut prover) = (DeadlockSets::new(tables), Prover::new(tables));
        let reference = ReferenceProofs(tables.board());
        let expect =
            [Escape::Beyond(case.fence()), Escape::ByAxes].map(|by| reference.is_dead(bits(boxes), *player, by));
        let question = Question { boxes, player: *player, max_nodes: u32::MAX };
        for _ in 0..2 {
            assert_eq!(prover.is_dead_within(&sets, question, inside), expect[0], "{}", case.picture());
            assert_eq!(prover.is_dead_by_axes(&sets, question), expect[1], "{}", case.picture());
        }
        expect.into_iter().zip(&mut n_dead).for_each(|(is_dead, n_dead)| *n_dead += usize::from(is_dead));
    }
    assert!(n_dead.iter().all(|n_dead| (20..170).contains(n_dead)), "{n_dead:?} of 192");
}

#[test]
fn tied_and_stuck_boxes_and_regions_are_those_of_the_reference() {
    let (mut n_stuck, mut n_free, mut n_tied) = (0, 0, 0);
    for case in proof_cases(40, 12) {
        let ProofCase { tables, boxes, player, .. } = &case;
        let (sets, mut prover) = (DeadlockSets::new(tables), Prover::new(tables));
        let reference = ReferenceProofs(tables.board());
        let tied = bits(&prover.tied(&sets, boxes, *player));
        assert_eq!(tied, reference.tied(bits(boxes), *player), "{}", case.picture());
        let n_before = prover.n_total();
        let is_stuck = prover.is_stuck(&sets, boxes, *player);
        assert_eq!(is_stuck, reference.is_stuck(bits(boxes), *player), "{}", case.picture());
        assert_eq!(prover.n_total(), n_before + 1);
        let region: Vec<FloorSquare> = squares(reference.region(bits(boxes), *player)).collect();
        assert_eq!(prover.region(boxes, *player), region, "{}", case.picture());
        n_stuck += usize::from(is_stuck);
        n_free += usize::from(tied == 0);
        n_tied += usize::from(boxes.len() > 1 && squares(tied).count() == 1);
    }
    assert!(n_stuck > 20 && n_free > 20 && n_tied > 20, "{n_stuck} {n_free} {n_tied} of 480");
}

/// Known deadlocks shorten a proof and change no answer, however many boxes the questions before it had.
#[test]
fn known_sets_change_no_answer() {
    let (mut n_known, mut n_nodes) = (0, [0; 2]);
    for cases in proof_cases(16, 10).chunk_by(|one, other| Arc::ptr_eq(&one.tables, &other.tables)) {
        let tables = &cases[0].tables;
        let (board, all) = (tables.board(), all_squares(tables));
        let (no_sets, mut sets) = (DeadlockSets::new(tables), DeadlockSets::new(tables));
        let (mut without, mut with) = (Prover::new(tables), Prover::new(tables));
        for case in cases {
            let question = Question { boxes: &case.boxes, player: case.player, max_nodes: u32::MAX };
            let expect = without.is_dead_within(&no_sets, question, &all);
            assert_eq!(with.is_dead_within(&sets, question, &all), expect, "{}", case.picture());
            let boxes = &case.boxes[..case.boxes.len().min(2)];
            let is_dead = |sq: &FloorSquare| {
                !boxes.contains(sq) && ReferenceProofs(board).is_dead(bits(boxes), *sq, Escape::Never)
            };
            let dead: Vec<FloorSquare> = board.squares().filter(is_dead).collect();
            if !dead.is_empty() {
                sets.add_pattern(boxes, dead.into_iter());
                n_known += 1;
            }
        }
        n_nodes[0] += without.n_total();
        n_nodes[1] += with.n_total();
        assert_eq!(without.n_lookups(), 0);
    }
    assert!(n_known > 30 && n_nodes[1] < n_nodes[0], "{n_known} {n_nodes:?}");
}

/// A pattern for every player: no second box comes onto its squares, and boxes of questions before are forgotten.
#[test]
fn a_push_into_a_known_deadlock_is_none() {
    let tables = tables(ROW);
    let (goals, sq) = (tables.board().goals().to_vec(), |column| at(&tables, 2, column));
    let (mut sets, mut prover, all) = (DeadlockSets::new(&tables), Prover::new(&tables), all_squares(&tables));
    sets.add_pattern(&goals, tables.board().squares());
    let mut is_dead = |boxes: &[FloorSquare]| {
        prover.is_dead_within(&sets, Question { boxes, player: at(&tables, 3, 5), max_nodes: 1_000 }, &all)
    };
    assert!(is_dead(&[sq(2), sq(6)]));
    assert!(!is_dead(&[sq(6)]));
    assert!(is_dead(&[sq(5), sq(7)]));
    assert!(!is_dead(&[sq(3)]) && !is_dead(&[sq(9)]), "a solved position is not dead");
}

/// The set has the squares in columns 5 and 8. Added sets are counted once, then a box for each set that has its square,
/// when it is put there or taken away, and each push into such a square.
#[test]
fn lookups_of_known_sets_are_counted() {
    let tables = tables(ROW);
    let sq = |column| at(&tables, 2, column);
    let (mut sets, mut prover) = (DeadlockSets::new(&tables), Prover::new(&tables));
    sets.add_pattern(&[sq(5), sq(8)], std::iter::empty());
    let mut lookups_with_box_at = |column| {
        assert!(!prover.is_stuck(&sets, &[sq(column)], at(&tables, 3, 5)));
        prover.n_lookups()
    };
    assert_eq!(lookups_with_box_at(5), 1 + 1);
    assert_eq!(lookups_with_box_at(5), 2 + 2, "it is taken away and put back");
    assert_eq!(lookups_with_box_at(7), 4 + 2, "it is taken away; from column 7 it can be pushed to column 8");
}

/// The box in the hall is pushed down, and could then be pushed left, out of the fence. The search goes back to the
/// start, where the two in the corridor are left without a push; it does not try the other pushes of the box.
#[test]
fn a_box_that_escapes_is_taken_away_before_its_run() {
    let tables = tables("###########\n#   #######\n# $  $$  .#\n#..@#######\n###########");
    let sq = |row, column| at(&tables, row, column);
    let (sets, mut prover) = (DeadlockSets::new(&tables), Prover::new(&tables));
    let question = |boxes| Question { boxes, player: sq(3, 3), max_nodes: 100 };
    let all = [sq(2, 2), sq(2, 5), sq(2, 6)];
    assert!(prover.is_dead_within(&sets, question(&all), &[sq(3, 2), sq(2, 1), sq(2, 3)]));
    assert_eq!(prover.n_total(), 3, "the start, the push down, and the start without the box");
    assert!(prover.is_dead_within(&sets, question(&all), &[]));
    assert_eq!(prover.n_total(), 3 + 2, "it escapes at the start");
    assert!(!prover.is_dead_within(&sets, question(&all[..2]), &[]), "the box in the corridor escapes as well");
    assert_eq!(prover.n_total(), 3 + 2 + 2, "all have escaped: nothing is left to expand");
    assert!(prover.is_dead_by_axes(&sets, question(&all)));
    assert_eq!(prover.n_total(), 3 + 2 + 2 + 2);
    assert_eq!(prover.tied(&sets, &all, sq(3, 3)).len(), 2);
}

/// One box is on its goal, the other one three pushes from its own: nothing else is tried.
#[test]
fn pushes_toward_the_nearest_goal_come_first() {
    let tables = tables(ROW);
    let (sets, mut prover, all) = (DeadlockSets::new(&tables), Prover::new(&tables), all_squares(&tables));
    let boxes = tables.board().starts().to_vec();
    let question = Question { boxes: &boxes, player: tables.board().player(), max_nodes: 1_000 };
    assert!(!prover.is_dead_within(&sets, question, &all));
    assert_eq!(prover.n_total(), 3);
    assert!(!prover.is_dead_within(&sets, Question { max_nodes: 2, ..question }, &all));
    assert_eq!(prover.n_total(), 3 + 3, "the third node is one too many");
}

/// In a corridor, the player pushes the only box away from its goal, to the last square but one.
#[test]
fn a_proof_makes_so_many_pushes_in_a_row() {
    let nodes = |n_pushes: usize| {
        let width = n_pushes + 6;
        let (wall, floor) = ("#".repeat(width), " ".repeat(n_pushes + 1));
        let tables = tables(&format!("{wall}\n#.@${floor}#\n{wall}"));
        let (sets, mut prover, all) = (DeadlockSets::new(&tables), Prover::new(&tables), all_squares(&tables));
        let boxes = tables.board().starts().to_vec();
        let question = Question { boxes: &boxes, player: tables.board().player(), max_nodes: 10_000 };
        (prover.is_dead_within(&sets, question, &all), prover.n_total())
    };
    assert_eq!(nodes(3), (true, 4));
    assert_eq!(nodes(Prover::MAX_DEPTH), (true, 801));
    assert_eq!(nodes(Prover::MAX_DEPTH + 1), (false, 802));
}

/// In a corridor no box can be pushed along both axes, but one with very many squares before it counts as free.
#[test]
fn a_box_with_very_many_places_counts_as_free() {
    let tied = |n_places: usize| {
        let (wall, floor) = ("#".repeat(n_places + 3), " ".repeat(n_places - 2));
        let tables = tables(&format!("{wall}\n#@${floor}.#\n{wall}"));
        let (sets, mut prover) = (DeadlockSets::new(&tables), Prover::new(&tables));
        let tied = prover.tied(&sets, tables.board().starts(), tables.board().player());
        (tied.len(), prover.n_total())
    };
    assert_eq!(tied(3), (1, 3));
    assert_eq!(tied(Prover::MAX_STATES), (1, 64));
    assert_eq!(tied(Prover::MAX_STATES + 1), (0, 65));
}

/// Boxes that stand where both axes are open are free, whichever comes first; one in a corridor is not, and moves on.
#[test]
fn boxes_are_tied_in_any_order() {
    let tables = tables("###########\n#   #######\n# $  $   .#\n#. @#######\n###########");
    let sq = |row, column| at(&tables, row, column);
    let (sets, mut prover) = (DeadlockSets::new(&tables), Prover::new(&tables));
    for boxes in [[sq(2, 2), sq(2, 6)], [sq(2, 6), sq(2, 2)]] {
        assert_eq!(prover.tied(&sets, &boxes, sq(3, 3)), [sq(2, 6)]);
    }
}
