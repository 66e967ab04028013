//! PI-corrals of several shapes, on levels of our own where they save at least half of the positions of a proof.
//!
//! The levels were planted at random, then chosen.

use super::techniques::run;
use super::*;

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

/// Compares the positions of a proof with and without PI-corrals.
fn check(rows: &[&str]) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let forward = Settings {
        algorithm: Algorithm::AStar,
        heading: Heading::Forward,
        optimal: Optimal::Pushes,
        ..Settings::default()
    };
    let plain =
        [Technique::Matching, Technique::Pairs, Technique::Freeze].into_iter().fold(forward.plain(), Settings::with);
    let [without, with] = [plain.clone(), plain.with(Technique::PiCorrals)].map(|settings| {
        let (verdict, nodes) = run(rows, &settings);
        (replayed(&level, &verdict).metrics().pushes, nodes)
    });
    println!("{} positions of {}", with.1, without.1);
    assert_eq!(with.0, without.0);
    assert!(with.1 * 2 <= without.1, "{} of {}", with.1, without.1);
}

#[test]
fn corrals_of_one_area_save_positions() {
    check(DOORS);
}

#[test]
fn corrals_with_boxes_beyond_save_positions() {
    check(QUEUE);
}

#[test]
fn corrals_of_two_areas_save_positions() {
    check(TWO_ROOMS);
}

#[test]
fn corrals_of_all_that_is_unreachable_save_positions() {
    check(MANY_ROOMS);
}
