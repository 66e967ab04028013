//! What the pages ask for, without a browser.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};
use sokocore::Objective;
use sokoio::Collection;
use sokolibrary::NewCollection;

use crate::desk::Desk;
use crate::levels::{SMALL, many, planted};
use crate::patience::wait;

#[test]
fn a_file_becomes_a_collection_that_is_searched_sorted_and_paged() {
    let desk = Desk::new();
    let added = desk.post("upload?name=small.sok", SMALL);
    assert_eq!((&added["name"], &added["n_levels"], &added["is_new"]), (&json!("small"), &json!(3), &json!(true)));
    desk.post("upload?name=corridors.sok.gz", many(130));
    let library = desk.get("library");
    assert_eq!((&library["n_levels"], &library["collections"][0]["name"]), (&json!(133), &json!("corridors")));

    let page = |query: &str| desk.get(&format!("collection?{query}"));
    let numbers = |answer: &Value| -> Vec<u64> {
        answer["levels"].as_array().unwrap().iter().map(|level| level["number"].as_u64().unwrap()).collect()
    };
    let first = page("name=corridors");
    assert_eq!((first["n_found"].clone(), first["n_pages"].clone(), numbers(&first).len()), (json!(130), json!(3), 60));
    assert_eq!(numbers(&page("name=corridors&page=3")), (121..=130).collect::<Vec<_>>());
    assert_eq!(page("name=corridors&page=99")["page"], 3);
    assert_eq!(
        numbers(&page("name=corridors&find=corridor+12")),
        [12, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129]
    );
    assert_eq!(numbers(&page("name=small&sort=title")), [2, 3, 1]);
    assert_eq!(numbers(&page("name=small&only=unsolved")), [1, 2, 3]);
    assert_eq!(desk.ask("collection?name=none").0, 404);
    assert_eq!(desk.ask("collection?name=small&sort=height").0, 400);
    assert_eq!(desk.ask("collection").0, 400);
}

#[test]
fn a_run_solves_improves_and_keeps() {
    let desk = Desk::new();
    desk.post("upload?name=small.sok", SMALL);
    let run = desk.run(r#"{"kind": "optimize", "collections": ["small"], "seconds": 20, "memory_mib": 128}"#);
    assert_eq!(
        (&run["phase"], &run["n_newly_solved"], &run["ended"]),
        (&json!("ended"), &json!(2), &json!("nothing is left to try"))
    );
    let best = desk.get(&format!("run?id={}", run["id"]));
    assert!(best["moves"].as_str().is_some_and(|moves| !moves.is_empty()), "{best}");

    let id = desk.first_id("small");
    let level = desk.get(&format!("level?id={id}&in=small"));
    assert_eq!((&level["moves"]["best"], &level["moves"]["is_proved"]), (&json!(3), &json!(true)));
    assert_eq!((&level["solutions"][0]["moves"], &level["next"]["number"]), (&json!("rRR"), &json!(2)));
    assert_eq!(level["history"][0]["moves"], 3);
    let second = desk.get(&format!("compare?id={id}&a=0&b=0"));
    assert_eq!(second["remarks"][0], "They are the same, move by move.");
    assert_eq!(desk.ask(&format!("compare?id={id}&a=0&b=7")).0, 404);
    assert_eq!(desk.ask("level?id=xyz").0, 400);
    assert_eq!(desk.ask(&format!("level?id={}", "0".repeat(32))).0, 404);

    let desk = desk.restart();
    assert_eq!(desk.get(&format!("level?id={id}"))["moves"]["best"], 3);
}

#[test]
fn runs_are_paused_resumed_stopped_and_dismissed() {
    let desk = Desk::new();
    desk.post("upload?name=gardens.sok", planted(2, 16, 9));
    let run = || desk.get("runs")["runs"][0].clone();
    let phase = |phase: &str| wait(phase, || (run()["phase"] == phase).then_some(()));
    let control = |wish: &str| desk.post(&format!("run?id=1&do={wish}"), "");
    desk.post("runs", r#"{"kind": "night", "threads": 1, "memory_mib": 128}"#);
    phase("running");
    control("pause");
    phase("paused");
    wait("the slices end", || run()["in_work"].as_array().unwrap().is_empty().then_some(()));
    let seconds = run()["seconds"].clone();
    assert_eq!(run()["seconds"], seconds, "a pause does not count");
    control("resume");
    phase("running");
    assert_eq!(desk.try_post("run?id=1&do=dismiss", "").0, 409);
    control("stop");
    phase("ended");
    assert_eq!(run()["ended"], "stopped");
    control("dismiss");
    assert_eq!(desk.get("runs")["runs"], json!([]));
    assert_eq!(desk.try_post("run?id=1&do=stop", "").0, 404);
}

#[test]
fn a_server_that_is_stopped_keeps_what_its_runs_have_found() {
    let desk = Desk::new();
    desk.post("upload?name=gardens.sok", planted(2, 14, 8));
    let sum = |desk: &Desk| desk.get("library")["collections"][0]["moves"]["best"].as_u64().unwrap();
    let before = sum(&desk);
    desk.post("runs", r#"{"kind": "night", "seconds": 600, "threads": 1, "memory_mib": 128}"#);
    let gained = wait("a gain", || desk.get("runs")["runs"][0]["moves_gained"].as_u64().filter(|gained| *gained > 0));
    let desk = desk.restart();
    assert!(sum(&desk) <= before - gained, "{} {before} {gained}", sum(&desk));
    assert!(desk.library().check().unwrap().is_clean());
}

#[test]
fn what_is_exported_can_be_read_and_is_noted() {
    let desk = Desk::new();
    desk.post("upload?name=small.sok", SMALL);
    desk.run(r#"{"kind": "solve", "seconds": 20, "memory_mib": 128}"#);
    let text = |body: &str| {
        let (status, answer) = desk.try_post("export", body);
        (status, answer.as_str().map(str::to_owned).unwrap_or_else(|| answer.to_string()))
    };
    let (status, file) = text(r#"{"names": ["small"], "improved": false, "all": false}"#);
    let collection = Collection::parse(file.as_bytes());
    assert_eq!((status, collection.levels().len()), (200, 3), "{file}");
    assert_eq!(collection.levels()[0].solutions().filter(|(_, solution)| solution.is_ok()).count(), 1);
    let (status, error) = text(r#"{"names": [], "improved": true, "all": true}"#);
    assert_eq!(status, 404, "{error}");
    assert!(error.contains("no level has improved"), "{error}");
    assert_eq!(text(r#"{"names": ["none"], "improved": false, "all": false}"#).0, 404);
}

#[test]
fn an_edited_level_is_checked_and_kept() {
    let desk = Desk::new();
    let check = |board: &str, seconds: f64| desk.check(board, seconds).1;
    let open = check("#####\n#@$ .\n#####", 0.0);
    assert_eq!((&open["verdict"], &open["marks"]["fault"]), (&json!("not a level"), &json!([[1, 4]])));
    let frozen = check("#####\n#$ .#\n#  @#\n#####", 0.0);
    assert_eq!(frozen["verdict"], "unsolvable", "{frozen}");
    let board = "#######\n#@ $ .#\n#     #\n#######";
    assert_eq!(check(board, 0.0)["verdict"], "unknown");
    let (stages, solved) = desk.check(board, 10.0);
    assert_eq!(stages.first().map(String::as_str), Some("whole"), "{stages:?}");
    assert!(stages.iter().any(|stage| stage == "boxes"), "{stages:?}");
    assert_eq!(check("#####\n#@$ .\n#####", 10.0)["verdict"], "not a level");
    assert_eq!((&solved["verdict"], &solved["metrics"]["pushes"]), (&json!("solvable"), &json!(2)), "{solved}");
    assert!(solved["findings"].to_string().contains("No solution has fewer than 2 pushes"), "{solved}");

    let save = |title: &str| {
        let body = json!({
            "collection": "My/levels", "title": title, "author": "", "board": board, "solution": solved["solution"],
        });
        desk.try_post("save", body.to_string())
    };
    let (status, saved) = save("One\nboard");
    assert_eq!((status, &saved["collection"], &saved["number"]), (200, &json!("levels"), &json!(1)), "{saved}");
    assert_eq!(save("again").0, 409);
    let id = saved["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(desk.library().best(id, Objective::PUSHES).unwrap().unwrap().metrics.pushes, 2);
    assert_eq!(check(board, 0.0)["verdict"], "solvable");
    desk.post("forget?name=levels", "");
    assert_eq!(desk.get("library")["collections"], json!([]));
}

#[test]
fn a_collection_of_a_file_on_the_disk_stays_as_it_is() {
    let desk = Desk::new();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), SMALL).unwrap();
    let (small, path) = (Collection::parse(SMALL.as_bytes()), file.path().display().to_string());
    desk.library()
        .write(|changes| changes.add_collection(&NewCollection::new("small", &small).from_file(&path)))
        .unwrap();
    let board = "########\n#@ $ . #\n########";
    let body = json!({ "collection": "small", "title": "New", "author": "", "board": board });
    let saved = desk.post("save", body.to_string());
    assert_eq!((&saved["collection"], &saved["number"]), (&json!("small (2)"), &json!(4)));
    assert_eq!(desk.get("collection?name=small")["n_levels"], 3);
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), SMALL);
    let body =
        json!({ "collection": "small (2)", "title": "", "author": "", "board": "#########\n#@ $  . #\n#########" });
    let saved = desk.post("save", body.to_string());
    assert_eq!((&saved["collection"], &saved["number"]), (&json!("small (2)"), &json!(5)));
}

#[test]
fn a_check_can_be_stopped() {
    let desk = Desk::new();
    let board = planted(1, 18, 12).split("\n\n").nth(2).unwrap().to_owned();
    std::thread::scope(|scope| {
        let check = scope.spawn(|| desk.check(&board, 600.0).1);
        wait("the check is stopped", || {
            desk.post("check/stop", "");
            check.is_finished().then_some(())
        });
        let answer = check.join().unwrap();
        assert!(answer["findings"].to_string().contains("stopped"), "{answer}");
    });
}

#[test]
fn events_tell_the_latest() {
    let desk = Desk::new();
    let request = minreq::get(format!("{}/api/events", desk.origin())).with_timeout(20);
    let request = request.with_header("x-soko-token", desk.token());
    let mut lines = BufReader::new(request.send_lazy().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let state: Value = serde_json::from_str(line.trim().strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!((&state["runs"], &state["resident_mib"]), (&json!([]), &json!(123)));
}

#[test]
fn runs_are_found_again_and_continued() {
    let desk = Desk::new();
    desk.post("upload?name=gardens.sok", planted(2, 16, 9));
    desk.post("upload?name=small.sok", SMALL);
    let done = desk.run(r#"{"kind": "optimize", "collections": ["small"], "seconds": 20, "memory_mib": 128}"#);
    let request = r#"{"kind": "night", "collections": ["gardens"], "seconds": 600, "threads": 2, "memory_mib": 128}"#;
    desk.post("runs", request);
    let run = |desk: &Desk| desk.get("runs")["runs"][0].clone();
    // Seconds are told in tenths, and a first gain can come within the first half of one.
    let gained = wait("a gain, and a tenth of a second", || {
        let run = run(&desk);
        run["moves_gained"].as_u64().filter(|gained| *gained > 0 && run["seconds"].as_f64() > Some(0.0))
    });
    let best = desk.get("run?id=2");
    let desk = desk.restart();
    let runs = desk.get("runs")["runs"].clone();
    for key in ["title", "kind", "seconds", "n_gains", "gains", "curve", "ended", "phase", "begun_at", "objectives"] {
        assert_eq!(runs[1][key], done[key], "{key}");
    }
    assert_eq!((&runs[1]["can_continue"], &runs[0]["can_continue"]), (&json!(false), &json!(true)));
    let cut = run(&desk);
    assert_eq!((&cut["phase"], &cut["limit_seconds"]), (&json!("cut_off"), &json!(600.0)), "{cut}");
    assert!(cut["moves_gained"].as_u64().unwrap() >= gained && cut["seconds"].as_f64().unwrap() > 0.0, "{cut}");
    let shown = desk.get("run?id=2");
    assert!(shown["level"].as_str().is_some_and(|level| level.starts_with("gardens:")), "{shown}");
    // It may have improved another level between the look and the end.
    if shown["level"] == best["level"] {
        assert_eq!(shown["rows"], best["rows"]);
    }
    assert_eq!(desk.try_post("run?id=1&do=continue", "").0, 409);

    desk.post("run?id=2&do=continue", "");
    wait("it runs", || (run(&desk)["phase"] == "running").then_some(()));
    let more = run(&desk);
    assert!(more["moves_gained"].as_u64() >= cut["moves_gained"].as_u64(), "{more}");
    assert_eq!((&more["limit_seconds"], &more["title"]), (&json!(600.0), &cut["title"]));
    assert!(more["curve"].as_array().unwrap().len() >= cut["curve"].as_array().unwrap().len());
    assert_eq!(desk.try_post("run?id=2&do=continue", "").0, 409);
    desk.post("run?id=2&do=stop", "");
    wait("it stops", || (run(&desk)["phase"] == "ended").then_some(()));
    assert!(run(&desk)["can_continue"].as_bool().unwrap());
    for id in [1, 2] {
        desk.post(&format!("run?id={id}&do=dismiss"), "");
    }
    let desk = desk.restart();
    assert_eq!(desk.get("runs")["runs"], json!([]));
}

#[test]
fn a_run_that_cannot_be_read_is_shown_and_can_be_taken_off() {
    let desk = Desk::new();
    desk.library().write(|changes| changes.begin_run("<b>", "?")).unwrap();
    let request = r#"{"kind": "night", "collections": ["a\u0007<b>"]}"#;
    desk.library().write(|changes| changes.begin_run(request, r#"{"phase": "running", "seconds": -1e300}"#)).unwrap();
    let desk = desk.restart();
    let runs = desk.get("runs")["runs"].clone();
    assert_eq!((&runs[1]["phase"], &runs[1]["title"]), (&json!("failed"), &json!("run 1")), "{runs}");
    assert_eq!((&runs[0]["phase"], &runs[0]["title"]), (&json!("cut_off"), &json!("a\u{fffd}<b>")), "{runs}");
    assert_eq!(desk.try_post("run?id=1&do=continue", "").0, 409);
    desk.post("run?id=1&do=dismiss", "");
    assert_eq!(desk.get("runs")["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn levels_in_no_collection_are_listed_and_run() {
    let desk = Desk::new();
    desk.post("upload?name=small.sok", SMALL);
    desk.post("forget?name=small", "");
    assert_eq!(desk.get("library")["n_loose_levels"], 3);
    let page = desk.get("collection?loose=true");
    assert_eq!((&page["collection"], &page["n_found"]), (&Value::Null, &json!(3)));
    let id = page["levels"][0]["id"].as_str().unwrap();
    let request = json!({ "kind": "optimize", "levels": [id], "seconds": 20, "memory_mib": 128 });
    let run = desk.run(&request.to_string());
    assert_eq!((&run["n_levels"], &run["n_newly_solved"], &run["title"]), (&json!(1), &json!(1), &json!("a level")));
    let level = desk.get(&format!("level?id={id}"));
    assert_eq!((&level["place"], &level["moves"]["best"]), (&Value::Null, &json!(3)));
}

#[test]
fn rows_and_single_levels_are_exported() {
    let desk = Desk::new();
    desk.post("upload?name=small.sok", SMALL);
    desk.run(r#"{"kind": "solve", "seconds": 20, "memory_mib": 128}"#);
    let text = |body: Value| {
        let (status, answer) = desk.try_post("export", body.to_string());
        (status, answer.as_str().map(str::to_owned).unwrap_or_else(|| answer.to_string()))
    };
    let (status, rows) = text(json!({ "names": ["small"], "form": "csv" }));
    let lines: Vec<_> = rows.lines().collect();
    assert_eq!((status, lines.len()), (200, 4), "{rows}");
    assert!(lines[0].starts_with("collection,level,title,author,best_moves_moves,"), "{rows}");
    assert!(lines[1].starts_with("small,1,Two steps,The Soko developers,3,2,"), "{rows}");
    assert_eq!(lines[0].split(',').count(), lines[1].split(',').count());
    // A table is no export that the next one would begin after.
    assert_eq!(text(json!({ "names": ["small"], "improved": true })).0, 200);
    assert_eq!(text(json!({ "names": ["small"], "since": "2000-01-01" })).0, 200);
    assert_eq!(text(json!({ "names": ["small"], "since": "2999-01-01", "form": "csv" })).0, 404);
    for day in ["yesterday", "2026-1-1", "' OR 1=1 "] {
        assert_eq!(text(json!({ "since": day })).0, 400, "{day}");
    }
    let (status, level) = text(json!({ "level": desk.first_id("small"), "all": true }));
    let collection = Collection::parse(level.as_bytes());
    assert_eq!((status, collection.levels()[0].title()), (200, Some("Two steps")), "{level}");
    assert_eq!(collection.levels()[0].solutions().filter(|(_, solution)| solution.is_ok()).count(), 1, "{level}");
    assert_eq!(text(json!({ "level": "0".repeat(32) })).0, 404);
    assert_eq!(text(json!({ "level": "../x" })).0, 400);
}
