//! Each advisor, and each proof of a deadlock, in a search by pushes along a plan: it saves positions.

use super::*;
use crate::Technique;
use crate::fess::move_weights::MoveWeights;
use crate::fess::plan::PackingPlan;
use crate::fess::pull_aim::PullAim;
use crate::fess::pull_search::PullSearch;
use crate::fess::push_aim::PushAim;
use crate::fess::push_search::PushSearch;
use crate::fess::search_core::resume;
use crate::fess::slice_end::SliceEnd;
use crate::fess::variant::SinkRules;

/// A hall with six goals along the lower wall.
const HALL: &str = "##########\n#  #.  $ #\n# $@$    #\n# $$     #\n#    $   #\n#... ..  #\n##########";

/// Four rooms in a ring, with boxes in their doors, and goals in the room above on the left.
const RING: &str = "##########\n#@**#    #\n#$$.#    #\n#.  # $  #\n#. .$    #\n# #### ###\n#   #    #\n#        #\n#   #    #\n##########";

/// Another ring of rooms.
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

/// The shared tables of a level.
fn shared(level: &Level, settings: &Settings, meter: &mut WorkMeter) -> SharedTables<2> {
    let tables = FessTables::within(Arc::new(LevelTables::new(level).unwrap()), meter).unwrap();
    let board = tables.board();
    let makers = [SearchDirection::Forward, SearchDirection::Backward]
        .map(|direction| PatternMaker::new(board, direction, settings));
    let patterns = makers.map(|mut maker| {
        maker.resume(meter).unwrap();
        Arc::new(maker.finish(board, meter))
    });
    let mut hotspots = Hotspots::default();
    while !hotspots.is_done(board) {
        hotspots.grow(board, &tables.goals);
    }
    SharedTables::new(Arc::new(tables), Arc::new(hotspots), patterns, settings.clone(), meter)
}

/// A plan found by pulls.
fn plan(level: &Level, meter: &mut WorkMeter) -> PackingPlan {
    let mut shared = shared(level, &Settings::default(), meter);
    let mut pulls = PullSearch::new(&shared, 0, PullAim::Sink(SinkRules { min_walk: 2, shuffle_seed: 0 }), meter);
    let until = meter.ticks() + 20_000;
    while let SliceEnd::Met(_) = resume(&mut pulls, &mut shared, meter, until).unwrap() {}
    pulls.plan()
}

/// Returns how many positions pushes along a plan expand until the level is solved, without a meeting.
fn n_expanded(rows: &str, settings: &Settings) -> usize {
    let level = Level::parse(rows).unwrap();
    let mut meter = meter(64);
    let plan = plan(&level, &mut meter);
    let mut shared = shared(&level, settings, &mut meter);
    let mut search = PushSearch::new(&shared, 0, PushAim::plan(&shared.tables, plan, MoveWeights::Advised), &meter);
    let end = resume(&mut search, &mut shared, &mut meter, u64::MAX).unwrap();
    let SliceEnd::Solved(pushes) = end else { panic!("not solved: {end:?}") };
    assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
    search.core.tree.len()
}

/// Returns a message unless a technique reduces the positions to at most so many percent.
fn check(name: &str, rows: &str, at_most: usize, base: &Settings) -> Option<String> {
    let mut settings = base.clone();
    settings.switch(name.parse().unwrap(), false);
    let without = n_expanded(rows, &settings);
    settings.switch(name.parse().unwrap(), true);
    let with = n_expanded(rows, &settings);
    println!("{name}: {with} positions of {without}");
    (with * 100 > without * at_most).then(|| format!("{name}: {with} positions of {without}"))
}

/// Settings without advisors.
fn unadvised() -> Settings {
    Technique::ALL.into_iter().filter(|technique| technique.is_advisor()).fold(Settings::default(), Settings::without)
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

/// Proofs of long subtrees take the place of examining enclosed areas.
#[test]
fn every_proof_of_a_deadlock_saves_positions() {
    let advisors = Technique::ALL.into_iter().filter(|technique| technique.is_advisor());
    let plain = advisors.fold(Settings::default().plain(), Settings::with);
    let failures = [
        check("pi-corrals", CELL, 40, &unadvised()),
        check("corral-proofs", SHELF, 30, &plain),
        check("pairs", SHELF, 80, &unadvised().plain()),
        check("corral-proofs", TRAP, 10, &plain),
        check("subtree-proofs", TRAP, 40, &plain),
    ];
    assert_eq!(failures.into_iter().flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// Without a plan the best macro move is advised, by pulls and by pushes.
#[test]
fn a_better_position_is_selected_at_once() {
    let run = |settings: &Settings| {
        let level = Level::parse(COLUMNS).unwrap();
        let mut meter = meter(64);
        let mut search = fess("fess-open", &level, settings, &[FessVariant::OPEN], &mut meter).unwrap();
        assert!(matches!(search.resume(&mut meter), Ok(Verdict::Solved(_))));
        search.n_nodes()
    };
    let (advised, unadvised) = (run(&Settings::default()), run(&unadvised()));
    assert!(3 * advised < unadvised, "{advised} {unadvised}");
}
