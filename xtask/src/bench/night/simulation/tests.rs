//! Nights on curves that are made up.

use sokocore::Objective;

use super::*;

/// A curve with these moves after these ticks.
fn curve(points: &[(u64, u64)], is_settled: bool) -> ItemCurve {
    let last = points.len() - 1;
    let point = |(at, &(ticks, moves)): (usize, &(u64, u64))| CurvePoint {
        ticks,
        moves,
        pushes: 10,
        is_settled: is_settled && at == last,
    };
    let points = points.iter().enumerate().map(point).collect();
    ItemCurve { number: 1, objective: Objective::MOVES, points }
}

fn items(curves: &[ItemCurve], before: u64) -> Vec<NightItem<'_>> {
    curves.iter().map(|curve| NightItem { curve, bound: 50, before }).collect()
}

#[test]
fn the_hull_of_a_curve_goes_by_its_corners() {
    // The second step is steeper than the first: both are one piece.
    let points = [(0.0, 100), (10.0, 95), (20.0, 70), (40.0, 65), (50.0, 65)];
    assert_eq!(hull(&points), [(20.0, 30.0), (20.0, 5.0)]);
    assert_eq!(hull(&points[3..]), []);
}

#[test]
fn what_knows_all_is_never_behind() {
    let falling: Vec<_> = (0..40).map(|step| (step * 4_000_000, 900 - step * step / 4)).collect();
    let steady: Vec<_> = (0..40).map(|step| (step * 4_000_000, 500 - 2 * step)).collect();
    let curves = [curve(&falling, false), curve(&steady, false), curve(&[(0, 300), (160_000_000, 300)], false)];
    for before in [0, 20_000_000] {
        let items = items(&curves, before);
        let best = oracle(&items);
        for schedule in [Schedule::equal(), Schedule::default()] {
            let night = simulate(schedule, &items, 200e6);
            assert_eq!(night.start, best.start);
            // Between its corners it may be behind by a step.
            for &(ticks, sum) in best.steps.iter().filter(|step| step.0 <= 200e6) {
                assert!(sum <= night.at(ticks), "{before} {ticks}");
            }
        }
    }
}

#[test]
fn a_dry_curve_gets_less_than_its_share() {
    let falling: Vec<_> = (0..100).map(|step| (step * 2_000_000, 900 - 5 * step)).collect();
    let mut curves = vec![curve(&[(0, 900), (200_000_000, 900)], false); 9];
    curves.push(curve(&falling, false));
    let items = items(&curves, 0);
    let [equal, ours] = [Schedule::equal(), Schedule::default()].map(|one| simulate(one, &items, 400e6));
    assert!(ours.at(400e6) < equal.at(400e6) - 100.0, "{} {}", ours.at(400e6), equal.at(400e6));
    let reached = ours.reaches(equal.at(400e6)).unwrap();
    assert!(reached < 200e6, "{reached}");
}

#[test]
fn what_is_settled_ends_the_night() {
    let curves = [curve(&[(0, 100), (800_000, 90)], true), curve(&[(0, 100), (1_600_000, 80)], true)];
    let night = simulate(Schedule::default(), &items(&curves, 0), 1e9);
    assert_eq!((night.at(2.3e6), night.at(2.4e6)), (190.0, 170.0));
    assert_eq!((night.reaches(200.0), night.reaches(160.0)), (Some(0.0), None));
}
