//! The program that is attacked, and runs of it, each in a folder of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context as _;
use sokocore::{Carving, PlantSpec, planted_levels};
use sokosearch::Clock;
use tempfile::TempDir;

/// Time between two looks at whether a program has ended.
const LOOK: Duration = Duration::from_millis(2);

/// A folder with the files of one trial; what the program prints goes to a folder beside it.
#[derive(Debug)]
pub(super) struct Desk {
    folder: TempDir,
    soko: PathBuf,
}

/// A run that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// `None` if it took too long, and was killed.
    pub(super) status: Option<ExitStatus>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Desk {
    /// A desk without files.
    pub(super) fn new(soko: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let desk = Self { folder, soko: soko.to_owned() };
        desk.clear()?;
        Ok(desk)
    }

    /// Removes all files.
    pub(super) fn clear(&self) -> anyhow::Result<()> {
        for name in ["desk", "said", "rescued"] {
            let folder = self.folder.path().join(name);
            if folder.exists() {
                fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            }
            fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Ok(())
    }

    /// The path of a file on the desk.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("desk").join(name)
    }

    /// The folder that the program has for temporary files.
    pub(super) fn rescued(&self) -> PathBuf {
        self.folder.path().join("rescued")
    }

    /// Writes a file.
    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
        fs::write(self.path(name), text).with_context(|| format!("cannot write {name}"))
    }

    /// Reads a file.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<String> {
        fs::read_to_string(self.path(name)).with_context(|| format!("cannot read {name}"))
    }

    /// The names of all files, sorted.
    pub(super) fn files(&self) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path("")).context("cannot list the files")? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// The program with arguments that are separated by spaces.
    pub(super) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.soko);
        command.args(line.split_whitespace());
        self.settle(&mut command);
        command
    }

    /// A line for a shell, in which `$SOKO` is the program.
    pub(super) fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("SOKO", &self.soko);
        self.settle(&mut command);
        command
    }

    fn settle(&self, command: &mut Command) {
        command.current_dir(self.path("")).stdin(Stdio::null()).env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
        // The library of the person who runs the campaign is left alone.
        command.env("SOKO_LIBRARY", "").env("TMPDIR", self.rescued());
        command.env("HOME", self.rescued()).env("XDG_DATA_HOME", self.rescued());
    }

    /// Runs the program to its end.
    pub(super) fn soko(&self, line: &str, limit: Duration) -> anyhow::Result<Ended> {
        self.run(self.command(line), limit)
    }

    /// Runs a command to its end, or kills it when it takes longer than `limit`.
    pub(super) fn run(&self, command: Command, limit: Duration) -> anyhow::Result<Ended> {
        self.started(command)?.ended(limit)
    }

    /// Starts a command whose output is kept.
    pub(super) fn started(&self, command: Command) -> anyhow::Result<Started> {
        self.started_as("it", command)
    }

    /// Starts a command beside others on this desk, whose output is kept under a name of its own.
    pub(super) fn started_as(&self, name: &str, mut command: Command) -> anyhow::Result<Started> {
        let said = self.folder.path().join("said");
        let [out, err] = ["out", "err"].map(|stream| said.join(format!("{name}.{stream}")));
        command.stdout(File::create(&out)?).stderr(File::create(&err)?);
        Ok(Started { child: command.spawn().context("cannot start the program")?, out, err })
    }
}

/// A program in progress, which is killed if it is dropped.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Started {
    /// What it has printed so far.
    pub(super) fn stdout(&self) -> String {
        text_of(&self.out)
    }

    /// Waits for its end, or kills it when that takes longer than `limit`.
    pub(super) fn ended(mut self, limit: Duration) -> anyhow::Result<Ended> {
        let clock = Clock::start();
        let status = loop {
            if let Some(status) = self.child.try_wait().context("cannot wait for the program")? {
                break Some(status);
            }
            if clock.elapsed() > limit {
                break None;
            }
            sleep(LOOK);
        };
        Ok(Ended { status, stdout: text_of(&self.out), stderr: text_of(&self.err) })
    }

    /// Kills it, and returns what it had printed.
    pub(super) fn killed(self) -> anyhow::Result<String> {
        let Ended { stdout, .. } = self.ended(Duration::ZERO)?;
        Ok(stdout)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The exit code, unless a signal or the limit ended it.
    pub(super) fn code(&self) -> Option<i32> {
        self.status?.code()
    }

    /// What it printed, for the report of a defect.
    pub(super) fn shown(&self) -> String {
        let end = self.status.map_or_else(|| "it did not end".to_owned(), |status| status.to_string());
        format!("{end}\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr)
    }

    /// The lines of standard output that are JSON and of a type.
    pub(super) fn lines(&self, kind: &str) -> Vec<serde_json::Value> {
        lines_of(&self.stdout, kind)
    }
}

/// The lines of a text that are JSON and of a type; a line that a kill has cut is none.
pub(super) fn lines_of(text: &str, kind: &str) -> Vec<serde_json::Value> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter(|line| line["type"] == kind).collect()
}

fn text_of(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// A level with a poor solution, which is improved in no time: 16 moves of 12, 3 pushes.
pub(super) const SMALL: &str = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nSolution 16/3\ndudrruurDullDrdL\n";

/// A level with a poor solution that gets better for minutes.
pub(super) fn hard_level() -> String {
    let (level, moves) = sokocore::hard_level();
    format!("Hard\n\n{}\n\nSolution\n{moves}\n", level.grid())
}

/// Levels without solutions, all different, that take some milliseconds each.
pub(super) fn room_levels(n: usize, seed: u64) -> String {
    let spec = PlantSpec {
        width: 10..=10,
        height: 10..=10,
        carving: Carving::Pillars(10),
        boxes: 4..=4,
        spare_goals: 0..=0,
        pulls: 60..=60,
        detours: 0,
    };
    let levels = planted_levels(spec, seed).take(n).map(|(level, _)| level.grid().to_string());
    levels.enumerate().map(|(at, board)| format!("Room {at}\n\n{board}\n\n")).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_what_it_says_and_is_ended_in_time() {
        let desk = Desk::new(Path::new("sh")).unwrap();
        let limit = Duration::from_secs(60);
        let ended = desk.run(desk.shell("echo '{\"type\": \"a\"}'; echo why >&2; exit 3"), limit).unwrap();
        assert_eq!((ended.code(), ended.lines("a").len(), &*ended.stderr), (Some(3), 1, "why\n"));
        desk.write("a.txt", "a").unwrap();
        let late = desk.run(desk.shell("echo early; sleep 600"), Duration::from_millis(100)).unwrap();
        assert!(late.status.is_none() && late.shown().contains("did not end"));
        assert_eq!(desk.files().unwrap(), ["a.txt"]);
        desk.clear().unwrap();
        assert!(desk.files().unwrap().is_empty());
    }
}
