//! Commands of which two run at a time, so that one that uses a single core does not leave the other idle.
//!
//! What a job prints appears when it ends, so that the output of two does not mix. All jobs run, even if one fails.

use std::io::{self, Write as _};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

/// How many run at a time. Tests have threads of their own, so more jobs at once would only need more memory.
pub(crate) const AT_ONCE: usize = 2;

/// A command with a name for the reader.
#[derive(Debug)]
pub(crate) struct Job {
    name: String,
    command: Command,
}

/// A job that has run.
#[derive(Debug)]
struct EndedJob {
    name: String,
    output: io::Result<Output>,
    time: Duration,
}

impl Job {
    /// Returns a job that waits for no input.
    pub(crate) fn new(name: impl Into<String>, mut command: Command) -> Self {
        command.stdin(Stdio::null());
        Self { name: name.into(), command }
    }

    fn run(mut self) -> EndedJob {
        let start = Instant::now();
        let output = self.command.output();
        EndedJob { name: self.name, output, time: start.elapsed() }
    }
}

impl EndedJob {
    /// Prints what the job printed, and returns whether it succeeded.
    fn show(self) -> anyhow::Result<bool> {
        let output = self.output.with_context(|| format!("starting the {}", self.name))?;
        io::stdout().write_all(&output.stdout)?;
        io::stderr().write_all(&output.stderr)?;
        let end = if output.status.success() { "ok".into() } else { format!("failed ({})", output.status) };
        println!("-- {}: {end}, {:.1} s", self.name, self.time.as_secs_f64());
        Ok(output.status.success())
    }
}

/// Runs the jobs, started in their order.
///
/// # Errors
/// The names of the jobs that failed; or else a job cannot be started, or what it printed cannot be shown.
pub(crate) fn run_all(jobs: Vec<Job>) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    let (sender, ended) = mpsc::channel();
    let mut waiting = jobs.into_iter();
    let mut n_running = 0;
    thread::scope(|scope| -> anyhow::Result<()> {
        loop {
            for job in waiting.by_ref().take(AT_ONCE - n_running) {
                let sender = sender.clone();
                scope.spawn(move || sender.send(job.run()).expect("invariant: the receiver outlives the scope"));
                n_running += 1;
            }
            if n_running == 0 {
                return Ok(());
            }
            let job = ended.recv().context("a job ended without a word")?;
            n_running -= 1;
            let name = job.name.clone();
            if !job.show()? {
                failed.push(name);
            }
        }
    })?;
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, arg: &str) -> Job {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.arg(arg);
        Job::new(name, command)
    }

    #[test]
    fn every_job_runs_and_those_that_fail_are_named() {
        run_all(Vec::new()).unwrap();
        run_all(vec![job("a", "--version"), job("b", "--version"), job("c", "--version")]).unwrap();
        let bad = "--there-is-no-such-option";
        let jobs = vec![job("a", bad), job("b", "--version"), job("c", bad), job("d", "--version")];
        let error = run_all(jobs).unwrap_err().to_string();
        assert!(error == "failed: a, c" || error == "failed: c, a", "{error}");
        let missing = Job::new("e", Command::new("/nowhere/no-such-program"));
        assert_eq!(run_all(vec![missing, job("f", "--version")]).unwrap_err().to_string(), "starting the e");
    }
}
