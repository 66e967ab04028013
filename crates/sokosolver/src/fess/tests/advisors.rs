//! Each advisor, and each proof of a deadlock, in a search by pushes along a plan: it saves positions.

use super::*;
use crate::Advisors;
use crate::fess::backward::Backward;
use crate::fess::forward::Forward;
use crate::fess::plan::Plan;
use crate::fess::pull_aim::PullAim;
use crate::fess::push_aim::PushAim;
use crate::fess::step::Step;
use crate::fess::variant::Packing;

/// A hall with six goals along the lower wall.
const HALL: &str = "##########\n#  #.  $ #\n# $@$    #\n# $$     #\n#    $   #\n#... ..  #\n##########";

/// Four rooms in a ring, with boxes in their doors, and goals in the room above on the left.
const RING: &str = "##########\n#@**#    #\n#$$.#    #\n#.  # $  #\n#. .$    #\n# #### ###\n#   #    #\n#        #\n#   #    #\n##########";

/// Another ring.
const DOORS: &str = "##########\n#  ..    #\n#.$  # $ #\n#. $@#   #\n# $. #   #\n### ###$##\n#    #   #\n#        #\n#    #   #\n##########";

/// Two rooms: the player is closed in by boxes that can only be pushed one way.
const CELL: &str = "############\n#   ##     #\n#   #   $  #\n#  .# $    #\n# *..  $ # #\n## .########\n#        $@#\n#   #    $.#\n############";

/// A row of goals behind a door, where two boxes can close each other in.
const SHELF: &str = "##########\n#  #.* $ #\n# $...   #\n#  #######\n# $#     #\n#  ##    #\n# $#.    #\n#  # @$  #\n#        #\n##########";

/// A few boxes close the upper room for good if they are pushed together.
const TRAP: &str =
    "#########\n#. @##  #\n##$$##  #\n#      ##\n#$$  #$ #\n#..  #  #\n# .* #  #\n#  # #. #\n###  #  #\n#########";

/// Boxes on the way to two columns of goals.
const COLUMNS: &str = "########\n#      #\n#.$.   #\n#$.$  .#\n#   $* #\n#### @##\n########";

/// What the strategies of a level share, with the tables made.
fn commons(level: &Level, settings: &Settings, effort: &mut WorkMeter) -> SharedTables<2> {
    let terrain = FessTables::within(LevelTables::new(level).unwrap(), effort).unwrap();
    let ground = terrain.ground();
    let makers =
        [SearchDirection::Forward, SearchDirection::Backward].map(|way| PatternMaker::new(ground, way, settings));
    let patterns = makers.map(|mut maker| {
        maker.resume(effort).unwrap();
        maker.finish(ground, effort)
    });
    let mut hotspots = Hotspots::default();
    while !hotspots.is_done(ground) {
        hotspots.grow(ground, &terrain.goals);
    }
    SharedTables::new(terrain, hotspots, patterns, settings.clone(), effort)
}

/// A plan found by pulls.
fn plan(level: &Level, effort: &mut WorkMeter) -> Plan {
    let mut commons = commons(level, &Settings::default(), effort);
    let mut pulls = Backward::new(&commons, 0, PullAim::Sink(Packing { far: 2, dice: 0 }), effort);
    let until = effort.ticks() + 20_000;
    while let Step::Met(_) = pulls.resume(&mut commons, effort, until).unwrap() {}
    pulls.plan()
}

/// Returns how many positions pushes along a plan expand until the level is solved, with nobody to meet on the way.
fn n_expanded(rows: &str, settings: &Settings) -> usize {
    let level = Level::parse(rows).unwrap();
    let mut effort = effort(64);
    let plan = plan(&level, &mut effort);
    let mut commons = commons(&level, settings, &mut effort);
    let mut pushes = Forward::new(&commons, 0, PushAim::plan(&commons.terrain, plan), &effort);
    let step = pushes.resume(&mut commons, &mut effort, u64::MAX).unwrap();
    let Step::Solved(way) = step else { panic!("not solved: {step:?}") };
    assert!(replay(&level, &moves_of(&level, &way).unwrap()).is_ok());
    pushes.forest.len()
}

/// Says so unless a technique makes of the positions without it at most so many percent.
fn check(name: &str, rows: &str, at_most: usize, base: &Settings) -> Option<String> {
    let mut settings = base.clone();
    *settings.technique(name).unwrap() = false;
    let without = n_expanded(rows, &settings);
    *settings.technique(name).unwrap() = true;
    let with = n_expanded(rows, &settings);
    println!("{name}: {with} positions of {without}");
    (with * 100 > without * at_most).then(|| format!("{name}: {with} positions of {without}"))
}

/// Asks nobody.
fn unadvised() -> Settings {
    let mut settings = Settings::default();
    for name in Settings::TECHNIQUES.iter().filter(|name| name.starts_with("advisor")) {
        *settings.technique(name).unwrap() = false;
    }
    settings
}

#[test]
fn every_advisor_alone_saves_positions() {
    let base = unadvised();
    let failures = [
        check("advisor-packing", HALL, 20, &base),
        check("advisor-connectivity", HALL, 60, &base),
        check("advisor-out-of-plan", HALL, 50, &base),
        check("advisor-opener", HALL, 20, &base),
        check("advisor-explorer", HALL, 30, &base),
        check("advisor-rooms", RING, 60, &base),
        check("advisor-hotspots", DOORS, 20, &base),
    ];
    assert_eq!(failures.into_iter().flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// Long subtrees teach what looking at enclosed areas would have told at once.
#[test]
fn every_proof_of_a_deadlock_saves_positions() {
    let plain = Settings { advisors: Advisors::default(), ..Settings::default().plain() };
    let failures = [
        check("pi-corrals", CELL, 40, &unadvised()),
        check("corral-proofs", SHELF, 30, &plain),
        check("pairs", SHELF, 80, &unadvised().plain()),
        check("corral-proofs", TRAP, 10, &plain),
        check("subtree-proofs", TRAP, 40, &plain),
    ];
    assert_eq!(failures.into_iter().flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// Where there is no plan the best leap is advised, by pulls and by pushes.
#[test]
fn a_better_position_is_gone_for_at_once() {
    let run = |settings: &Settings| {
        let level = Level::parse(COLUMNS).unwrap();
        let mut effort = effort(64);
        let mut search = fess("fess-open", &level, settings, &[Variant::OPEN], &mut effort).unwrap();
        assert!(matches!(search.resume(&mut effort), Ok(Verdict::Solved(_))));
        search.n_nodes()
    };
    let (advised, unadvised) = (run(&Settings::default()), run(&unadvised()));
    assert!(3 * advised < unadvised, "{advised} {unadvised}");
}
