//! Calls of the system that fail, and what else a run may be short of: a word of what to do, and nothing broken or lost.
//!
//! What makes the calls fail, and the long attack with it, is the campaign `faults`: `cargo xtask campaign faults`.

use std::fs;

use crate::cmd::{Desk, Done, T2};

const NOT_THERE: &str = "cannot read missing.sok";

/// A wrong name of the input costs no results of earlier runs.
#[test]
fn nothing_is_replaced_where_no_input_can_be_read() {
    let desk = Desk::with(T2);
    desk.write("empty.txt", "no level\n");
    for command in ["optimize", "solve", "merge"] {
        desk.write("out.sok", T2);
        desk.soko(&format!("{command} missing.sok -o out.sok --force")).expect(1).says(&[NOT_THERE]);
        desk.soko(&format!("{command} empty.txt -o out.sok --force")).expect(1).says(&["no level found"]);
        assert_eq!(desk.read("out.sok"), T2, "{command}");
        for option in ["-o", "--into"] {
            desk.soko(&format!("{command} missing.sok {option} new.sok")).expect(1).says(&[NOT_THERE]);
            assert_eq!(desk.files(), ["empty.txt", "levels.sok", "out.sok"], "{command} {option}");
        }
    }
}

/// A file that cannot be read is no wrong command line, and each message says what to do.
#[test]
fn without_a_level_nothing_is_drawn_or_reported() {
    let desk = Desk::new();
    desk.write("empty.txt", "no level\n");
    for line in ["draw empty.txt -o picture.svg", "report empty.txt -o report.html"] {
        let done = desk.soko(line).expect(1);
        assert!(done.stderr.contains("there is no level to"), "{line}: {}", done.stderr);
        for error in done.stderr.lines().filter(|line| line.starts_with("error: ")) {
            assert!(error.contains("; "), "{line}: {error}");
        }
        assert_eq!(desk.files(), ["empty.txt"], "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_said() {
    let desk = Desk::with(T2);
    for line in ["verify levels.sok", "optimize levels.sok -o out.sok --force", "info levels.sok --json"] {
        let mut shell = std::process::Command::new("sh");
        let done = desk.short_of(&mut shell, "exec >/dev/full", line).expect(1);
        done.says(&["cannot write to standard output; see whether there is room where it goes", "space left"]);
    }
    assert!(desk.read("out.sok").contains("12/5"));
}

/// The first file is made after the program listens to signals.
#[cfg(unix)]
#[test]
fn a_program_that_is_told_to_end_at_its_first_file_leaves_none_behind() {
    let desk = Desk::with(crate::cmd::hard_level());
    let line = "optimize levels.sok --library my.sqlite -o out.sok --time 10m --threads 1";
    let mut child = desk.start(line);
    let clock = sokosearch::Clock::start();
    while desk.files() == ["levels.sok"] {
        assert!(clock.elapsed() < std::time::Duration::from_secs(60), "no file is made");
    }
    let told = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    nothing_is_left_over(&desk, "SIGTERM");
}

/// The library that lets calls fail, compiled into a desk; `None`, and a word about it, where that is not possible.
fn injector(desk: &Desk) -> Option<std::path::PathBuf> {
    use std::io::Write as _;

    const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../xtask/src/campaign/faults/injector.c");
    let library = desk.path("injector.so");
    let mut cc = std::process::Command::new("cc");
    cc.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(SOURCE);
    let is_built = cfg!(all(target_os = "linux", target_arch = "x86_64"))
        && cc.output().is_ok_and(|output| output.status.success());
    if !is_built {
        let _ =
            writeln!(std::io::stderr(), "skipped: calls are made to fail on Linux on x86-64 alone, with a C compiler");
    }
    is_built.then_some(library)
}

/// Runs the program with a fault: a kind of calls, the numbers of the first and the last that fail, and the error.
fn faulty(desk: &Desk, injector: &std::path::Path, fault: &str, line: &str) -> Done {
    fs::create_dir_all(desk.path("rescued")).unwrap();
    let mut command = desk.command(line);
    command.env("LD_PRELOAD", injector).env("SOKO_FAULT", fault).env("TMPDIR", desk.path("rescued"));
    Done::of(command.output().unwrap())
}

/// Names of files that no run leaves.
#[track_caller]
fn nothing_is_left_over(desk: &Desk, fault: &str) {
    let is_left = |name: &String| name.starts_with(".soko-") || name.ends_with(".soko-lock");
    let left: Vec<_> = desk.files().into_iter().filter(is_left).collect();
    assert!(left.is_empty(), "{fault}: {left:?}");
}

#[test]
fn without_threads_a_run_has_one_or_says_so() {
    let desk = Desk::with(T2);
    let Some(injector) = injector(&desk) else { return };
    desk.soko("library --library my.sqlite add levels.sok").expect(0);
    // The first thread listens to Ctrl-C, and there is no other one.
    let only_one = "thread 2 1000000 11";
    for line in [
        "night --library my.sqlite --for 1s --threads 4",
        "optimize levels.sok -o out.sok --threads 4",
        "solve levels.sok -o solved.sok --threads 4",
        "analyze levels.sok --threads 4",
    ] {
        faulty(&desk, &injector, only_one, line).expect(0);
    }
    let none = faulty(&desk, &injector, "thread 1 1000000 11", "optimize levels.sok -o none.sok").expect(1);
    none.says(&["cannot listen to Ctrl-C; the system gives no thread for it; end other programs"]);
    let server = faulty(&desk, &injector, only_one, "serve --library my.sqlite --no-open --threads 1").expect(1);
    server.says(&["the system gives no threads; end other programs, or raise the limit of threads"]);
}

/// The short form of the campaign: every kind of calls fails early, in the middle, and from there on.
#[test]
fn calls_that_fail_break_nothing() {
    let desk = Desk::with(T2);
    let Some(injector) = injector(&desk) else { return };
    let line = "optimize levels.sok --library my.sqlite -o out.sok --threads 1";
    let kinds = [("open", 13), ("open", 24), ("write", 28), ("sync", 5), ("rename", 28), ("unlink", 5), ("read", 5)];
    for (kind, error) in kinds {
        for (first, last) in [(1, 1), (2, 2), (3, 1_000_000), (9, 9), (20, 1_000_000)] {
            let _ = fs::remove_file(desk.path("out.sok"));
            let fault = format!("{kind} {first} {last} {error}");
            let done = faulty(&desk, &injector, &fault, line);
            assert!(matches!(done.code, 0 | 1), "{fault}: {}", done.stderr);
            let without_advice: Vec<_> = done.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
            assert!(without_advice.iter().all(|line| line.contains(';')), "{fault}: {without_advice:?}");
            assert_eq!(desk.read("levels.sok"), T2, "{fault}");
            if desk.path("out.sok").exists() {
                desk.soko("verify out.sok").expect(0);
            }
            if kind != "unlink" {
                nothing_is_left_over(&desk, &fault);
            }
            assert!(done.code == 1 || desk.read("out.sok").contains("12/5"), "{fault}: {}", done.stderr);
        }
    }
    desk.soko("library --library my.sqlite check").expect(0);
    let locked = faulty(&desk, &injector, "lock 1 1 37", "optimize levels.sok -o other.sok").expect(1);
    locked.says(&["cannot lock other.sok; its file system has no locks, so choose a file elsewhere"]);
    nothing_is_left_over(&desk, "lock");
}
