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
    assert!(clock.elapsed() < Duration::from_secs(20), "{:?}", clock.elapsed());
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

/// A level below so many bytes of notes.
fn padded(bytes: usize) -> String {
    let notes = "something about the level, in so many words\n".repeat(bytes / 44);
    format!("{T2}\n{notes}")
}

/// Review A13: where the disk is full the results are elsewhere, and that is said.
#[cfg(target_os = "linux")]
#[test]
fn results_for_a_full_disk_are_rescued() {
    use std::io::{Write, stderr};

    // The input fits onto the small disk once, and not twice.
    let desk = Desk::with(padded(9_000));
    for name in ["small", "rescued"] {
        std::fs::create_dir(desk.path(name)).unwrap();
    }
    let is_possible = Command::new("unshare").args(["--map-root-user", "--mount", "true"]).output();
    if !is_possible.is_ok_and(|output| output.status.success()) {
        let _ = writeln!(stderr(), "skipped: no file system can be mounted here");
        return;
    }
    let mut unshare = Command::new("unshare");
    let shell = unshare.args(["--map-root-user", "--mount", "sh"]);
    let mount = "mount -t tmpfs -o size=16k tmpfs small";
    let done = desk.short_of(shell, mount, "optimize levels.sok -o small/out.sok --time 5s").expect(1);
    let done =
        done.says(&["the results are in", "instead", "cannot write the new text of small/out.sok", "space left"]);
    let says = ["12/5", "1 improved", "The results are not where they were to be saved"];
    assert!(says.iter().all(|text| done.stdout.contains(text)), "{}", done.stdout);
    let rescued = desk.path("rescued").read_dir().unwrap().map(|entry| entry.unwrap().file_name());
    let rescued: Vec<_> = rescued.map(|name| format!("rescued/{}", name.display())).collect();
    assert_eq!(rescued.len(), 1, "{rescued:?}");
    assert!(desk.read(&rescued[0]).contains("12/5"));
    desk.soko(&format!("verify {}", rescued[0])).expect(0);
}

/// Review A13: where nothing can be written the table says what was found, and no success is claimed.
#[cfg(unix)]
#[test]
fn results_that_can_be_saved_nowhere_are_a_failure() {
    // Files of more than 8 blocks, of 512 bytes each, cannot be written.
    let text = padded(3_900);
    assert!((3_900..4_096).contains(&text.len()), "{}", text.len());
    let desk = Desk::with(text);
    let limit = "trap '' XFSZ && ulimit -f 8";
    let done = desk.short_of(&mut Command::new("sh"), limit, "optimize levels.sok -o out.sok --time 5s").expect(1);
    let done = done.says(&["the results could not be saved", "cannot write the new text of out.sok"]);
    let says = ["12/5", "1 improved", "The results are not where they were to be saved"];
    assert!(says.iter().all(|text| done.stdout.contains(text)), "{}", done.stdout);
    assert_eq!(desk.read("out.sok"), desk.read("levels.sok"));
}

/// Review A16: `-v` tells each find once, in words.
#[test]
fn verbose_tells_each_find_once() {
    let desk = Desk::with(format!("{T2}\n{}", hard_level()));
    let done = desk.soko("optimize levels.sok -o out.sok --time 1s --threads 2 -v").expect(0);
    let lines: Vec<_> = done.stderr.lines().collect();
    for level in ["level 1", "level 2"] {
        let finds = lines.iter().filter(|line| line.starts_with(&format!("{level}: ")));
        let mut metrics: Vec<_> = finds.filter_map(|line| line.split_once(" after ")).map(|(find, _)| find).collect();
        assert!(metrics.len() > 1, "{}", done.stderr);
        metrics.sort_unstable();
        assert!(metrics.windows(2).all(|pair| pair[0] != pair[1]), "{}", done.stderr);
    }
    let begins = lines.iter().copied().filter(|line| line.ends_with(" begins"));
    assert_eq!(begins.collect::<Vec<_>>(), ["level 1 \"T2\" begins", "level 2 \"Hard\" begins"], "{}", done.stderr);
    let is_plain = |line: &&str| !line.contains("DEBUG") && !line.contains('{') && !line.contains("::");
    assert!(lines.iter().all(is_plain), "{}", done.stderr);
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
