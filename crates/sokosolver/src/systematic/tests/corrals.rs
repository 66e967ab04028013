//! Each kind of corral, on a level of our own where it saves at least half of the positions of a proof.
//!
//! The levels were planted at random, then chosen. Every kind comes on top of those before it.

use super::techniques::run;
use super::*;
use crate::deadlock::pi_corral::tests::{KINDS, Kinds};

/// A hall behind two others, each with a box in its door.
const DOORS: &[&str] = &[
    "#############",
    "#   #########",
    "#  $   ######",
    "# .  $ ######",
    "#      ######",
    "##. .  $@####",
    "####.   $   #",
    "#########   #",
    "#############",
];

/// Three boxes at a wall: whether the outer ones can be pushed in depends on boxes beyond.
const QUEUE: &[&str] =
    &["#########", "# ** ####", "#    ####", "#    *+##", "#    .*.#", "##$$ $ $#", "##    . #", "#########"];

/// Boxes that stand between two closed rooms.
const TWO_ROOMS: &[&str] = &[
    "#########",
    "####    #",
    "#.#  $#$#",
    "# . $ * #",
    "#  # .# #",
    "#$.   $ #",
    "#@###   #",
    "#######.#",
    "#########",
];

/// Rooms in a row, with boxes between them.
const MANY_ROOMS: &[&str] = &[
    "##########",
    "#*#.  $ ##",
    "#  #$ #  #",
    "##* .# $ #",
    "## ##+$  #",
    "#  #.* $ #",
    "#  #  # .#",
    "####  ####",
    "##########",
];

const SIMPLE: Kinds = Kinds { beyond: false, n_areas: 1 };
const BEYOND: Kinds = Kinds { beyond: true, ..SIMPLE };
const PAIRS: Kinds = Kinds { n_areas: 2, ..BEYOND };

/// Compares the positions of a proof with corrals up to one kind and up to the next, or none at all.
fn check(rows: &[&str], before: Option<Kinds>, kinds: Kinds) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let proof = |kinds: Option<Kinds>| {
        let settings = Settings {
            algorithm: Algorithm::AStar,
            heading: Heading::Forward,
            optimal: Optimal::Pushes,
            matching: true,
            pairs: true,
            freeze: true,
            pi_corrals: kinds.is_some(),
            ..Settings::default().plain()
        };
        KINDS.set(kinds.unwrap_or(Kinds::ALL));
        let (verdict, nodes) = run(rows, &settings);
        KINDS.set(Kinds::ALL);
        (replayed(&level, &verdict).metrics().pushes, nodes)
    };
    let (without, with) = (proof(before), proof(Some(kinds)));
    println!("{kinds:?}: {} positions of {}", with.1, without.1);
    assert_eq!(with.0, without.0);
    assert!(with.1 * 2 <= without.1, "{} of {}", with.1, without.1);
}

#[test]
fn simple_corrals_save_positions() {
    check(DOORS, None, SIMPLE);
}

#[test]
fn corrals_with_boxes_beyond_save_positions() {
    check(QUEUE, Some(SIMPLE), BEYOND);
}

#[test]
fn pairs_of_corrals_save_positions() {
    check(TWO_ROOMS, Some(BEYOND), PAIRS);
}

#[test]
fn corrals_of_all_that_is_unreachable_save_positions() {
    check(MANY_ROOMS, Some(PAIRS), Kinds::ALL);
}
