//! A directory of its own for each test, and the program run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use sokocore::{Carving, PlantSpec, planted_levels};
use tempfile::TempDir;

/// Few moves and few pushes are different solutions here: 12/5 and 14/3.
pub(crate) const T2: &str = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nSolution 16/3\ndudrruurDullDrdL\n";

/// A directory that goes when the test ends.
pub(crate) struct Desk(TempDir);

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A desk with one file, `levels.sok`.
    pub(crate) fn with(text: impl AsRef<[u8]>) -> Self {
        let desk = Self::new();
        desk.write("levels.sok", text);
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `soko` with arguments separated by spaces.
    pub(crate) fn soko(&self, line: &str) -> Done {
        Done::of(self.command(line).output().unwrap())
    }

    /// Runs `soko` with these arguments after those of a line.
    pub(crate) fn soko_with(&self, line: &str, arguments: &[&OsStr]) -> Done {
        Done::of(self.command(line).args(arguments).output().unwrap())
    }

    /// Runs `soko` with a text on its standard input.
    pub(crate) fn pipe(&self, line: &str, text: &str) -> Done {
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Done::of(child.wait_with_output().unwrap())
    }

    /// Starts `soko` and does not wait.
    pub(crate) fn start(&self, line: &str) -> Child {
        self.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Runs `soko` by a shell that first sets up what the run is short of. Temporary files go to `rescued`.
    #[cfg(unix)]
    pub(crate) fn short_of(&self, shell: &mut Command, set_up: &str, line: &str) -> Done {
        let script = format!("{set_up} && exec {} {line}", env!("CARGO_BIN_EXE_soko"));
        let shell = shell.args(["-c", &script]).current_dir(self.path("")).env_remove("RUST_LOG");
        Done::of(self.at_home(shell).env("TMPDIR", self.path("rescued")).output().unwrap())
    }

    /// Runs `soko` several times where file systems can be mounted, after a set-up by a shell; a line that begins with `$`
    /// is one for the shell. `None`, and a word about it, if nothing can be mounted here.
    #[cfg(target_os = "linux")]
    pub(crate) fn mounted(&self, set_up: &str, lines: &[&str]) -> Option<Vec<Done>> {
        let unshare = || {
            let mut unshare = Command::new("unshare");
            unshare.args(["--map-root-user", "--mount"]);
            unshare
        };
        if !unshare().arg("true").output().is_ok_and(|output| output.status.success()) {
            let _ = writeln!(std::io::stderr(), "skipped: no file system can be mounted here");
            return None;
        }
        fs::create_dir_all(self.path("said")).unwrap();
        let mut script = format!("set -e\n{set_up}\nset +e\n");
        for (at, line) in lines.iter().enumerate() {
            let run = line.strip_prefix('$').map_or_else(|| format!("\"$SOKO\" {line}"), str::to_owned);
            script += &format!("{{ {run}\n}} >said/{at}.out 2>said/{at}.err\necho $? >said/{at}.code\n");
        }
        let mut shell = unshare();
        shell.args(["sh", "-c", &script]).current_dir(self.path("")).env_remove("RUST_LOG").stdin(Stdio::null());
        let output = self.at_home(&mut shell).env("SOKO", env!("CARGO_BIN_EXE_soko")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let done = |at: usize| Done {
            code: self.read(&format!("said/{at}.code")).trim().parse().unwrap(),
            stdout: self.read(&format!("said/{at}.out")),
            stderr: self.read(&format!("said/{at}.err")),
        };
        Some((0..lines.len()).map(done).collect())
    }

    /// Prepares a run of `soko`.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soko"));
        command.args(line.split_whitespace()).current_dir(self.0.path()).env_remove("RUST_LOG").stdin(Stdio::null());
        self.at_home(&mut command);
        command
    }

    /// Leaves the library of the person who runs the tests alone: a run has a home of its own, with nothing in it.
    pub(crate) fn at_home<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.envs(self.home())
    }

    /// The variables that say where the home of a run is.
    pub(crate) fn home(&self) -> [(&'static str, PathBuf); 3] {
        [("SOKO_LIBRARY", PathBuf::new()), ("HOME", self.path("home")), ("XDG_DATA_HOME", self.path("home"))]
    }
}

impl Done {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().expect("ended by itself");
        Self { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Asserts the exit code, showing what was said otherwise.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that stderr says all of this.
    #[track_caller]
    pub(crate) fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.stderr.contains(text), "'{text}' is missing in:\n{}", self.stderr);
        }
        self
    }

    /// The lines of stdout as JSON that are of a type.
    pub(crate) fn lines(&self, kind: &str) -> Vec<serde_json::Value> {
        self.json().into_iter().filter(|line| line["type"] == kind).collect()
    }

    /// The lines about results of stdout as JSON.
    pub(crate) fn results(&self) -> Vec<serde_json::Value> {
        self.lines("result")
    }

    /// The last line of stdout as JSON.
    pub(crate) fn summary(&self) -> serde_json::Value {
        self.lines("summary").remove(0)
    }

    /// The lines of stdout as JSON.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A file from the repository's test data.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// A level that takes far longer than any test, with a poor solution.
pub(crate) fn hard_level() -> String {
    let (level, moves) = sokocore::hard_level();
    format!("Hard\n\n{}\n\nSolution\n{moves}\n", level.grid())
}

/// Makes levels, all different, that take some milliseconds each.
pub(crate) fn room_levels(n: usize) -> String {
    let spec = PlantSpec {
        width: 10..=10,
        height: 10..=10,
        carving: Carving::Pillars(10),
        boxes: 4..=4,
        spare_goals: 0..=0,
        pulls: 60..=60,
        detours: 0,
    };
    let levels = planted_levels(spec, 7).take(n).map(|(level, _)| level.grid().to_string());
    levels.enumerate().map(|(at, board)| format!("Room {at}\n\n{board}\n\n")).collect()
}
