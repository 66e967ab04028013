//! Whole nights.

use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Metric, Objective};
use sokolibrary::RunDone;
use sokonight::{Night, NightControl, NightEvent, NightKnobs, Purpose};
use sokosearch::Clock;

use crate::desk::{BOARD, Desk, Diary, hard_level};

fn knobs() -> NightKnobs {
    NightKnobs::default().with_time(Duration::from_secs(60)).with_memory(64 << 20)
}

#[test]
fn a_level_is_solved_improved_and_proved_and_each_is_told() {
    let desk = Desk::with(BOARD);
    let (knobs, diary, queue) = (knobs(), Diary::default(), desk.queue());
    let levels = desk.levels(&knobs);
    let night = Night::new(&levels, &queue, &knobs);
    let outcome = night.run(&NightControl::default(), &|event: NightEvent<'_>| diary.note(&event));
    assert_eq!((outcome.n_failed, outcome.levels[0].is_newly_solved()), (0, true));
    for text in ["1 solve begins", "1 solve ends: solved", "1 moves proved: 12", "1 pushes proved: 14"] {
        assert!(diary.has(text), "{text} in {:#?}", diary.0.lock());
    }
    assert!(diary.has("1 moves improved: 12"));
    let best = desk.library().best(levels[0].id, Objective::MOVES).unwrap().unwrap();
    assert_eq!(best.metrics.moves, 12);
    assert!(!best.method.is_empty() && best.seconds.is_some(), "what found it is kept: {best:?}");
    // The next night has nothing to do.
    let levels = desk.levels(&knobs);
    assert_eq!(levels[0].proved, [Objective::MOVES, Objective::PUSHES]);
    let diary = Diary::default();
    Night::new(&levels, &queue, &knobs).run(&NightControl::default(), &|event: NightEvent<'_>| diary.note(&event));
    assert_eq!(diary.0.lock().len(), 0);
}

/// What is told to have ended is in the library.
#[test]
fn a_report_is_told_when_it_is_kept() {
    let desk = Desk::with(BOARD);
    let (knobs, queue) = (knobs(), desk.queue());
    let levels = desk.levels(&knobs);
    let control = NightControl::default();
    let on = |event: NightEvent<'_>| {
        if let NightEvent::SliceEnds { level, report, .. } = event {
            for gain in &report.gains {
                let kept = desk.library().best(level.id, gain.objective).unwrap().unwrap();
                assert!(gain.objective.score(&kept.metrics) <= gain.objective.score(&gain.after));
            }
            let done = desk.library().all_work(level.id).unwrap();
            assert!(done.iter().any(|work| work.ended == report.ended));
        }
    };
    assert_eq!(Night::new(&levels, &queue, &knobs).run(&control, &on).n_failed, 0);
}

#[test]
fn no_slice_begins_in_a_pause() {
    let desk = Desk::with(BOARD);
    let (knobs, queue, diary) = (knobs(), desk.queue(), Diary::default());
    let levels = desk.levels(&knobs);
    let control = NightControl::default();
    control.pause();
    let resume = control.clone();
    let paused = Duration::from_millis(300);
    let resumed = std::thread::spawn(move || {
        std::thread::sleep(paused);
        resume.resume();
        Clock::start()
    });
    let outcome = Night::new(&levels, &queue, &knobs).run(&control, &|event: NightEvent<'_>| diary.note(&event));
    let since = resumed.join().unwrap().elapsed();
    assert!(outcome.elapsed >= paused && control.paused() >= paused && diary.has("proved"), "{since:?}");
}

/// The slice that a pause ends leaves its checkpoint, and the level gets another one.
#[test]
fn a_pause_ends_a_slice_at_its_checkpoint() {
    let desk = Desk::with(&hard_level());
    let (knobs, queue, diary) = (knobs().with_objectives([Objective::PUSHES]), desk.queue(), Diary::default());
    let levels = desk.levels(&knobs);
    let control = NightControl::default();
    let mut n_begun = 0;
    let n_begun = Mutex::new(&mut n_begun);
    let on = |event: NightEvent<'_>| {
        diary.note(&event);
        match event {
            NightEvent::SliceBegins { .. } => {
                **n_begun.lock() += 1;
                let control = control.clone();
                let is_first = **n_begun.lock() == 1;
                if is_first { control.pause() } else { control.stop() }
            }
            NightEvent::SliceEnds { level, .. } => {
                assert!(queue.checkpoint(&level.level, Objective::PUSHES).is_some());
                control.resume();
            }
            _ => {}
        }
    };
    Night::new(&levels, &queue, &knobs).run(&control, &on);
    let slices: Vec<_> = diary.0.lock().iter().filter(|line| line.contains("interrupted")).cloned().collect();
    assert_eq!((slices.len(), **n_begun.lock()), (2, 2), "{:?}", diary.0.lock());
}

#[test]
fn a_night_that_is_stopped_in_a_pause_ends() {
    let desk = Desk::with(BOARD);
    let (knobs, queue, diary) = (knobs(), desk.queue(), Diary::default());
    let levels = desk.levels(&knobs);
    let control = NightControl::default();
    control.pause();
    let stop = control.clone();
    let stopped = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        stop.stop();
    });
    let outcome = Night::new(&levels, &queue, &knobs).run(&control, &|event: NightEvent<'_>| diary.note(&event));
    stopped.join().unwrap();
    assert!(outcome.elapsed < Duration::from_secs(30));
    assert_eq!((diary.0.lock().len(), outcome.levels[0].is_newly_solved()), (0, false));
}

/// Both objectives were dry for an hour before this night.
#[test]
fn bounds_are_raised_and_kept_where_all_is_dry() {
    let desk = Desk::with(&hard_level());
    let (knobs, queue) = (knobs(), desk.queue());
    for purpose in ["moves", "pushes"] {
        let run = RunDone::new(purpose, Duration::from_secs(3_600), "time");
        desk.library().write(|changes| changes.add_run(&desk.levels(&knobs)[0].level, &run)).unwrap();
    }
    let levels = desk.levels(&knobs);
    let before = desk.library().level(levels[0].id).unwrap().unwrap();
    let control = NightControl::default();
    let raised = Mutex::new(Vec::new());
    let on = |event: NightEvent<'_>| {
        if let NightEvent::SliceEnds { purpose: Purpose::Bound(metric), report, .. } = event {
            raised.lock().push((metric, report.bound));
            if raised.lock().len() > 1 {
                control.stop();
            }
        }
    };
    Night::new(&levels, &queue, &knobs).run(&control, &on);
    let after = desk.library().level(levels[0].id).unwrap().unwrap();
    for (metric, bound) in raised.into_inner() {
        let kept = if metric == Metric::Moves { after.least_moves } else { after.least_pushes };
        assert!(bound.is_none_or(|(_, before, bound)| bound > before && kept >= bound), "{metric}: {bound:?}, {kept}");
    }
    assert!(after.least_moves >= before.least_moves && after.least_pushes >= before.least_pushes);
    let work = desk.library().all_work(levels[0].id).unwrap();
    assert!(work.iter().any(|work| work.purpose.starts_with("bound ")), "{work:?}");
}

/// The turns of the solver differ, and what has no solution is not tried again.
#[test]
fn an_unsolvable_level_is_settled_for_good() {
    // The box on the left stands in a corner of a corridor that only a search finds dead.
    let desk = Desk::with(
        "########\n#      #\n# $$@  #\n# ..## #\n##  #  #\n########\n\nUnsolvable\n\n#######\n#@ $  #\n##### #\n#.    #\n#######\n",
    );
    let (knobs, queue, diary) = (knobs(), desk.queue(), Diary::default());
    let levels = desk.levels(&knobs);
    let night = Night::new(&levels, &queue, &knobs);
    night.run(&NightControl::default(), &|event: NightEvent<'_>| diary.note(&event));
    assert!(diary.has("2 solve ends: unsolvable"), "{:#?}", diary.0.lock());
    let levels = desk.levels(&knobs);
    assert!(levels[1].is_unsolvable && !levels[0].is_unsolvable);
}

/// Slices for both objectives run side by side, and find what is better in both: told once, it adds up.
#[test]
fn each_gain_is_told_once() {
    let desk = Desk::with(&hard_level());
    let knobs = knobs().with_threads(2).with_time(Duration::from_secs(2));
    let (levels, queue) = (desk.levels(&knobs), desk.queue());
    let told = Mutex::new(0);
    let on = |event: NightEvent<'_>| {
        if let NightEvent::SliceEnds { report, .. } = event {
            for gain in report.gains.iter().filter(|gain| gain.objective == Objective::MOVES) {
                *told.lock() += gain.before.unwrap().moves - gain.after.moves;
            }
        }
    };
    let outcome = Night::new(&levels, &queue, &knobs).run(&NightControl::default(), &on);
    assert_eq!(told.into_inner(), outcome.levels[0].gained(Objective::MOVES));
}
