//! What the user can set.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use sokocore::{Metric, Objective};
use sokosearch::{Limits, MemoryAccount};
use sokosolver::Optimal;
use thiserror::Error;

/// Most threads.
const MAX_THREADS: usize = 256;
/// Least memory, in MiB.
const MIN_MEMORY: u64 = 16;
/// What a process on 32 bits uses by default, in bytes: its addresses end at 2 or 4 GiB, and the host has some of them.
const DEFAULT_MEMORY: u64 = if usize::BITS < 64 { 512 << 20 } else { Limits::DEFAULT_MEMORY };
/// What the plug-in takes beside its searches, in bytes.
const OWN_MEMORY: u64 = 8 << 20;

/// The settings, with defaults for what the file does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) n_threads: usize,
    /// Bytes for all calls that run at once.
    pub(crate) memory: u64,
    /// Time of a call; `None` if only the host limits it.
    pub(crate) time: Option<Duration>,
    /// What `Optimize` minimizes if the host does not say.
    pub(crate) objective: Objective,
    /// What `Solve` looks for.
    pub(crate) optimal: Optimal,
    pub(crate) player_end: PlayerEnd,
}

/// Whether an improved game must leave the player where the given one does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PlayerEnd {
    /// Yes, unless the host says that the game is a solution.
    #[default]
    Auto,
    /// Always.
    Keep,
    /// Never.
    Free,
}

/// Why a text is no settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum SettingsError {
    /// It is not TOML, or has a name or a kind of value that is not known.
    #[error("line {line}: {message}")]
    Text { line: usize, message: String },
    /// A number is too small or too large.
    #[error("{name} is {value}; use 0 for the default, or {allowed}")]
    Range { name: &'static str, value: u64, allowed: &'static str },
    /// The objective is none that a host knows.
    #[error("objective: {0}")]
    Objective(String),
}

/// The file, name by name.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct SettingsText {
    threads: usize,
    memory_mib: u64,
    time_seconds: u64,
    objective: Option<String>,
    optimal: OptimalText,
    player_end: PlayerEnd,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OptimalText {
    #[default]
    Any,
    Pushes,
    Moves,
}

impl Default for Settings {
    fn default() -> Self {
        let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            n_threads: n_cores.min(MAX_THREADS),
            memory: DEFAULT_MEMORY,
            time: None,
            objective: Objective::MOVES,
            optimal: Optimal::Any,
            player_end: PlayerEnd::Auto,
        }
    }
}

impl Settings {
    /// Reads the text of a settings file. 0 stands for a default, as does a name that is missing.
    pub(crate) fn parse(text: &str) -> Result<Self, SettingsError> {
        let read: SettingsText = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
            SettingsError::Text { line, message: error.message().to_owned() }
        })?;
        let defaults = Self::default();
        let n_threads = match read.threads {
            0 => defaults.n_threads,
            n @ 1..=MAX_THREADS => n,
            n => return Err(SettingsError::Range { name: "threads", value: n as u64, allowed: "1 to 256" }),
        };
        let memory = match read.memory_mib {
            0 => defaults.memory,
            mib if mib < MIN_MEMORY => {
                return Err(SettingsError::Range { name: "memory-mib", value: mib, allowed: "16 and more" });
            }
            mib => mib.saturating_mul(1 << 20),
        };
        let time = Some(read.time_seconds).filter(|&seconds| seconds > 0).map(Duration::from_secs);
        let objective = match read.objective {
            None => defaults.objective,
            Some(name) => parse_objective(&name)?,
        };
        let optimal = match read.optimal {
            OptimalText::Any => Optimal::Any,
            OptimalText::Pushes => Optimal::Pushes,
            OptimalText::Moves => Optimal::Moves,
        };
        Ok(Self { n_threads, memory, time, objective, optimal, player_end: read.player_end })
    }

    /// Returns the bytes that the searches may take.
    pub(crate) fn search_memory(&self) -> u64 {
        MemoryAccount::left_for_searches(self.memory, OWN_MEMORY, self.n_threads)
    }
}

fn parse_objective(name: &str) -> Result<Objective, SettingsError> {
    let objective: Objective = name.parse().map_err(|error| SettingsError::Objective(format!("{error}")))?;
    if objective.order().contains(&Metric::MostPushes) {
        return Err(SettingsError::Objective("hosts know no most-pushes; use moves".to_owned()));
    }
    Ok(objective)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_zero_are_the_defaults() {
        let zero = "threads = 0\nmemory-mib = 0\ntime-seconds = 0\n";
        assert_eq!(Settings::parse("").unwrap(), Settings::default());
        assert_eq!(Settings::parse(zero).unwrap(), Settings::default());
    }

    #[test]
    fn every_name_is_read() {
        let text = "threads = 3\nmemory-mib = 64\ntime-seconds = 5\nobjective = \"boxlines/pushes\"\n\
                    optimal = \"moves\"\nplayer-end = \"keep\"\n";
        let settings = Settings::parse(text).unwrap();
        assert_eq!((settings.n_threads, settings.memory, settings.time), (3, 64 << 20, Some(Duration::from_secs(5))));
        assert_eq!(settings.objective.to_string(), "boxlines/pushes");
        assert_eq!((settings.optimal, settings.player_end), (Optimal::Moves, PlayerEnd::Keep));
        assert!(settings.search_memory() < 64 << 20);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |text: &str, expect: &str| {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.contains(expect), "{error} should contain {expect}");
        };
        check("threads = 2\nmemory = 5\n", "line 2: unknown field `memory`");
        check("threads = two", "line 1: ");
        check("threads = -1", "line 1: ");
        check("threads = 1000", "threads is 1000; use 0 for the default, or 1 to 256");
        check("memory-mib = 1", "memory-mib is 1;");
        check("objective = \"steps\"", "objective: 'steps' is not a metric");
        check("objective = \"moves/most-pushes\"", "use moves");
        check("player-end = \"any\"", "line 1: ");
    }
}
