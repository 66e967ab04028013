//! Penalties on boards where they are known, and against the true costs of every pair of boxes.

use hashbrown::{HashMap, HashSet};
use proptest::prelude::{ProptestConfig, proptest};
use sokocore::{Level, PlantSpec, planted};

use crate::board::tests::{TestBoard, meter_within};
use crate::bound::penalties::*;

/// A hall with a goal in each corner: all squares are live, and boxes at a wall stay at it.
pub(crate) const HALL: [&str; 6] = ["#########", "#.     .#", "#       #", "#@$$$$  #", "#.     .#", "#########"];

/// Two rooms with a door, goals in the right one.
pub(crate) const ROOMS: [&str; 5] = ["#########", "#   #   #", "# $ @$ .#", "#   #  .#", "#########"];

/// Two boxes by name, not in order, and the player; in the oracle the player is the name of its region.
type Pair = ([FloorSquare; 2], FloorSquare);

/// Finds the pairs in conflict.
pub(crate) fn penalties(board: &SearchBoard, direction: SearchDirection) -> Penalties<2> {
    let mut meter = meter_within(1 << 28);
    let mut maker = PenaltyMaker::new(board, direction, &meter).unwrap();
    assert_eq!(maker.resume(board, &mut meter), Ok(()));
    assert!(maker.todo.is_empty() && maker.queued.iter().all(|&bits| bits == 0));
    maker.finish(board, &meter)
}

/// Returns the positions after one step of either box, with the player where it stands then.
fn steps(board: &SearchBoard, direction: SearchDirection, flood: &mut Flood, (squares, player): Pair) -> Vec<Pair> {
    flood.run(board, squares, player);
    let mut steps = Vec::new();
    for (at, side) in (0..2).flat_map(|at| (0..4).map(move |side| (at, side))) {
        let stand = board.step(squares[at], side);
        if !flood.reaches(stand) {
            continue;
        }
        let (to, player, must_be_free) = match direction {
            SearchDirection::Forward => {
                let to = board.step(squares[at], side ^ 2);
                (to, squares[at], to)
            }
            SearchDirection::Backward => (stand, board.step(stand, side), board.step(stand, side)),
        };
        if board.is_live(to) && flood.is_free(must_be_free) {
            let mut after = squares;
            after[at] = to;
            steps.push((after, player));
        }
    }
    steps
}

/// Returns the pairs that are brought to some two targets with no more steps than each box needs alone: breadth-first
/// search from every two targets over all positions of two boxes.
fn free_pairs(board: &SearchBoard, direction: SearchDirection) -> HashSet<Pair> {
    let (mut flood, distances) = (Flood::new(board), SideDistances::new(board, direction));
    let mut before: HashMap<Pair, Vec<Pair>> = HashMap::new();
    let squares = || board.live_squares().flat_map(|one| board.live_squares().map(move |other| [one, other]));
    for squares in squares().filter(|[one, other]| one != other) {
        for player in board.squares().filter(|player| !squares.contains(player)) {
            let zone = flood.run(board, squares, player);
            if zone != player {
                continue;
            }
            before.entry((squares, zone)).or_default();
            for (after, player) in steps(board, direction, &mut flood, (squares, zone)) {
                let after = (after, flood.run(board, after, player));
                before.entry(after).or_default().push((squares, zone));
            }
        }
    }
    // The distances of a box alone, with the player where it is.
    let mut alone = |(squares, player): Pair, at: usize, target: usize| {
        flood.run(board, [squares[at]], player);
        let side = (0..4).find(|&side| flood.reaches(board.step(squares[at], side)));
        side.map_or(u16::MAX, |side| distances.row(squares[at], side)[target])
    };
    let targets = board.targets(direction);
    let mut free = HashSet::new();
    for (one, other) in (0..targets.len()).flat_map(|one| (0..targets.len()).map(move |other| (one, other))) {
        let squares = [targets[one], targets[other]];
        let mut layer: Vec<Pair> = before.keys().copied().filter(|pair| one != other && pair.0 == squares).collect();
        let (mut n_steps, mut seen) = (0, HashSet::new());
        while !layer.is_empty() {
            layer.retain(|&pair| seen.insert(pair));
            let sum = |pair| u32::from(alone(pair, 0, one)) + u32::from(alone(pair, 1, other));
            let is_free: Vec<bool> = layer.iter().copied().map(sum).map(|sum| sum == n_steps).collect();
            free.extend(layer.iter().zip(is_free).filter(|&(_, is_free)| is_free).map(|(&pair, _)| pair));
            layer = layer.iter().flat_map(|pair| before[pair].iter().copied()).collect();
            n_steps += 1;
        }
    }
    free
}

/// For every pair and every side with the player, the table says what the search finds; returns how many conflicts that
/// are.
fn check(board: &SearchBoard, direction: SearchDirection) -> usize {
    let (penalties, free) = (penalties(board, direction), free_pairs(board, direction));
    let mut flood = Flood::new(board);
    let mut n_conflicts = 0;
    let pairs = || board.live_squares().flat_map(|other| board.live_squares().map(move |one| [one, other]));
    for squares in pairs().filter(|[one, other]| one < other) {
        let mut has_any = false;
        for side in 0..8 {
            let stand = board.step(squares[side / 4], side % 4);
            if stand == board.wall() || squares.contains(&stand) {
                continue;
            }
            let zone = flood.run(board, squares, stand);
            let is_conflict = !free.contains(&(squares, zone));
            assert_eq!(penalties.is_conflict(board, squares, &flood), is_conflict, "{direction:?} {squares:?} {side}");
            let sum = penalties.of(board, &SearchBoard::set(&squares), &flood);
            assert_eq!(sum, 2 * u16::from(is_conflict), "{direction:?} {squares:?} {side}");
            has_any |= is_conflict;
            n_conflicts += usize::from(is_conflict);
        }
        assert_eq!(penalties.may_apply(&SearchBoard::set(&squares)), has_any, "{direction:?} {squares:?}");
    }
    n_conflicts
}

fn check_level(level: &Level) {
    let Some(board) = SearchBoard::new(level) else { return };
    check(&board, SearchDirection::Forward);
    check(&board, SearchDirection::Backward);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Breadth-first search over two boxes alone finds the same pairs in conflict, for every side with the player.
    #[test]
    fn pairs_in_conflict_are_those_that_a_search_finds(
        (level, _) in planted(PlantSpec {
            width: 5..=7,
            height: 5..=7,
            boxes: 2..=3,
            spare_goals: 0..=1,
            ..PlantSpec::default()
        }),
    ) {
        check_level(&level);
    }
}

/// The same on a hall with goals in opposite corners, where pairs come free for several assignments at different times,
/// and on two rooms with a door.
#[test]
fn pairs_in_conflict_by_pushes_and_by_pulls() {
    for rows in [
        &["########", "#.     #", "# $ #  #", "#@$   .#", "########"][..],
        &["########", "#.  #  #", "# $  $ #", "#@  #. #", "########"],
        &ROOMS,
        &["########", "##.    #", "#@$$$  #", "# ..## #", "########"],
    ] {
        let TestBoard { board, .. } = TestBoard::new(rows);
        let counts = [SearchDirection::Forward, SearchDirection::Backward].map(|direction| check(&board, direction));
        assert!(counts.iter().all(|&n| n > 0), "{counts:?} {rows:?}");
    }
}

#[test]
fn disjoint_pairs_in_conflict_cost_two_pushes_each() {
    let test = TestBoard::new(&HALL);
    let penalties = penalties(&test.board, SearchDirection::Forward);
    let check = |places: &[(usize, usize)], n_pushes: u16| {
        let boxes = test.set(places);
        assert_eq!(penalties.may_apply(&boxes), n_pushes > 0, "{places:?}");
        assert_eq!(penalties.of(&test.board, &boxes, &test.flood(&boxes, test.sq(3, 1))), n_pushes, "{places:?}");
    };
    check(&[], 0);
    check(&[(1, 3)], 0);
    check(&[(1, 2), (1, 5)], 0);
    check(&[(1, 3), (1, 4)], 2);
    check(&[(1, 3), (1, 4), (1, 5)], 2);
    check(&[(1, 2), (1, 3), (1, 5), (1, 6)], 4);
    check(&[(1, 3), (1, 4), (4, 3), (4, 4)], 4);
    check(&[(1, 3), (1, 4), (2, 6)], 2);
}

/// The player's region touches neither box of the pair: the other boxes enclose it.
#[test]
fn a_player_far_from_the_pair_counts_what_is_in_conflict_on_every_side() {
    let test = TestBoard::new(&HALL);
    let penalties = penalties(&test.board, SearchDirection::Forward);
    let is_conflict = |one: (usize, usize), other: (usize, usize)| {
        let boxes = test.set(&[one, other, (3, 1), (4, 2)]);
        let flood = test.flood(&boxes, test.sq(4, 1));
        assert_eq!(flood.n_reached(), 1);
        penalties.is_conflict(&test.board, [test.sq(one.0, one.1), test.sq(other.0, other.1)], &flood)
    };
    assert!(is_conflict((1, 3), (1, 4)));
    assert!(!is_conflict((1, 2), (1, 5)));
}

/// From the left the box in the door is pushed against the other one; from the right the other one goes first.
#[test]
fn a_pair_may_be_in_conflict_on_one_side_only() {
    let test = TestBoard::new(&ROOMS);
    let penalties = penalties(&test.board, SearchDirection::Forward);
    let boxes = test.set(&[(2, 4), (2, 6)]);
    let of = |player| penalties.of(&test.board, &boxes, &test.flood(&boxes, player));
    assert!(penalties.may_apply(&boxes));
    assert_eq!([of(test.sq(1, 1)), of(test.sq(1, 6))], [2, 0]);
}

/// A state that waits is not queued again, however many assignments are added to it; it is known by the first side of
/// its region, which is not the wall above.
#[test]
fn a_state_is_queued_once() {
    let test = TestBoard::new(&HALL);
    let mut maker = PenaltyMaker::new(&test.board, SearchDirection::Forward, &test.meter).unwrap();
    let squares = [test.sq(1, 3), test.sq(1, 5)];
    maker.add(&test.board, squares, 0, &[1, 1, 1, 1]);
    assert!(maker.todo.is_empty(), "the wall is no side");
    maker.add(&test.board, squares, 1, &[0, 0b100, 0, 0]);
    maker.add(&test.board, squares, 2, &[0, 0b1000, 0, 1]);
    assert_eq!((maker.todo.len(), maker.todo.front()), (1, Some(&(squares, 1))));
    assert_eq!(maker.queued[index(squares)], 0b10);
    let start = (index(squares) * 8 + 1) * 4;
    assert_eq!(maker.free[start..start + 4], [0, 0b1100, 0, 1]);
}

/// The table is charged for as long as it lives: a byte for each pair and a set for each square.
#[test]
fn the_table_is_charged() {
    let test = TestBoard::new(&HALL);
    assert_eq!(test.board.n_live(), 28);
    let mut meter = meter_within(1 << 28);
    let mut maker = PenaltyMaker::new(&test.board, SearchDirection::Forward, &meter).unwrap();
    assert_eq!(meter.memory().used(), 378 * (8 * (4 * 8 + 2) + 4));
    maker.resume(&test.board, &mut meter).unwrap();
    let penalties = maker.finish::<2>(&test.board, &meter);
    assert_eq!(meter.memory().used(), 378 + 28 * 16);
    drop(penalties);
    assert_eq!(meter.memory().used(), 0);
    let small = meter_within(378 * (8 * (4 * 8 + 2) + 4) - 1);
    assert!(PenaltyMaker::new(&test.board, SearchDirection::Forward, &small).is_none());
    let alone = TestBoard::new(&["######", "#@$ .#", "######"]);
    assert!(PenaltyMaker::new(&alone.board, SearchDirection::Forward, &meter).is_none(), "one box is no pair");
}
