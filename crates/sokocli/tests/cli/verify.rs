//! What `verify` says.

use crate::cmd::{Desk, T2};

#[test]
fn the_six_metrics_are_printed() {
    let desk = Desk::with(format!("{T2}\nSnapshot\ndu\n\nReverse Mode Snapshot\n[]\n"));
    let done = desk.soko("verify levels.sok").expect(0);
    let row = done.stdout.lines().find(|line| line.contains("Solution 16/3")).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!(cells, ["1", "T2", "Solution", "16/3", "16", "3", "3", "2", "3", "13", "right"]);
    assert!(done.stdout.contains("1 level, 1 solution,"), "{}", done.stdout);
}

#[test]
fn wrong_solutions_are_found() {
    let desk = Desk::with(format!("{T2}\nSolution (2)\nrrrr\n\nSnapshot\nuuuu\n"));
    let done = desk.soko("verify levels.sok").expect(1);
    let done = done.says(&["levels.sok:12: level 1 \"T2\"", "move 2 (r)", "levels.sok:15:", "move 1 (u)"]);
    assert!(done.stdout.contains("WRONG") && done.stdout.contains("2 wrong"), "{}", done.stdout);
}

#[test]
fn titles_and_tails_are_compared() {
    let desk = Desk::with(T2.replace("16/3", "15/3").replace("DrdL", "DrdLud"));
    let done = desk.soko("verify levels.sok").expect(0);
    let done = done.says(&["its title says 15/3", "2 moves after the level is solved"]);
    assert!(done.stdout.contains("2 warnings"), "{}", done.stdout);
}

#[test]
fn json_has_a_line_for_each_game_and_a_summary() {
    let desk = Desk::with(format!("{T2}\nSolution (2)\nrrrr\n"));
    let lines = desk.soko("verify levels.sok --json").expect(1).json();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["valid"], &lines[0]["metrics"]["moves"]), (&true.into(), &16.into()));
    assert_eq!((&lines[1]["valid"], &lines[1]["line"]), (&false.into(), &12.into()));
    assert_eq!((&lines[2]["wrong"], &lines[2]["exit_code"]), (&1.into(), &1.into()));
}
