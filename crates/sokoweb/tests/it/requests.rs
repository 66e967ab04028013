//! What the pages ask for, without a browser.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};
use sokocore::Objective;
use sokoio::Collection;

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
    let check =
        |board: &str, seconds: f64| desk.post("check", json!({ "board": board, "seconds": seconds }).to_string());
    let open = check("#####\n#@$ .\n#####", 0.0);
    assert_eq!((&open["verdict"], &open["marks"]["fault"]), (&json!("not a level"), &json!([[1, 4]])));
    let frozen = check("#####\n#$ .#\n#  @#\n#####", 0.0);
    assert_eq!(frozen["verdict"], "unsolvable", "{frozen}");
    let board = "#######\n#@ $ .#\n#     #\n#######";
    assert_eq!(check(board, 0.0)["verdict"], "unknown");
    let solved = check(board, 10.0);
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
fn a_check_can_be_stopped() {
    let desk = Desk::new();
    let board = planted(1, 18, 12).split("\n\n").nth(2).unwrap().to_owned();
    std::thread::scope(|scope| {
        let body = json!({ "board": board, "seconds": 600 }).to_string();
        let check = scope.spawn(|| desk.post("check", body));
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
    let mut lines = BufReader::new(request.send_lazy().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let state: Value = serde_json::from_str(line.trim().strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!((&state["runs"], &state["resident_mib"]), (&json!([]), &json!(123)));
}
