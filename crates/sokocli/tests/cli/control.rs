//! What may change and when a search ends: ranges, intervals, frozen boxes, kept ends, snapshots, the first gain.

use sokocore::{Level, Lurd, Push, pushes_of, replay};

use crate::cmd::{Desk, T2, testdata};

const CORRIDOR: &str = "Corridor\n\n########\n#      #\n#@$  . #\n#      #\n########\n\nSolution\nudRudRudR\n";

/// The results' moves, in order.
fn solutions(desk: &Desk, options: &str) -> Vec<String> {
    let results = desk.soko(&format!("optimize levels.sok --json --time 20s {options}")).expect(0).results();
    results.iter().map(|line| line["solution"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn only_the_range_changes() {
    let desk = Desk::with(CORRIDOR);
    let moves = |options: &str| solutions(&desk, &format!("--objective moves {options}")).remove(0);
    assert_eq!(moves("--pushes 1..2"), "udRRudR");
    assert_eq!(moves("--pushes ..2"), "RRudR");
    assert_eq!(moves("--pushes 2.."), "udRudRR");
    assert_eq!(moves("--interval 2"), "RRR");
    assert_eq!(moves("--interval 2,0 --pushes 1..3"), "udRRR");
    desk.soko("optimize levels.sok --pushes 50..").expect(2).says(&["the solution has 3 pushes"]);
}

/// The moves of all games of a file.
fn games(desk: &Desk) -> Vec<String> {
    let lines = desk.soko("verify levels.sok --json").expect(0).lines("game");
    lines.iter().map(|line| line["moves"].as_str().unwrap().to_owned()).collect()
}

/// On a real solution: the pushes before and after the range are the same ones, and something in it gets shorter.
#[test]
fn prefix_and_suffix_of_a_bundled_level_stay() {
    let desk = Desk::with(std::fs::read_to_string(testdata("first.sok")).unwrap());
    let options = "--levels 3 --objective moves --pushes 20..40 --interval 10";
    let lines = desk.soko(&format!("optimize levels.sok --json --work 3000000 {options}")).expect(0).results();
    let line = &lines[0];
    assert_eq!((&line["improved"], &line["proved"]), (&true.into(), &false.into()));
    let rows = "############\n#     #    #\n# $ $      #\n#     # $  #\n#  $  #  $ #\n### ##### ##\n#...    @ #\n#..   #####\n#######";
    let level = Level::parse(rows).unwrap();
    let pushes = |moves: &str| -> Vec<Push> { pushes_of(&level, &moves.parse::<Lurd>().unwrap()) };
    let new = pushes(line["solution"].as_str().unwrap());
    let old = pushes(&games(&desk)[2]);
    assert_eq!((old.len(), &old[..20]), (58, &new[..20]));
    assert_eq!(old[40..], new[new.len() - 18..]);
    assert!(replay(&level, &line["solution"].as_str().unwrap().parse().unwrap()).is_ok());
}

#[test]
fn frozen_boxes_are_walls() {
    let rows = "##########\n#@  *  . #\n#  $ ##  #\n#        #\n#        #\n##########";
    let desk = Desk::with(format!("Two\n\n{rows}\n\nSolution\ndurrDldRRRRdrUU\n"));
    let pushes = |options: &str| {
        let level = Level::parse(rows).unwrap();
        let moves = solutions(&desk, &format!("--objective pushes {options}")).remove(0);
        replay(&level, &moves.parse().unwrap()).unwrap().metrics().pushes
    };
    assert_eq!(pushes(""), 5);
    assert_eq!(pushes("--freeze"), 7);
}

#[test]
fn the_end_is_kept() {
    let desk = Desk::with("Pair\n\n#######\n#     #\n#.$@$.#\n#######\n\nSolution\nududLrR\n");
    assert_eq!(solutions(&desk, "--keep-end"), ["LrR", "LrR"]);
    assert_eq!(solutions(&desk, "--keep-end --engine reference"), ["LrR", "LrR"]);
}

/// The given solution steps up and down, never to the lower row.
#[test]
fn squares_are_avoided() {
    let desk = Desk::with(CORRIDOR);
    assert_eq!(solutions(&desk, "--objective moves --avoid 2,4"), ["RRR"]);
    let lines = desk.soko("optimize levels.sok --json --time 5s --avoid 2,2").expect(0).json();
    assert!(lines.iter().any(|line| line.to_string().contains("keeps off")), "{lines:?}");
    let lines = desk.soko("optimize levels.sok --json --time 5s --avoid 6,3").expect(0).json();
    assert!(lines.iter().any(|line| line.to_string().contains("goal")), "{lines:?}");
    desk.soko("optimize levels.sok --avoid 0,3").expect(2);
}

#[test]
fn endings_are_told_apart() {
    let desk = Desk::with(T2);
    let line = |options: &str| {
        desk.soko(&format!("optimize levels.sok --json --objective moves {options}")).expect(0).results().remove(0)
    };
    let proved = line("");
    assert_eq!((&proved["ended_by"], &proved["proved"]), (&"proved optimal".into(), &true.into()));
    let first = line("--first");
    assert_eq!(
        (&first["ended_by"], &first["proved"], &first["improved"]),
        (&"first gain".into(), &false.into(), &true.into())
    );
    assert!(first["work"].as_u64() < proved["work"].as_u64());
    let scope = line("--pushes 0..2");
    assert_eq!((&scope["ended_by"], &scope["proved"]), (&"nothing left to try".into(), &false.into()));
    let table = desk.soko("optimize levels.sok").expect(0);
    assert!(table.stdout.contains("proved optimal"), "{}", table.stdout);
}

#[test]
fn several_solutions_are_relinked_unless_told() {
    let desk = Desk::with(format!("{T2}\nSolution\nduRurrDLulDrdL\n"));
    for options in ["", "--no-relink"] {
        let lines = desk.soko(&format!("optimize levels.sok --json {options}")).expect(0).results();
        assert_eq!(lines[0]["before"]["moves"], 14);
        assert_eq!(lines[0]["after"]["moves"], 12);
    }
}

/// Traps 6 and 7: a snapshot ends in its exact state, player included, however much shorter it gets.
#[test]
fn trap_07_snapshots_end_in_their_exact_state() {
    let rows = "########\n#      #\n#@$  . #\n#      #\n########";
    let desk = Desk::with(format!("Room\n\n{rows}\n\nSnapshot 9/2\nududRudRuldru\n\nAnother\n"));
    desk.soko("optimize levels.sok -o out.sok --no-solve").expect(0);
    assert_eq!(desk.read("out.sok"), desk.read("levels.sok"), "without the option nothing happens");
    desk.soko("optimize levels.sok -o out.sok --force --snapshots").expect(0);
    let out = desk.read("out.sok");
    assert!(out.contains("\nSnapshot 9/2\nududRudRuldru\n"), "{out}");
    assert!(out.contains("\nSnapshot 3/2/1/1/1/2 (Soko moves)\nRRu\n"), "{out}");
    assert!(!out.contains("draft") && !out.contains("Solution"), "{out}");
    desk.soko("verify out.sok").expect(0);
}

/// Trap 6: a snapshot that stood at its last boxes before is told and left.
#[test]
fn trap_06_a_snapshot_that_passes_its_end_is_left() {
    let rows = "#########\n#       #\n# @$   .#\n#       #\n#########";
    let desk = Desk::with(format!("Room\n\n{rows}\n\nSnapshot\nRRurrdL\n"));
    let done = desk.soko("optimize levels.sok -o out.sok --snapshots").expect(0);
    assert!(done.stderr.contains("after push 1 already"), "{}", done.stderr);
}

#[test]
fn wrong_ranges_are_usage_errors() {
    let desk = Desk::with(T2);
    desk.soko("optimize levels.sok --pushes 5..2").expect(2).says(&["100..400"]);
    desk.soko("optimize levels.sok --interval 5,5").expect(2).says(&["100,50"]);
}
