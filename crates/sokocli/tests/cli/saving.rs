//! Nothing that was found is lost: interrupts, broken pipes, sudden death.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use sokosearch::Clock;

use crate::cmd::{Desk, Done, T2, hard_level};

/// Waits until a file holds a text.
#[track_caller]
fn wait_for(desk: &Desk, name: &str, text: &str) {
    let clock = Clock::start();
    while !desk.path(name).exists() || !desk.read(name).contains(text) {
        assert!(clock.elapsed() < Duration::from_secs(30), "{name} never holds {text}");
        sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_and_says_so() {
    let desk = Desk::with(format!("{}\n{T2}", hard_level()));
    let child = desk.start("optimize levels.sok -o out.sok --time 10m --threads 1");
    wait_for(&desk, "out.sok", "(Soko)");
    let clock = Clock::start();
    signal(&child, "-INT");
    let done = Done::of(child.wait_with_output().unwrap()).expect(130);
    assert!(clock.elapsed() < Duration::from_secs(2), "{:?}", clock.elapsed());
    let done = done.says(&["stopping", "interrupted; saved in out.sok"]);
    assert!(done.stdout.contains("interrupted") && done.stdout.contains("not begun"), "{}", done.stdout);
    assert!(desk.read("out.sok").contains("(Soko)") && desk.read("out.sok").ends_with(T2));
    desk.soko("verify out.sok").expect(0);
}

/// Even a killed run leaves its finds of the last second or so, and a whole file.
#[cfg(unix)]
#[test]
fn a_killed_run_leaves_what_it_had() {
    let desk = Desk::with(format!("{}\n{T2}", hard_level()));
    let mut child = desk.start("optimize levels.sok --time 10m --threads 1");
    wait_for(&desk, "levels.soko.sok", "(Soko)");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(desk.read("levels.soko.sok").ends_with(T2));
    desk.soko("verify levels.soko.sok").expect(0);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::with(vec![T2; 200].join("\n"));
    for line in ["verify levels.sok", "info levels.sok --json", "optimize levels.sok -o out.sok --json"] {
        let mut child = desk.start(line);
        drop(child.stdout.take());
        Done::of(child.wait_with_output().unwrap()).expect(0);
    }
    assert_eq!(desk.read("out.sok").matches("Solution/Moves 12/5").count(), 200);
}
