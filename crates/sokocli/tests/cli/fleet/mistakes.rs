//! What is asked for wrongly is answered with what to do.

use std::process::Stdio;

use super::desk::FleetDesk;
use crate::cmd::{Done, room_levels};

#[test]
fn a_wrong_command_line_says_what_to_do() {
    let Some(at) = FleetDesk::new() else { return };
    let nothing = at.fleet("submit nothing.sok --library none.sqlite").expect(2).stderr;
    assert!(nothing.contains("there is no file nothing.sok, and no library with such a collection"), "{nothing}");
    let nowhere = at.desk.soko("fleet status --nats nats://127.0.0.1:1").expect(1).stderr;
    assert!(nowhere.contains("cannot reach the server at 127.0.0.1:1"), "{nowhere}");
    let name = at.desk.soko("fleet status --fleet a.b").expect(2).stderr;
    assert!(name.contains("'a.b' is no name: use letters, digits, '-' and '_', at most 40"), "{name}");
    at.desk.write("one.sok", room_levels(1));
    at.fleet("submit one.sok").expect(0);
    let place = at.fleet("collect").expect(2).stderr;
    assert!(place.contains("say where to: -o FILE, --library, or --json"), "{place}");
    let worker = at.fleet("work --name attic/1").expect(2).stderr;
    assert!(worker.contains("'attic/1' is no name"), "{worker}");
    at.desk.write("empty.sok", "");
    let empty = at.fleet("submit empty.sok --fleet other").expect(1);
    assert!(
        empty.stdout.is_empty() && empty.stderr.contains("empty.sok: no level found; the file is empty"),
        "{empty:?}"
    );
    at.fleet("status --fleet other").expect(1).says(&["there is no fleet 'other'"]);
    for wrong in ["nats//host", "nats:host", "http://host", "nats://127.0.0.1:99999"] {
        let wrong = at.desk.soko(&format!("fleet status --nats {wrong}")).expect(1);
        wrong.says(&["cannot reach the server at ", "nats://HOST:4222"]);
    }
}

#[test]
fn two_submissions_at_once_are_one() {
    let Some(at) = FleetDesk::new() else { return };
    at.desk.write("odd *>. name.ü.sok", room_levels(40));
    let submit = || {
        let mut command = at.command("submit --for 1h");
        command.arg("odd *>. name.ü.sok").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let ended = [submit(), submit()].map(|process| Done::of(process.wait_with_output().unwrap()).expect(0).stdout);
    let sum = |word: &str| -> u64 {
        let before = |text: &String| {
            let words: Vec<_> = text.split([' ', ',', ';', '\n']).filter(|word| !word.is_empty()).collect();
            let at = words.iter().position(|other| other.trim_end_matches('s') == word).unwrap();
            if words[at - 1] == "all" { 40 } else { words[at - 1].parse().unwrap() }
        };
        ended.iter().map(before).sum()
    };
    assert_eq!((sum("new"), sum("item")), (40, 40), "{ended:?}");
    assert_eq!(at.status("item").len(), 40);
}
