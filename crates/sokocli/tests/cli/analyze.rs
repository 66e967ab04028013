//! What `analyze` knows.

use std::time::Duration;

use serde_json::json;
use sokosearch::Clock;

use crate::cmd::{Desk, T2, hard_level};

#[test]
fn a_small_level_is_known_through_and_through() {
    let desk = Desk::with(T2);
    let lines = desk.soko("analyze levels.sok --json").expect(0).json();
    let [_, line, summary] = &lines[..] else { panic!("three lines in {lines:?}") };
    assert_eq!(
        (&line["type"], &line["result"], &line["proved"]),
        (&"analysis".into(), &"solvable".into(), &true.into())
    );
    assert_eq!((&line["least_pushes"], &line["best"]["pushes"]), (&3.into(), &3.into()));
    assert_eq!(line["best_solutions"], json!({ "count": 1, "exact": true }));
    assert_eq!(line["ended_by"], "done");
    assert_eq!(line["squares"]["undecided"], json!([]));
    let n_pushes: u64 = line["boxes"].as_array().unwrap().iter().map(|one| one["pushes"].as_u64().unwrap()).sum();
    assert_eq!(n_pushes, 3);
    assert_eq!(line["choices_by_push"].as_array().unwrap().len(), 3);
    assert!(line["positions"].as_u64() > line["lost_positions"].as_u64());
    assert_eq!((&summary["type"], &summary["solvable"], &summary["unique"]), (&"summary".into(), &1.into(), &1.into()));
    let text = desk.soko("analyze levels.sok").expect(0).stdout;
    for answer in ["yes; the best solution known has 3 pushes", "3, proved", "only one, up to the order of pushes"] {
        assert!(text.contains(answer), "'{answer}' is missing in:\n{text}");
    }
    assert_eq!(desk.files(), ["levels.sok"]);
}

#[test]
fn unsolvable_levels_show_why() {
    let compete = "##########\n#. $ $   #\n#        #\n#  @ $ $ #\n#  .  .. #\n#        #\n##########\n";
    let too_many = "######\n#@$$.#\n######\n";
    // The way to the upper goal is shut by the box that is pushed first.
    let search = "#######\n###.###\n###$###\n#@ $ .#\n###  ##\n#######\n";
    let desk = Desk::with(format!("A\n\n{compete}\nB\n\n{too_many}\nC\n\n{search}"));
    let lines = desk.soko("analyze levels.sok --json").expect(0).json().split_off(1);
    assert!(lines[..2].iter().all(|line| line["result"] == "unsolvable"), "{lines:?}");
    assert_eq!(lines[0]["marked"], json!([[2, 4], [2, 6]]));
    assert_eq!(lines[0]["marked_goals"], json!([[2, 2]]));
    assert_eq!(lines[1]["marked"], json!([[2, 3], [2, 4]]));
    assert_eq!(lines[3]["levels"], 3);
    let text = desk.soko("analyze levels.sok").expect(0).stdout;
    assert!(text.contains("2 #. $ $   #\n   ^ ^ ^\n"), "{text}");
    assert!(text.contains("2 boxes (row 2, column 4; row 2, column 6) compete for 1 goal (row 2, column 2)"), "{text}");
    assert!(text.contains("3 levels: "), "{text}");
}

#[test]
fn boards_that_are_no_levels_are_errors() {
    let desk = Desk::with(format!("A\n\n######\n#@$ .#\n#  @ #\n######\n\n{T2}"));
    let done = desk.soko("analyze levels.sok").expect(1).says(&["level 1 \"A\"", "keep one"]);
    assert!(done.stdout.contains("2 #@$ .#\n   ^\n3 #  @ #\n     ^\n"), "{}", done.stdout);
    assert!(done.stdout.contains("3, proved"), "the rest is done all the same: {}", done.stdout);
}

/// What takes too long is not known, and what is in the file is.
#[test]
fn time_is_kept_and_what_is_not_known_is_said() {
    let desk = Desk::with(hard_level());
    let clock = Clock::start();
    let line = desk.soko("analyze levels.sok --time 500ms --json --memory 64MiB").expect(0).json().remove(1);
    assert!(clock.elapsed() < Duration::from_secs(10), "{:?}", clock.elapsed());
    assert_eq!(line["result"], "solvable");
    let bounds =
        |line: &serde_json::Value| (line["least_pushes"].as_u64().unwrap(), line["best"]["pushes"].as_u64().unwrap());
    // A fast machine may prove it in this time.
    let (least, best) = bounds(&line);
    assert!(least > 0 && least <= best && line["proved"] == (least == best), "{line}");
    let line = desk.soko("analyze levels.sok --time 1ms --json").expect(0).json().remove(1);
    let (least, best) = bounds(&line);
    assert!(least < best && line["proved"] == false, "{line}");
    assert_eq!((&line["best_solutions"], &line["ended_by"]), (&json!(null), &"time".into()));
    let text = desk.soko("analyze levels.sok --time 1ms").expect(0).stdout;
    assert!(text.contains("not known within") && text.contains("fewest pushes    from "), "{text}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_is_known() {
    use std::process::Command;

    let desk = Desk::with(format!("{}\n{T2}", hard_level()));
    let child = desk.start("analyze levels.sok --time 60s --json");
    std::thread::sleep(Duration::from_millis(700));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = crate::cmd::Done::of(child.wait_with_output().unwrap()).expect(130).says(&["what is known by then"]);
    let lines = done.json().split_off(1);
    assert_eq!((&lines[0]["result"], &lines[0]["ended_by"]), (&"solvable".into(), &"interrupted".into()));
    assert_eq!(lines[1]["result"], "not begun");
    assert_eq!((&lines[2]["interrupted"], &lines[2]["exit_code"]), (&true.into(), &130.into()));
}
