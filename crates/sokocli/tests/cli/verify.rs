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
    let lines = desk.soko("verify levels.sok --json").expect(1).json().split_off(1);
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["valid"], &lines[0]["metrics"]["moves"]), (&true.into(), &16.into()));
    assert_eq!((&lines[1]["valid"], &lines[1]["game_line"]), (&false.into(), &12.into()));
    assert_eq!((&lines[2]["wrong"], &lines[2]["exit_code"]), (&1.into(), &1.into()));
}

#[test]
fn the_reason_is_in_the_table() {
    let desk = Desk::with(format!(
        "{T2}\nSolution (2)\nrrrr\n\nOpen\n\n#####\n#@$.\n#####\n\nDead\n\n######\n#$@ .#\n######\n"
    ));
    let done = desk.soko("verify levels.sok").expect(1);
    for text in [
        "WRONG: move 2 (r) pushes a box that is blocked",
        "bad board: the border is open at row 2, column 5",
        "unsolvable: the box at row 2, column 2 can reach no goal",
        "1 bad board, 1 unsolvable; 2 wrong",
    ] {
        assert!(done.stdout.contains(text), "'{text}' is missing in:\n{}", done.stdout);
    }
    // The picture of the board, with the hole and the box pointed at.
    done.says(&["    #@$.\n        ^\n", "    #$@ .#\n     ^\n"]);
}

#[test]
fn csv_has_every_row_in_full() {
    let desk = Desk::with(format!("{T2}\nSolution \"a, b\"\nRurrDLulDrdL\n"));
    let done = desk.soko("verify levels.sok --csv").expect(0);
    let lines: Vec<_> = done.stdout.lines().collect();
    let head =
        "file,level,title,id,line,game,kind,moves,pushes,box_lines,box_changes,pushing_sessions,player_lines,verdict";
    assert_eq!(lines[0], head);
    assert!(lines[1].starts_with("levels.sok,1,T2,") && lines[1].ends_with(",16,3,3,2,3,13,right"), "{}", lines[1]);
    assert!(lines[2].contains("\"Solution \"\"a, b\"\"\",solution,12,5,5,3,4,11,right"), "{}", lines[2]);
    assert_eq!(lines.len(), 3);
    desk.soko("verify levels.sok --csv --json").expect(2);
}

#[test]
fn color_is_for_terminals_unless_told() {
    let desk = Desk::with(T2);
    let colored = desk.soko("verify levels.sok --color always").expect(0).stdout;
    assert!(colored.contains("\x1b[32mright\x1b[0m"), "{colored}");
    assert!(!desk.soko("verify levels.sok").expect(0).stdout.contains('\x1b'));
}

/// A thousand warnings of one kind are no news.
#[test]
fn warnings_of_a_kind_are_summed_up() {
    let desk = Desk::with(vec![T2.replace("dudrruurDullDrdL", "dudrruurdulldrdl"); 30].join("\n"));
    let done = desk.soko("verify levels.sok").expect(0).says(&["... and 10 more warnings (wrong letter case)"]);
    assert_eq!(done.stderr.matches("3 letters of the wrong case").count(), 20);
}

#[test]
fn pictures_are_few() {
    let desk = Desk::with(["#####\n#@$.\n#####\n"; 9].join("\n"));
    let done = desk.soko("verify levels.sok").expect(1);
    assert_eq!((done.stderr.matches("border is open").count(), done.stderr.matches('^').count()), (9, 5));
}
