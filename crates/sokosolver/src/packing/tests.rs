//! Each rule of the packing-order search on a board where it decides, then whole levels.

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::{ProptestConfig, prop_assert, proptest};
use sokocore::{PlantSpec, moves_of, planted, pushes_of, replay};
use sokosearch::{Budget, Cancel, MemoryAccount};

use super::corral::{CorralFinder, Finding, Scene};
use super::deadlock_sets::DeadlockSets;
use super::field::Field;
use super::freeze::Freeze;
use super::order::{Making, Order, Target};
use super::order_maker::OrderMaker;
use super::phase::after_leaving;
use super::proof::Prover;
use super::score::{Judge, Lineage};
use super::variant::{Exempt, Plan};
use super::*;
use crate::ground::{Flood, Ground};

mod sharing;

/// A hall with a row of goals; the tests put boxes where they like.
const HALL: &str = "##########\n#@       #\n#   $$   #\n#   ..   #\n#        #\n#        #\n##########";

/// Corridors that lead to a room of six goals.
const WAREHOUSE: &str = "    #####\n    #   #\n    #$  #\n  ###  $##\n  #  $ $ #\n### # ## #   ######\n#   # ## #####  ..#\n# $  $          ..#\n##### ### #@##  ..#\n    #     #########\n    #######";

fn effort() -> Effort {
    Effort::new(Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()), Cancel::default())
}

fn yard(text: &str) -> (Level, Yard) {
    let level = Level::parse(text).unwrap();
    let yard = Yard::new(&level).unwrap();
    (level, yard)
}

/// Returns the number of the square in a row and column.
fn at(level: &Level, yard: &Yard, row: usize, column: usize) -> u16 {
    yard.ground().number(level.board().square_at(row, column).unwrap())
}

fn field(yard: &Yard, boxes: &[u16]) -> Field {
    let mut field = Field::new(yard);
    boxes.iter().for_each(|&sq| field.add(yard, sq));
    field
}

fn check_solved(level: &Level, verdict: Result<Verdict, Stop>) {
    let Ok(Verdict::Solved(pushes)) = verdict else { panic!("{verdict:?} {level:?}") };
    replay(level, &moves_of(level, &pushes).expect("all pushes are legal")).unwrap();
}

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

/// An order with the goals of the hall and two parkings: phases 5 and 4 are parkings, for phases 2 and 3.
fn made_order(level: &Level, yard: &Yard) -> Order {
    let target = |row, column, phase, parked_for| Target { sq: at(level, yard, row, column), phase, parked_for };
    let targets =
        vec![target(3, 4, 2, 0), target(3, 5, 3, 0), target(2, 2, 5, 2), target(2, 7, 4, 3), target(4, 4, 1, 0)];
    Order::new(yard, targets, Making::Played)
}

#[test]
fn a_phase_falls_back_when_a_target_is_left_without_license() {
    let (level, yard) = yard(HALL);
    let order = made_order(&level, &yard);
    let sq = |row, column| at(&level, &yard, row, column);
    assert_eq!(after_leaving(&order, 4, sq(2, 2)), 5, "parked for phase 2");
    assert_eq!(after_leaving(&order, 3, sq(2, 2)), 5, "parked for phase 2");
    assert_eq!(after_leaving(&order, 2, sq(2, 2)), 2, "released");
    assert_eq!(after_leaving(&order, 3, sq(2, 7)), 3, "released");
    assert_eq!(after_leaving(&order, 2, sq(3, 5)), 3, "a goal never is");
    assert_eq!(after_leaving(&order, 1, sq(3, 5)), 3, "a goal never is");
    assert_eq!(after_leaving(&order, 3, sq(3, 4)), 3, "it was not its time yet");
    assert_eq!(after_leaving(&order, 3, sq(1, 1)), 3, "no target at all");
}

#[test]
fn scores_reward_filled_targets_and_the_way_to_them() {
    let (level, yard) = yard(HALL);
    let order = made_order(&level, &yard);
    let sq = |row, column| at(&level, &yard, row, column);
    let judge = |boxes: &[u16], from, to| {
        let lineage = Lineage { phase: 5, depth: 1, n_free: 0, is_premature: false };
        Judge::default().judge(&yard, &order, &field(&yard, boxes), &mut Freeze::default(), lineage, Some((from, to)))
    };
    let nearer = judge(&[sq(2, 3), sq(2, 5)], sq(2, 4), sq(2, 3));
    let farther = judge(&[sq(2, 5), sq(2, 6)], sq(2, 5), sq(2, 6));
    assert!(nearer.score < farther.score && nearer.n_free == 1 && farther.n_free == 0);
    assert_eq!((nearer.phase, farther.phase), (5, 5));
    let filled = judge(&[sq(2, 2), sq(2, 5)], sq(2, 3), sq(2, 2));
    assert!(filled.phase == 4 && filled.score < nearer.score - 20);
}

#[test]
fn a_corral_is_found_where_all_pushes_lead_in() {
    let (level, yard) = yard("##########\n#.  $    #\n#   #  @ #\n#   #    #\n#.  $    #\n#####  $.#\n    ######");
    let sq = |row, column| at(&level, &yard, row, column);
    let field = field(&yard, yard.ground().starts());
    let mut flood = Flood::new(yard.ground());
    flood.place(field.squares());
    flood.spread(yard.ground(), yard.ground().player());
    let scene = Scene { yard: &yard, field: &field, flood: &flood, player: yard.ground().player() };
    let mut lessons = Lessons::new(&yard);
    match CorralFinder::new(&yard, 2).find(scene, &mut lessons) {
        Finding::Corral(mut boxes) => {
            boxes.sort_unstable();
            assert_eq!(boxes, [sq(1, 4), sq(4, 4)]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(lessons.sets().len(), Lessons::new(&yard).sets().len(), "no deadlock");
}

#[test]
fn boxes_at_the_corners_of_a_room_close_its_fence() {
    // The lower box is below the one in the doorway: it touches the room at a corner only.
    let (level, yard) = yard("##########\n#   #    #\n#.. $    #\n####$  @ #\n###   $ .#\n###      #\n##########");
    let sq = |row, column| at(&level, &yard, row, column);
    let field = field(&yard, yard.ground().starts());
    let mut flood = Flood::new(yard.ground());
    flood.place(field.squares());
    flood.spread(yard.ground(), yard.ground().player());
    let scene = Scene { yard: &yard, field: &field, flood: &flood, player: yard.ground().player() };
    let found = CorralFinder::new(&yard, 2).find(scene, &mut Lessons::new(&yard));
    let Finding::Corral(mut boxes) = found else { panic!("{found:?}") };
    boxes.sort_unstable();
    assert_eq!(boxes, [sq(2, 4), sq(3, 4)]);
}

#[test]
fn dead_rooms_are_learned_and_dead_ends_explained() {
    // Both boxes of the corridor are stuck, the third has nothing to do with it.
    let (level, yard) = yard("###########\n#  . # .  #\n#   $ $ @ #\n#    # $. #\n###########");
    let sq = |row, column| at(&level, &yard, row, column);
    let mut lessons = Lessons::new(&yard);
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
    let (mut lessons, player) = (Lessons::new(&yard), yard.ground().player());
    assert!(lessons.reflect(&yard, &[sq(2, 3), sq(2, 7)], player, 500).is_none(), "one of them fits");
    let (mut boxes, region) = lessons.reflect(&yard, yard.ground().starts(), player, 500).unwrap();
    boxes.sort_unstable();
    assert_eq!(boxes, [sq(2, 7), sq(2, 8)]);
    assert!(region.contains(&player) && !region.contains(&sq(2, 9)));
    assert!(lessons.reflect(&yard, yard.ground().starts(), player, 500).is_none(), "looked at once with so much work");
    let all = Ground::set::<1>(yard.ground().starts());
    assert!(lessons.sets().forbids(&all.0, player, sq(2, 8)));
}

#[test]
fn it_is_deterministic_stops_when_told_and_lives_with_tiny_memory() {
    let level = Level::parse(WAREHOUSE).unwrap();
    let run = |slice: Option<u64>| {
        let (mut search, mut effort) = (Packing::new("packing", &level, Variant::ALL), effort());
        let mut n_slices = 0;
        loop {
            if let Some(slice) = slice {
                effort.start_slice(slice);
            }
            match search.go_on(&mut effort) {
                Err(Stop::Work) => n_slices += 1,
                end => {
                    let n_positions = search.n_positions();
                    let pushes = end.clone();
                    check_solved(&level, end);
                    return (pushes, n_positions, n_slices);
                }
            }
        }
    };
    let (whole, in_slices) = (run(None), run(Some(200)));
    assert_eq!(whole, run(None));
    assert_eq!((&whole.0, whole.1), (&in_slices.0, in_slices.1));
    assert!(in_slices.2 > 3, "{}", in_slices.2);
    let cancel = Cancel::default();
    cancel.cancel();
    let mut stopped = Effort::new(Budget::new(None, MemoryAccount::new(1 << 28), cancel), Cancel::default());
    assert_eq!(Packing::new("packing", &level, Variant::ALL).go_on(&mut stopped), Err(Stop::Cancelled));
    let mut poor = Effort::new(Budget::new(None, MemoryAccount::new(1 << 16), Cancel::default()), Cancel::default());
    assert_eq!(Packing::new("packing", &level, Variant::ALL).go_on(&mut poor), Err(Stop::Memory));
    assert_eq!(poor.memory().used(), 0);
}

#[test]
fn it_proves_nothing_and_says_so() {
    let level = Level::parse("######\n#@$ .#\n######").unwrap();
    let settings = Settings { optimal: Optimal::Pushes, ..Settings::default() };
    let verdict = packing("packing", &level, &settings, Variant::ALL).go_on(&mut effort());
    assert_eq!(verdict, Ok(Verdict::GaveUp));
    let hopeless = Level::parse("########\n#@$ $ .#\n#    ..#\n#  $$$ #\n########")
        .map(|level| Packing::new("packing", &level, Variant::ALL).go_on(&mut effort()));
    assert!(hopeless.is_err() || hopeless.is_ok_and(|verdict| verdict == Ok(Verdict::GaveUp)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_learned_forbids_a_solution(
        (level, moves) in planted(PlantSpec { boxes: 3..=6, spare_goals: 0..=0, pulls: 1..=60, ..PlantSpec::default() })
    ) {
        let mut search = Packing::new("packing", &level, Variant::ALL);
        let mut effort = effort();
        effort.start_slice(200_000);
        if let Ok(Verdict::Solved(pushes)) = search.go_on(&mut effort) {
            prop_assert!(moves_of(&level, &pushes).is_some_and(|moves| replay(&level, &moves).is_ok()));
        }
        if let Some(Stage { yard, lessons, .. }) = &search.stage {
            let mut boxes: Vec<u16> = yard.ground().starts().to_vec();
            for push in pushes_of(&level, &moves) {
                let from = yard.ground().number(push.from);
                let to = yard.ground().step(from, push.dir.idx());
                prop_assert!(!lessons.sets().is_deadlock(&lessons.sets().load(boxes.iter().copied()), from, to));
                boxes.iter_mut().filter(|sq| **sq == from).for_each(|sq| *sq = to);
            }
        }
    }
}

/// Reads the levels of a collection from `SOKO_LEVELS` or beside the workspace; `None`, with a word, if it is not there.
fn xsokoban() -> Option<Vec<Level>> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/levels");
    let directory = std::env::var_os("SOKO_LEVELS").map_or_else(beside, PathBuf::from);
    let text = std::fs::read_to_string(directory.join("solve/xsokoban.sok")).ok()?;
    let is_row = |line: &&str| line.contains('#') && line.chars().all(|letter| "# .$*+@".contains(letter));
    let mut levels = Vec::new();
    let mut rows = Vec::new();
    for line in text.lines().chain([""]) {
        if is_row(&line) {
            rows.push(line);
        } else if !rows.is_empty() {
            levels.push(Level::parse(&rows.join("\n")).ok()?);
            rows.clear();
        }
    }
    (levels.len() == 90).then_some(levels)
}

/// Makes the order of a plan in slices; returns how many it took, too.
fn made(yard: &Yard, plan: Plan, slice: u64) -> (Arc<Order>, usize) {
    let (mut maker, mut effort, mut n_slices) = (OrderMaker::new(yard, plan), effort(), 1);
    effort.start_slice(slice);
    loop {
        match maker.step(yard, &mut effort) {
            Ok(Some(order)) => return (order, n_slices),
            Ok(None) => {}
            Err(stop) => {
                assert_eq!(stop, Stop::Work);
                assert!(effort.ticks() < 1 << 30, "an order takes forever");
                effort.start_slice(slice);
                n_slices += 1;
            }
        }
    }
}

#[test]
fn an_order_is_the_same_made_at_once_or_in_slices() {
    let level = Level::parse(WAREHOUSE).unwrap();
    let yard = Yard::new(&level).unwrap();
    for plan in [Plan::Full, Plan::Roomy, Plan::Early, Plan::Peeling] {
        let (at_once, in_slices) = (made(&yard, plan, u64::MAX), made(&yard, plan, 1));
        assert_eq!(at_once.0.targets(), in_slices.0.targets());
        assert!(at_once.1 == 1 && in_slices.1 > 1, "{plan:?} {}", in_slices.1);
    }
}

#[test]
fn the_order_of_a_level_with_fourteen_parkings_is_the_one_on_record() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    let yard = Yard::new(&levels[49]).unwrap();
    let order = made(&yard, Plan::Full, u64::MAX).0;
    let phases: Vec<u16> = order.targets().iter().map(|target| target.phase).collect();
    assert_eq!(phases[..16], [6, 4, 3, 2, 1, 11, 8, 7, 5, 15, 13, 9, 12, 15, 14, 10]);
    assert_eq!(phases[16..], [18, 21, 20, 18, 19, 17, 19, 19, 18, 17, 17, 16, 16, 16]);
    let parked_for: Vec<u16> = order.targets()[16..].iter().map(|target| target.parked_for).collect();
    assert_eq!(parked_for, (1..=14).collect::<Vec<u16>>());
    assert_eq!((order.making(), order.n_phases()), (Making::Played, 21));
}

/// The test of the whole: levels, each with the most positions that its order may take. The published description of
/// the method (its plainest form) reports 10,664, 2,835, 9,866, 58,731, 10,563, 91,515 and 9,724.
const ON_RECORD: [(usize, usize); 7] =
    [(11, 22_000), (28, 3_200), (31, 7_500), (40, 34_000), (50, 15_000), (66, 65_000), (69, 10_500)];

#[test]
fn levels_that_need_parking_fall_within_the_positions_on_record() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    for (number, at_most) in ON_RECORD {
        let mut search = Packing::new("packing", &levels[number - 1], &Variant::FULL[..1]);
        check_solved(&levels[number - 1], search.go_on(&mut effort()));
        assert!(search.n_positions() <= at_most, "{number}: {}", search.n_positions());
        assert!(search.n_nodes() > 100 && search.n_nodes() <= search.n_positions() as u64);
    }
}

/// Scores are of paths: without the exemption opening a corral looks bad, and on the one level it never comes to it.
#[test]
fn exempt_corrals_keep_their_parents_score() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const STRICT: &[Variant] = &[Variant::new(Plan::Full, Exempt::None)];
    let run = |number: usize, variants: &'static [Variant]| {
        let (mut search, mut effort) = (Packing::new("packing", &levels[number - 1], variants), effort());
        effort.start_slice(100_000);
        (search.go_on(&mut effort).is_ok(), search.n_positions())
    };
    let (exempt, strict) = (run(31, &Variant::FULL[..1]), run(31, STRICT));
    assert!(exempt.0 && !strict.0 && strict.1 > exempt.1, "{exempt:?} {strict:?}");
    let (exempt, strict) = (run(28, &Variant::FULL[..1]), run(28, STRICT));
    assert!(exempt.0 && strict.1 > 2 * exempt.1, "{exempt:?} {strict:?}");
}

/// What one run has learned spares another one work, and is paid for.
#[test]
fn runs_share_what_they_learn() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const STRICT: &[Variant] = &[Variant::new(Plan::Full, Exempt::None)];
    let level = &levels[28 - 1];
    let (mut alone, mut first) =
        (Packing::new("packing", level, STRICT), Packing::new("packing", level, &Variant::FULL[..1]));
    check_solved(level, alone.go_on(&mut effort()));
    check_solved(level, first.go_on(&mut effort()));
    let learned = first.stage.take().unwrap();
    assert!(first.charge.as_ref().is_some_and(|charge| charge.bytes() >= learned.lessons.bytes()));
    let mut second = Packing::new("packing", level, STRICT);
    (second.level, second.stage) = (None, Some(Stage { turns: Turns::new(STRICT), ..learned }));
    check_solved(level, second.go_on(&mut effort()));
    let (alone, second) = (alone.n_positions(), second.n_positions());
    assert!(second < alone, "{second} of {alone}");
}
