//! Where levels are read from and where results go: folders, pipes, growing files, no file at all.

use std::fs;

use crate::cmd::{Desk, T2};

const T2_BARE: &str = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n";
const STEP: &str = "Step\n\n#####\n#@$.#\n#####\n";
const FEW_MOVES: &str = "RurrDLulDrdL";
const FEW_PUSHES: &str = "drruurDullDrdL";

/// A file that is put together of texts with a blank line between them.
fn file(parts: &[&str]) -> String {
    parts.join("\n")
}

#[test]
fn a_growing_file_is_made_and_then_improved() {
    let desk = Desk::with(file(&[T2, STEP]));
    desk.soko("solve levels.sok --into best.sok").expect(0);
    assert_eq!(desk.soko("verify best.sok").expect(0).stdout.matches("right").count(), 3, "{}", desk.read("best.sok"));
    desk.soko("optimize levels.sok --into best.sok").expect(0);
    let best = desk.read("best.sok");
    assert!(best.contains("Solution/Moves 12/5") && best.contains("Solution/Pushes 14/3"), "{best}");
    // Another day: nothing is lost, nothing is added twice.
    desk.soko("optimize levels.sok --into best.sok").expect(0);
    assert_eq!(desk.read("best.sok"), best);
    assert_eq!(desk.files(), ["best.sok", "levels.sok"]);
}

/// The level of a friend has other floor letters and margins, and another name.
#[test]
fn friends_files_go_into_one_by_identity() {
    let desk = Desk::new();
    let turned = T2_BARE.replace("T2", "My second").replace(' ', "-");
    desk.write("mine.sok", file(&[T2_BARE, "Solution\n", FEW_PUSHES, "\n", STEP]));
    desk.write(
        "friend.sok",
        file(&[&turned, "Solution 12/5 (YASO)\n", FEW_MOVES, "Note of a friend\n"]).replace("--second", " second"),
    );
    desk.write("new.sok", "New\n\n######\n#@$ .#\n######\n");
    let done = desk.soko("merge mine.sok friend.sok new.sok -o all.sok").expect(0);
    assert!(done.stdout.contains("4 levels read; 3 levels with 2 solutions in all.sok"), "{}", done.stdout);
    let all = desk.read("all.sok");
    assert!(all.starts_with("T2\n") && all.contains("YASO") && all.contains("New\n"), "{all}");
    let rows = desk.soko("info all.sok --csv").expect(0).stdout;
    assert_eq!(rows.lines().count(), 4, "{rows}");
    // Into itself nothing more goes.
    desk.soko("merge friend.sok mine.sok new.sok --into all.sok").expect(0);
    assert_eq!(desk.read("all.sok"), all);
}

#[test]
fn solutions_that_are_worse_in_everything_are_not_added_unless_told() {
    let desk = Desk::with(T2.replace(
        "Solution 16/3\ndudrruurDullDrdL",
        &format!("Solution 12/5\n{FEW_MOVES}\n\nSolution 14/3\n{FEW_PUSHES}"),
    ));
    desk.write("worse.sok", T2);
    desk.soko("merge worse.sok --into levels.soko.sok").expect(0);
    desk.soko("merge levels.sok worse.sok -o best.sok").expect(0);
    assert_eq!(desk.read("best.sok").matches("olution").count(), 2, "{}", desk.read("best.sok"));
    desk.soko("merge levels.sok worse.sok --all -o all.sok").expect(0);
    assert_eq!(desk.read("all.sok").matches("olution").count(), 3, "{}", desk.read("all.sok"));
}

/// Review A6: the file has 12/5 and 14/3, so nothing that is solved anew is of use.
#[test]
fn solve_adds_nothing_worse_than_what_is_there() {
    let text = format!("{T2_BARE}\nSolution 12/5\n{FEW_MOVES}\n\nSolution 14/3\n{FEW_PUSHES}\n");
    let desk = Desk::with(&text);
    desk.soko("solve levels.sok -o out.sok").expect(0);
    let n_solutions = desk.read("out.sok").matches("olution").count();
    assert_eq!(n_solutions, 2, "{}", desk.read("out.sok"));
}

/// Review A7: day two does not take the output of day one for another input.
#[test]
fn results_beside_the_input_are_recognized() {
    let desk = Desk::with(T2);
    desk.soko("optimize levels.sok --objective pushes").expect(0);
    assert!(desk.read("levels.soko.sok").contains("14/3"));
    let done = desk.soko("optimize levels.sok levels.soko.sok --objective moves").expect(0);
    assert!(done.stdout.contains("1 level optimized"), "{}", done.stdout);
    assert_eq!(desk.files(), ["levels.sok", "levels.soko.sok"]);
    let results = desk.read("levels.soko.sok");
    assert!(results.contains("14/3") && results.contains("12/5"), "{results}");
    // Given alone, the file of results grows in its place.
    desk.soko("optimize levels.soko.sok --objective boxlines").expect(0);
    assert_eq!(desk.files(), ["levels.sok", "levels.soko.sok"]);
    desk.soko("verify levels.soko.sok").expect(0);
}

/// Review A4: what is replaced is said.
#[test]
fn force_says_what_it_replaces() {
    let desk = Desk::with(T2);
    desk.soko("optimize levels.sok -o best.sok").expect(0);
    let done = desk.soko("optimize levels.sok -o best.sok --force --time 1ms").expect(0);
    done.says(&["best.sok is replaced; it held 1 level and 3 solutions"]);
    desk.soko("optimize levels.sok -o best.sok").expect(1).says(&["best.sok exists", "--into", "--force"]);
}

#[test]
fn folders_are_read_and_mirrored() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("set/deep")).unwrap();
    desk.write("set/b.sok", T2);
    desk.write("set/a.xsb", STEP);
    desk.write("set/deep/c.txt", T2_BARE.replace("T2", "Again"));
    desk.write("set/notes.txt", "Nothing but words.\n");
    let done = desk.soko("solve set -o out").expect(0);
    assert!(done.stdout.contains("2 of 2 levels solved, 1 there twice"), "{}", done.stdout);
    for name in ["out/a.sok", "out/b.sok", "out/deep/c.sok"] {
        assert!(desk.read(name).contains("Solver: Soko"), "{name}: {}", desk.read(name));
    }
    desk.soko("solve set -o out").expect(1).says(&["exists", "--into"]);
    desk.soko("optimize set --into out").expect(0);
    assert!(desk.read("out/deep/c.sok").contains("Solution/Moves 12/5"), "{}", desk.read("out/deep/c.sok"));
    desk.soko("verify out").expect(0);
    assert!(desk.soko("info set").expect(0).stdout.contains("Again"));
}

/// Review A8.
#[test]
fn pipes_and_no_file() {
    let desk = Desk::with(T2);
    let done = desk.pipe("solve - -o -", T2_BARE).expect(0);
    assert!(done.stdout.starts_with(T2_BARE) && done.stdout.contains("\nSolution "), "{}", done.stdout);
    assert!(done.stderr.contains("1 of 1 level solved"), "{}", done.stderr);
    let lines = desk.pipe("solve - --json", T2_BARE).expect(0).json();
    assert_eq!(lines[1]["result"], "solved");
    desk.soko("optimize levels.sok --json").expect(0);
    desk.soko("optimize levels.sok --no-output").expect(0);
    desk.pipe("solve -", T2_BARE).expect(0).says(&["-o FILE"]);
    desk.pipe("verify -", T2).expect(0);
    #[cfg(unix)]
    {
        desk.soko("solve levels.sok -o /dev/null").expect(0);
        desk.pipe("solve /dev/stdin", T2_BARE).expect(0);
    }
    assert_eq!(desk.files(), ["levels.sok"]);
    desk.soko("solve levels.sok -o - --json").expect(2).says(&["choose one"]);
    desk.soko("solve levels.sok -o a.sok --into b.sok").expect(2);
}

/// Review A3.
#[test]
fn one_bad_file_stops_nothing_else() {
    let desk = Desk::with(T2);
    desk.write("empty.sok", "");
    desk.write("picture.png", b"\x89PNG\r\n\x1a\n....");
    let done = desk.soko("solve levels.sok empty.sok gone.sok picture.png -o out.sok").expect(1);
    let done = done.says(&["empty.sok", "gone.sok", "picture.png", "PNG"]);
    assert!(done.stdout.contains("1 of 1 level solved"), "{}", done.stdout);
    assert!(desk.soko("info gone.sok levels.sok").expect(1).stdout.contains("T2"));
    assert!(desk.soko("verify gone.sok levels.sok").expect(1).stdout.contains("right"));
}

/// A file of moves goes with the level that it solves.
#[test]
fn moves_in_a_file_of_their_own() {
    let desk = Desk::with(file(&[STEP, T2_BARE]));
    desk.write("game.lurd", FEW_MOVES);
    let done = desk.soko("verify levels.sok game.lurd").expect(0);
    assert!(done.stdout.contains("12") && done.stdout.contains("game.lurd"), "{}", done.stdout);
    desk.soko("optimize levels.sok game.lurd --levels 2 --no-solve -o out.sok").expect(0);
    assert!(desk.read("out.sok").contains("14/3"), "{}", desk.read("out.sok"));
    desk.write("other.lurd", "lrlrRRRR");
    desk.soko("verify levels.sok other.lurd").expect(1).says(&["other.lurd", "none of the 2 levels"]);
    desk.soko("verify game.lurd").expect(1).says(&["name the file of the level"]);
}

#[test]
fn formats_are_read_and_sok_is_written() {
    let desk = Desk::new();
    let slc = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<SokobanLevels>\n<Title>Set</Title>\n<LevelCollection>\n\
               <Level Id=\"T2\" Width=\"6\" Height=\"5\">\n<L>######</L>\n<L>##   #</L>\n<L>#@$ $#</L>\n<L>#.  .#</L>\n\
               <L>######</L>\n</Level>\n</LevelCollection>\n</SokobanLevels>\n";
    desk.write("set.slc", slc);
    desk.soko("solve set.slc").expect(0);
    assert_eq!(desk.files(), ["set.slc", "set.soko.sok"]);
    assert!(desk.read("set.soko.sok").contains("T2\n"), "{}", desk.read("set.soko.sok"));
    assert_eq!(desk.read("set.slc"), slc);
    desk.soko("verify set.soko.sok").expect(0);
    desk.soko("merge set.soko.sok --into set.slc").expect(1).says(&["set.slc", "is no .sok file"]);
}

/// Review A2: the solution of level 1 stands below level 1, in the layouts that circulate most.
#[test]
fn solutions_land_below_their_own_level() {
    for text in [
        "; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n######\n#@ $.#\n######\n",
        "; 0\n#####\n#@$.#\n#####\n\n; 1\n######\n#@ $.#\n######\n",
        "#####\n#@$.#\n#####\n; 1\n\n######\n#@ $.#\n######\n; 2\n",
    ] {
        let desk = Desk::with(text);
        desk.soko("solve levels.sok -o out.sok").expect(0);
        let out = desk.read("out.sok");
        let info = desk.soko("info levels.sok out.sok --json").expect(0).json();
        let titles: Vec<_> = info.iter().filter_map(|line| line["title"].as_str()).collect();
        assert_eq!(titles[..2], titles[2..], "{out}");
        assert!(titles.len() == 4 && titles[0] != titles[1], "{titles:?}");
        let (solution, second) = (out.find("Solution").unwrap(), out.find("######").unwrap());
        assert!(solution < second, "{out}");
        let heading = out[..second].rfind(';').unwrap();
        assert!(text.starts_with('#') || solution < heading, "{out}");
    }
}

/// Two runs on one file exclude each other.
#[test]
fn a_file_that_another_run_writes_is_left_alone() {
    let desk = Desk::with(crate::cmd::hard_level());
    let mut child = desk.start("optimize levels.sok --into best.sok --time 10m --threads 1");
    let clock = sokosearch::Clock::start();
    while !desk.path("best.sok").exists() && clock.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    desk.write("other.sok", T2);
    let done = desk.soko("optimize other.sok --into best.sok --time 1s");
    child.kill().unwrap();
    child.wait().unwrap();
    done.expect(1).says(&["best.sok", "another"]);
    // The lock of a run that was killed is no lock.
    desk.soko("optimize other.sok --into best.sok --time 1s").expect(0);
}
