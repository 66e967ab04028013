//! Locks of output files, among handles, threads and processes.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use sokoio::{LockError, OutputLock};

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn one_at_a_time_and_nothing_is_left() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.sok");
    let lock = OutputLock::acquire(&path).unwrap();
    assert_eq!(names(directory.path()), [".out.sok.soko-lock"]);
    let error = OutputLock::acquire(&path).unwrap_err();
    assert!(matches!(error, LockError::Held { .. }));
    assert!(error.to_string().contains("out.sok is being written by another run of Soko"), "{error}");
    let other = OutputLock::acquire(&directory.path().join("other.sok")).unwrap();
    drop((lock, other));
    if cfg!(unix) {
        assert!(names(directory.path()).is_empty());
    }
    drop(OutputLock::acquire(&path).unwrap());
}

#[test]
fn a_file_without_a_lock_is_no_obstacle() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(".out.sok.soko-lock"), "left behind").unwrap();
    assert!(OutputLock::acquire(&directory.path().join("out.sok")).is_ok());
}

#[test]
fn a_removed_lock_file_of_others_is_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    let (path, lock_path) = (directory.path().join("out.sok"), directory.path().join(".out.sok.soko-lock"));
    let lost = OutputLock::acquire(&path).unwrap();
    if fs::remove_file(&lock_path).is_err() || cfg!(not(unix)) {
        return;
    }
    let second = OutputLock::acquire(&path).unwrap();
    drop(lost);
    assert!(lock_path.exists());
    assert!(matches!(OutputLock::acquire(&path), Err(LockError::Held { .. })));
    drop(second);
}

#[test]
fn where_no_lock_file_can_be_made() {
    let directory = tempfile::tempdir().unwrap();
    let error = OutputLock::acquire(&directory.path().join("missing").join("out.sok")).unwrap_err();
    assert!(matches!(error, LockError::Create { .. }));
    assert!(error.to_string().contains("cannot make a lock file beside"), "{error}");
    assert!(matches!(OutputLock::acquire(Path::new("/")), Err(LockError::Create { .. })));
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_same_lock() {
    let directory = tempfile::tempdir().unwrap();
    let (path, link) = (directory.path().join("out.sok"), directory.path().join("link.sok"));
    fs::write(&path, "").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let lock = OutputLock::acquire(&path).unwrap();
    assert!(matches!(OutputLock::acquire(&link), Err(LockError::Held { .. })));
    drop(lock);
}

#[test]
fn threads_never_hold_it_together() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.sok");
    let n_holders = AtomicUsize::new(0);
    let n_acquired = AtomicUsize::new(0);
    let run = || {
        for _ in 0..300 {
            match OutputLock::acquire(&path) {
                Ok(lock) => {
                    assert_eq!(n_holders.fetch_add(1, Ordering::SeqCst), 0);
                    thread::yield_now();
                    assert_eq!(n_holders.fetch_sub(1, Ordering::SeqCst), 1);
                    n_acquired.fetch_add(1, Ordering::SeqCst);
                    drop(lock);
                }
                Err(LockError::Held { .. }) => thread::yield_now(),
                Err(error) => panic!("{error}"),
            }
        }
    };
    thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(run))));
    assert!(n_acquired.load(Ordering::SeqCst) > 0);
}

/// Where the other process finds the path that it is to lock.
const CHILD: &str = "SOKO_TEST_LOCK";

/// The other process of the test below; does nothing when it is run as a test.
#[test]
fn child_process() {
    let Some(path) = env::var_os(CHILD) else { return };
    let _lock = OutputLock::acquire(Path::new(&path)).unwrap();
    fs::write(Path::new(&path).with_extension("locked"), "").unwrap();
    // Ends when the parent closes the pipe, or kills this process before.
    let _ = std::io::stdin().read_line(&mut String::new());
}

#[test]
fn a_killed_process_leaves_no_lock() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.sok");
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "lock_file::child_process", "--nocapture"])
        .env(CHILD, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    while !path.with_extension("locked").exists() {
        let is_running = child.try_wait().unwrap().is_none();
        if !is_running {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            panic!("the other process ended: {line}");
        }
        thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(matches!(OutputLock::acquire(&path), Err(LockError::Held { .. })));
    child.kill().unwrap();
    child.wait().unwrap();
    let is_left = directory.path().join(".out.sok.soko-lock").exists();
    assert!(is_left, "a killed process cannot remove its lock file");
    drop(OutputLock::acquire(&path).unwrap());
}
