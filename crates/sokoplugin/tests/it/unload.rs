//! Unloading while idle: neither threads nor memory nor thread-local keys are left behind.

use std::process::Command;
use std::sync::mpsc;
use std::{env, fs, thread};

use crate::calls::{LARGE, SMALL};
use crate::plugin::{Function, Plugin, Request};

/// Set in the process that the test starts.
const ALONE: &str = "SOKOPLUGIN_UNLOAD_ALONE";
/// Loads before memory is measured, so that all caches of the process are filled.
const N_WARM: u64 = 30;
/// Loads after that: more than a process has thread-local keys.
const N_ROUNDS: u64 = 1_100;
/// What a load may leave behind, in bytes.
const MAX_LEFT: u64 = 256;

/// Threads and memory are those of a process, and other tests run in this one.
#[test]
fn an_idle_library_leaves_nothing_behind() {
    if process().is_none() {
        println!("threads and memory are not counted here: there is no /proc");
    }
    if env::var_os(ALONE).is_some() {
        return load_and_unload();
    }
    let binary = env::current_exe().unwrap();
    let test = "unload::an_idle_library_leaves_nothing_behind";
    let output = Command::new(binary).args(["--exact", test, "--nocapture"]).env(ALONE, "1").output().unwrap();
    let texts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success() && texts[0].contains("1 passed"), "{}\n{}", output.status, texts.join("\n"));
}

/// Loads the library, uses it, and drops it again, many times.
fn load_and_unload() {
    (0..3).for_each(|_| a_thread_ends_after_it());
    use_it(&Plugin::built());
    let round = || {
        let plugin = Plugin::built();
        let solve = || plugin.run(Function::SolveEx, Request::new(&SMALL, "")).code;
        assert_eq!(thread::scope(|scope| scope.spawn(solve).join().unwrap()), 0);
    };
    (0..N_WARM).for_each(|_| round());
    let before = process();
    (0..N_ROUNDS).for_each(|_| round());
    let (Some(before), Some(after)) = (before, process()) else { return };
    assert_eq!(after.n_threads, before.n_threads);
    let left = after.bytes.saturating_sub(before.bytes);
    assert!(left <= N_ROUNDS * MAX_LEFT, "{N_ROUNDS} loads have left {left} bytes");
}

/// The library is dropped between the calls of a thread and its end, where the system runs what the calls have left for it.
fn a_thread_ends_after_it() {
    let (is_used, used) = mpsc::channel();
    let (may_end, end) = mpsc::channel::<()>();
    let caller = thread::spawn(move || {
        let plugin = Plugin::built();
        use_it(&plugin);
        is_used.send(plugin).unwrap();
        assert!(end.recv().is_err(), "it is told by closing");
    });
    drop(used.recv().unwrap());
    drop(may_end);
    caller.join().unwrap();
}

/// Calls everything that searches: to its end, and stopped.
fn use_it(plugin: &Plugin) {
    assert_eq!(plugin.run(Function::SolveEx, Request::new(&SMALL, "").with_flags(0)).code, 0);
    assert_eq!(plugin.run(Function::Optimize, Request::new(&SMALL, "drruurDullDrdL").with_flags(258)).code, 0);
    let stopped = Request { callback: Some(stops), ..Request::new(&LARGE, "").with_flags(0) };
    plugin.run(Function::SolveEx, stopped);
}

unsafe extern "system" fn stops() -> i32 {
    1
}

/// What the system says of this process.
#[derive(Debug)]
struct Process {
    n_threads: u64,
    /// Private memory that was written.
    bytes: u64,
}

/// Reads the state of this process; `None` where there is no such file.
fn process() -> Option<Process> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the line is there");
        line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("it has a number")
    };
    let (n_threads, kib): (u64, u64) = (number("Threads:"), number("RssAnon:"));
    Some(Process { n_threads, bytes: kib << 10 })
}
