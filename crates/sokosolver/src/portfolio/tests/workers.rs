//! Strategies with several workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sokosearch::{Cancel, Stop};

use super::super::shares::{Resource, SliceLength, Weights};
use super::{budget, level, run, solution, spec, spec_with};
use crate::portfolio::scheduler::{NextSlice, PortfolioScheduler, ScheduledSlice};
use crate::portfolio::strategy_spec::StrategySpec;
use crate::{Answer, AttemptEnd, Verdict};

/// The time that each of three strategies runs within so much time on two processors.
fn time_on_two_processors(can_fork: bool, late_weight: u32, time: Duration) -> [Duration; 3] {
    let weights = Weights { work: 1, time: [1, 1, late_weight] };
    let favorite = StrategySpec { weights, ..spec_with("favorite", 1, can_fork, |_| None) };
    let specs = vec![favorite, spec("other", 1, |_| None), spec("third", 1, |_| None)];
    let budget = budget(u64::MAX).with_work(None);
    let mut scheduler = PortfolioScheduler::new(specs, Resource::Time, 2, &budget, &Cancel::default());
    let (mut now, mut usage) = (Duration::ZERO, [Duration::ZERO; 3]);
    let mut running: Vec<(Duration, ScheduledSlice)> = Vec::new();
    while now < time {
        while running.len() < 2 {
            let NextSlice::Run(slice) = scheduler.next(u64::MAX) else { panic!("no strategy has ended") };
            running.push((now + slice.length.time(), slice));
        }
        let first = usize::from(running[1].0 < running[0].0);
        let (end, mut slice) = running.swap_remove(first);
        let ticks = slice.worker.run_slice(&Arc::clone(&slice.spec), SliceLength::Ticks(10)).ticks;
        let elapsed = slice.length.time();
        usage[slice.number] += elapsed;
        scheduler.put_back(slice, ticks, elapsed);
        now = end;
    }
    usage
}

/// Eight tenths of two threads are more than one thread; in the early stages the weights are equal even so.
#[test]
fn a_share_above_one_thread_gets_another_worker() {
    let seconds = |can_fork, weight, time| {
        time_on_two_processors(can_fork, weight, Duration::from_secs(time)).map(|usage| usage.as_secs_f64())
    };
    let [one, ..] = seconds(false, 8, 12);
    let [two, other, third] = seconds(true, 8, 12);
    assert!(one < 12.5 && two > 15.0, "{one} {two}");
    assert!(other.min(third) > 3.0, "{other} {third}");
    let [less, ..] = seconds(true, 1, 12);
    assert!((7.0..9.0).contains(&less), "{less}");
    let [early, ..] = seconds(true, 8, 2);
    assert!(early < 1.7, "{early}");
}

/// There is no other strategy, so each thread runs a worker of it; the first solution ends the run.
#[test]
fn one_strategy_alone_is_run_by_all_threads() {
    let (pushes, n_steps) = (solution(&level()), Arc::new(AtomicU64::new(0)));
    let act = move |_: &mut super::ActorState<'_>| {
        let n_steps = n_steps.fetch_add(1, Ordering::Relaxed);
        (n_steps >= 200_000).then(|| Verdict::Solved(pushes.clone()))
    };
    let budget = budget(u64::MAX).with_work(None);
    let (answer, tried, _) = run(&level(), vec![spec_with("many", 1, true, act)], 2, &budget, &());
    assert!(matches!(answer, Answer::Solved { .. }));
    assert_eq!(tried[0].end, AttemptEnd::Solved);
}

/// One worker gives up, the other one solves.
#[test]
fn a_worker_that_gives_up_does_not_end_the_others() {
    let (pushes, n_workers) = (solution(&level()), Arc::new(AtomicU64::new(0)));
    let mut own = None;
    let act = move |state: &mut super::ActorState<'_>| {
        let own = *own.get_or_insert_with(|| n_workers.fetch_add(1, Ordering::Relaxed));
        let solves = || Verdict::Solved(pushes.clone());
        if own == 0 { (state.n_steps >= 50_000).then(solves) } else { (state.n_steps >= 10).then_some(Verdict::GaveUp) }
    };
    let budget = budget(u64::MAX).with_work(None);
    let (answer, ..) = run(&level(), vec![spec_with("many", 1, true, act)], 3, &budget, &());
    assert!(matches!(answer, Answer::Solved { .. }), "{answer:?}");
}

/// A strategy with several workers is dropped like any other, once the last of them is back.
#[test]
fn workers_that_take_all_memory_are_dropped_together() {
    let hog = spec_with("hog", 1, true, |state| {
        state.grow(1 << 16);
        None
    });
    let pushes = solution(&level());
    let modest = spec("modest", 1, move |state| {
        state.grow(100);
        (state.n_steps >= 200_000).then(|| Verdict::Solved(pushes.clone()))
    });
    let budget = budget(u64::MAX).with_work(None);
    let (answer, tried, _) = run(&level(), vec![hog, modest], 3, &budget, &());
    assert!(matches!(answer, Answer::Solved { ref by, .. } if by == "modest"), "{answer:?}");
    assert_eq!(tried[0].end, AttemptEnd::Stopped(Stop::Memory));
    assert_eq!(budget.memory().used(), 0);
}

/// Restarts at once would be used up before the worker that holds the memory has returned.
#[test]
fn a_restart_waits_while_a_running_worker_holds_the_memory() {
    let grows = |bytes: u64| {
        move |state: &mut super::ActorState<'_>| {
            state.grow(bytes);
            None
        }
    };
    let specs = vec![spec("hog", 1, grows(1 << 20)), spec("modest", 1, grows(100))];
    let budget = budget(u64::MAX).with_work(None);
    let mut scheduler = PortfolioScheduler::new(specs, Resource::Time, 2, &budget, &Cancel::default());
    let mut slices = Vec::new();
    while let NextSlice::Run(mut slice) = scheduler.next(u64::MAX) {
        slice.worker.run_slice(&Arc::clone(&slice.spec), SliceLength::Ticks(1_000));
        slices.push(slice);
    }
    let [hog, modest] = <[_; 2]>::try_from(slices).unwrap();
    assert_eq!((hog.spec.name.as_str(), budget.memory().free()), ("hog", 0));
    let (end, time) = (AttemptEnd::Stopped(Stop::Memory), Duration::from_millis(1));
    assert_eq!(scheduler.finish(modest, end, 1, time), None, "it is to be restarted");
    assert!(matches!(scheduler.next(u64::MAX), NextSlice::Wait));
    assert_eq!(scheduler.finish(hog, end, 1, time), Some(end));
    assert!(matches!(scheduler.next(u64::MAX), NextSlice::Run(slice) if slice.spec.name == "modest"));
}
