//! What is said about mistakes, and with which exit code.

use crate::cmd::{Desk, T2};

const BAD_BOARD: &str = "Open\n\n#####\n#@$.\n#####\n\nSolution\nR\n";

#[test]
fn arguments() {
    let desk = Desk::with(T2);
    for (line, text) in [
        ("", "Usage"),
        ("optimize", "FILE"),
        ("optimise levels.sok", "optimise"),
        ("optimize levels.sok --time soon", "50ms"),
        ("optimize levels.sok --memory lots", "64MiB"),
        ("optimize levels.sok --objective steps", "not a metric"),
        ("optimize levels.sok --levels 3-1", "1,3-5"),
        ("optimize levels.sok --threads 0", "--threads"),
        ("optimize levels.sok --vicinity 1,2,3,4,5", "one to 4"),
        ("optimize levels.sok --vicinity 1000", "1 to 999"),
        ("optimize levels.sok --store list", "hash"),
    ] {
        desk.soko(line).expect(2).says(&[text]);
    }
    assert_eq!(desk.files(), ["levels.sok"]);
    let help = desk.soko("optimize --help").expect(0).stdout;
    assert!(help.contains("--into") && !help.contains("--store"), "{help}");
    assert!(desk.soko("help optimize --expert").expect(0).stdout.contains("--store"));
    let help = desk.soko("--help").expect(0).stdout;
    assert!(help.contains("130") && help.contains("Exit codes"), "{help}");
}

#[test]
fn missing_and_empty_files() {
    let desk = Desk::with(T2);
    desk.write("notes.txt", "nothing but words\n");
    for command in ["optimize", "verify", "info"] {
        desk.soko(&format!("{command} levels.sok gone.sok --json"))
            .expect(1)
            .says(&["gone.sok", "check that the file exists"]);
        desk.soko(&format!("{command} notes.txt")).expect(1).says(&["notes.txt", "no level found"]);
    }
    assert_eq!(desk.files(), ["levels.sok", "notes.txt"]);
}

#[test]
fn outputs_that_must_not_be_written() {
    let desk = Desk::with(T2);
    desk.write("old.sok", "keep me");
    desk.soko("optimize levels.sok -o levels.sok").expect(1).says(&["is an input", "another name"]);
    desk.soko("optimize levels.sok -o ./levels.sok --force").expect(1).says(&["is an input"]);
    desk.soko("optimize levels.sok -o old.sok").expect(1).says(&["old.sok exists", "--force"]);
    desk.soko("optimize levels.sok -o missing/out.sok")
        .expect(1)
        .says(&["missing/out.sok", "check that the directory"]);
    desk.soko("optimize levels.sok -o .").expect(1).says(&["is an input"]);
    assert_eq!((desk.read("levels.sok"), desk.read("old.sok")), (T2.to_owned(), "keep me".to_owned()));
    desk.soko("optimize levels.sok -o old.sok --force").expect(0);
    assert!(desk.read("old.sok").contains("Solution/Moves 12/5"));
}

#[cfg(unix)]
#[test]
fn a_link_to_the_input_is_the_input() {
    let desk = Desk::with(T2);
    std::os::unix::fs::symlink(desk.path("levels.sok"), desk.path("link.sok")).unwrap();
    desk.soko("optimize levels.sok -o link.sok --force").expect(1).says(&["is an input"]);
    assert_eq!(desk.read("levels.sok"), T2);
}

#[test]
fn a_bad_board_is_named_and_kept_and_the_run_goes_on() {
    let desk = Desk::with(format!("{BAD_BOARD}\n{T2}"));
    let done = desk.soko("optimize levels.sok -o out.sok").expect(1);
    let done = done.says(&["levels.sok:3: level 1 \"Open\"", "border is open at row 2"]);
    assert!(done.stdout.contains("bad board: the border is open"), "{}", done.stdout);
    let out = desk.read("out.sok");
    assert!(out.starts_with(BAD_BOARD) && out.contains("Solution/Moves 12/5"), "{out}");
    desk.soko("verify out.sok").expect(1).says(&["out.sok:3: level 1"]);
    desk.soko("info out.sok").expect(1).says(&["border is open"]);
}

#[test]
fn an_illegal_solution_is_named_and_kept() {
    let text = T2.replace("dudrruurDullDrdL", "dddddd");
    let desk = Desk::with(&text);
    let done = desk.soko("optimize levels.sok -o out.sok --no-solve").expect(1);
    let done = done.says(&["levels.sok:9: level 1 \"T2\"", "move 2 (d) walks into a wall", "kept in the output"]);
    assert!(done.stdout.contains("no valid solution to improve"), "{}", done.stdout);
    assert_eq!(desk.read("out.sok"), text);
    let both = format!("{T2}\nAnother Solution\nuuu\n");
    desk.write("levels.sok", &both);
    desk.soko("optimize levels.sok -o both.sok").expect(1).says(&["levels.sok:12", "move 1 (u)"]);
    assert!(desk.read("both.sok").contains("Another Solution\nuuu\n"));
    assert!(desk.read("both.sok").contains("Solution/Moves 12/5"));
}

#[test]
fn the_wrong_case_is_a_warning() {
    let desk = Desk::with(T2.replace("dudrruurDullDrdL", "dudrruurdulldrdl"));
    desk.soko("optimize levels.sok -o out.sok")
        .expect(0)
        .says(&["warning: levels.sok:9", "3 letters of the wrong case"]);
    let verified = desk.soko("verify levels.sok").expect(0).says(&["3 letters of the wrong case"]);
    assert!(verified.stdout.contains("right; 3 letters"), "{}", verified.stdout);
    let quiet = desk.soko("optimize levels.sok --quiet").expect(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn a_level_without_solution_is_left_as_found_if_told() {
    let text = T2.split("Solution").next().unwrap();
    let desk = Desk::with(text);
    let done = desk.soko("optimize levels.sok -o out.sok --no-solve").expect(0);
    assert!(done.stdout.contains("no solution to improve"), "{}", done.stdout);
    assert_eq!(desk.read("out.sok"), text);
    let skipped = desk.soko("optimize levels.sok --json --no-solve").expect(0).lines("skipped");
    assert_eq!(skipped[0]["reason"], "no solution");
}

#[test]
fn a_level_without_solution_is_solved_first() {
    let rows = T2.split("Solution").next().unwrap();
    let desk = Desk::with(format!("{rows}\nDead\n\n######\n#$@ .#\n######\n\nBig{}", crate::cmd::hard_level()));
    let done =
        desk.soko("optimize levels.sok -o out.sok --levels 1-2 --json").expect(0).says(&["level 1 \"T2\": solved by"]);
    let lines = done.results();
    let after = |line: usize| lines[line]["after"]["moves"].as_u64();
    assert_eq!((after(0), after(1)), (Some(12), Some(14)));
    assert!(lines[0]["solved_by"].is_string() && lines[0]["improved"] == true);
    let skipped = &done.lines("skipped")[0];
    assert_eq!((&skipped["level"], &skipped["reason"]), (&2.into(), &"unsolvable".into()));
    let out = desk.read("out.sok");
    assert!(out.contains("\nSolution/Moves 12/5/5/3/4/11 (Soko)\n"), "{out}");
    assert!(out.contains("\nSolution/Pushes 14/3/3/2/3/11 (Soko)\n"), "{out}");
    desk.soko("verify out.sok").expect(0);
    // Solved, and nothing better was found in no time at all: the solution is kept all the same.
    let table = desk.soko("optimize levels.sok --levels 1 --work 400 --objective pushes").expect(0);
    assert!(table.stdout.contains("1 solved first") && table.stdout.contains("Saved in"), "{}", table.stdout);
    assert!(desk.read("levels.soko.sok").contains("(Soko)"));
}
