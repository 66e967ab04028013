//! The JSON lines of all commands: they keep to their schemas, and mean what these say.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cmd::{Desk, Done, T2, hard_level};
use crate::schema::Schema;

/// One level of each kind that a command may meet.
const KINDS: &str = "\
Two boxes\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nSolution 16/3\ndudrruurDullDrdL\n\nSnapshot\nurdr\n\n\
Two players\n\n######\n#@$ .#\n#  @ #\n######\n\n\
Too many boxes\n\n######\n#@$$.#\n######\n\n\
In the corner\n\n######\n#$@ .#\n######\n\n\
In the way\n\n#########\n#@$ . $.#\n#########\n\n\
Done\n\n#####\n#@ *#\n#####\n\n\
Done, and no push\n\n####\n#@*#\n####\n\n\
The same\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\n\
Wrong\n\n#######\n#@ $ .#\n#######\n\nSolution\nrrl\n\nSolution\nLRrrr\n";

/// A further file; its first level stands on line 3, its second on line 9.
const MORE: &str = "First\n\n#####\n#@$.#\n#####\n\nSecond\n\n######\n#@$ .#\n######\n";

fn desk() -> Desk {
    let desk = Desk::with(KINDS);
    desk.write("more.sok", MORE);
    desk
}

/// Runs a command, and returns its lines after a look whether they keep to its schema.
#[track_caller]
fn lines(desk: &Desk, line: &str, code: i32) -> Vec<Value> {
    checked(line, &desk.soko(line).expect(code))
}

#[track_caller]
fn checked(line: &str, done: &Done) -> Vec<Value> {
    let schema = Schema::of(line.split(' ').next().unwrap());
    let lines = done.json();
    for json in &lines {
        schema.check(json).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let run = &lines[0];
    let first = (&run["type"], &run["schema"], &run["program"], &run["version"]);
    assert_eq!(first, (&"run".into(), &1.into(), &"soko".into(), &env!("CARGO_PKG_VERSION").into()), "{line}");
    assert_eq!(run["command"], line.split(' ').next().unwrap());
    assert!(run["settings"].is_object() && run["seed"].is_u64() == line.starts_with("optimize"), "{run}");
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], &last["exit_code"]), (&"summary".into(), &done.code.into()), "{line}");
    assert!(lines[1..lines.len() - 1].iter().all(|line| line["type"] != "run" && line["type"] != "summary"), "{line}");
    lines
}

/// The lines of one type.
fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

/// The line of a type about a level.
#[track_caller]
fn about<'a>(lines: &'a [Value], kind: &str, title: &str) -> &'a Value {
    let found = of_type(lines, kind).into_iter().find(|line| line["title"] == title);
    found.unwrap_or_else(|| panic!("no {kind} about {title} in {lines:#?}"))
}

#[test]
fn every_line_of_every_command_keeps_to_its_schema() {
    let desk = desk();
    desk.write("hard.sok", hard_level());
    for line in [
        "solve levels.sok more.sok --json --time 5s",
        "solve levels.sok more.sok --json --time 5s --optimal moves --recheck --threads 1",
        "solve levels.sok --json --unsolved --raw --algorithm bfs --direction both --without triples --with goal-cuts",
        "solve levels.sok more.sok --json --total-time 2s --levels 1-3,5- --jobs 2 --unordered",
        "optimize levels.sok more.sok --json --time 5s --snapshots",
        "optimize levels.sok more.sok --json --no-solve --objective boxlines/moves --seed 7 --work 10000 --threads 1",
        "optimize levels.sok --json --time 1s --pushes 1.. --interval 2,1 --freeze --keep-end --avoid 5,2 --first",
        "merge levels.sok more.sok --json -o merged.sok",
        "verify levels.sok more.sok --json",
        "info levels.sok more.sok --json",
        "show levels.sok more.sok --json",
        "analyze levels.sok more.sok --json --time 5s",
    ] {
        // The bad board is an error, but not for those who only copy it.
        let code = i32::from(!line.starts_with("merge"));
        lines(&desk, line, code);
    }
    for line in ["solve hard.sok --json --time 100ms", "optimize hard.sok --json --time 300ms --no-solve"] {
        lines(&desk, line, 0);
    }
    lines(&desk, "analyze hard.sok --json --time 300ms --title hard --memory 64MiB --threads 1", 0);
}

#[test]
fn a_run_line_says_how_to_repeat_the_run() {
    let desk = desk();
    let line =
        "optimize more.sok levels.sok --json --levels 1 --seed 7 --work 10000 --threads 1 --pushes 0.. --avoid 3,1";
    let run = lines(&desk, line, 0).swap_remove(0);
    assert_eq!(
        (&run["files"], &run["levels"], &run["seed"]),
        (&json!(["more.sok", "levels.sok"]), &json!(11), &json!(7))
    );
    let settings = &run["settings"];
    assert_eq!(settings["objectives"], json!(["moves", "pushes"]));
    assert_eq!((&settings["select_levels"], &settings["pushes"]), (&json!("1"), &json!("0..")));
    assert_eq!((&settings["avoid"], &settings["threads"]), (&json!([[1, 3]]), &json!(1)));
    assert_eq!((&settings["work_per_search"], &settings["seconds_per_level"]), (&json!(10000), &Value::Null));
    let run = lines(&desk, "solve more.sok --json --title SECOND --optimal pushes/moves", 0).swap_remove(0);
    let settings = &run["settings"];
    assert_eq!((&settings["select_titles"], &settings["optimal"]), (&json!(["second"]), &json!("pushes/moves")));
}

#[test]
fn levels_are_named_by_file_number_and_line() {
    let desk = desk();
    for command in ["solve --time 5s", "optimize --time 5s", "verify", "info", "show", "analyze"] {
        let (name, options) = command.split_once(' ').unwrap_or((command, ""));
        let lines = lines(&desk, &format!("{name} levels.sok more.sok --json {options}"), 1);
        let is_second = |line: &&Value| line["file"] == "more.sok" && line["number_in_file"] == 2;
        for second in lines.iter().filter(is_second) {
            assert_eq!((&second["level"], &second["line"]), (&11.into(), &9.into()), "{second}");
            assert_eq!(second["title"], "Second");
            assert_eq!(second["id"].as_str().unwrap().len(), 32);
        }
        // A level without a game has no line of its own in `verify`.
        assert_eq!(lines.iter().filter(is_second).count() > 0, name != "verify", "{command}");
        let bad = lines.iter().find(|line| line["title"] == "Two players").unwrap();
        assert_eq!((&bad["level"], &bad["number_in_file"], &bad["id"]), (&2.into(), &2.into(), &Value::Null));
    }
}

/// What has no solution for sure is proved.
#[test]
fn proved_means_what_it_says() {
    let desk = desk();
    let solved = lines(&desk, "solve levels.sok --json --time 5s", 1);
    let optimal = lines(&desk, "solve levels.sok --json --time 5s --optimal pushes", 1);
    let analyzed = lines(&desk, "analyze levels.sok --json --time 5s", 1);
    for title in ["Too many boxes", "In the corner", "In the way"] {
        for line in
            [about(&solved, "result", title), about(&optimal, "result", title), about(&analyzed, "analysis", title)]
        {
            assert_eq!((&line["result"], &line["proved"]), (&"unsolvable".into(), &true.into()), "{line}");
        }
    }
    let two = about(&solved, "result", "Two boxes");
    assert_eq!((&two["result"], &two["proved"]), (&"solved".into(), &false.into()));
    assert!(two["statistics"]["expanded"].as_u64() > Some(0) && !two["tried"].as_array().unwrap().is_empty(), "{two}");
    let two = about(&optimal, "result", "Two boxes");
    assert_eq!((&two["result"], &two["proved"]), (&"proved optimal".into(), &true.into()));
    assert_eq!((&two["lower_bound"], &two["metrics"]["pushes"]), (&3.into(), &3.into()));
    assert_eq!(two["gap_percent"].as_f64(), Some(0.0));
    let bad = about(&solved, "result", "Two players");
    assert_eq!((&bad["result"], &bad["proved"]), (&"bad board".into(), &false.into()));
    assert_eq!(about(&solved, "result", "The same")["result"], "same level");
    let summary = solved.last().unwrap();
    assert_eq!((&summary["unsolvable"], &summary["bad_boards"]), (&3.into(), &1.into()), "{summary}");
}

#[test]
fn finds_are_told_as_they_come() {
    let desk = Desk::with(T2);
    let lines = lines(&desk, "optimize levels.sok --json --time 5s --threads 1", 0);
    for objective in ["moves", "pushes"] {
        let finds = of_type(&lines, "improved");
        let last = finds.iter().rfind(|line| line["objective"] == objective).expect("an improvement");
        let results = of_type(&lines, "result");
        let result = results.iter().find(|line| line["objective"] == objective).expect("a result");
        assert_eq!(result["improved"], true);
        assert_eq!(last["metrics"], result["after"], "{objective}");
        assert!(last["seconds"].as_f64() <= result["seconds"].as_f64().map(|seconds| seconds + 1.0));
    }
}

/// Tests that keep to a time: `cargo xtask ci` runs them when nothing else runs.
mod timed {
    use super::*;

    #[test]
    fn progress_is_told_while_a_level_is_worked_on() {
        let desk = Desk::with(hard_level());
        let solve = lines(&desk, "solve levels.sok --json --time 1500ms --optimal moves", 0);
        let progress = of_type(&solve, "progress");
        assert!((1..=2).contains(&progress.len()), "{} lines about progress in 1.5 s", progress.len());
        let last = progress.last().unwrap();
        let (bound, best) = (last["lower_bound"].as_u64(), last["best"]["moves"].as_u64());
        assert!(bound.is_some() && bound <= best, "a bound, and the solution of the file: {last}");
        let result = of_type(&solve, "result")[0];
        assert!(result["lower_bound"].as_u64() >= bound && result["ended_by"] == "time", "{result}");
        let optimize = lines(&desk, "optimize levels.sok --json --time 1500ms", 0);
        let progress = of_type(&optimize, "progress");
        assert!(!progress.is_empty() && !of_type(&optimize, "improved").is_empty());
        assert!(progress.iter().all(|line| line["doing"].as_str().is_some_and(|doing| !doing.is_empty())));
        assert!(progress.iter().all(|line| line["best"]["moves"].is_u64() && line["seconds"].as_f64() >= Some(1.0)));
    }
}

/// The solver's time counts in the lines of the optimizer: these would be told after a few milliseconds.
#[test]
fn times_of_a_level_begin_with_its_solver() {
    let level = hard_level();
    let desk = Desk::with(level.split("Solution").next().unwrap());
    let solved = lines(&desk, "solve levels.sok --json --no-output", 0);
    let by_solver = of_type(&solved, "result")[0]["seconds"].as_f64().unwrap();
    let optimized = lines(&desk, "optimize levels.sok --json --first", 0);
    let by_both = of_type(&optimized, "improved")[0]["seconds"].as_f64().unwrap();
    assert!(by_both > by_solver / 4.0, "{by_both} s with the solver, which alone takes {by_solver} s");
}

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md")).unwrap()
}

#[test]
fn lines_of_the_library_and_of_a_night_keep_to_their_schemas() {
    let desk = Desk::with(T2);
    let library = "--library my.sqlite";
    desk.soko(&format!("library {library} add levels.sok")).expect(0);
    for line in [
        "night --for 10s --json",
        "library list --json",
        "library list levels --json",
        "library show levels:1 --json",
        "library export levels --json",
        "library stats --json",
    ] {
        let schema = Schema::of(line.split(' ').next().unwrap());
        let lines = desk.soko(&format!("{line} {library}")).expect(0).json();
        assert!(lines.len() > 2 && lines[0]["type"] == "run" && lines.last().unwrap()["type"] == "summary", "{line}");
        for json in &lines {
            schema.check(json).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}

/// The examples of `docs/json.md` keep to the schemas, and there is one of every type of line.
#[test]
fn examples_in_the_documentation_keep_to_the_schemas() {
    let page = page();
    for command in ["solve", "optimize", "merge", "verify", "info", "show", "analyze", "library", "night"] {
        let schema = Schema::of(command);
        let (_, section) = page.split_once(&format!("\n## soko {command}\n")).expect("a section");
        let section = section.split("\n## ").next().unwrap();
        let examples: Vec<Value> = section
            .lines()
            .filter(|line| line.starts_with('{'))
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for example in &examples {
            schema.check(example).unwrap_or_else(|error| panic!("{command}: {error}"));
        }
        for kind in schema.types() {
            assert!(!of_type(&examples, kind).is_empty(), "no example of {kind} for {command}");
        }
    }
}

/// `docs/json.md` has the keys of every table, in the order of the output, and explains each.
#[test]
fn csv_keys_are_documented() {
    let desk = desk();
    let page = page();
    let (_, section) = page.split_once("\n## CSV").expect("a section about CSV");
    for line in ["solve --time 1s --no-output", "optimize --time 1s --no-output", "verify", "info"] {
        let (command, options) = line.split_once(' ').unwrap_or((line, ""));
        let text = desk.soko(&format!("{command} levels.sok more.sok --csv {options}")).expect(1).stdout;
        let head = text.lines().next().unwrap();
        assert!(section.contains(&format!("\n{head}\n")), "the keys of {command} are now {head}");
        for key in head.split(',') {
            assert!(section.contains(&format!("`{key}`")), "{key} of {command} is not explained");
        }
    }
}
