//! Push-perft: how many (boxes, zone) positions are first reached at each push depth on six tiny boards.
//!
//! The numbers are pinned, and counted twice: by the crate's own moves, and by a naive game on letters that knows
//! nothing of the crate. Whoever breaks a rule of the game breaks a number.

use std::collections::BTreeSet;

use sokocore::{Level, Position, Reach};

/// The board and its numbers, depth 0 first.
const TABLE: [(&[&str], &[usize]); 6] = [
    (&["######", "#@$ .#", "######"], &[1, 1, 1]),
    (&["######", "#@  .#", "# $ ##", "##   #", "######"], &[1, 4, 3, 2]),
    (&["######", "#.  .#", "#@$ $#", "#    #", "######"], &[1, 6, 12, 10, 1]),
    (&["#######", "#.   .#", "# $ $ #", "#  @  #", "#######"], &[1, 8, 23, 36, 23, 12, 2]),
    (&["#######", "#. #  #", "#  $  #", "# #$# #", "#  .@ #", "#######"], &[1, 2, 6, 10, 16, 18, 14, 3]),
    (
        &["########", "#   . .#", "#.$$   #", "# #    #", "# $@   #", "########"],
        &[1, 4, 10, 21, 43, 72, 119, 169, 198, 188, 143, 82, 33, 9, 2],
    ),
];

#[test]
fn counts_are_the_pinned_ones() {
    for (rows, depths) in TABLE {
        let found = by_crate(&Level::parse(&rows.join("\n")).unwrap());
        assert_eq!(found, depths, "{rows:#?}");
    }
}

#[test]
fn a_naive_game_counts_the_same() {
    for (rows, _) in TABLE {
        assert_eq!(by_letters(rows), by_crate(&Level::parse(&rows.join("\n")).unwrap()), "{rows:#?}");
    }
}

/// Positions new at each depth, counted with the crate.
fn by_crate(level: &Level) -> Vec<usize> {
    let board = level.board();
    let mut reach = Reach::new(board);
    let mut seen = BTreeSet::new();
    let mut layer = vec![level.start().clone()];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        let mut next_layer: Vec<Position> = Vec::new();
        let n_before = seen.len();
        for position in layer {
            let region = position.region(board, &mut reach);
            if seen.insert((position.boxes.clone(), region.zone())) {
                next_layer.extend(region.pushes().map(|push| {
                    let mut next = position.clone();
                    assert!(next.push(board, push));
                    next
                }));
            }
        }
        counts.extend(Some(seen.len() - n_before).filter(|&n| n > 0));
        layer = next_layer;
    }
    counts
}

type Place = (usize, usize);

/// The same on letters and coordinates.
fn by_letters(rows: &[&str]) -> Vec<usize> {
    let places = |letters: &str| -> BTreeSet<Place> {
        let cells = rows.iter().enumerate().flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (y, x, c)));
        cells.filter(|(_, _, letter)| letters.contains(*letter)).map(|(y, x, _)| (y, x)).collect()
    };
    let walls = places("#");
    let mut seen: BTreeSet<(BTreeSet<Place>, Place)> = BTreeSet::new();
    let mut layer = vec![(places("$*"), *places("@+").first().unwrap())];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        let n_before = seen.len();
        for (boxes, player) in layer {
            let region = walk(&walls, &boxes, player);
            if !seen.insert((boxes.clone(), *region.first().unwrap())) {
                continue;
            }
            for &from in &boxes {
                let [up, down, left, right] = [up(from), down(from), left(from), right(from)];
                for (to, stand) in [(down, up), (up, down), (right, left), (left, right)] {
                    if region.contains(&stand) && !walls.contains(&to) && !boxes.contains(&to) {
                        let mut next = boxes.clone();
                        next.remove(&from);
                        next.insert(to);
                        next_layer.push((next, from));
                    }
                }
            }
        }
        counts.extend(Some(seen.len() - n_before).filter(|&n| n > 0));
        layer = next_layer;
    }
    counts
}

fn walk(walls: &BTreeSet<Place>, boxes: &BTreeSet<Place>, player: Place) -> BTreeSet<Place> {
    let mut region = BTreeSet::from([player]);
    let mut todo = vec![player];
    while let Some(place) = todo.pop() {
        for next in [up(place), down(place), left(place), right(place)] {
            if !walls.contains(&next) && !boxes.contains(&next) && region.insert(next) {
                todo.push(next);
            }
        }
    }
    region
}

fn up((y, x): Place) -> Place {
    (y - 1, x)
}

fn down((y, x): Place) -> Place {
    (y + 1, x)
}

fn left((y, x): Place) -> Place {
    (y, x - 1)
}

fn right((y, x): Place) -> Place {
    (y, x + 1)
}
