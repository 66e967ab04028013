//! What a level does not take is kept with a copy of the level, and found there by later runs.

use std::fs;

use crate::cmd::{Desk, T2, testdata};

const FIRST: &str = "######\n#@$ .#\n######\n";
const OTHER: &str = "######\n#. $@#\n######\n";

/// Two levels, the first of which takes nothing: no line can be put between those that belong to both boards.
fn shared_paragraph() -> String {
    format!("Title: A\n{FIRST}2-|3-\nTitle: B\n{OTHER}Level 3: the maze")
}

/// A level with 16/3, and a game that is just too long for a file of this length: any text more would make it readable.
fn full_file() -> String {
    const MAX_MOVES: usize = 64 << 20;
    let head = format!("{T2}\nSolution\n671(99999R)");
    let rest = MAX_MOVES - 671 * 99_999 + head.len() + 20;
    format!("{head}{rest}R\n")
}

#[test]
fn a_copy_of_the_level_takes_what_the_level_does_not() {
    let text = shared_paragraph();
    let desk = Desk::with(&text);
    let done = desk.soko("solve levels.sok -o out.sok").expect(0);
    let done = done.says(&["levels.sok:2: level 1 \"A\"", "in out.sok", "below level 3 there"]);
    assert!(done.stdout.contains("Saved in out.sok"), "{}", done.stdout);
    let out = desk.read("out.sok");
    assert!(out.starts_with(&text) && out.matches("Solver: Soko").count() == 2, "{out}");
    assert!(out.contains(&format!("{FIRST}Title: A\n")), "{out}");
    desk.soko("verify out.sok").expect(0);
    // Another day all that is new is the proof.
    let done = desk.soko("optimize levels.sok --into out.sok").expect(0);
    assert!(!done.stderr.contains("level 1 \"A\": nothing"), "{}", done.stderr);
    let proved = desk.read("out.sok");
    let is_proof = |line: &&str| line.starts_with("Proved: ");
    assert!(proved.lines().filter(|line| !is_proof(line)).eq(out.lines()), "{proved}");
    assert_eq!(proved.lines().filter(is_proof).count(), 4, "{proved}");
    desk.soko("optimize out.sok --recheck --into out.sok").expect(1).says(&["out.sok is an input"]);
    for line in
        ["solve levels.sok --into out.sok", "optimize levels.sok --into out.sok", "merge levels.sok --into out.sok"]
    {
        let done = desk.soko(line).expect(0);
        assert!(!done.stderr.contains("nothing can be added"), "{}", done.stderr);
        assert_eq!(desk.read("out.sok"), proved, "{line}");
    }
    assert_eq!(desk.files(), ["levels.sok", "out.sok"]);
}

/// Of the same level twice, the second takes what the first one does not.
#[test]
fn no_copy_is_made_where_there_is_one() {
    let text = fs::read_to_string(testdata("fuzz-corpus/level/shared-paragraph.sok")).unwrap();
    let desk = Desk::with(&text);
    let done = desk.soko("solve levels.sok").expect(0);
    done.says(&["levels.sok:2: level 1 \"A\"", "in levels.soko.sok", "below level 2 there"]);
    let out = desk.read("levels.soko.sok");
    assert!(out.starts_with(&text) && out.matches("Solver: Soko").count() == 1, "{out}");
}

/// A solution from a file of its own, or from a friend, is no less worth.
#[test]
fn merging_loses_nothing() {
    let desk = Desk::with(shared_paragraph());
    desk.write("friend.sok", format!("{FIRST}\nSolution\nRR\n"));
    let done = desk.soko("merge levels.sok friend.sok -o out.sok").expect(0);
    done.says(&["friend.sok:1: level 1: nothing can be added", "in out.sok", "below level 3 there"]);
    assert!(desk.read("out.sok").ends_with("RR\n"), "{}", desk.read("out.sok"));
    let done = desk.soko("merge friend.sok --into out.sok").expect(0);
    assert_eq!(done.stderr, "");
}

#[test]
fn another_file_takes_what_the_file_does_not() {
    let text = full_file();
    let desk = Desk::with(&text);
    // The game that cannot be read makes it 1.
    let done = desk.soko("optimize levels.sok --objective moves").expect(1);
    let done = done.says(&["levels.sok:3: level 1 \"T2\"", "what is new for it is in levels.soko.refused.sok"]);
    assert!(done.stdout.contains("Saved in levels.soko.refused.sok"), "{}", done.stdout);
    let refused = desk.read("levels.soko.refused.sok");
    let holds = ["Title: T2", "16/3", "12/5", "14/3", "Proved: best by moves"];
    assert!(holds.iter().all(|text| refused.contains(text)), "{refused}");
    desk.soko("verify levels.soko.refused.sok").expect(0);
    // Another day it is known, it is no input by itself, and a proof goes there, too.
    let done = desk.soko("optimize .").expect(1);
    assert!(done.stdout.contains("1 level optimized") && done.stdout.contains("proved before"), "{}", done.stdout);
    assert!(!done.stderr.contains("nothing can be added"), "{}", done.stderr);
    let proved = desk.read("levels.soko.refused.sok");
    assert_eq!(proved.lines().filter(|line| !refused.contains(*line)).count(), 1, "{proved}");
    assert!(proved.contains("Proved: best by pushes"), "{proved}");
    assert_eq!(desk.files(), ["levels.sok", "levels.soko.refused.sok"]);
    assert_eq!(desk.read("levels.sok"), text);
}
