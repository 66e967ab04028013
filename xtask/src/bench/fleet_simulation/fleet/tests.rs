//! Fleets on curves that are made up.

use sokocore::Objective;

use super::*;
use crate::bench::night::CurvePoint;

/// A curve that falls by a move each second, for so many seconds, and is settled then.
fn curve(n_seconds: u64) -> ItemCurve {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of ticks")]
    let point = |second: u64| CurvePoint {
        ticks: second * TICKS_A_SECOND as u64,
        moves: 1_000 - second,
        pushes: 10,
        is_settled: second == n_seconds,
    };
    ItemCurve { number: 1, objective: Objective::MOVES, points: (0..=n_seconds).map(point).collect() }
}

fn plan(n_workers: usize, seconds: f64, server: f64) -> FleetPlan {
    let times = RequestTimes { server, network: 0.0 };
    FleetPlan { n_workers, seconds, times, n_reads: 5, n_writes: 6, beats: 0.0 }
}

fn run(plan: &FleetPlan, curve: &ItemCurve, n_items: usize) -> FleetEnd {
    plan.run(vec![SimulatedItem::new(curve, 0, 1.0); n_items])
}

#[test]
fn a_server_that_takes_no_time_keeps_all_workers_searching() {
    let curve = curve(100);
    for n_workers in [1, 10] {
        let end = run(&plan(n_workers, 50.0, 0.0), &curve, n_workers);
        // A slice that has not ended counts nothing.
        assert!(end.searching > 0.98 && end.idle < 1e-9, "{end:?}");
        let all = 50.0 * n_workers as f64;
        assert!(end.gain > 0.6 * all && end.gain <= all, "{end:?}");
    }
}

#[test]
fn what_is_settled_leaves_workers_idle() {
    let end = run(&plan(4, 100.0, 1e-6), &curve(10), 2);
    assert!((end.gain - 20.0).abs() < 1e-9 && (end.possible - 20.0).abs() < 1e-9, "{end:?}");
    assert!((end.searching - 20.0 / 400.0).abs() < 0.01 && end.idle > 0.9, "{end:?}");
}

#[test]
fn a_slow_server_is_the_limit_of_slices() {
    // Eleven requests at least for a slice, and one that asks for it, each of a hundredth second.
    let curve = curve(900);
    let [few, many] = [20, 40].map(|n_workers| run(&plan(n_workers, 60.0, 0.01), &curve, 1_000));
    for end in [&few, &many] {
        assert!(end.server_load > 0.95 && end.slices_a_second() < 100.0 / 11.0, "{end:?}");
    }
    assert!(many.searching < few.searching && many.answer > 1.5 * few.answer, "{few:?} {many:?}");
}

#[test]
fn stretched_curves_gain_later() {
    let curve = curve(100);
    let plan = plan(2, 20.0, 1e-6);
    let [quick, slow] = [1.0, 10.0].map(|stretch| plan.run(vec![SimulatedItem::new(&curve, 0, stretch); 4]));
    assert!(quick.gain > 5.0 * slow.gain && quick.possible == slow.possible, "{quick:?} {slow:?}");
}
