//! The library: what goes in, what comes out, what runs take from it and put into it.

use std::fs;

use crate::cmd::{Desk, Done, T2, hard_level};

const LIBRARY: &str = "--library my.sqlite";
const BETTER: &str = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nSolution 14/3\ndrruurDullDrdL\n";

#[track_caller]
fn library(desk: &Desk, line: &str) -> Done {
    desk.soko(&format!("library {LIBRARY} {line}"))
}

#[test]
fn files_go_in_and_come_out_better() {
    let desk = Desk::with(T2);
    let done = library(&desk, "add levels.sok").expect(0);
    assert!(done.stdout.contains("1 level and 1 solution added"), "{}", done.stdout);
    desk.write("friend.sok", BETTER);
    let done = library(&desk, "add --only-solutions friend.sok").expect(0);
    assert!(done.stdout.contains("0 levels and 1 solution added, 1 level improved"), "{}", done.stdout);
    library(&desk, "export levels -o out.sok").expect(0);
    let out = desk.read("out.sok");
    assert!(out.starts_with(T2) && out.contains("Best Solution 14/3/"), "{out}");
    desk.soko("verify out.sok").expect(0);
    library(&desk, "export levels -o out.sok").expect(1).says(&["out.sok exists", "--force"]);
    library(&desk, "export levels -o out.sok --force").expect(0);
    library(&desk, "check").expect(0);
}

#[test]
fn only_what_improved_is_exported() {
    let desk = Desk::with(format!("{T2}\n{}", T2.replace("#@$ $#", "#@$$ #").replace("T2", "T3")));
    library(&desk, "add levels.sok").expect(1);
    // What came with the file has not improved.
    library(&desk, "export --improved -o none.sok").expect(0).says(&["no level has improved since"]);
    library(&desk, "export -o first/").expect(0);
    assert!(desk.read("first/levels.sok").contains("T2"));
    library(&desk, "export --improved -o none.sok").expect(0).says(&["no level has improved since"]);
    assert!(!desk.path("none.sok").exists());
    desk.write("friend.sok", BETTER);
    library(&desk, "add --only-solutions friend.sok").expect(0);
    library(&desk, "export --improved -o third.sok").expect(0);
    let third = desk.read("third.sok");
    assert!(third.contains("14/3") && !third.contains("T3"), "{third}");
}

#[test]
fn lists_say_what_is_known() {
    let desk = Desk::with(BETTER);
    library(&desk, "add levels.sok --name Small").expect(0);
    let list = library(&desk, "list --json").expect(0);
    let collection = &list.lines("collection")[0];
    assert_eq!((&collection["collection"], &collection["moves"]), (&"Small".into(), &14.into()));
    let levels = library(&desk, "list small --json").expect(0).lines("level");
    assert_eq!((&levels[0]["title"], &levels[0]["best_moves"]["pushes"]), (&"T2".into(), &3.into()));
    let id = levels[0]["id"].as_str().unwrap().to_owned();
    for name in [&id[..8], "small:1", "t2"] {
        let known = library(&desk, &format!("show {name} --json")).expect(0).lines("known");
        assert_eq!(known[0]["id"], id);
    }
    let shown = library(&desk, "show t2").expect(0).stdout;
    assert!(shown.contains("stands in Small:1 \"T2\"") && shown.contains("pushes: 3, proved"), "{shown}");
    assert!(library(&desk, "list --csv").expect(0).stdout.starts_with("collection,levels,solved"));
    assert!(library(&desk, "stats small").expect(0).stdout.contains("moves"));
    for (line, text) in [
        ("list smal", "is it 'Small'?"),
        ("list other", "has no collection 'other'"),
        ("show small:2", "has no level 2, only 1 level"),
        ("show nothing", "has no level 'nothing'"),
        ("show 000000", "has no level '000000'"),
    ] {
        library(&desk, line).expect(2).says(&[text]);
    }
}

#[test]
fn an_empty_library_says_so() {
    let desk = Desk::new();
    library(&desk, "list").expect(1).says(&["my.sqlite: there is no such file", "soko library add"]);
    desk.write("empty.sok", "");
    library(&desk, "add empty.sok").expect(1).says(&["empty.sok"]);
    assert!(library(&desk, "list").expect(0).stdout.contains("0 collections with 0 levels"));
    library(&desk, "export -o out.sok").expect(0).says(&["there is no level; no file was written"]);
}

#[test]
fn runs_start_from_the_library_and_put_back_what_they_find() {
    let desk = Desk::with(T2);
    library(&desk, "add levels.sok").expect(0);
    desk.soko(&format!("optimize levels.sok --time 5s {LIBRARY} --no-output --quiet")).expect(0);
    let levels = library(&desk, "list levels --json").expect(0).lines("level");
    assert_eq!((&levels[0]["best_moves"]["moves"], &levels[0]["best_pushes"]["pushes"]), (&12.into(), &3.into()));
    assert_eq!((&levels[0]["least_moves"], &levels[0]["least_pushes"]), (&12.into(), &3.into()));
    let known = library(&desk, "show t2 --json").expect(0).lines("known").remove(0);
    assert!(known["work"].as_array().unwrap().iter().any(|work| work["purpose"] == "moves"), "{known}");
    let is_ours = |solution: &serde_json::Value| solution["program"] == "Soko" && solution["method"].is_string();
    assert!(known["solutions"].as_array().unwrap().iter().any(is_ours), "{known}");
    // The next run finds everything proved, and its file has what the library knew.
    let done = desk.soko(&format!("optimize levels.sok --time 5s {LIBRARY} --json -o out.sok")).expect(0);
    assert!(done.results().iter().all(|result| result["ended_by"] == "proved before"), "{}", done.stdout);
    let out = desk.read("out.sok");
    assert!(out.contains("12/5") && out.contains("14/3"), "{out}");
    // Without a library it is as if there were none.
    let done = desk.soko("optimize levels.sok --no-library --json --time 5s").expect(0);
    assert!(done.results().iter().any(|result| result["before"]["moves"] == 16), "{}", done.stdout);
}

#[test]
fn a_run_continues_where_an_earlier_one_ended() {
    let desk = Desk::with(hard_level());
    let run = format!("optimize levels.sok --objective moves --work 400000 --threads 1 --no-output --json {LIBRARY}");
    let first = desk.soko(&run).expect(0).results().remove(0);
    let show = format!("show {} --json", first_id(&desk));
    let work = |desk: &Desk| library(desk, &show).expect(0).lines("known").remove(0)["work"][0].clone();
    assert_eq!((&work(&desk)["runs"], &work(&desk)["resumes"]), (&1.into(), &true.into()));
    let second = desk.soko(&run).expect(0).results().remove(0);
    assert_eq!(second["before"], first["after"], "{second}");
    assert_eq!((&work(&desk)["runs"], &work(&desk)["resumes"]), (&2.into(), &true.into()));
    // The same work in one run gives as good a solution, or nearly so: the second run resumes.
    let whole = run.replace("400000", "800000").replace(LIBRARY, "--no-library");
    let whole = desk.soko(&whole).expect(0).results().remove(0);
    let moves = |result: &serde_json::Value| result["after"]["moves"].as_f64().unwrap();
    assert!(moves(&second) <= 1.1 * moves(&whole), "{second}\n{whole}");
}

#[test]
fn what_is_solved_goes_into_the_library() {
    let desk = Desk::with(T2.split("Solution").next().unwrap());
    desk.soko(&format!("solve levels.sok --time 10s {LIBRARY} --quiet")).expect(0);
    let summary = library(&desk, "list --json").expect(0).summary();
    assert_eq!((&summary["levels"], &summary["solved"], &summary["collections"]), (&1.into(), &1.into(), &0.into()));
    assert!(library(&desk, "list").expect(0).stdout.contains("(1 in none)"));
}

/// The identity of the only level.
fn first_id(desk: &Desk) -> String {
    let info = desk.soko("info levels.sok --json").expect(0);
    info.lines("info")[0]["id"].as_str().unwrap()[..12].to_owned()
}

#[test]
fn images_are_found_and_solutions_carried_over() {
    let mirrored = "Mirror\n\n######\n#   ##\n#$ $@#\n#.  .#\n######\n";
    let desk = Desk::with(format!("{BETTER}\n{mirrored}"));
    library(&desk, "add levels.sok").expect(0);
    let done = library(&desk, "relatives").expect(0);
    assert!(done.stdout.contains("1 pair of levels are images of each other"), "{}", done.stdout);
    assert_eq!(library(&desk, "list --json").expect(0).summary()["solved"], 1);
    let done = library(&desk, "relatives --carry").expect(0);
    assert!(done.stdout.contains("1 solution carried over"), "{}", done.stdout);
    assert_eq!(library(&desk, "list --json").expect(0).summary()["solved"], 2);
    library(&desk, "check").expect(0);
}

#[test]
fn forgetting_asks_first() {
    let desk = Desk::with(T2);
    library(&desk, "add levels.sok").expect(0);
    library(&desk, "forget levels").expect(0).says(&["nothing was changed; add --yes"]);
    assert_eq!(library(&desk, "list --json").expect(0).summary()["collections"], 1);
    library(&desk, "forget levels --yes").expect(0);
    assert_eq!(library(&desk, "list --json").expect(0).summary()["collections"], 0);
    library(&desk, &format!("forget --yes --level {}", first_id(&desk))).expect(0);
    assert_eq!(library(&desk, "list --json").expect(0).summary()["levels"], 0);
    library(&desk, "compact").expect(0);
}

#[test]
fn a_damaged_library_is_repaired() {
    let desk = Desk::with(BETTER);
    library(&desk, "add levels.sok").expect(0);
    library(&desk, "check --repair").expect(0);
    library(&desk, "compact").expect(0);
    // The last page has the solution or its index.
    let mut bytes = fs::read(desk.path("my.sqlite")).unwrap();
    let n = bytes.len();
    bytes[n - 4096..].fill(0xA5);
    desk.write("my.sqlite", &bytes);
    library(&desk, "check").expect(1).says(&["error"]);
    let done = library(&desk, "check --repair").expect(0);
    done.says(&["the damaged library is now", "my.sqlite.damaged"]);
    library(&desk, "check").expect(0);
}

#[test]
fn what_is_no_library_is_left_alone() {
    let desk = Desk::with(T2);
    desk.write("my.sqlite", T2.repeat(40));
    library(&desk, "add levels.sok").expect(1).says(&["my.sqlite: it is not a database; choose another file"]);
    let done = desk.soko(&format!("optimize levels.sok {LIBRARY}")).expect(1);
    done.says(&["it is not a database"]);
    assert_eq!(desk.read("my.sqlite"), T2.repeat(40));
}
