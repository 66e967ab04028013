//! What is drawn, at many widths, and that the bar never goes back.

use sokocore::{Metric, Metrics, Objective};

use super::state::Work;
use super::*;
use crate::table::columns_of;

const METRICS: Metrics =
    Metrics { moves: 230, pushes: 97, box_lines: 40, box_changes: 30, pushing_sessions: 35, player_lines: 120 };

fn finished(kind: FinishedKind, saved: u64) -> Finished {
    let (line, rows, file) = (String::new(), Vec::new(), String::new());
    Finished { kind, line, rows, gained: vec![(Metric::Moves, saved)], file }
}

fn busy(n_levels: usize) -> RunState {
    let mut state = RunState::new(RunFacts { n_levels, total_time: Some(Duration::from_secs(3_600)) });
    for number in 0..37 {
        let kind = if number % 3 == 0 { FinishedKind::Improved } else { FinishedKind::Ordinary };
        state.finish(&finished(kind, 6));
    }
    state.open(38, "Sasquatch III, level 17", Some(Duration::from_secs(30)));
    state.open(39, "箱入り娘\u{1b}[31m", None);
    let work = state.work(38).unwrap();
    work.set_best(Objective::MOVES, METRICS);
    work.set_best(Objective::PUSHES, Metrics { moves: 236, pushes: 91, ..METRICS });
    work.set_at_least(Metric::Pushes, 90);
    work.set_at_least(Metric::Pushes, 89);
    work.doing = "searching near the solution";
    state
}

#[test]
fn a_wide_terminal_has_it_all() {
    let drawn = draw(&mut busy(4_012), &Terminal::of_width(140));
    let lines: Vec<_> = drawn.lines().collect();
    assert!(lines[0].contains("37 of 4,012 · 13 improved · 59 min 59 s left · 222 moves saved · 0 s gone"), "{drawn}");
    let expect =
        "  Sasquatch III, level 17    0 s  moves 230/97, pushes 236/91 (gap 1.1 %)  searching near the solution";
    assert_eq!(lines[1], expect, "{drawn}");
    assert!(!drawn.contains('\u{1b}') && lines.len() == 3, "{drawn}");
}

#[test]
fn gaps_are_told_as_far_as_bounds_are_known() {
    let mut state = RunState::new(RunFacts { n_levels: 1, total_time: None });
    state.open(1, "one", None);
    let mut line = |change: &dyn Fn(&mut Work)| {
        change(state.work(1).unwrap());
        draw(&mut state, &Terminal::of_width(140)).lines().nth(1).unwrap().trim().to_owned()
    };
    assert_eq!(line(&|_| {}), "one    0 s");
    assert_eq!(line(&|work| work.set_at_least(Metric::Pushes, 88)), "one    0 s  at least 88 pushes");
    assert_eq!(line(&|work| work.set_best(Objective::PUSHES, METRICS)), "one    0 s  230/97 (gap 10.2 %)");
    let expect = "one    0 s  230/97 (no fewer pushes possible)";
    assert_eq!(line(&|work| work.set_at_least(Metric::Pushes, 97)), expect);
    // Nothing is known about moves.
    let expect = "one    0 s  pushes 230/97 (no fewer pushes possible), moves 230/97";
    assert_eq!(line(&|work| work.set_best(Objective::MOVES, METRICS)), expect);
    let expect = "one    0 s  pushes 230/97 (no fewer pushes possible), moves 230/97 (gap 15.0 %)";
    assert_eq!(line(&|work| work.set_at_least(Metric::Moves, 200)), expect);
}

#[test]
fn no_line_reaches_the_edge() {
    for width in 10..200 {
        for terminal in [Terminal::of_width(width), Terminal::of_width(width).ascii()] {
            let drawn = draw(&mut busy(4_012), &terminal);
            assert!(drawn.lines().all(|line| columns_of(line) < width), "{width}\n{drawn}");
        }
    }
    let narrow = draw(&mut busy(4_012), &Terminal::of_width(50));
    assert!(narrow.contains("37 of 4,012") && narrow.contains("17    0 s"), "{narrow}");
}

#[test]
fn many_levels_at_once_do_not_fill_the_screen() {
    let mut state = busy(100);
    for number in 40..70 {
        assert!(state.open(number, "another", None));
    }
    let drawn = draw(&mut state, &Terminal::of_width(80));
    assert!(drawn.lines().count() == 10 && drawn.ends_with("and 24 more levels"), "{drawn}");
}

#[test]
fn views_of_one_level_share_a_line() {
    let mut state = busy(100);
    assert!(!state.open(38, "the same", None));
    state.close(38);
    assert_eq!(state.works.len(), 2);
    state.close(38);
    assert_eq!(state.works.len(), 1);
}

#[test]
fn the_bar_never_goes_back() {
    let mut state = RunState::new(RunFacts { n_levels: 3, total_time: None });
    let mut last = 0.0;
    let mut check = |state: &mut RunState| {
        let share = state.share();
        assert!((last..=1.0).contains(&share), "{share} after {last}");
        last = share;
    };
    for number in 1..=4 {
        // No time at all: as good as finished from the start.
        state.open(number, "level", Some(Duration::ZERO));
        check(&mut state);
        // Its line goes before it is counted.
        state.close(number);
        check(&mut state);
        state.finish(&finished(FinishedKind::Ordinary, 0));
        check(&mut state);
    }
    assert!((last - 1.0).abs() < f64::EPSILON);
}

#[test]
fn the_time_left_is_within_the_total() {
    let mut state = RunState::new(RunFacts { n_levels: 3, total_time: Some(Duration::from_secs(10)) });
    assert!(state.time_left().unwrap() <= Duration::from_secs(10));
    assert_eq!(RunState::new(RunFacts::default()).time_left(), None);
}
