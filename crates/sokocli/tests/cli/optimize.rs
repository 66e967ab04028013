//! What a run of `optimize` makes of its input.

use std::fs;

use sokocore::replay;

use crate::cmd::{Desk, T2, testdata};

/// Every line of the input, in order, is in the output.
#[track_caller]
fn assert_holds(output: &str, input: &str) {
    let mut lines = output.lines();
    for line in input.lines().filter(|line| !line.contains("Solution")) {
        assert!(lines.any(|found| found == line), "{line:?} is missing in:\n{output}");
    }
}

#[test]
fn the_bundled_levels_get_shorter_and_verify() {
    let desk = Desk::new();
    let input = fs::read_to_string(testdata("first.sok")).unwrap();
    desk.write("first.sok", &input);
    let done = desk.soko("optimize first.sok -o out.sok --time 500ms --threads 2").expect(0);
    assert!(done.stdout.contains("3 levels optimized, 3 improved"), "{}", done.stdout);
    assert!(done.stdout.contains("Saved in out.sok"), "{}", done.stdout);
    assert_eq!(desk.read("first.sok"), input);
    assert_holds(&desk.read("out.sok"), &input);
    let verified = desk.soko("verify out.sok").expect(0);
    assert!(verified.stdout.contains("3 levels") && verified.stdout.contains("nothing wrong"), "{}", verified.stdout);
    assert_eq!(desk.files(), ["first.sok", "out.sok"]);
}

#[test]
fn two_objectives_keep_two_bests() {
    let desk = Desk::with(T2);
    let done = desk.soko("optimize levels.sok -o out.sok --threads 1 --json").expect(0);
    let lines = done.results();
    let after = |line: usize, metric: &str| lines[line]["after"][metric].as_u64().unwrap();
    assert_eq!((lines[0]["objective"].as_str(), lines[1]["objective"].as_str()), (Some("moves"), Some("pushes")));
    assert_eq!((after(0, "moves"), after(0, "pushes")), (12, 5));
    assert_eq!((after(1, "moves"), after(1, "pushes")), (14, 3));
    let out = desk.read("out.sok");
    assert!(out.contains("\nSolution/Moves 12/5/5/3/4/11 (Soko)\n"), "{out}");
    assert!(out.contains("\nSolution/Pushes 14/3/3/2/3/11 (Soko)\n"), "{out}");
    assert!(out.contains("\nSolution 16/3\n"), "{out}");
}

#[test]
fn json_lines_can_be_trusted() {
    let desk = Desk::with(T2);
    let done = desk.soko("optimize levels.sok --objective boxlines/moves --json --quiet").expect(0);
    assert_eq!(done.stderr, "");
    let (result, summary) = (&done.results()[0], &done.summary());
    let level = sokocore::Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let solution = replay(&level, &result["solution"].as_str().unwrap().parse().unwrap()).unwrap();
    assert_eq!(result["after"]["box_lines"].as_u64(), Some(solution.metrics().box_lines));
    assert_eq!((result["type"].as_str(), result["improved"].as_bool()), (Some("result"), Some(true)));
    assert_eq!((result["level"].as_u64(), result["ended_by"].as_str()), (Some(1), Some("proved optimal")));
    assert_eq!(result["id"].as_str().map(str::len), Some(32));
    assert_eq!((summary["type"].as_str(), summary["exit_code"].as_u64()), (Some("summary"), Some(0)));
    assert!(summary["output"].as_array().unwrap().is_empty() && desk.files() == ["levels.sok"]);
}

/// A solution that is best in neither moves nor pushes says what it is good for.
#[test]
fn other_objectives_are_named() {
    let desk =
        Desk::with("T5\n######\n###.##\n### ##\n# $$.#\n#  @##\n######\n\nSolution/Moves 8/4/3/3/2/6\nUdlluRRU\n");
    desk.soko("optimize levels.sok -o out.sok --objective boxlines").expect(0);
    assert!(desk.read("out.sok").contains("\nSolution 9/4/2/2/2/5 (Soko boxlines)\nUUddlluRR\n"));
    assert!(desk.read("out.sok").contains("\nBest Solution 8/4/3/3/2/6\n"));
}

#[test]
fn without_out_a_new_file_appears_beside_the_input() {
    let desk = Desk::with(T2);
    desk.soko("optimize levels.sok").expect(0);
    desk.soko("optimize levels.sok").expect(0);
    assert_eq!(desk.files(), ["levels.sok", "levels.soko.sok"]);
    assert_eq!(desk.read("levels.sok"), T2);
    assert_holds(&desk.read("levels.soko.sok"), T2);
    desk.soko("verify levels.soko.sok").expect(0);
}

#[test]
fn nothing_gained_leaves_nothing_behind() {
    let best = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nA\nRurrDLulDrdL\n\nB\ndrruurDullDrdL\n";
    let desk = Desk::with(best);
    let done = desk.soko("optimize levels.sok --time 1s --pushes 0..1").expect(0);
    assert!(done.stdout.contains("Nothing was improved, so no file was written"), "{}", done.stdout);
    assert_eq!(desk.files(), ["levels.sok"]);
    desk.soko("optimize levels.sok -o out.sok --pushes 0..1").expect(0);
    assert_eq!(desk.read("out.sok"), best);
}

#[test]
fn only_the_chosen_levels_are_optimized_and_all_are_kept() {
    let other = "Step\n\n######\n#@$ .#\n######\n\nSolution\nRR\n";
    let desk = Desk::with([T2, other, T2].join("\n"));
    let done = desk.soko("optimize levels.sok --levels 2-3 --objective moves -o out.sok --json --threads 1");
    let mut levels: Vec<_> = done.expect(0).json().iter().filter_map(|line| line["level"].as_u64()).collect();
    levels.dedup();
    assert_eq!(levels, [2, 3]);
    let out = desk.read("out.sok");
    // The first level is the third one.
    assert_eq!(out.matches("Solution/Moves 12/5").count(), 2);
    assert_holds(&out, &desk.read("levels.sok"));
    desk.soko("optimize levels.sok --levels 4").expect(2).says(&["level 4", "only 3 levels"]);
}

#[test]
fn several_inputs_are_joined_in_order() {
    let desk = Desk::with(T2);
    desk.write("more.sok", T2.replace("T2", "Second"));
    let done = desk.soko("optimize levels.sok more.sok -o out.sok --objective moves").expect(0);
    assert!(done.stdout.contains("1 level optimized, 1 improved, 1 left as found"), "{}", done.stdout);
    let out = desk.read("out.sok");
    assert!(out.contains("T2") && !out.contains("Second"), "{out}");
    assert_eq!(out.matches("Solution/Moves 12/5").count(), 1);
    desk.write("other.sok", "Other\n\n#####\n#@$.#\n#####\n");
    desk.soko("optimize levels.sok other.sok -o both.sok --objective moves").expect(0);
    let both = desk.read("both.sok");
    assert!(both.find("T2").unwrap() < both.find("Other").unwrap() && both.contains("\nR\n"), "{both}");
    desk.soko("optimize levels.sok more.sok --objective moves").expect(0);
    assert_eq!(
        desk.files(),
        ["both.sok", "levels.sok", "levels.soko.sok", "more.sok", "more.soko.sok", "other.sok", "out.sok"]
    );
    desk.write("mail.sok", T2.lines().map(|line| format!("> {line}\n")).collect::<String>());
    let done = desk.soko("optimize levels.sok mail.sok -o mixed.sok --objective moves").expect(0);
    assert!(done.stdout.contains("1 level optimized, 1 improved, 1 left as found"), "{}", done.stdout);
}

#[test]
fn dos_line_ends_and_latin_1_stay() {
    let mut text = T2.replace('\n', "\r\n").into_bytes();
    text.extend(b"Author: Andr\xe9\r\n");
    let desk = Desk::with(&text);
    desk.soko("optimize levels.sok -o out.sok").expect(0);
    let out = fs::read(desk.path("out.sok")).unwrap();
    assert!(out.windows(6).any(|bytes| bytes == b"Andr\xe9\r"));
    let n_bare = (1..out.len()).filter(|&at| out[at] == b'\n' && out[at - 1] != b'\r').count();
    assert_eq!(n_bare, 0);
    desk.soko("verify out.sok").expect(0);
}

/// One thread, one seed, no clock: the same run.
#[test]
fn a_run_can_be_repeated() {
    let desk = Desk::with(crate::cmd::hard_level());
    for name in ["a.sok", "b.sok"] {
        desk.soko(&format!("optimize levels.sok -o {name} --threads 1 --seed 7 --work 200000")).expect(0);
    }
    assert_eq!(desk.read("a.sok"), desk.read("b.sok"));
    assert_ne!(desk.read("a.sok"), desk.read("levels.sok"));
}

#[test]
fn both_stores_and_both_engines_find_the_same_here() {
    let desk = Desk::with(T2);
    desk.soko("optimize levels.sok -o hash.sok --store hash").expect(0);
    desk.soko("optimize levels.sok -o tree.sok --store tree --vicinity 5").expect(0);
    desk.soko("optimize levels.sok -o reference.sok --engine reference").expect(0);
    for name in ["hash.sok", "tree.sok", "reference.sok"] {
        let out = desk.read(name);
        assert!(out.contains("Solution/Moves 12/5/5/3/4/11") && out.contains("Solution/Pushes 14/3/3/2/3/11"), "{out}");
    }
}

/// Trap 6: a level that starts solved is played through, not declared done.
#[test]
fn trap_06_a_solved_start_still_needs_its_pushes() {
    let desk = Desk::with("Circle\n\n######\n# *@ #\n#    #\n######\n\nSolution\nrldlrlluRdrruL\n");
    desk.soko("optimize levels.sok -o out.sok").expect(0);
    assert!(desk.read("out.sok").contains("\nBest Solution 10/2/"), "{}", desk.read("out.sok"));
    desk.soko("verify out.sok").expect(0);
}

/// Trap 12: a sealed room is wall to the search and stays in the output as it was.
#[test]
fn trap_12_sealed_rooms_stay_in_the_output() {
    let text = "Sealed\n\n######\n# @$.#\n######\n# *  #\n######\n\nSolution\nlrR\n";
    let desk = Desk::with(text);
    desk.soko("optimize levels.sok -o out.sok").expect(0);
    let out = desk.read("out.sok");
    assert!(out.starts_with(text) && out.contains("\nBest Solution 1/1/1/1/1/1 (Soko)\nR\n"), "{out}");
}

/// Trap 18: more moves than 16 bits can count.
#[test]
fn trap_18_seventy_thousand_moves_are_read_and_cut() {
    let desk = Desk::with(format!("Snake\n\n#######\n#  @$.#\n#######\n\nSolution\n{}R\n", "lr".repeat(35_000)));
    let done = desk.soko("optimize levels.sok -o out.sok --json").expect(0);
    let lines = done.results();
    assert_eq!((&lines[0]["before"]["moves"], &lines[0]["after"]["moves"]), (&70_001.into(), &1.into()));
    desk.soko("verify out.sok").expect(0);
}
