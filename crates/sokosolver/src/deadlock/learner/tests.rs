//! What is learned against a search of all positions, and the limits of learning.

use crate::board::tests::{meter_within, tables};
use crate::deadlock::learner::*;
use crate::deadlock::prover::reference::{
    Escape, ProofCase, ReferenceProofs, at, bits, has, least, proof_cases, squares,
};

/// Two rooms with a goal each, and a corridor between them. Two boxes side by side in it never come out. The two squares
/// at the left wall are an area for one box.
const CORRIDOR: &str = "##########\n#. ####  #\n# @ $$  .#\n#  ####  #\n##########";

/// A corridor: its goals are left of the player, who can only push boxes to the right.
const AWAY: &str = "##########\n#..@$ $  #\n##########";

fn learner(tables: &Arc<LevelTables>) -> DeadlockLearner {
    DeadlockLearner::new(Arc::clone(tables), &Settings::default(), &meter_within(1 << 28))
}

/// A learner that is given no memory.
fn poor_learner(tables: &Arc<LevelTables>) -> DeadlockLearner {
    DeadlockLearner::new(Arc::clone(tables), &Settings::default(), &meter_within(0))
}

/// A learner that knows nothing and whose proofs have no limit, and another search that is told what it proves.
fn taught(tables: &Arc<LevelTables>) -> (DeadlockLearner, Subscription) {
    let mut meter = meter_within(1 << 28);
    let deadlocks = SharedDeadlocks::new(meter.memory());
    let listener = deadlocks.subscribe();
    meter.share_deadlocks(deadlocks);
    let learner = DeadlockLearner::new(Arc::clone(tables), &Settings::default(), &meter);
    let sets = DeadlockSets::new(tables);
    (DeadlockLearner { sets, max_boxes: 3, max_nodes: u32::MAX, ..learner }, listener)
}

/// The two boxes in the corridor.
fn corridor(tables: &LevelTables) -> [FloorSquare; 2] {
    [at(tables, 2, 4), at(tables, 2, 5)]
}

/// Returns the only proof, after comparing it with what the learner says of the player's squares.
fn only_proof(learner: &DeadlockLearner, listener: &mut Subscription, case: &ProofCase) -> Deadlock {
    let proofs = listener.receive();
    let [proof] = &proofs[..] else { panic!("{proofs:?} {}", case.picture()) };
    for sq in case.tables.board().squares().filter(|sq| !proof.boxes.contains(sq)) {
        let is_dead = proof.player.contains(&sq);
        assert_eq!(learner.sets().is_dead(&proof.boxes, sq), is_dead, "{proof:?} {sq} {}", case.picture());
    }
    proof.clone()
}

/// No box can be left out of a proof.
fn check_least(proof: &Deadlock, case: &ProofCase, is_dead: impl Fn(u64) -> bool) {
    let boxes = bits(&proof.boxes);
    assert_eq!(boxes & !bits(&case.boxes), 0, "{proof:?} {}", case.picture());
    assert!(is_dead(boxes), "{proof:?} {}", case.picture());
    let mut fewer = proof.boxes.iter().map(|&sq| boxes & !bits(&[sq]));
    assert!(fewer.all(|fewer| !is_dead(fewer)), "{proof:?} {}", case.picture());
}

/// The boxes left out of a proof open the area, so it has the same fence; the proof holds for every region of the player
/// for which it is one.
#[test]
fn the_least_boxes_of_a_dead_area_are_learned_for_all_regions() {
    let (mut n_dead, mut n_fewer, mut n_regions) = (0, 0, 0);
    for case in proof_cases(36, 10) {
        let ProofCase { tables, boxes, player, inside } = &case;
        let (mut learner, mut listener) = taught(tables);
        let reference = ReferenceProofs(tables.board());
        let is_dead = |boxes: u64, player| reference.is_dead(boxes, player, Escape::Beyond(case.fence()));
        let expect = is_dead(bits(boxes), *player);
        assert_eq!(learner.examine_area(boxes, inside, *player), expect, "{}", case.picture());
        assert!(!learner.examine_area(boxes, inside, *player), "examined before");
        assert_eq!((learner.n_examined(), learner.sets().len()), (1, usize::from(expect)));
        if !expect {
            continue;
        }
        let proof = only_proof(&learner, &mut listener, &case);
        check_least(&proof, &case, |boxes| is_dead(boxes, *player));
        let around = tables.board().squares().filter(|sq| !proof.boxes.contains(sq));
        let dead: Vec<FloorSquare> = around.filter(|&sq| is_dead(bits(&proof.boxes), sq)).collect();
        let mut of_player = proof.player.to_vec();
        of_player.sort_unstable();
        assert_eq!(of_player, dead, "{proof:?} {}", case.picture());
        n_dead += 1;
        n_fewer += usize::from(proof.boxes.len() < boxes.len());
        n_regions += usize::from(bits(&dead) != reference.region(bits(&proof.boxes), *player));
    }
    assert!(n_dead > 60 && n_fewer > 20 && n_regions > 5, "{n_dead} {n_fewer} {n_regions} of 360");
}

/// A position without a push is explained by boxes that have none either, though others may do as well.
#[test]
fn stuck_boxes_are_explained_by_the_fewest() {
    let (mut n_stuck, mut n_fewer) = (0, 0);
    for case in proof_cases(40, 12) {
        let ProofCase { tables, boxes, player, .. } = &case;
        let (mut learner, mut listener) = taught(tables);
        let reference = ReferenceProofs(tables.board());
        let is_stuck = |fewer: &[FloorSquare]| reference.is_stuck(bits(fewer), *player);
        assert_eq!(learner.explain(boxes, *player), is_stuck(boxes), "{}", case.picture());
        assert_eq!(learner.sets().len(), usize::from(is_stuck(boxes)));
        if !is_stuck(boxes) {
            continue;
        }
        let proof = only_proof(&learner, &mut listener, &case);
        assert_eq!(proof.boxes[..], fewest(boxes.clone(), is_stuck), "{}", case.picture());
        assert_eq!(bits(&proof.player), reference.region(bits(&proof.boxes), *player), "{}", case.picture());
        n_stuck += 1;
        n_fewer += usize::from(proof.boxes.len() < boxes.len());
    }
    assert!(n_stuck > 20 && n_fewer > 5, "{n_stuck} {n_fewer} of 480");
}

/// The first box, or the first two, with their neighbors, and then with the neighbors of these; the fence is what the
/// player does not reach.
#[test]
fn a_corral_is_explained_with_its_neighbors() {
    let (mut n_stuck, mut n_dead, mut n_too_many) = (0, 0, 0);
    for (number, case) in proof_cases(50, 16).iter().enumerate() {
        let ProofCase { tables, boxes, player, .. } = case;
        let (mut learner, _) = taught(tables);
        learner.max_boxes = 1 + number % 3;
        let reference = ReferenceProofs(tables.board());
        let (all, corral) = (bits(boxes), &boxes[..1 + number / 3 % boxes.len()]);
        let is_stuck = reference.is_stuck(bits(corral), *player);
        let mut around = bits(corral);
        let mut is_dead = false;
        for _ in 0..2 {
            let touches = |sq: FloorSquare| tables.board().steps(sq).iter().any(|&next| has(around, next));
            around |= bits(&boxes.iter().copied().filter(|&sq| touches(sq)).collect::<Vec<_>>());
            if around.count_ones() as usize > learner.max_boxes {
                n_too_many += usize::from(!is_stuck);
                break;
            }
            let fence = !reference.region(around, *player);
            is_dead |= reference.is_dead(around, *player, Escape::Beyond(fence));
        }
        let words = [all];
        let is_explained = learner.explain_corral(BitView::new(&words), corral, *player);
        assert_eq!(is_explained, is_stuck || is_dead, "{corral:?} {}", case.picture());
        n_stuck += usize::from(is_stuck);
        n_dead += usize::from(is_dead && !is_stuck);
    }
    assert!(n_stuck > 20 && n_dead > 20 && n_too_many > 20, "{n_stuck} {n_dead} {n_too_many} of 800");
}

/// Subtrees are proved by the tied boxes alone, each with so many nodes once.
#[test]
fn the_least_tied_boxes_of_a_dead_subtree_are_learned() {
    let (mut n_dead, mut n_fewer) = (0, 0);
    for case in proof_cases(36, 10) {
        let ProofCase { tables, boxes, player, .. } = &case;
        let (mut learner, mut listener) = taught(tables);
        let reference = ReferenceProofs(tables.board());
        let question = Question { boxes, player: *player, max_nodes: 100_000 };
        let tied = reference.tied(bits(boxes), *player);
        let is_dead = |boxes| reference.is_dead(boxes, *player, Escape::ByAxes);
        let found = learner.prove_subtree(question);
        assert_eq!(found.is_some(), is_dead(tied), "{}", case.picture());
        let is_on_goals = squares(tied).all(|sq| tables.is_goal(sq));
        assert_eq!(learner.n_examined(), usize::from(!is_on_goals), "{}", case.picture());
        if !is_on_goals {
            let of_boxes = squares(tied).fold(0, |key, sq| key ^ tables.key(sq));
            let of_region = tables.key(least(reference.region(tied, *player))).rotate_left(17);
            assert!(learner.examined_subtrees.contains(&(of_boxes ^ of_region ^ 100_000)), "{}", case.picture());
        }
        let Some(found) = found else { continue };
        assert_eq!(found, only_proof(&learner, &mut listener, &case));
        check_least(&found, &case, is_dead);
        assert_eq!(bits(&found.boxes) & !tied, 0);
        assert_eq!(bits(&found.player), reference.region(bits(&found.boxes), *player), "{}", case.picture());
        n_dead += 1;
        n_fewer += usize::from(found.boxes.len() < boxes.len());
    }
    assert!(n_dead > 60 && n_fewer > 20, "{n_dead} {n_fewer} of 360");
}

/// The box in the corridor gets to its goal, but is tied all the same.
#[test]
fn a_subtree_is_examined_once_with_each_number_of_nodes() {
    let tables = tables("###########\n#   #######\n# $  $   .#\n#. @#######\n###########");
    let mut learner = learner(&tables);
    let (boxes, player) = (tables.board().starts().to_vec(), tables.board().player());
    for max_nodes in (0..64).chain(0..64) {
        assert!(learner.prove_subtree(Question { boxes: &boxes, player, max_nodes }).is_none());
    }
    assert_eq!((learner.n_examined(), learner.sets().len()), (64, self::learner(&tables).sets().len()));
    let free = [boxes[0]];
    assert!(learner.prove_subtree(Question { boxes: &free, player, max_nodes: 100 }).is_none());
    assert_eq!(learner.n_examined(), 64, "no box is tied");
}

/// The box next to the player is a deadlock by itself, since the square of the box left out is inside the fence. From the
/// other side it can be pushed out of it.
#[test]
fn a_box_left_out_opens_the_area() {
    let tables = tables(AWAY);
    let sq = |column| at(&tables, 1, column);
    let mut learner = learner(&tables);
    assert!(learner.examine_area(&[sq(6), sq(4)], &[sq(5), sq(7)], sq(3)));
    for player in [1, 2, 3, 5, 6, 7, 8] {
        assert_eq!(learner.sets().is_dead(&[sq(4)], sq(player)), player < 4, "{player}");
    }
    assert!(!learner.sets().is_dead(&[sq(6)], sq(3)));
}

/// Two boxes in the corridor are lost for a player on either side, and a pair is known for the region where he is.
#[test]
fn a_pair_is_learned_for_one_region_and_an_area_for_all() {
    let tables = tables(CORRIDOR);
    let (boxes, board) = (corridor(&tables), tables.board());
    let region = ReferenceProofs(board).region(bits(&boxes), board.player());
    let dead = |learner: &DeadlockLearner| {
        let dead = board.squares().filter(|sq| !boxes.contains(sq) && learner.sets().is_dead(&boxes, *sq));
        bits(&dead.collect::<Vec<_>>())
    };
    let mut one = learner(&tables);
    assert!(!one.proves_pair([at(&tables, 2, 1), boxes[1]], board.player()));
    assert_eq!((one.sets().len(), dead(&one)), (1, 0), "the area at the left wall is known from the start");
    assert!(one.proves_pair(boxes, board.player()));
    assert_eq!((one.sets().len(), dead(&one), region.count_ones()), (2, region, 7));
    let mut other = learner(&tables);
    assert!(other.examine_area(&boxes, &[], board.player()));
    assert_eq!((other.sets().len(), dead(&other)), (2, bits(&board.squares().collect::<Vec<_>>()) & !bits(&boxes)));
}

/// Three questions without a push, which has one box less the second and third time; one set, that of the area at the
/// left wall, is looked up by them.
#[test]
fn nodes_and_lookups_of_proofs_are_counted() {
    let tables = tables(CORRIDOR);
    let boxes = corridor(&tables);
    let mut learner = learner(&tables);
    assert_eq!((learner.n_proof_nodes(), learner.n_lookups()), (0, 0));
    learner.count_lookups_at(boxes[0]);
    assert_eq!(learner.n_lookups(), 0, "no set has the square");
    assert!(learner.explain(&boxes, tables.board().player()));
    assert_eq!((learner.n_proof_nodes(), learner.n_lookups(), learner.sets().len()), (3, 1, 2));
    learner.count_lookups_at(boxes[0]);
    assert_eq!(learner.n_lookups(), 2);
    learner.count_lookups_at(boxes[1]);
    assert_eq!(learner.n_lookups(), 3);
    learner.count_lookups_at(at(&tables, 2, 7));
    assert_eq!((learner.n_lookups(), learner.tables().n_in_reach()), (3, tables.n_in_reach()));
}

#[test]
fn each_condition_alone_keeps_an_area_from_being_examined() {
    let tables = tables(CORRIDOR);
    let (boxes, player) = (corridor(&tables), tables.board().player());
    let examine = |mut learner: DeadlockLearner, boxes: &[FloorSquare]| {
        let n_before = learner.n_examined();
        (learner.examine_area(boxes, &[], player), learner.n_examined() - n_before)
    };
    let with = |settings: Settings| DeadlockLearner::new(Arc::clone(&tables), &settings, &meter_within(1 << 28));
    assert_eq!(examine(learner(&tables), &boxes), (true, 1));
    assert_eq!(examine(with(Settings::default().plain().with(Technique::CorralProofs)), &boxes), (true, 1));
    assert_eq!(examine(with(Settings::default().without(Technique::CorralProofs)), &boxes), (false, 0));
    assert_eq!(examine(learner(&tables), &[]), (false, 0));
    assert_eq!(examine(DeadlockLearner { max_boxes: 2, ..learner(&tables) }, &boxes), (true, 1));
    assert_eq!(examine(DeadlockLearner { max_boxes: 1, ..learner(&tables) }, &boxes), (false, 0));
    assert_eq!(examine(poor_learner(&tables), &boxes), (false, 0));
}

#[test]
fn each_condition_alone_keeps_a_subtree_and_a_pair_from_being_proved() {
    let tables = tables(CORRIDOR);
    let (boxes, player) = (corridor(&tables), tables.board().player());
    let question = Question { boxes: &boxes, player, max_nodes: 10 };
    let prove = |mut learner: DeadlockLearner| (learner.prove_subtree(question).is_some(), learner.n_examined());
    let with = |settings: Settings| DeadlockLearner::new(Arc::clone(&tables), &settings, &meter_within(1 << 28));
    assert_eq!(prove(learner(&tables)), (true, 1));
    assert_eq!(prove(with(Settings::default().plain().with(Technique::SubtreeProofs))), (true, 1));
    assert_eq!(prove(with(Settings::default().without(Technique::SubtreeProofs))), (false, 0));
    assert_eq!(prove(poor_learner(&tables)), (false, 0));
    let mut poor = poor_learner(&tables);
    assert!(!poor.proves_pair(boxes, player));
    assert!(poor.explain(&boxes, player), "it is seen without memory, and not learned");
    assert_eq!(poor.sets().len(), 1);
    let goals = tables.board().goals().to_vec();
    let mut learner = learner(&tables);
    assert!(learner.prove_subtree(Question { boxes: &goals, ..question }).is_none());
    assert_eq!(learner.n_examined(), 0, "the tied boxes are on goals");
}

/// As many areas and subtrees together are examined as are remembered.
#[test]
fn no_more_areas_and_subtrees_are_examined_than_are_remembered() {
    let tables = tables(CORRIDOR);
    let (boxes, player) = (corridor(&tables), tables.board().player());
    let mut learner = learner(&tables);
    learner.examined_subtrees.extend(0..20);
    learner.examined_areas.reserve(1 << 20);
    learner.examined_areas.extend(0..(1 << 20) - 22);
    assert_eq!(learner.n_examined(), 1_048_574);
    let subtree = |learner: &mut DeadlockLearner, max_nodes| {
        learner.prove_subtree(Question { boxes: &boxes, player, max_nodes }).is_some()
    };
    assert!(subtree(&mut learner, 10) && learner.examine_area(&boxes, &[], player));
    assert_eq!(learner.n_examined(), 1_048_576);
    assert!(!subtree(&mut learner, 11) && !learner.examine_area(&boxes[..1], &[], player));
    assert!(!learner.examine_area(&boxes, &[at(&tables, 2, 6)], player));
    assert_eq!(learner.n_examined(), 1_048_576);
}

#[test]
fn bytes_are_those_of_sets_and_of_areas_and_subtrees() {
    let tables = tables(CORRIDOR);
    let mut learner = learner(&tables);
    assert_eq!((learner.sets().len(), learner.bytes()), (1, 2 * 8 + 96));
    learner.examined_areas.extend(0..10);
    learner.examined_subtrees.extend(0..3);
    let [areas, subtrees] = [&learner.examined_areas, &learner.examined_subtrees].map(|set| set.capacity() as u64);
    assert!(areas > subtrees && subtrees > 2);
    assert_eq!((learner.n_examined(), learner.bytes()), (13, 112 + 9 * (areas + subtrees)));
    learner.sets.add_capacity_area(&corridor(&tables), 1);
    assert_eq!(learner.bytes(), 2 * 112 + 9 * (areas + subtrees));
}

/// Memory is charged in steps of a mebibyte, when it is needed, until the account has no step left.
#[test]
fn there_is_room_while_the_account_has_any() {
    let tables = tables(CORRIDOR);
    let step = 1 << 20;
    let mut learner = DeadlockLearner::new(Arc::clone(&tables), &Settings::default(), &meter_within(3 * step - 1));
    learner.sets = DeadlockSets::new(&tables);
    let room = |learner: &mut DeadlockLearner| (learner.has_room(), learner.charge.bytes());
    assert_eq!((learner.bytes(), room(&mut learner)), (0, (true, 0)));
    learner.examined_areas.insert(1);
    assert_eq!([room(&mut learner), room(&mut learner)], [(true, step); 2]);
    learner.examined_areas.reserve(150_000);
    assert!((step + 1..=2 * step).contains(&learner.bytes()), "{}", learner.bytes());
    assert_eq!([room(&mut learner), room(&mut learner)], [(true, 2 * step); 2]);
    learner.examined_areas.reserve(300_000);
    assert!(learner.bytes() > 2 * step);
    assert_eq!([room(&mut learner), room(&mut learner)], [(false, 2 * step); 2]);
    learner.examined_areas = HashSet::new();
    assert!(!learner.has_room(), "a full learner stays full");
}

/// What one search has examined, the other asks its known deadlocks about, and proves what is new.
#[test]
fn an_area_that_another_search_has_examined_is_looked_up() {
    let tables = tables(AWAY);
    let sq = |column| at(&tables, 1, column);
    let mut meter = meter_within(1 << 28);
    meter.share_deadlocks(SharedDeadlocks::new(meter.memory()));
    let new = || DeadlockLearner::new(Arc::clone(&tables), &Settings::default(), &meter);
    let [mut one, mut other, mut third] = [new(), new(), new()];
    let n_sets = one.sets().len();
    assert!(one.examine_area(&[sq(4)], &[sq(5), sq(6), sq(7)], sq(3)));
    assert!(other.examine_area(&[sq(4)], &[sq(5), sq(6), sq(7)], sq(3)));
    assert!(!third.examine_area(&[sq(4)], &[sq(5), sq(6), sq(7)], sq(8)), "not for a player on the other side");
    for learner in [&other, &third] {
        assert_eq!((learner.n_proof_nodes(), learner.sets().len()), (0, n_sets + 1));
    }
    assert!(other.examine_area(&[sq(5)], &[sq(6), sq(7)], sq(3)), "an area that is new to all");
    assert!(other.n_proof_nodes() > 0);
    assert_eq!((one.sets().len(), other.sets().len()), (n_sets + 1, n_sets + 2));
}

/// An area is known by its boxes, in any order, and its least square.
#[test]
fn the_key_of_an_area_is_of_its_boxes_and_its_least_square() {
    let tables = tables(CORRIDOR);
    let [one, two, three, four] = [0, 1, 2, 3].map(FloorSquare::new);
    let key = |boxes: &[FloorSquare], inside: &[FloorSquare]| area_key(&tables, boxes, inside);
    let of_area = |sq| tables.key(sq).rotate_left(17);
    assert_eq!(key(&[three, four], &[two, one]), of_area(one) ^ tables.key(three) ^ tables.key(four));
    assert_eq!(key(&[four, three], &[one, two]), key(&[three, four], &[two, one]));
    assert_eq!(key(&[three], &[two, one]), key(&[three], &[one]));
    assert_eq!([key(&[], &[two]), key(&[], &[])], [of_area(two), of_area(one)]);
    let keys: HashSet<u64> = squares(0xfff).map(|sq| key(&[sq], &[])).collect();
    assert_eq!(keys.len(), 12);
}

#[test]
fn boxes_are_left_out_one_after_the_other() {
    let numbers = |numbers: &[u16]| numbers.iter().map(|&number| FloorSquare::new(number)).collect::<Vec<_>>();
    let least = |boxes: &[u16], core: &[u16]| {
        let (core, mut n_asked) = (numbers(core), 0);
        let left = fewest(numbers(boxes), |fewer| {
            n_asked += 1;
            core.iter().all(|sq| fewer.contains(sq))
        });
        (left, n_asked)
    };
    assert_eq!(least(&[5, 6, 7, 8], &[6, 8]), (numbers(&[8, 6]), 4));
    assert_eq!(least(&[5, 6, 7], &[5, 6, 7]), (numbers(&[5, 6, 7]), 3));
    assert_eq!(least(&[5, 6, 7], &[]), (Vec::new(), 3));
    assert_eq!(least(&[], &[]), (Vec::new(), 0));
}
