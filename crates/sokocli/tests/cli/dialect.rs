//! The program as hosts start others: the JSoko optimizer and Festival.

use std::fs;
use std::process::Command;

use crate::cmd::{Desk, Done, T2};

/// A level without a solution in its file.
const BARE: &str = "Bare\n\n######\n#@$ .#\n######\n";
/// A level that has no solution.
const LOST: &str = "Lost\n\n######\n#$ @.#\n######\n";

#[test]
fn jsoko_appends_each_better_solution_and_remarks() {
    let desk = Desk::with(format!("{T2}\n{BARE}"));
    desk.write("found.sok", ":: written before\n");
    let line = "as-jsoko levels.sok -TASK optimize -OutputFile found.sok -optimization-method 0 -box-1-squares 999 \
                -iterative-optimization 1 -preserve-player-end-position 0 -show-window 0 -cpus 1 \
                -maximum-box-configurations 0 -time-limit-minutes 0";
    let done = desk.soko(line);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let found = desk.read("found.sok");
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines[0], ":: written before");
    let (remarks, solutions): (Vec<&str>, Vec<&str>) = lines.iter().copied().partition(|line| line.starts_with(":: "));
    assert_eq!(remarks[1], ":: level 1 \"T2\": 16/3 -> 12/5, proved optimal");
    assert_eq!(remarks[2], ":: level 2 \"Bare\": there is no solution to begin with");
    assert!(solutions.len() >= 2 && solutions.len() % 2 == 0, "{found}");
    let title = solutions[solutions.len() - 2];
    assert!(title.starts_with("Solution 12/5/") && title.ends_with(" (Soko)"), "{title}");
    assert_eq!(solutions[solutions.len() - 1].len(), 12);
}

#[test]
fn jsoko_optimizes_by_pushes_and_keeps_the_end() {
    let rows = "Ends\n\n#######\n#     #\n#.$@$.#\n#######\n\nSolution\nudLrR\n";
    let desk = Desk::with(rows);
    let done = desk.soko("as-jsoko levels.sok -preserve-player-end-position 1 -optimization-method 1 -cpus 1");
    assert_eq!(done.code, 0, "{}", done.stderr);
    let moves: Vec<_> = done.stdout.lines().filter(|line| !line.starts_with("::") && !line.contains(' ')).collect();
    assert_eq!(moves.last(), Some(&"LrR"), "RlL ends elsewhere: {}", done.stdout);
}

#[test]
fn festival_appends_solved_levels_and_remarks() {
    let desk = Desk::with(format!("{BARE}\n{LOST}"));
    let done = desk.soko("as-festival levels.sok -OUT_FILE found.sok -time 60 -cores 1");
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let found = desk.read("found.sok");
    let expect = "Bare\n\n######\n#@$ .#\n######\n\nSolution 2/2/1/1/1/1 (Soko)\nRR\nSolver: Soko ";
    assert!(found.starts_with(expect), "{found}");
    assert!(found.lines().last().unwrap().starts_with(":: level 2 \"Lost\": unsolvable, by "), "{found}");
    // What it has written is a level file with a solution.
    let again = desk.soko("verify found.sok");
    assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
    let twice = desk.soko("as-festival levels.sok -out_file found.sok -time 0 -cores 0");
    assert_eq!((twice.code, desk.read("found.sok").matches("\nRR\n").count()), (0, 2), "it is appended to");
}

/// A host may start us by the name of the other program.
#[test]
#[cfg(unix)]
fn the_name_of_the_program_decides() {
    let desk = Desk::with(BARE);
    let festival = desk.path("festival");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_soko"), &festival).unwrap();
    let mut command = Command::new(&festival);
    let output = command.current_dir(desk.path("")).args(["levels.sok", "-time", "60"]).output().unwrap();
    let done = Done::of(output);
    assert!(done.code == 0 && done.stdout.contains("\nRR\n"), "{}{}", done.stdout, done.stderr);
    fs::remove_file(festival).unwrap();
}

#[test]
fn what_is_wrong_is_said() {
    let desk = Desk::with(T2);
    let check = |line: &str, code: i32, expect: &str| {
        let done = desk.soko(line);
        assert_eq!(done.code, code, "{line}: {}", done.stderr);
        assert!(done.stderr.contains(expect), "{line}: {}", done.stderr);
    };
    check("as-jsoko", 2, "name the level file before the options");
    check("as-jsoko levels.sok -task solve", 2, "-task 'solve' is not known; there is optimize");
    check("as-jsoko levels.sok -optimization-method 7", 2, "use 0, 1 or 2");
    check("as-jsoko levels.sok -cpus two", 2, "-cpus 'two' is not a number");
    check("as-festival levels.sok -time soon", 2, "-time 'soon' is not a number");
    check("as-festival missing.sok -time 1", 1, "missing.sok");
    check("as-festival levels.sok -out_file missing/found.sok", 1, "cannot write to missing/found.sok");
    check("as-festival levels.sok -time 60 -extra 1", 0, "-extra is not known here and changes nothing");
    assert_eq!(desk.files(), ["levels.sok"]);
}
