//! Parking, corrals and proofs on whole levels: each solves one that is not solved without it, or saves nodes.

use super::*;

/// A box stands in the way of the others and has to be parked.
const PARKING: &str = "############\n#        . #\n#  # $ $ $ #\n# ##..     #\n#  #.##### #\n#   ..     #\n#  # $@$ $ #\n#  #   #   #\n############";

/// Boxes around areas that must be opened.
const AREAS: &str = "#############\n#         . #\n#$ $ ## # . #\n#  #  $     #\n#. #  ##    #\n#..$ ##  $  #\n#*.#$ #  #  #\n#.  $@#     #\n#    ##     #\n#############";

/// Goals where a box may be closed in.
const NICHES: &str = "############\n# ..    #  #\n#$$.$   #  #\n#...#      #\n#*$$ #$##  #\n#.    $@#  #\n############";

/// Boxes along the walls, where two beside each other soon are one too many.
const WALLS: &str = "#########\n#.@ $ # #\n# #.    #\n# $$ $ ##\n# # . . #\n# #   .##\n# $$# ###\n# #.    #\n#########";

/// Nodes expanded within 300,000 ticks, and whether the level was solved.
fn run(rows: &str, variants: &'static [PackingVariant], settings: &Settings) -> (bool, u64) {
    let level = Level::parse(rows).unwrap();
    let mut search = packing("packing", &level, settings, variants);
    let mut meter = meter();
    meter.start_slice(300_000);
    let end = search.resume(&mut meter);
    let is_solved = matches!(end, Ok(Verdict::Solved(_)));
    if is_solved {
        check_solved(&level, end);
    }
    (is_solved, search.n_nodes())
}

#[test]
fn parking_solves_what_no_order_of_goals_does() {
    let settings = Settings::default();
    let (parked, peeled) =
        (run(PARKING, &PackingVariant::FULL[..1], &settings), run(PARKING, &PackingVariant::PEELING[..1], &settings));
    assert!(parked.0 && parked.1 < 100, "{parked:?}");
    assert!(!peeled.0 && peeled.1 > 5_000, "{peeled:?}");
}

#[test]
fn corrals_proofs_and_pairs_save_nodes() {
    for (name, rows, percent) in [("pi-corrals", AREAS, 12), ("corral-proofs", NICHES, 80), ("pairs", WALLS, 25)] {
        let mut settings = Settings::default();
        let with = run(rows, PackingVariant::FULL, &settings);
        settings.switch(name.parse().unwrap(), false);
        let without = run(rows, PackingVariant::FULL, &settings);
        assert!(with.0 && with.1 * 100 < without.1 * percent, "{name}: {with:?} {without:?}");
    }
}
