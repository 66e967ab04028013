//! Generated sets against the definition, carried out box by box without any pruning.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sokocore::{FreezeCheck, Level, Lurd, Metrics, Objective, PlantSpec, Solution, n_cases, plant, planted, replay};

use super::movable::move_bit;
use super::*;
use crate::store::bits::{BoxShift, contains};
use crate::tube::near_spine::{NearSpine, ShiftsWithin, SpineNeighborhood, padded};
use crate::{Budget, Cancel, ConfigStore as _, MemoryAccount, Pool, Rings, SearchWindow, search};

/// The configurations that the definition gives around one center.
fn by_definition(
    level: &Level,
    live: &LiveIndex,
    limits: &[usize],
    ring: RingOrder,
    key: &[u64],
) -> BTreeSet<Vec<u64>> {
    let Some((&limit, rest)) = limits.split_first() else { return BTreeSet::from([key.to_vec()]) };
    let mut rings = Rings::new(live, ring, limit, &MemoryAccount::new(1 << 20));
    let mut configs = by_definition(level, live, rest, ring, key);
    for origin in LiveIndex::bits_of(key) {
        let near = rings.of(level.board(), live, origin).unwrap().to_vec();
        for target in near.into_iter().map(|bit| bit as usize) {
            if key[target / 64] >> (target % 64) & 1 == 0 {
                let mut moved = key.to_vec();
                moved[origin / 64] ^= 1 << (origin % 64);
                moved[target / 64] ^= 1 << (target % 64);
                configs.extend(by_definition(level, live, rest, ring, &moved));
            }
        }
    }
    configs
}

fn is_frozen(level: &Level, live: &LiveIndex, key: &[u64]) -> bool {
    let mut boxes = level.board().no_squares();
    for bit in LiveIndex::bits_of(key) {
        boxes.insert(live.square(bit));
    }
    let mut freeze = FreezeCheck::new(level);
    let squares: Vec<_> = boxes.iter().collect();
    squares.into_iter().any(|sq| freeze.is_deadlock(&boxes, sq))
}

/// Returns the sizes of the generated set and of the definition's, having checked that they differ by frozen
/// configurations only.
fn check(rows: &[&str], moves: &str, limits: &[usize], ring: RingOrder) -> (usize, usize) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let start = replay(&level, &moves.parse::<Lurd>().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 24), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let live = LiveIndex::new(&level);
    let spine = Spine::new(&level, &live, &start, budget.memory()).unwrap();
    let neighborhood = Neighborhood { limits: limits.to_vec(), ring, boxes: Boxes::All };
    let tube = Tube::around(
        &live,
        &spine,
        0..=spine.end(),
        &neighborhood,
        TubeOptions { engine: Engine::Reference, order: Order::MovesPushes, store: StoreKind::Hash },
        &mut cx,
    )
    .unwrap();
    assert_eq!((tube.from, tube.to), (0, spine.end()));
    let made: BTreeSet<Vec<u64>> = tube.store.ids().map(|id| tube.store.key(id).to_vec()).collect();
    let mut defined = BTreeSet::new();
    for state in spine.states() {
        defined.extend(by_definition(&level, &live, limits, ring, &state.key));
    }
    assert!(made.is_subset(&defined));
    for left_out in defined.difference(&made) {
        assert!(is_frozen(&level, &live, left_out), "{left_out:?} is missing");
    }
    check_near_spine((&level, &live), &spine, &neighborhood, &defined, budget.memory());
    (made.len(), defined.len())
}

/// Testing one configuration after another gives the same set, and no configuration that is one box farther away.
fn check_near_spine(
    (level, live): (&Level, &LiveIndex),
    spine: &Spine,
    neighborhood: &Neighborhood,
    defined: &BTreeSet<Vec<u64>>,
    account: &MemoryAccount,
) {
    let range = SpineRange { spine, from: 0, to: spine.end() };
    let tube = SpineNeighborhood { neighborhood, first: 0, last: spine.end() };
    let near = NearSpine::<4>::new(level.board(), live, range, tube, account).unwrap();
    let check = |key: &[u64], hint: usize| {
        let padded: [u64; 4] = padded(key);
        // The test comes from a configuration with a box elsewhere.
        let Some(to) = LiveIndex::bits_of(key).nth(hint % level.n_boxes()) else { return };
        let free = |bit: usize| padded[bit / 64] >> (bit % 64) & 1 == 0;
        let Some(from) = (0..live.n_live()).cycle().skip(hint).take(live.n_live()).find(|&bit| free(bit)) else {
            return;
        };
        let mut before = padded;
        move_bit(&mut before, to, from);
        let mut vicinity = Vec::new();
        near.find_vicinity(&before, hint, &mut vicinity);
        let first = near.near_states(&vicinity, BoxShift { from, to });
        let is_near = first.is_some_and(|first| near.contains(&padded, first).0);
        assert_eq!(is_near, defined.contains(key), "{key:?}");
        if let Some(ShiftsWithin { either_end, both_ends }) = near.shifts_within(&before, &vicinity) {
            let ends = [either_end, both_ends].map(|ends| [contains(&ends.from, from), contains(&ends.to, to)]);
            let [is_either, is_both] = [ends[0] != [false, false], ends[1] == [true, true]];
            assert!(first.is_some() || !is_either, "shifts with either end lead to a state");
            assert!(first.is_none() || is_either || is_both, "{before:?} {from} {to}");
        }
    };
    for (at, key) in defined.iter().enumerate() {
        check(key, at % (spine.end() + 1));
    }
    for key in defined.iter().step_by(1 + defined.len() / 100) {
        for origin in LiveIndex::bits_of(key) {
            for target in (0..live.n_live()).filter(|target| key[target / 64] >> (target % 64) & 1 == 0) {
                let mut moved = key.clone();
                move_bit(&mut moved, origin, target);
                check(&moved, origin % (spine.end() + 1));
            }
        }
    }
}

/// Trap 9: a box may take the square that the other one left, whichever has the lower number. All squares are goals,
/// so nothing is frozen, and both boxes reach everywhere.
#[test]
fn trap_09_boxes_may_change_squares_in_a_corridor() {
    let rows = ["#########", "#+*...*.#", "#########"];
    for ring in RingOrder::ALL {
        let (made, defined) = check(&rows, "R", &[5, 5], ring);
        assert_eq!((made, defined), (made, made), "all {made} configurations");
    }
}

/// Trap 10: one box may be displaced twice. With 4 and 4 squares in an open room that is the 13-square diamond; with
/// 4 squares once it is the cross of 5.
#[test]
fn trap_10_one_box_may_be_displaced_twice() {
    let open = ".......";
    let rows: Vec<String> = (0..9)
        .map(|row| match row {
            0 | 8 => "#########".to_owned(),
            4 => "#..+*...#".to_owned(),
            _ => format!("#{open}#"),
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let level = Level::parse(&rows.join("\n")).unwrap();
    let live = LiveIndex::new(&level);
    let key = live.key(&level.start().boxes).unwrap();
    assert_eq!(by_definition(&level, &live, &[4], RingOrder::ALL[0], &key).len(), 5);
    assert_eq!(by_definition(&level, &live, &[4, 4], RingOrder::ALL[0], &key).len(), 13);
    // Two diamonds, one square apart.
    assert_eq!(check(&rows, "R", &[4, 4], RingOrder::ALL[0]), (18, 18));
}

/// The configurations tried around these states of a solution, which are ticks.
fn attempts(rows: &[&str], moves: &str, (from, to): (usize, usize), limits: &[usize]) -> u64 {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let start = replay(&level, &moves.parse::<Lurd>().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 24), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let live = LiveIndex::new(&level);
    let spine = Spine::new(&level, &live, &start, budget.memory()).unwrap();
    let neighborhood = Neighborhood { limits: limits.to_vec(), ring: RingOrder::ALL[0], boxes: Boxes::All };
    let options = TubeOptions { engine: Engine::Reference, order: Order::MovesPushes, store: StoreKind::Hash };
    Tube::around(&live, &spine, from..=to, &neighborhood, options, &mut cx).unwrap();
    cx.ticks()
}

/// In a corridor of goals, all squares are near for both boxes. After one push only the box that was not pushed has new
/// displacements: with one limit, to the seven other free squares, except one that both states have.
#[test]
fn displacements_of_the_previous_state_are_not_tried_again() {
    let rows = ["###########", "#+*....*..#", "###########"];
    let around = |states| attempts(&rows, "R", states, &[9]);
    let (first, second) = (around((0, 0)), around((1, 1)));
    assert_eq!((first, second), (1 + 2 * 7, 1 + 2 * 7));
    assert_eq!(around((0, 1)), first + 1 + 7);
}

/// Searches a tube as large as so much memory allows: its number of configurations, whether they are packed, and the
/// metrics found.
fn search_within(bytes: u64, kind: StoreKind) -> (usize, bool, Metrics) {
    let spec = PlantSpec { width: 12..=12, height: 9..=9, boxes: 5..=5, pulls: 60..=60, ..PlantSpec::default() };
    let mut seed = 1_u64;
    let mut choose = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % n
    };
    let (level, moves) = (0..100).find_map(|_| plant(&spec, &mut choose)).unwrap();
    let start = replay(&level, &moves).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(bytes), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let live = LiveIndex::new(&level);
    let spine = Spine::new(&level, &live, &start, budget.memory()).unwrap();
    let (ring, order) = (RingOrder::ALL[0], Order::MovesPushes);
    let neighborhood = Neighborhood { limits: vec![12, 20], ring, boxes: Boxes::All };
    let window = 0..=spine.end();
    let tube = Tube::around(
        &live,
        &spine,
        window,
        &neighborhood,
        TubeOptions { engine: Engine::Fast, order, store: kind },
        &mut cx,
    )
    .unwrap();
    let n_configs = tube.store.n_configs();
    let directions = ring.directions();
    let window =
        SearchWindow { live: &live, spine: &spine, from: 0, to: tube.to, order, directions, engine: Engine::Fast };
    let is_packed = match tube.into_store(&live, &cx).unwrap() {
        TubeStore::Hash(store) => search(window, &store, &mut cx).map(|_| false),
        TubeStore::Tree(store) => search(window, &store, &mut cx).map(|_| true),
    };
    assert!(budget.memory().peak() <= bytes);
    (n_configs, is_packed.unwrap(), cx.best().metrics())
}

/// If all fits, stores differ only in their size. If not, the tree is chosen automatically: it holds no fewer
/// configurations, and leaves a search more memory.
#[test]
fn a_tube_is_packed_where_memory_is_short() {
    let kinds = [StoreKind::Hash, StoreKind::Auto, StoreKind::Tree];
    let ample = kinds.map(|kind| search_within(1 << 26, kind));
    assert_eq!(ample.map(|(_, is_packed, _)| is_packed), [false, false, true]);
    assert!(ample.iter().all(|found| (found.0, found.2) == (ample[0].0, ample[0].2)));
    let mut moves = [0; 3];
    for bytes in (8..=32).step_by(n_cases(6, 2)).map(|part| part << 16) {
        let found = kinds.map(|kind| search_within(bytes, kind));
        assert!(found[1] == found[2] && found[1].1 && found[1].0 >= found[0].0, "{found:?}");
        (0..3).for_each(|at| moves[at] += found[at].2.moves);
    }
    assert!(moves[1] < moves[0] / 10 * 9, "{moves:?}");
}

/// The boxes of a group on their squares in each state of the spine, and everything that displacing them gives: each box
/// on any square.
fn by_group(level: &Level, live: &LiveIndex, spine: &Spine, group: &[usize]) -> BTreeSet<Vec<u64>> {
    let everywhere = vec![live.n_live(); group.len()];
    let mut squares: Vec<_> = group.iter().map(|&bit| live.square(bit)).collect();
    let mut defined = BTreeSet::new();
    for (at, state) in spine.states().iter().enumerate() {
        if let Some(push) = at.checked_sub(1).and_then(|at| spine.pushes().get(at)) {
            let moved = squares.iter_mut().filter(|sq| **sq == push.from);
            moved.for_each(|sq| *sq = push.to(level.board()).unwrap());
        }
        let is_other = |bit: &usize| !squares.contains(&live.square(*bit));
        let others: Vec<_> = LiveIndex::bits_of(&state.key).filter(is_other).collect();
        let keeps_others = |key: &Vec<u64>| others.iter().all(|bit| key[bit / 64] >> (bit % 64) & 1 != 0);
        let all = by_definition(level, live, &everywhere, RingOrder::ALL[0], &state.key);
        defined.extend(all.into_iter().filter(keeps_others));
    }
    defined
}

/// Checks that the boxes of a group, chosen in the first state, are displaced and all others stay.
fn check_group(level: &Level, start: &Solution, choose: impl Fn(&LiveIndex, &Spine) -> Vec<usize>) {
    let pool = Pool::new(level, start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 24), Cancel::default());
    let live = LiveIndex::new(level);
    let spine = Spine::new(level, &live, start, budget.memory()).unwrap();
    let group = choose(&live, &spine);
    let limits = vec![live.n_live(); group.len()];
    let neighborhood = Neighborhood { limits, ring: RingOrder::ALL[0], boxes: Boxes::Group(group.clone()) };
    let defined = by_group(level, &live, &spine, &group);
    check_near_spine((level, &live), &spine, &neighborhood, &defined, budget.memory());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let options = TubeOptions { engine: Engine::Reference, order: Order::MovesPushes, store: StoreKind::Hash };
    let tube = Tube::around(&live, &spine, 0..=spine.end(), &neighborhood, options, &mut cx).unwrap();
    let made: BTreeSet<Vec<u64>> = tube.store.ids().map(|id| tube.store.key(id).to_vec()).collect();
    assert!(made.is_subset(&defined));
    assert!(defined.difference(&made).all(|key| is_frozen(level, &live, key)));
}

/// Two boxes come back to a configuration in each other's places: the group is displaced from both.
#[test]
fn boxes_of_a_group_may_change_places() {
    let level = Level::parse("#######\n##    #\n##$  .#\n#  $.##\n#  @ ##\n#######").unwrap();
    let moves = "UdllurrruulDrdLdlluRdrruLdlluRRdrUluurDlddrUluurrdLullDurrdddllluRuurrddLruulldRurrdLLddlluRdrUruullDurr\
                 dddllluRuurrlldRRlldR";
    let start = replay(&level, &moves.parse().unwrap()).unwrap();
    check_group(&level, &start, |_, spine| LiveIndex::bits_of(&spine.states()[0].key).skip(1).take(1).collect());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_group_is_displaced_and_all_others_stay(
        (level, moves) in planted(PlantSpec { boxes: 2..=4, ..PlantSpec::default() }),
        chosen in prop::collection::btree_set(0..4_usize, 1..=2),
    ) {
        let start = replay(&level, &moves).unwrap();
        check_group(&level, &start, |_, spine| {
            let all: Vec<_> = LiveIndex::bits_of(&spine.states()[0].key).collect();
            chosen.iter().filter_map(|&n| all.get(n).copied()).collect()
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn generated_sets_are_those_of_the_definition(
        (level, moves) in planted(PlantSpec { boxes: 1..=4, ..PlantSpec::default() }),
        mut limits in prop::collection::vec(0..8_usize, 0..=3),
        ring in 0..8_usize,
    ) {
        limits.sort_unstable();
        let rows = level.grid().to_string();
        check(&rows.lines().collect::<Vec<_>>(), &moves.to_string(), &limits, RingOrder::ALL[ring]);
    }
}
