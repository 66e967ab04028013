//! The campaign `fuzzing`: every reader on bytes that a coverage-guided fuzzer makes up, one target of `fuzz/` after the
//! other in equal shares of the time.
//!
//! It needs a nightly toolchain and cargo-fuzz. The corpora grow in `fuzz/corpus`, from the files of
//! `testdata/fuzz-corpus`; a target takes up what the runs before found.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::run::CampaignRun;
use crate::workspace::root;

/// Most memory that an input may take: a bomb that unpacks is a defect.
const MEMORY_MIB: u32 = 1024;
/// Longest time that an input may take.
const INPUT_SECONDS: u32 = 20;
/// Targets with unsafe code of ours behind them, which get the address sanitizer. The others are several times as fast
/// without.
const SANITIZED: [&str; 1] = ["plugin"];

/// Fuzzes every target.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let listed = cargo_fuzz("list").stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(listed.status.success(), "install a nightly toolchain, and cargo-fuzz with `cargo install cargo-fuzz`");
    let listed = String::from_utf8_lossy(&listed.stdout);
    let targets = run.chosen(listed.split_whitespace().collect(), |target| target)?;
    for (at, target) in targets.iter().enumerate() {
        if !run.has_time() {
            run.log(&format_args!("no time was left for {}", targets[at..].join(", ")))?;
            break;
        }
        let build = cargo_fuzz("build").args(sanitizer(target)).arg(target).status().context("cannot start cargo")?;
        ensure!(build.success(), "the fuzz target {target} does not build");
        let share = run.time_left().as_secs() / (targets.len() - at) as u64;
        fuzz(run, target, share.max(1))?;
    }
    Ok(())
}

/// Fuzzes one target for so many seconds.
fn fuzz(run: &mut CampaignRun, target: &str, seconds: u64) -> anyhow::Result<()> {
    let corpus = root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot make the folder {}", corpus.display()))?;
    let mut command = cargo_fuzz("run");
    command.args(sanitizer(target)).arg(target).arg(&corpus);
    let seeds = root().join("testdata/fuzz-corpus").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    command.args(["--", "-print_final_stats=1"]);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-rss_limit_mb={MEMORY_MIB}"));
    command.arg(format!("-timeout={INPUT_SECONDS}"));
    command.arg(format!("-seed={}", run.seed()));
    let dictionary = root().join("fuzz/dictionaries").join(format!("{target}.dict"));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let mut child = command.stderr(Stdio::piped()).spawn().context("cannot start cargo")?;
    let output = child.stderr.take().context("cargo fuzz has no output")?;
    let seen = Seen::read(BufReader::new(output))?;
    let status = child.wait().context("cannot wait for cargo")?;
    run.tried(seen.n_executed)?;
    run.log(&format_args!("{target}: {} executions, coverage {}", seen.n_executed, seen.coverage))?;
    if !status.success() {
        let input = seen.artifact.as_deref().unwrap_or("no input was saved");
        let bytes = fs::read(Path::new(input)).map(|bytes| bytes.escape_ascii().to_string()).unwrap_or_default();
        let repeat = format!("fuzzing --seed {}\n    or: cargo +nightly fuzz run {target} {input}", run.seed());
        run.defect(&format!("the target {target} failed ({status})"), &repeat, &format!("{}\n{bytes}", seen.tail()))?;
    }
    Ok(())
}

fn sanitizer(target: &str) -> [&'static str; 2] {
    ["--sanitizer", if SANITIZED.contains(&target) { "address" } else { "none" }]
}

fn cargo_fuzz(task: &str) -> Command {
    let mut command = Command::new("cargo");
    // The toolchain of the caller would win over the one named here.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    command.current_dir(root()).stdin(Stdio::null()).args(["+nightly", "fuzz", task]);
    command
}

/// Lines kept of what a target printed.
const TAIL: usize = 60;

/// What a target printed.
#[derive(Debug, Default)]
struct Seen {
    n_executed: u64,
    /// Edges covered, as libFuzzer counts them.
    coverage: u64,
    /// File with the input that failed.
    artifact: Option<String>,
    last_lines: Vec<String>,
}

impl Seen {
    fn read(lines: impl BufRead) -> anyhow::Result<Self> {
        let mut seen = Self::default();
        for line in lines.split(b'\n') {
            let line = line.context("cannot read what the target printed")?;
            seen.line(String::from_utf8_lossy(&line).into_owned());
        }
        Ok(seen)
    }

    fn line(&mut self, line: String) {
        if let Some(n) = after(&line, "stat::number_of_executed_units:").or_else(|| after(&line, "#")) {
            self.n_executed = self.n_executed.max(n);
        }
        if let Some(n) = after(&line, " cov:") {
            self.coverage = n;
        }
        if let Some((_, path)) = line.split_once("Test unit written to ") {
            self.artifact = Some(path.trim().to_owned());
        }
        if self.last_lines.len() == TAIL {
            self.last_lines.remove(0);
        }
        self.last_lines.push(line);
    }

    fn tail(&self) -> String {
        self.last_lines.join("\n")
    }
}

/// The number that follows a mark.
fn after(line: &str, mark: &str) -> Option<u64> {
    let (_, rest) = line.split_once(mark)?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_coverage_and_the_failing_input_are_read() {
        let text = "#2\tINITED cov: 11 ft: 12 corp: 1/1b exec/s: 0 rss: 27Mb\n\
            #8388\tNEW    cov: 95 ft: 197 corp: 67/4.3Kb lim: 86 exec/s: 0 rss: 36Mb L: 81/86\n\
            ==1== ERROR: libFuzzer: deadly signal\n\
            artifact_prefix='x/'; Test unit written to fuzz/artifacts/file/crash-1\n\
            stat::number_of_executed_units: 8400\n";
        let seen = Seen::read(text.as_bytes()).unwrap();
        assert_eq!((seen.n_executed, seen.coverage), (8_400, 95));
        assert_eq!(seen.artifact.as_deref(), Some("fuzz/artifacts/file/crash-1"));
        assert!(seen.tail().contains("deadly signal"));
    }
}
