//! A night: what it does with levels, and what is left when it ends, one way or another.

use std::time::Duration;

use sokosearch::Clock;

use crate::cmd::{Desk, Done, T2, hard_level};

const LIBRARY: &str = "--library my.sqlite";
const BOARD: &str = "######\n##   #\n#@$ $#\n#.  .#\n######\n";

#[track_caller]
fn night(desk: &Desk, line: &str) -> Done {
    desk.soko(&format!("night {LIBRARY} {line}"))
}

#[test]
fn a_night_solves_improves_and_ends_when_all_is_proved() {
    let unsolved = BOARD.replace("#@$ $#", "#@$$ #");
    let desk = Desk::with(format!("{T2}\nT3\n\n{unsolved}"));
    let done = night(&desk, "levels.sok --for 60s --json").expect(0);
    let summary = done.summary();
    assert_eq!((&summary["solved"], &summary["interrupted"]), (&1.into(), &false.into()));
    assert_eq!((&summary["moves_gained"], &summary["pushes_gained"]), (&4.into(), &0.into()));
    let gains = done.lines("gain");
    assert!(gains.iter().any(|gain| gain["before"].is_null()) && gains.iter().any(|gain| gain["title"] == "T2"));
    let list = desk.soko(&format!("library {LIBRARY} list --json")).expect(0).lines("collection");
    assert_eq!((&list[0]["solved"], &list[0]["proved_moves"]), (&2.into(), &2.into()), "{list:?}");
    desk.soko(&format!("library {LIBRARY} check")).expect(0);
    // The next night has nothing left to do.
    let clock = Clock::start();
    let done = night(&desk, "--for 60s").expect(0);
    assert!(clock.elapsed() < Duration::from_secs(20));
    assert!(done.stdout.contains("0 moves and 0 pushes gained, 0 levels solved"), "{}", done.stdout);
    let log = desk.read("night.log");
    assert!(log.contains("\"T2\", moves: ") && log.matches("a night begins").count() == 2, "{log}");
}

/// Tests that keep to a time: `cargo xtask ci` runs them when nothing else runs.
mod timed {
    use super::*;

    #[test]
    fn a_night_keeps_its_time() {
        let desk = Desk::with(hard_level());
        let clock = Clock::start();
        let done = night(&desk, "levels.sok --for 2s --threads 1").expect(0);
        assert!(clock.elapsed() < Duration::from_secs(6), "{:?}", clock.elapsed());
        assert!(done.stdout.contains("gained") && done.stdout.contains("Kept in my.sqlite"), "{}", done.stdout);
        let id =
            desk.soko("info levels.sok --json").expect(0).lines("info")[0]["id"].as_str().unwrap()[..12].to_owned();
        let known = desk.soko(&format!("library {LIBRARY} show {id} --json")).expect(0).lines("known").remove(0);
        let seconds: f64 = known["work"].as_array().unwrap().iter().filter_map(|work| work["seconds"].as_f64()).sum();
        assert!(seconds > 0.1 && seconds < 4.0, "{known}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_night() {
    let desk = Desk::with(hard_level());
    let child = desk.start(&format!("night {LIBRARY} levels.sok"));
    std::thread::sleep(Duration::from_secs(2));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let done = Done::of(child.wait_with_output().unwrap()).expect(130);
    done.says(&["stopping; what was found is in the library"]);
    desk.soko(&format!("library {LIBRARY} check")).expect(0);
}

#[test]
fn what_a_night_cannot_use_is_said() {
    let desk = Desk::with(T2);
    night(&desk, "").expect(1).says(&["my.sqlite: there is no such file; `soko library add FILES` makes it"]);
    desk.write("empty.sok", "");
    desk.soko(&format!("library {LIBRARY} add empty.sok")).expect(1);
    night(&desk, "").expect(2).says(&["the library has no collection yet; name files or folders"]);
    night(&desk, "other.sok").expect(2).says(&["there is no file other.sok"]);
    night(&desk, "nothing --for 1s").expect(2).says(&["has no collection 'nothing'"]);
    night(&desk, "levels.sok --for 1s --log no/such/folder/log").expect(1).says(&["cannot write the log"]);
}
