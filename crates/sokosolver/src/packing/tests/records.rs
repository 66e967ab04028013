//! Whole levels that resist others, within the positions on record.

use super::*;
use crate::packing::variant::{CorralPolicy, Plan};

/// The test of the whole: levels, each with the most positions that its order may take.
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
        let mut search = Packing::new("packing", &levels[number - 1], &Variant::FULL[..1]);
        check_solved(&levels[number - 1], search.resume(&mut effort()));
        assert!(search.n_positions() <= at_most, "{number}: {}", search.n_positions());
        assert!(search.n_nodes() > 100 && search.n_nodes() <= search.n_positions() as u64);
    }
}

/// Scores are of paths: without the exemption opening a corral looks bad, and on the one level it never comes to it.
#[test]
fn exempt_corrals_keep_their_parents_score() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const STRICT: &[Variant] = &[Variant::new(Plan::Full, CorralPolicy::None)];
    let run = |number: usize, variants: &'static [Variant]| {
        let (mut search, mut effort) = (Packing::new("packing", &levels[number - 1], variants), effort());
        effort.start_slice(100_000);
        (search.resume(&mut effort).is_ok(), search.n_positions())
    };
    let (exempt, strict) = (run(31, &Variant::FULL[..1]), run(31, STRICT));
    assert!(exempt.0 && !strict.0 && strict.1 > exempt.1, "{exempt:?} {strict:?}");
}

#[test]
fn roving_leaves_what_it_is_stuck_in() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const ROVING: &[Variant] = &[Variant::new(Plan::Full, CorralPolicy::All).roving()];
    let n_positions = |variants: &'static [Variant]| {
        let mut search = Packing::new("packing", &levels[40 - 1], variants);
        check_solved(&levels[40 - 1], search.resume(&mut effort()));
        search.n_positions()
    };
    let (roving, best) = (n_positions(ROVING), n_positions(&Variant::FULL[..1]));
    assert!(roving * 2 < best, "{roving} of {best}");
}

/// Goals that are reached past doors have an order, with boxes parked there; and frozen ones count as walls in distances.
#[test]
fn doors_and_frozen_goals_count() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    for (number, at_most) in [(44, 9_000), (37, 7_000)] {
        let mut search = Packing::new("packing", &levels[number - 1], &Variant::FULL[..1]);
        let mut effort = effort();
        effort.start_slice(300_000);
        check_solved(&levels[number - 1], search.resume(&mut effort));
        assert!(search.n_positions() <= at_most, "{number}: {}", search.n_positions());
    }
}

/// What one run has learned spares another one work, and is paid for.
#[test]
fn runs_share_what_they_learn() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    const STRICT: &[Variant] = &[Variant::new(Plan::Full, CorralPolicy::None)];
    let level = &levels[28 - 1];
    let (mut alone, mut first) =
        (Packing::new("packing", level, STRICT), Packing::new("packing", level, &Variant::FULL[..1]));
    check_solved(level, alone.resume(&mut effort()));
    check_solved(level, first.resume(&mut effort()));
    let learned = first.stage.take().unwrap();
    assert!(first.charge.as_ref().is_some_and(|charge| charge.bytes() >= learned.lessons.bytes()));
    let mut second = Packing::new("packing", level, STRICT);
    (second.level, second.stage) = (None, Some(Stage { turns: OrderScheduler::new(STRICT), ..learned }));
    check_solved(level, second.resume(&mut effort()));
    let (alone, second) = (alone.n_positions(), second.n_positions());
    assert!(second < alone, "{second} of {alone}");
}
