//! What comes in with the dependencies: cargo-deny compares licenses, sources, duplicates and known faults with `deny.toml`.
//!
//! The tool is no part of Rust, and the database of known faults is on another host than the crates, so each is used where
//! it can be had: without it a note says what was not looked at.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::workspace::{self, cargo};

/// Most time for the database, which has some ten megabytes.
const DATABASE_TIME: Duration = Duration::from_secs(60);

/// Checks the dependencies as far as that is possible here.
pub(crate) fn run() -> anyhow::Result<()> {
    if !succeeds(cargo(&["deny", "--version"]), DATABASE_TIME) {
        println!(
            "note: there is no cargo-deny: licenses, sources and duplicates of dependencies are not looked at (cargo \
             install --locked cargo-deny)"
        );
        return Ok(());
    }
    check(&["licenses", "bans", "sources"])?;
    if succeeds(cargo(&["deny", "fetch", "db"]), DATABASE_TIME) {
        check(&["advisories"])
    } else {
        println!("note: RustSec's database cannot be had here: known faults of dependencies are not looked at");
        Ok(())
    }
}

/// Lets cargo-deny look at some of its subjects; what `deny.toml` allows without need counts as wrong, too.
fn check(subjects: &[&str]) -> anyhow::Result<()> {
    let mut command = cargo(&["deny", "--all-features", "--locked", "check", "--deny", "warnings"]);
    command.arg("--hide-inclusion-graph").args(subjects);
    workspace::run(command)
}

/// Runs a command without a word of it; one that takes longer than `limit` has failed.
fn succeeds(mut command: Command, limit: Duration) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok_and(|child| ends_well(child, limit))
}

fn ends_well(mut child: Child, limit: Duration) -> bool {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < limit => sleep(Duration::from_millis(20)),
            Ok(None) | Err(_) => {
                // It may have ended since.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_succeeds_by_itself_and_in_time() {
        assert!(succeeds(cargo(&["--version"]), DATABASE_TIME));
        assert!(!succeeds(cargo(&["--there-is-no-such-option"]), DATABASE_TIME));
        assert!(!succeeds(Command::new("/nowhere/no-such-program"), DATABASE_TIME));
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_hangs_is_ended() {
        let mut hangs = Command::new("sleep");
        hangs.arg("600");
        assert!(!succeeds(hangs, Duration::from_millis(50)));
    }
}
