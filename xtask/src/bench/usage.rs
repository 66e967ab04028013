//! What a program used, measured from outside: seconds, processor seconds, and resident memory at its highest.
//!
//! The system keeps the highest resident size for *all* children of a process together, so each program is run by a
//! process of its own, the watcher: `xtask bench watch PROGRAM ARGS` prints one line of JSON after what the program
//! printed.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use sokosearch::Clock;

/// Arguments of `cargo xtask bench watch`.
#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// What to run.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// What a program used from its start to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ProcessUsage {
    /// By the clock on the wall.
    pub(super) seconds: f64,
    /// On all processors, in the program and in the system on its behalf.
    pub(super) cpu_seconds: f64,
    /// Resident memory at its highest.
    pub(super) peak_bytes: u64,
    is_success: bool,
}

/// Runs a program to its end; returns the lines of its output that are JSON, and what it used.
pub(super) fn measure(program: &Path, args: &[OsString]) -> anyhow::Result<(Vec<serde_json::Value>, ProcessUsage)> {
    let watcher = std::env::current_exe().context("where is this program?")?;
    let mut command = Command::new(watcher);
    // Without the library of the person who measures.
    command.env("SOKO_LIBRARY", "");
    command.args(["bench", "watch"]).arg(program).args(args).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().context("starting the watcher")?;
    let text = String::from_utf8(output.stdout).context("reading what the program printed")?;
    let mut lines: Vec<serde_json::Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let usage = lines.pop().context("the watcher said nothing")?;
    let usage: ProcessUsage = serde_json::from_value(usage).context("the watcher said something else")?;
    ensure!(usage.is_success, "{} failed with {args:?}", program.display());
    Ok((lines, usage))
}

/// Runs a program, lets it print, and then says what it used.
pub(super) fn watch(args: &WatchArgs) -> anyhow::Result<()> {
    let (program, rest) = args.command.split_first().context("nothing to run")?;
    let clock = Clock::start();
    let status = Command::new(program).args(rest).status();
    let seconds = clock.elapsed().as_secs_f64();
    let status = status.with_context(|| format!("starting {}", Path::new(program).display()))?;
    let (cpu_seconds, peak_bytes) = system::of_children()?;
    let usage = ProcessUsage { seconds, cpu_seconds, peak_bytes, is_success: status.success() };
    println!("{}", serde_json::to_string(&usage)?);
    Ok(())
}

/// Seconds that this process has had on all processors; nothing where the system does not tell.
pub(super) fn own_cpu_seconds() -> Option<f64> {
    system::own_cpu_seconds().ok()
}

/// Seconds that this thread has had on a processor; nothing where the system does not tell.
pub(super) fn thread_cpu_seconds() -> Option<f64> {
    system::thread_cpu_seconds().ok()
}

/// Resident bytes of this process now; nothing where the system does not tell.
pub(super) fn own_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? << 10)
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sys::resource::{Usage, UsageWho, getrusage};

    fn cpu_seconds(usage: &Usage) -> f64 {
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        seconds(usage.user_time()) + seconds(usage.system_time())
    }

    /// Processor seconds and highest resident bytes of all children that have ended.
    pub(super) fn of_children() -> anyhow::Result<(f64, u64)> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        // In KiB here; other systems count otherwise.
        Ok((cpu_seconds(&usage), u64::try_from(usage.max_rss())? << 10))
    }

    pub(super) fn own_cpu_seconds() -> anyhow::Result<f64> {
        Ok(cpu_seconds(&getrusage(UsageWho::RUSAGE_SELF)?))
    }

    pub(super) fn thread_cpu_seconds() -> anyhow::Result<f64> {
        Ok(cpu_seconds(&getrusage(UsageWho::RUSAGE_THREAD)?))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn of_children() -> anyhow::Result<(f64, u64)> {
        anyhow::bail!("what a program used is measured on Linux only")
    }

    pub(super) fn own_cpu_seconds() -> anyhow::Result<f64> {
        anyhow::bail!("processor time is measured on Linux only")
    }

    pub(super) fn thread_cpu_seconds() -> anyhow::Result<f64> {
        own_cpu_seconds()
    }
}
