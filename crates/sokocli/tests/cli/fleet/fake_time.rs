//! A wrong time of day for a program.
//!
//! `libfaketime` shows a program another time: ahead, behind, or as a file says at the moment. The injector of the
//! campaigns moves clocks by the number of the call, which a worker makes thousands of; a file that is written when the
//! clock is to jump is simpler. Time that passes is left alone, as a wrong clock of a computer leaves it alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use super::skipped;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The library that shows another time of day.
pub(super) struct FakeTime {
    library: PathBuf,
}

impl FakeTime {
    /// Finds it; `None`, said on the way, where it is not or does not do it.
    pub(super) fn find() -> Option<Self> {
        let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|folder| folder.path());
        let mut libraries = folders.map(|folder| folder.join("faketime/libfaketime.so.1")).filter(|path| path.exists());
        let found = libraries.next().map(|library| Self { library }).filter(|found| {
            let mut date = Command::new("date");
            found.set(&mut date, "-1d");
            let shown = date.arg("+%s").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            let shown: Option<u64> = shown.ok().and_then(|shown| shown.trim().parse().ok());
            shown.is_some_and(|shown| (now() - DAY).abs_diff(shown) < 600)
        });
        if found.is_none() {
            skipped("there is no libfaketime (apt install faketime)");
        }
        found
    }

    /// Lets a program see a time of day, such as `+1d`.
    pub(super) fn set(&self, command: &mut Command, time: &str) {
        self.preload(command).env("FAKETIME", time);
    }

    /// Lets a program see the time of day that a file says whenever it looks.
    pub(super) fn set_by_file(&self, command: &mut Command, file: &Path) {
        self.preload(command).env("FAKETIME_TIMESTAMP_FILE", file).env("FAKETIME_NO_CACHE", "1");
    }

    fn preload<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env("LD_PRELOAD", &self.library).env("DONT_FAKE_MONOTONIC", "1").env("FAKETIME_DISABLE_SHM", "1")
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}
