//! The database against a plain list of sets, on a board where a set of boxes takes two words and one of players three.

use std::sync::Arc;

use crate::board::tests::{Dice, tables};
use crate::deadlock::deadlock_sets::*;

/// A set as it was added.
struct PlainSet {
    squares: Vec<FloorSquare>,
    capacity: usize,
    /// Where the player must be; `None` for anywhere.
    dead: Option<Vec<FloorSquare>>,
}

impl PlainSet {
    fn n_held(&self, boxes: &[FloorSquare]) -> usize {
        self.squares.iter().filter(|sq| boxes.contains(sq)).count()
    }

    fn is_dead_for(&self, player: FloorSquare) -> bool {
        self.dead.as_ref().is_none_or(|dead| dead.contains(&player))
    }

    /// Returns whether the boxes are too many, one of them on this square.
    fn forbids(&self, boxes: &[FloorSquare], player: FloorSquare, to: FloorSquare) -> bool {
        self.squares.contains(&to) && self.n_held(boxes) > self.capacity && self.is_dead_for(player)
    }

    /// Returns whether a push brings one box too many into the set.
    fn forbids_push(&self, before: &[FloorSquare], from: FloorSquare, to: FloorSquare) -> bool {
        let enters = self.squares.contains(&to) && !self.squares.contains(&from);
        enters && self.n_held(before) >= self.capacity && self.is_dead_for(from)
    }
}

/// A hall of 12 by 13 squares, of which those along the walls are dead.
fn hall() -> Arc<LevelTables> {
    let row = |number| if number == 6 { "#  @ $  .     #" } else { "#             #" };
    let (wall, rows) = ("#".repeat(15), (1..=12).map(row).collect::<Vec<_>>());
    tables(&format!("{wall}\n{}\n{wall}", rows.join("\n")))
}

fn numbered<const N: usize>(numbers: [u16; N]) -> Vec<FloorSquare> {
    numbers.map(FloorSquare::new).to_vec()
}

/// Adds patterns and areas of two to five squares, in turn.
fn add_at_random(
    sets: &mut DeadlockSets,
    dice: &mut Dice,
    places: &[FloorSquare],
    players: &[FloorSquare],
) -> PlainSet {
    let mut squares = Vec::new();
    let n_squares = 2 + dice.roll(4);
    while squares.len() < n_squares {
        let sq = places[dice.roll(places.len())];
        if !squares.contains(&sq) {
            squares.push(sq);
        }
    }
    if sets.len().is_multiple_of(2) {
        let dead: Vec<FloorSquare> = players.iter().copied().filter(|_| dice.roll(2) == 0).collect();
        sets.add_pattern(&squares, dead.iter().copied());
        return PlainSet { capacity: squares.len() - 1, squares, dead: Some(dead) };
    }
    let capacity = 1 + dice.roll(squares.len() - 1);
    sets.add_capacity_area(&squares, capacity);
    PlainSet { squares, capacity, dead: None }
}

#[test]
fn pushes_and_positions_are_forbidden_as_by_a_plain_list() {
    let tables = hall();
    let board = tables.board();
    assert_eq!((board.n_live(), board.n_words(), board.n_squares()), (110, 2, 156));
    let places = numbered([0, 1, 17, 62, 63, 64, 65, 80, 109]);
    let players = [places.clone(), numbered([110, 127, 128, 129, 155])].concat();
    let (mut sets, mut dice, mut plain) = (DeadlockSets::new(&tables), Dice(5), Vec::new());
    assert_eq!(sets.bytes_each(), (2 + 3) * 8 + 96);
    let (mut n_asked, mut n_forbidden) = (0, [0; 4]);
    for n_before in 0..24 {
        assert_eq!(sets.len(), n_before);
        let mut boxes: Vec<FloorSquare> = places.iter().copied().filter(|_| dice.roll(2) == 0).collect();
        let mut occupancy = sets.occupancy(boxes.iter().copied());
        plain.push(add_at_random(&mut sets, &mut dice, &places, &players));
        sets.extend(&mut occupancy, boxes.iter().copied());
        for _ in 0..6 {
            let sq = places[dice.roll(places.len())];
            if let Some(at) = boxes.iter().position(|&other| other == sq) {
                boxes.swap_remove(at);
                sets.take(&mut occupancy, sq);
            } else {
                boxes.push(sq);
                sets.put(&mut occupancy, sq);
            }
            let mut words = vec![0; 2];
            boxes.iter().for_each(|sq| words[sq.idx() / 64] |= 1 << (sq.idx() % 64));
            let (view, n_first) = (BitView::new(&words), dice.roll(plain.len() + 1));
            for &to in &places {
                for &from in &places {
                    let expect = plain.iter().any(|set| set.forbids_push(&boxes, from, to));
                    assert_eq!(sets.forbids_counted(&occupancy, from, to), expect, "{boxes:?} {from} {to}");
                    n_forbidden[0] += usize::from(expect);
                }
                for &player in &players {
                    let forbids = |set: &PlainSet| set.forbids(&boxes, player, to);
                    let expect = [plain.iter().any(forbids), plain[..n_first].iter().any(forbids)];
                    let n_sets = u32::try_from(n_first).unwrap();
                    let found = [sets.forbids(view, player, to), sets.forbids_by_first(n_sets, view, player, to)];
                    assert_eq!(found, expect, "{boxes:?} {player} {to} {n_first}");
                    expect.iter().zip(&mut n_forbidden[1..]).for_each(|(&is, n)| *n += usize::from(is));
                    n_asked += 1;
                }
            }
            for &player in &players {
                let expect = boxes.iter().any(|&sq| plain.iter().any(|set| set.forbids(&boxes, player, sq)));
                assert_eq!(sets.is_dead(&boxes, player), expect, "{boxes:?} {player}");
                n_forbidden[3] += usize::from(expect);
            }
        }
    }
    let n_at = |sq: FloorSquare| plain.iter().filter(|set| set.squares.contains(&sq)).count();
    assert!(places.iter().all(|&sq| sets.n_at(sq) == n_at(sq) && n_at(sq) > 2));
    assert!(n_forbidden.iter().all(|&n| n > 100 && n < n_asked * 2 / 3), "{n_forbidden:?} of {n_asked}");
}

/// A pattern of three squares is full with three boxes, and no other box or player makes it so.
#[test]
fn a_pattern_is_a_deadlock_when_all_its_squares_are_taken() {
    let tables = hall();
    let mut sets = DeadlockSets::new(&tables);
    let squares = numbered([3, 70, 5]);
    let [first, middle, last] = [squares[0], squares[1], squares[2]];
    let [dead, alive, other] = [150, 22, 69].map(FloorSquare::new);
    sets.add_pattern(&squares, [dead].into_iter());
    assert!(sets.is_dead(&squares, dead) && !sets.is_dead(&squares, alive));
    assert!(sets.is_dead(&[other, last, middle, first], dead));
    for left_out in 0..3 {
        let mut fewer = squares.clone();
        fewer[left_out] = other;
        assert!(!sets.is_dead(&fewer, dead), "{left_out}");
    }
}

/// An area of four squares with room for two boxes; which of them are taken makes no difference.
#[test]
fn an_area_is_a_deadlock_with_one_box_more_than_its_capacity() {
    let tables = hall();
    let mut sets = DeadlockSets::new(&tables);
    let squares = numbered([3, 70, 5, 100]);
    sets.add_capacity_area(&squares, 2);
    for player in tables.board().squares().filter(|player| !squares.contains(player)) {
        assert!(!sets.is_dead(&squares[1..3], player) && !sets.is_dead(&squares[..2], player), "{player}");
        assert!(sets.is_dead(&squares[1..], player) && sets.is_dead(&squares, player), "{player}");
    }
    assert!(!sets.is_dead(&[squares[0], squares[3], FloorSquare::new(4)], FloorSquare::new(50)));
}

/// The first square is in three sets, the others in one or two.
#[test]
fn each_set_of_a_square_is_a_lookup() {
    let tables = hall();
    let mut sets = DeadlockSets::new(&tables);
    let [one, two, three] = [0, 64, 109].map(FloorSquare::new);
    sets.add_pattern(&[one, two], std::iter::empty());
    sets.add_pattern(&[one, two, three], std::iter::empty());
    sets.add_capacity_area(&[one], 1);
    assert_eq!([one, two, three, FloorSquare::new(7)].map(|sq| sets.n_at(sq)), [3, 2, 1, 0]);
    let mut occupancy = sets.occupancy([one, two].into_iter());
    assert_eq!(occupancy.n_lookups(), 5);
    sets.put(&mut occupancy, three);
    assert_eq!(occupancy.n_lookups(), 6);
    sets.take(&mut occupancy, two);
    assert_eq!(occupancy.n_lookups(), 8);
    assert!(!sets.forbids_counted(&occupancy, FloorSquare::new(7), two));
    assert_eq!(occupancy.n_lookups(), 10);
    sets.add_capacity_area(&[three], 0);
    sets.add_capacity_area(&[one, three], 5);
    for _ in 0..2 {
        sets.extend(&mut occupancy, [one, three].into_iter());
        assert_eq!(occupancy.n_lookups(), 12, "added sets are looked up once");
    }
    assert_eq!(sets.occupancy(std::iter::empty()).n_lookups(), 0);
}

#[test]
fn no_more_sets_are_kept_than_the_most() {
    let tables = tables("######\n#@$ .#\n######");
    let mut sets = DeadlockSets::new(&tables);
    let [one, two] = [0, 1].map(FloorSquare::new);
    (1..32_768).for_each(|_| sets.add_capacity_area(&[one], 1));
    assert_eq!((sets.len(), sets.n_at(one)), (32_767, 32_767));
    sets.add_pattern(&[two], [one].into_iter());
    assert_eq!((sets.len(), sets.n_at(two)), (32_768, 1));
    sets.add_pattern(&[two], [one].into_iter());
    sets.add_capacity_area(&[two], 1);
    assert_eq!((sets.len(), sets.n_at(two)), (32_768, 1));
    assert!(sets.is_dead(&[two], one) && !sets.is_dead(&[one], two));
}
