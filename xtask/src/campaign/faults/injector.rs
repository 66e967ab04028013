//! Calls of the system that fail: which, when, and how often a program makes each. The work is done by `injector.c`, which
//! is compiled here and loaded into the program.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::campaign::soko::Desk;

/// The library that makes calls fail.
const SOURCE: &str = include_str!("injector.c");

/// A kind of calls, in the order of the library's counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    Open,
    Read,
    Write,
    Sync,
    Rename,
    Unlink,
    Lock,
    Map,
    Thread,
    Print,
    /// The time of day.
    Clock,
    /// All clocks: the machine sleeps.
    Sleep,
    /// Connections to other programs: made, written to, read from.
    Wire,
}

/// What a call returns instead of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// For the reader, such as ENOSPC.
    name: &'static str,
    /// The number of the error, or for clocks the seconds that they jump.
    code: i64,
}

/// A fault of a run: the calls of a kind with these numbers fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) call: Call,
    /// Counted from 1.
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) failure: Failure,
}

const EIO: Failure = Failure { name: "EIO", code: 5 };
const ENOSPC: Failure = Failure { name: "ENOSPC", code: 28 };
const EACCES: Failure = Failure { name: "EACCES", code: 13 };
const DAY: Failure = Failure { name: "a day", code: 86_400 };

impl Call {
    pub(super) const ALL: [Self; 13] = [
        Self::Open,
        Self::Read,
        Self::Write,
        Self::Sync,
        Self::Rename,
        Self::Unlink,
        Self::Lock,
        Self::Map,
        Self::Thread,
        Self::Print,
        Self::Clock,
        Self::Sleep,
        Self::Wire,
    ];

    /// How it fails.
    pub(super) const fn failures(self) -> &'static [Failure] {
        match self {
            Self::Open => &[EACCES, Failure { name: "EMFILE", code: 24 }, ENOSPC, EIO],
            Self::Read => &[EIO],
            Self::Write | Self::Sync => &[ENOSPC, EIO],
            Self::Rename | Self::Unlink => &[EACCES, ENOSPC, EIO],
            Self::Lock => &[Failure { name: "ENOLCK", code: 37 }, EIO],
            Self::Map => &[Failure { name: "ENOMEM", code: 12 }],
            Self::Thread => &[Failure { name: "EAGAIN", code: 11 }],
            Self::Print => &[Failure { name: "EPIPE", code: 32 }, ENOSPC, EIO],
            Self::Clock => &[DAY, Failure { name: "a day back", code: -86_400 }],
            Self::Sleep => &[DAY],
            Self::Wire => &[Failure { name: "ECONNRESET", code: 104 }, Failure { name: "ENETUNREACH", code: 101 }],
        }
    }

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl Fault {
    /// Whether all calls fail from the first one on.
    pub(super) const fn is_lasting(self) -> bool {
        self.last == u64::MAX
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, first, last, failure } = self;
        write!(f, "{} {first}", call.name())?;
        if self.is_lasting() {
            write!(f, " and all after it")?;
        } else if last > first {
            write!(f, " to {last}")?;
        }
        write!(f, ": {}", failure.name)
    }
}

/// The compiled library.
#[derive(Debug)]
pub(super) struct Injector {
    library: PathBuf,
}

impl Injector {
    /// Compiles it into a folder.
    pub(super) fn build(folder: &Path) -> anyhow::Result<Self> {
        let (source, library) = (folder.join("injector.c"), folder.join("injector.so"));
        fs::write(&source, SOURCE).with_context(|| format!("cannot write {}", source.display()))?;
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source);
        let status = cc.status().context("a C compiler is needed; install one that is called cc")?;
        ensure!(status.success(), "the injector does not compile: it is for Linux on x86-64");
        Ok(Self { library })
    }

    /// The program with a fault.
    pub(super) fn command(&self, desk: &Desk, line: &str, fault: Option<Fault>, seen: &Path) -> Command {
        let mut command = desk.command(line);
        command.env("LD_PRELOAD", &self.library).env("SOKO_FAULT_SEEN", seen);
        if let Some(Fault { call, first, last, failure }) = fault {
            command.env("SOKO_FAULT", format!("{} {first} {last} {}", call.name(), failure.code.cast_unsigned()));
        }
        command
    }

    /// How many calls of each kind the last run has made, and removes the counts.
    pub(super) fn counts(seen: &Path) -> anyhow::Result<Vec<(Call, u64)>> {
        let bytes = fs::read(seen).context("the injector has counted nothing: was the program loaded with it?")?;
        fs::remove_file(seen).context("cannot remove the counts")?;
        let counts = bytes.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
        Ok(Call::ALL.into_iter().zip(counts).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_are_those_of_the_library() {
        let (_, names) = SOURCE.split_once("NAMES[N_KINDS] = {").unwrap();
        let (names, _) = names.split_once('}').unwrap();
        let names: Vec<_> = names.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect();
        assert_eq!(names, Call::ALL.map(Call::name));
    }

    #[test]
    fn faults_are_told_in_words() {
        let fault = |first, last| Fault { call: Call::Write, first, last, failure: ENOSPC }.to_string();
        assert_eq!(fault(3, 3), "write 3: ENOSPC");
        assert_eq!(fault(3, 9), "write 3 to 9: ENOSPC");
        assert_eq!(fault(3, u64::MAX), "write 3 and all after it: ENOSPC");
    }
}
