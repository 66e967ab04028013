//! Schedules over curves that are made up.

use super::*;
use crate::SliceEnding;

const SHORT: Duration = Duration::from_millis(100);

fn dry(elapsed: Duration) -> SliceGain {
    SliceGain::new(elapsed, 0.0, SliceEnding::Open)
}

/// Runs slices one after the other; each item gains by a curve of its total time. Returns the time of each.
fn run(curves: &[&dyn Fn(f64) -> f64], seconds: f64) -> Vec<f64> {
    let mut schedule = Schedule::default();
    let mut spent = vec![0.0; curves.len()];
    curves.iter().for_each(|_| _ = schedule.add(Item::improving(500, 150).with_bound(200)));
    while spent.iter().sum::<f64>() < seconds {
        let turn = schedule.take(1).unwrap();
        let (from, to) = (spent[turn.item], spent[turn.item] + turn.time.as_secs_f64());
        let gain = (curves[turn.item](to).floor() - curves[turn.item](from).floor()).max(0.0);
        schedule.end(turn.item, &SliceGain::new(turn.time, gain, SliceEnding::Open));
        spent[turn.item] = to;
    }
    spent
}

#[test]
fn what_still_falls_gets_more() {
    let spent = run(&[&|_| 0.0, &|time: f64| 10.0 * time.ln_1p(), &|time: f64| time], 600.0);
    assert!(spent[0] < 100.0 && spent[1] > spent[0] && spent[2] > 300.0, "{spent:?}");
    assert!(spent.iter().all(|&time| time > 0.0), "{spent:?}");
}

#[test]
fn dry_levels_share_the_time_evenly() {
    let dry = |_: f64| 0.0;
    let spent = run(&[&dry, &dry, &dry, &dry], 1_000.0);
    let (least, most) =
        spent.iter().fold((f64::MAX, 0.0_f64), |(least, most), &time| (least.min(time), most.max(time)));
    assert!(most < 3.0 * least, "{spent:?}");
}

/// One level of a hundred thousand moves among small ones that still fall.
#[test]
fn a_huge_level_does_not_hold_up_all_others() {
    let mut schedule = Schedule::default();
    schedule.add(Item::improving(100_000, 20_000).with_bound(5_000));
    (0..20).for_each(|_| _ = schedule.add(Item::improving(300, 100).with_bound(150)));
    let (mut huge, mut all) = (0.0, 0.0);
    let mut n_seen = hashbrown::HashSet::new();
    while all < 60.0 {
        let turn = schedule.take(1).unwrap();
        // It gains a move each second.
        let gain = if turn.item == 0 { turn.time.as_secs_f64() } else { 0.0 };
        schedule.end(turn.item, &SliceGain::new(turn.time, gain, SliceEnding::Open));
        huge += if turn.item == 0 { turn.time.as_secs_f64() } else { 0.0 };
        all += turn.time.as_secs_f64();
        n_seen.insert(turn.item);
    }
    assert_eq!(n_seen.len(), 21);
    assert!(huge < 0.9 * all, "{huge} of {all}");
}

#[test]
fn a_settled_item_gets_no_slice_and_one_in_work_no_second_one() {
    let mut schedule = Schedule::default();
    assert_eq!(schedule.take(1), None);
    schedule.add(Item::improving(100, 40));
    schedule.add(Item::improving(900, 300));
    let first = schedule.take(1).unwrap();
    assert_eq!((first.item, first.time, first.is_wide), (1, SHORT, false));
    assert_eq!(schedule.take(1).map(|turn| turn.item), Some(0));
    assert_eq!(schedule.take(1), None);
    schedule.end(0, &dry(SHORT));
    schedule.end(1, &SliceGain::new(SHORT, 0.0, SliceEnding::Settled));
    assert_eq!((schedule.take(1).map(|turn| turn.item), schedule.n_open()), (Some(0), 1));
    schedule.end(0, &dry(SHORT));
    schedule.settle(0);
    assert_eq!((schedule.take(1), schedule.n_open()), (None, 0));
}

#[test]
fn a_second_night_continues_where_the_first_ended() {
    let mut schedule = Schedule::default();
    let hour = Duration::from_secs(3_600);
    schedule.add(Item::improving(900, 300).after(hour, Duration::ZERO));
    schedule.add(Item::improving(300, 90));
    schedule.add(Item::improving(900, 300).after(hour, hour));
    let turns = [(); 3].map(|()| schedule.take(1).unwrap());
    assert_eq!(turns.map(|turn| turn.item), [1, 0, 2]);
    assert_eq!((turns[0].time, turns[1].time), (SHORT, Duration::from_secs(120)));
}

/// A bound is raised when no item is worth as much: when all have been dry for long.
#[test]
fn bounds_wait_until_all_is_dry() {
    let mut schedule = Schedule::default();
    (0..4).for_each(|_| _ = schedule.add(Item::improving(500, 150).with_bound(200)));
    let bound = schedule.add(Item::bounding(500).with_bound(200));
    let (mut spent, mut first) = (0.0, None);
    while spent < 4_000.0 {
        let turn = schedule.take(1).unwrap();
        schedule.end(turn.item, &dry(turn.time));
        if turn.item == bound {
            first.get_or_insert(spent);
        }
        spent += turn.time.as_secs_f64();
    }
    let first = first.unwrap();
    assert!((20.0..2_000.0).contains(&first), "{first}");
}

/// Each slice of a search that restarts is longer than all before, so that it does not repeat them.
#[test]
fn searches_that_restart_get_longer_slices() {
    for item in [Item::solving(), Item::bounding(300)] {
        let mut schedule = Schedule::default();
        schedule.add(item);
        let mut spent = Duration::ZERO;
        for _ in 0..8 {
            let turn = schedule.take(1).unwrap();
            assert!(turn.time > spent, "{:?} after {spent:?}", turn.time);
            schedule.end(0, &dry(turn.time));
            spent += turn.time;
        }
    }
}

#[test]
fn all_threads_work_on_an_item_that_is_worth_more_than_all_others() {
    let small = || Item::improving(300, 100).with_bound(299);
    let mut schedule = Schedule::default();
    (0..6).for_each(|_| _ = schedule.add(small()));
    schedule.add(Item::improving(9_000, 3_000).with_bound(1_000));
    assert!(schedule.clone().take(2).unwrap().is_wide);
    assert!(!schedule.clone().take(1).unwrap().is_wide);
    // Another one that is worth as much is better off beside it.
    schedule.add(Item::improving(9_000, 3_000).with_bound(1_000));
    assert!(!schedule.take(2).unwrap().is_wide);
}

/// Further threads that bring nothing are not given again.
#[test]
fn whether_threads_pay_is_measured() {
    let wide_after = |ticks: u64| {
        let mut schedule = Schedule::default();
        schedule.add(Item::improving(9_000, 3_000).with_bound(1_000));
        for (n_threads, ticks) in [(1, 1_000_000), (4, ticks)] {
            let turn = schedule.take(1).unwrap();
            let gain = SliceGain::new(turn.time, 50.0, SliceEnding::Open);
            schedule.end(turn.item, &gain.with_work(n_threads, ticks * u64::try_from(turn.time.as_millis()).unwrap()));
        }
        schedule.add(Item::improving(300, 100).with_bound(290));
        schedule.take(4).unwrap().is_wide
    };
    assert!(wide_after(3_500_000) && !wide_after(1_000_000));
}

#[test]
fn what_does_not_fit_into_its_share_of_the_memory_gets_all_of_it_once() {
    let mut schedule = Schedule::default();
    (0..3).for_each(|_| _ = schedule.add(Item::improving(500, 150).with_bound(200)));
    let turn = schedule.take(2).unwrap();
    schedule.end(turn.item, &SliceGain::new(SHORT, 400.0, SliceEnding::ShortOfMemory));
    let again = schedule.take(2).unwrap();
    assert_eq!((again.item, again.is_wide), (turn.item, true));
    schedule.end(again.item, &SliceGain::new(SHORT, 0.0, SliceEnding::ShortOfMemory).with_work(2, 1));
    assert_eq!(schedule.n_open(), 2);
}
