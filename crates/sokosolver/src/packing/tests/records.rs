//! Whole levels that resist others, within the positions on record.

use super::*;
use crate::packing::variant::{CorralPolicy, OrderRules};

/// Levels, each with the most positions that its order may take.
///
/// They are those that the published description of the method reports for its plainest form, with patterns made before
/// the search.
const ON_RECORD: [(usize, usize); 7] =
    [(11, 10_664), (28, 2_835), (31, 9_866), (40, 58_731), (50, 10_563), (66, 91_515), (69, 9_724)];

#[test]
fn levels_that_need_parking_fall_within_the_positions_on_record() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    for (number, at_most) in ON_RECORD {
        let mut search = PackingSearch::new("packing", &levels[number - 1], &PackingVariant::FULL[..1]);
        check_solved(&levels[number - 1], search.resume(&mut meter()));
        assert!(search.n_positions() <= at_most, "{number}: {}", search.n_positions());
        assert!(search.n_nodes() > 100 && search.n_nodes() <= search.n_positions() as u64);
    }
}

/// Scores are of paths: without the exemption opening a corral looks bad, and on this level no corral is opened.
#[test]
fn exempt_corrals_keep_their_parents_score() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const STRICT: &[PackingVariant] = &[PackingVariant::new(OrderRules::All, CorralPolicy::ExemptNone)];
    let run = |number: usize, variants: &'static [PackingVariant]| {
        let (mut search, mut meter) = (PackingSearch::new("packing", &levels[number - 1], variants), meter());
        meter.start_slice(100_000);
        (search.resume(&mut meter).is_ok(), search.n_positions())
    };
    let (corrals, strict) = (run(31, &PackingVariant::FULL[..1]), run(31, STRICT));
    assert!(corrals.0 && !strict.0 && strict.1 > corrals.1, "{corrals:?} {strict:?}");
}

#[test]
fn rotating_selection_leaves_bad_subtrees() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const ROTATING: &[PackingVariant] = &[PackingVariant::new(OrderRules::All, CorralPolicy::ExemptAll).rotating()];
    let n_positions = |variants: &'static [PackingVariant]| {
        let mut search = PackingSearch::new("packing", &levels[40 - 1], variants);
        check_solved(&levels[40 - 1], search.resume(&mut meter()));
        search.n_positions()
    };
    let (rotating, best) = (n_positions(ROTATING), n_positions(&PackingVariant::FULL[..1]));
    assert!(rotating * 2 < best, "{rotating} of {best}");
}

/// Goals behind doors have an order, with boxes parked there; and frozen boxes count as walls in distances.
#[test]
fn doors_and_frozen_goals_count() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    for (number, at_most) in [(44, 9_000), (37, 7_000)] {
        let mut search = PackingSearch::new("packing", &levels[number - 1], &PackingVariant::FULL[..1]);
        let mut meter = meter();
        meter.start_slice(300_000);
        check_solved(&levels[number - 1], search.resume(&mut meter));
        assert!(search.n_positions() <= at_most, "{number}: {}", search.n_positions());
    }
}

/// What one order search has learned saves another one work, and is charged.
#[test]
fn order_searches_share_what_they_learn() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const STRICT: &[PackingVariant] = &[PackingVariant::new(OrderRules::All, CorralPolicy::ExemptNone)];
    let level = &levels[28 - 1];
    let (mut alone, mut first) = (
        PackingSearch::new("packing", level, STRICT),
        PackingSearch::new("packing", level, &PackingVariant::FULL[..1]),
    );
    check_solved(level, alone.resume(&mut meter()));
    let mut first_meter = meter();
    check_solved(level, first.resume(&mut first_meter));
    let learned = first.prepared.take().unwrap();
    assert!(first_meter.memory().used() >= learned.library.learner().bytes());
    let mut second = PackingSearch::new("packing", level, STRICT);
    (second.level, second.prepared) = (None, Some(Prepared { scheduler: OrderScheduler::new(STRICT), ..learned }));
    check_solved(level, second.resume(&mut meter()));
    let (alone, second) = (alone.n_positions(), second.n_positions());
    assert!(second < alone, "{second} of {alone}");
}
