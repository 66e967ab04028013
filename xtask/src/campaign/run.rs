//! One run of a campaign: its limits, its log, and the defects that it found.
//!
//! ```text
//!   target/campaign/soundness.log           appended: one line a minute, and the summary of each run
//!   target/campaign/soundness/1-3.txt       third defect of the run with seed 1
//! ```
//!
//! **Invariant**: what is counted or found is in the log when the call returns, so that a run that is killed loses at most
//! a minute of its count.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use sokosearch::Clock;

/// Time between two lines of the log.
const PULSE: Duration = Duration::from_secs(60);

/// A run of a campaign.
#[derive(Debug)]
pub(crate) struct CampaignRun {
    name: &'static str,
    /// What is counted, in the plural.
    unit: &'static str,
    seed: u64,
    time: Duration,
    clock: Clock,
    log: File,
    /// Files of defects, and whatever else the campaign writes.
    folder: PathBuf,
    /// The program to attack, if one was named.
    soko: Option<PathBuf>,
    /// Parts to try; none means all.
    only: Vec<String>,
    n_tried: u64,
    n_defects: u64,
    next_pulse: Duration,
}

impl CampaignRun {
    /// Starts a run whose log and defects are in `folder`.
    pub(super) fn start(
        name: &'static str,
        unit: &'static str,
        folder: &Path,
        seed: u64,
        time: Duration,
    ) -> anyhow::Result<Self> {
        let log_path = folder.join(format!("{name}.log"));
        let folder = folder.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let log = File::options().create(true).append(true).open(&log_path);
        let log = log.with_context(|| format!("cannot open the log {}", log_path.display()))?;
        let clock = Clock::start();
        let (soko, only, n_tried, n_defects, next_pulse) = (None, Vec::new(), 0, 0, PULSE);
        let mut run = Self { name, unit, seed, time, clock, log, folder, soko, only, n_tried, n_defects, next_pulse };
        let now = jiff::Timestamp::now();
        run.log(&format_args!("{now:.0} {name} --for {}s --seed {seed}", time.as_secs()))?;
        Ok(run)
    }

    /// Names the program to attack; without a name it is the release build.
    pub(super) fn of_program(self, soko: Option<PathBuf>) -> Self {
        Self { soko, ..self }
    }

    /// Names the parts to try; without a name it is all.
    pub(super) fn of_parts(self, only: &[String]) -> Self {
        Self { only: only.to_vec(), ..self }
    }

    /// Returns those of the parts of the campaign that are to be tried, in their order.
    ///
    /// # Errors
    /// A part was named that the campaign does not have.
    pub(super) fn chosen<T>(&self, parts: Vec<T>, name: fn(&T) -> &str) -> anyhow::Result<Vec<T>> {
        let unknown = self.only.iter().find(|only| parts.iter().all(|part| name(part) != only.as_str()));
        if let Some(unknown) = unknown {
            let names: Vec<_> = parts.iter().map(name).collect();
            bail!("{} has no part '{unknown}'; it has {}", self.name, names.join(", "));
        }
        let is_chosen = |part: &T| self.only.is_empty() || self.only.iter().any(|only| only == name(part));
        Ok(parts.into_iter().filter(is_chosen).collect())
    }

    /// Returns the program to attack, after building it unless one was named.
    pub(super) fn soko(&self) -> anyhow::Result<PathBuf> {
        self.soko.as_ref().map_or_else(crate::bench::build_soko, |soko| Ok(std::path::absolute(soko)?))
    }

    /// Returns the seed.
    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the time of the whole run.
    pub(super) const fn time(&self) -> Duration {
        self.time
    }

    /// Returns whether there is time left.
    pub(super) fn has_time(&self) -> bool {
        self.clock.elapsed() < self.time
    }

    /// Returns the time that is left.
    pub(super) fn time_left(&self) -> Duration {
        self.time.saturating_sub(self.clock.elapsed())
    }

    /// Returns the folder for what the campaign writes.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns how many defects were found.
    pub(super) const fn n_defects(&self) -> u64 {
        self.n_defects
    }

    /// Counts what was tried.
    pub(super) fn tried(&mut self, n: u64) -> anyhow::Result<()> {
        self.n_tried += n;
        if self.clock.elapsed() >= self.next_pulse {
            self.next_pulse = self.clock.elapsed() + PULSE;
            let line = self.summary();
            self.log(&line)?;
        }
        Ok(())
    }

    /// Writes a line into the log.
    pub(super) fn log(&mut self, line: &dyn Display) -> anyhow::Result<()> {
        writeln!(self.log, "{line}").context("cannot write the log of the campaign")
    }

    /// Writes a defect into a file of its own, and prints it: what is wrong, how to repeat it with arguments for
    /// `cargo xtask campaign`, and the input that shows it.
    pub(super) fn defect(&mut self, what: &str, repeat: &str, input: &str) -> anyhow::Result<()> {
        self.n_defects += 1;
        let path = self.folder.join(format!("{}-{}.txt", self.seed, self.n_defects));
        let text = format!("{what}\nRepeat: cargo xtask campaign {repeat}\n\n{input}\n");
        sokoio::write_file(&path, text.as_bytes())?;
        let line = format!("{} DEFECT {what}: {}", self.name, path.display());
        // A defect that shows everywhere need not fill the console.
        if self.n_defects <= 20 {
            println!("{line}");
        }
        self.log(&line)
    }

    /// Writes the summary into the log and returns it.
    pub(super) fn finish(&mut self) -> anyhow::Result<String> {
        let line = self.summary();
        self.log(&line)?;
        Ok(line)
    }

    fn summary(&self) -> String {
        let [tried, defects] = [self.n_tried, self.n_defects].map(thousands);
        format!("{}: {tried} {}, {defects} defects, {} s", self.name, self.unit, self.clock.elapsed().as_secs())
    }
}

/// Writes a number with commas between thousands.
pub(super) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_leaves_a_log_a_summary_and_its_defects() {
        let folder = tempfile::tempdir().unwrap();
        let start = || CampaignRun::start("trial", "levels", folder.path(), 7, Duration::ZERO).unwrap();
        let mut run = start();
        assert!(!run.has_time());
        run.tried(1_234_567).unwrap();
        run.defect("two is three", "trial --seed 7", "#####").unwrap();
        assert_eq!(run.finish().unwrap(), "trial: 1,234,567 levels, 1 defects, 0 s");
        start().finish().unwrap();
        let log = fs::read_to_string(folder.path().join("trial.log")).unwrap();
        let lines: Vec<_> = log.lines().collect();
        assert_eq!(lines.len(), 5, "{log}");
        assert!(lines[0].ends_with("trial --for 0s --seed 7"), "{log}");
        assert_eq!(lines[4], "trial: 0 levels, 0 defects, 0 s");
        let defect = fs::read_to_string(folder.path().join("trial/7-1.txt")).unwrap();
        assert_eq!(defect, "two is three\nRepeat: cargo xtask campaign trial --seed 7\n\n#####\n");
    }

    #[test]
    fn parts_are_chosen_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let chosen = |only: &[&str]| {
            let only: Vec<_> = only.iter().map(ToString::to_string).collect();
            let run = CampaignRun::start("trial", "levels", folder.path(), 7, Duration::ZERO).unwrap().of_parts(&only);
            run.chosen(vec!["one", "two", "three"], |part| part).map_err(|error| error.to_string())
        };
        assert_eq!(chosen(&[]), Ok(vec!["one", "two", "three"]));
        assert_eq!(chosen(&["three", "one"]), Ok(vec!["one", "three"]));
        assert_eq!(chosen(&["two", "four"]), Err("trial has no part 'four'; it has one, two, three".to_owned()));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
