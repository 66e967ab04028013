//! Levels of our own for these tests.

use std::fmt::Write as _;

use sokocore::{Carving, PlantSpec, plant};

/// Small levels, the second of them with a poor solution, the last without any.
pub(crate) const SMALL: &str = "\
Title: Small rooms
Author: The Soko developers

Two steps

#######
#@ $ .#
#######

Around the corner

######
##   #
#@$ $#
#.  .#
######

Nothing moves

#####
#$  #
# @.#
#####
";

/// A level whose best solution by moves is not the best by pushes.
pub(crate) const BAY_WINDOW: &str = "\
The bay window

  #####
###   ###
#   $   #
# $ # $ #
## ... ##
#  .#.  #
# $ @ $ #
###   ###
  #####

Solution/Moves 51/14
rurrdLuluuurrdLulDuLulDDulldRdRluurDlddldRRdrrULdlU

Solution/Pushes 61/12
lulldRuruuuRurDDurrdLdLdddllUrrurrdLuuuulDulllldRurDldddrdrrU
";

/// Levels with planted, poor solutions.
pub(crate) fn planted(n: usize, size: usize, boxes: usize) -> String {
    let spec = PlantSpec {
        width: size..=size + 4,
        height: size..=size,
        carving: Carving::Pillars(size / 2),
        boxes: boxes..=boxes,
        spare_goals: 0..=0,
        pulls: 30 * boxes..=30 * boxes,
        detours: 20,
    };
    let mut state = 77_u64;
    let mut choose = move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let planted = std::iter::repeat_with(|| plant(&spec, &mut choose)).flatten();
    let mut text = String::from("Title: Gardens\nAuthor: The Soko developers\n");
    for (at, (level, moves)) in planted.take(n).enumerate() {
        write!(text, "\nGarden {}\n\n{}\n\nSolution\n{moves}\n", at + 1, level.grid()).unwrap();
    }
    text
}

/// Many small levels, all different.
pub(crate) fn many(n: usize) -> String {
    let mut text = String::from("Title: Five thousand corridors\n");
    for at in 0..n {
        // A corridor, with niches that spell the number.
        let niches: String = (0..13).map(|bit| if at >> bit & 1 == 1 { ' ' } else { '#' }).collect();
        let wall = "#".repeat(15);
        write!(text, "\nCorridor {}\n\n{wall}\n#{niches}#\n#@ $         .#\n{wall}\n", at + 1).unwrap();
    }
    text
}

/// A board of 100 by 100 squares.
pub(crate) fn huge() -> String {
    let mut text = String::from("A hundred by a hundred\n\n");
    for row in 0..100 {
        for column in 0..100 {
            let is_border = row == 0 || column == 0 || row == 99 || column == 99;
            let is_pillar = row % 4 == 2 && column % 4 == 2;
            text.push(match (row, column) {
                (51, 51) => '@',
                _ if is_border || is_pillar => '#',
                _ if row % 12 == 4 && column % 12 == 4 => '$',
                _ if row % 12 == 8 && column % 12 == 8 => '.',
                _ => ' ',
            });
        }
        text.push('\n');
    }
    text
}
