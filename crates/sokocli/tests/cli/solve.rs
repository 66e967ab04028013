//! What a run of `solve` makes of its input.

use sokocore::{Level, replay};

use crate::cmd::{Desk, testdata};

const ROWS: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";

/// A file with every kind of level: solved at once, hopeless, sealed, no level, solved before it starts.
fn mixed() -> String {
    let levels = [
        ("T2", ROWS),
        ("Dead", "######\n#$@ .#\n######"),
        ("Sealed", "########\n#@$.#$.#\n########"),
        ("Open", "#####\n#@$.\n#####"),
        ("Circle", "######\n# *@ #\n#    #\n######"),
    ];
    levels.map(|(title, rows)| format!("{title}\n\n{rows}\n")).join("\n")
}

#[test]
fn the_bundled_levels_are_solved_and_verify() {
    let desk = Desk::new();
    let input = std::fs::read_to_string(testdata("first.sok")).unwrap();
    desk.write("first.sok", &input);
    let done = desk.soko("solve first.sok -o out.sok --time 60s").expect(0);
    assert!(done.stdout.contains("3 of 3 levels solved"), "{}", done.stdout);
    assert!(done.stdout.contains("Saved in out.sok"), "{}", done.stdout);
    assert_eq!(desk.read("first.sok"), input);
    let out = desk.read("out.sok");
    for note in ["Solver: Soko ", "Solver time: ", "Solver date: 2"] {
        assert_eq!(out.matches(note).count(), 3, "{note}\n{out}");
    }
    let verified = desk.soko("verify out.sok").expect(0);
    assert!(
        verified.stdout.contains("6 solutions") && verified.stdout.contains("nothing wrong"),
        "{}",
        verified.stdout
    );
}

#[test]
fn every_kind_of_level_gets_its_word() {
    let desk = Desk::with(mixed());
    let done = desk.soko("solve levels.sok --json").expect(1).says(&["level 4 \"Open\"", "border is open"]);
    let lines = done.json();
    let results: Vec<_> = lines.iter().filter_map(|line| line["result"].as_str()).collect();
    assert_eq!(results, ["solved", "unsolvable", "unsolvable", "bad board", "solved"]);
    let summary = &done.summary();
    assert_eq!((&summary["solved"], &summary["unsolvable"], &summary["exit_code"]), (&2.into(), &2.into(), &1.into()));
    let table = desk.soko("solve levels.sok --levels 1-3").expect(0);
    assert!(table.stdout.contains("1 of 3 levels solved, 2 unsolvable"), "{}", table.stdout);
}

#[test]
fn json_lines_can_be_trusted() {
    let desk = Desk::with(format!("T2\n\n{ROWS}\n"));
    let line = desk.soko("solve levels.sok --json --quiet").expect(0).results().remove(0);
    let level = Level::parse(ROWS).unwrap();
    let solution = replay(&level, &line["solution"].as_str().unwrap().parse().unwrap()).unwrap();
    assert_eq!(line["metrics"]["pushes"].as_u64(), Some(solution.metrics().pushes));
    let by = line["by"].as_str().unwrap();
    let tried = line["tried"].as_array().unwrap();
    assert!(tried.iter().any(|attempt| attempt["strategy"] == by && attempt["ended_by"] == "solved"), "{line}");
    assert_eq!(line["proved"], false);
}

#[test]
fn proofs_are_titled_and_others_are_not() {
    let desk = Desk::with(format!("T2\n\n{ROWS}\n"));
    for (options, title) in [
        ("--optimal pushes/moves", "\nSolution/Pushes 14/3/3/2/3/11 (Soko)\n"),
        ("--optimal moves/pushes", "\nSolution/Moves 12/5/5/3/4/11 (Soko)\n"),
        ("--algorithm bfs --direction backward", "\nSolution/Pushes 14/3/3/2/3/11 (Soko)\n"),
        ("--algorithm greedy", "\nSolution 1"),
    ] {
        let done = desk.soko(&format!("solve levels.sok -o out.sok --force {options}")).expect(0);
        assert_eq!(done.stdout.contains("proved optimal"), title.contains("Solution/"), "{}", done.stdout);
        assert!(desk.read("out.sok").contains(title), "{options}: {}", desk.read("out.sok"));
    }
    assert!(desk.read("out.sok").contains("\nSolver: Soko 0.1.0, greedy-both\n"), "{}", desk.read("out.sok"));
}

/// The quick methods take out what a depth first search wanders about.
#[test]
fn raw_solutions_are_longer() {
    let rows = "##########\n#        #\n# $   $  #\n#   @    #\n#  .  .  #\n#        #\n##########";
    let desk = Desk::with(format!("Room\n\n{rows}\n"));
    let moves = |options: &str| {
        let done = desk.soko(&format!("solve levels.sok --json --algorithm dfs {options}")).expect(0);
        done.results()[0]["metrics"]["moves"].as_u64().unwrap()
    };
    assert!(moves("--raw") > moves(""), "{} {}", moves("--raw"), moves(""));
}

#[test]
fn levels_with_a_solution_can_be_left_out() {
    let desk = Desk::with(format!("A\n\n{ROWS}\n\nSolution\ndrruurDullDrdL\n\nB\n\n#####\n#@$.#\n#####\n"));
    let lines = desk.soko("solve levels.sok --unsolved --json").expect(0).results();
    assert_eq!((&lines[0]["result"], &lines[1]["result"]), (&"has a solution".into(), &"solved".into()));
    // A solution that stands there already is not added again.
    desk.soko("solve levels.sok --levels 1 --optimal pushes/moves -o out.sok").expect(0);
    assert_eq!(desk.read("out.sok").matches("drruurDullDrdL").count(), 1);
}

#[test]
fn limits_are_kept_and_said() {
    let desk = Desk::with(crate::cmd::hard_level());
    let line = desk.soko("solve levels.sok --json --time 50ms --algorithm bfs").expect(0).results().remove(0);
    // The solution of the file, a bound, and how far they are apart.
    assert_eq!(
        (&line["result"], &line["ended_by"], &line["by"]),
        (&"solved".into(), &"time".into(), &"the file".into())
    );
    assert!(line["seconds"].as_f64().unwrap() < 0.5, "{line}");
    let by_work = || desk.soko("solve levels.sok --json --work 50000 --algorithm bfs").expect(0).results().remove(0);
    let line = by_work();
    assert_eq!(line["ended_by"], "work");
    assert!((50_000..51_000).contains(&line["work"].as_u64().unwrap()), "{line}");
    assert_eq!(line["work"], by_work()["work"]);
    let line =
        desk.soko("solve levels.sok --json --memory 16MiB --time 20s --algorithm bfs").expect(0).results().remove(0);
    assert!(line["peak_bytes"].as_u64().unwrap() <= 16 << 20, "{line}");
    assert_eq!(line["proved"], false);
    let bare = crate::cmd::hard_level();
    desk.write("bare.sok", bare.split("Solution").next().unwrap());
    let table = desk.soko("solve bare.sok --time 50ms --algorithm bfs").expect(0);
    assert!(table.stdout.contains("time; tried bfs-forward"), "{}", table.stdout);
}

#[test]
fn wrong_combinations_are_usage_errors() {
    let desk = Desk::with(format!("T2\n\n{ROWS}\n"));
    desk.soko("solve levels.sok --direction backward").expect(2).says(&["--direction goes with --algorithm"]);
    desk.soko("solve levels.sok --algorithm greedy --optimal moves").expect(2).says(&["a-star"]);
    desk.soko("solve levels.sok --algorithm magic").expect(2).says(&["possible values"]);
    desk.soko("solve levels.sok --levels 2").expect(2).says(&["only 1 level"]);
    desk.soko("solve levels.sok --threads 0").expect(2).says(&["'0' is no number from 1 to 256"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_found() {
    use std::process::Command;
    let desk = Desk::with(format!("T2\n\n{ROWS}\n\n{}\nT3\n\n#####\n#@$.#\n#####\n", crate::cmd::hard_level()));
    let child = desk.start("solve levels.sok -o out.sok --time 10m --algorithm bfs --jobs 1");
    let clock = sokosearch::Clock::start();
    while !desk.path("out.sok").exists() || !desk.read("out.sok").contains("(Soko)") {
        assert!(clock.elapsed().as_secs() < 30, "the first level is never written");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let done = crate::cmd::Done::of(child.wait_with_output().unwrap()).expect(130);
    assert!(done.stdout.contains("the file; then interrupted"), "{}", done.stdout);
    assert!(done.stdout.contains("1 not begun"), "{}", done.stdout);
    assert!(done.stderr.contains("interrupted; saved in out.sok"), "{}", done.stderr);
    desk.soko("verify out.sok").expect(0);
}
