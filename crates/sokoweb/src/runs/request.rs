//! What a page asks for when it begins a run, and the plan that is made of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sokocore::Objective;
use sokoio::LevelId;
use sokolibrary::Library;
use sokonight::{NightKnobs, NightLevel, NightLevelError};

use super::account::RunAccount;
use crate::problem::{Problem, with_causes};
use crate::shown_text::title;

/// The longest time that can be asked for: 30 days.
const MAX_SECONDS: f64 = 2_592_000.0;
/// The shortest rest of a run that is worth continuing, in seconds.
const LEAST_REST: f64 = 1.0;
/// The least memory that a run can do with, in MiB.
const MIN_MIB: u64 = 64;
/// The most objectives of a run.
const MAX_OBJECTIVES: usize = 6;
/// The most levels that can be named one by one.
const MAX_LEVELS: usize = 10_000;

/// What kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunKind {
    /// First solutions for levels that have none.
    Solve,
    /// Better solutions for some levels.
    Optimize,
    /// Better solutions for whole collections, most time where most is gained.
    Night,
}

/// What a page asks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunRequest {
    kind: RunKind,
    /// The collections; all of them if none is named.
    #[serde(default)]
    collections: Vec<String>,
    /// The levels in them, by identity; all of them if none is named.
    #[serde(default)]
    levels: Vec<String>,
    /// What is improved; moves and pushes if nothing is named.
    #[serde(default)]
    objectives: Vec<String>,
    /// How long it lasts; until nothing is left to do if it is not said.
    #[serde(default)]
    seconds: Option<f64>,
    /// All threads of the server if it is not said.
    #[serde(default)]
    threads: Option<usize>,
    /// A quarter of the server's, or what is left of it, if it is not said.
    #[serde(default)]
    memory_mib: Option<u64>,
}

/// What a run is for, which stays the same when it is continued.
#[derive(Clone, Debug)]
pub(super) struct RunHead {
    pub(super) kind: RunKind,
    pub(super) title: String,
    pub(super) objectives: Vec<Objective>,
}

/// A run to be begun.
#[derive(Clone, Debug)]
pub(super) struct RunPlan {
    pub(super) head: RunHead,
    pub(super) knobs: NightKnobs,
    /// What the library notes as the settings of the run.
    pub(super) settings: String,
    collections: Vec<String>,
    levels: Vec<LevelId>,
}

impl RunKind {
    /// Returns the command that does the same.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Solve => "solve",
            Self::Optimize => "optimize",
            Self::Night => "night",
        }
    }
}

impl RunHead {
    /// Reads what a request is for.
    pub(super) fn of(request: &RunRequest) -> Result<Self, Problem> {
        Ok(Self { kind: request.kind, title: title_of(request), objectives: objectives(request)? })
    }

    /// Stands for a run whose request cannot be read.
    pub(super) fn unreadable(number: u64) -> Self {
        Self { kind: RunKind::Night, title: format!("run {number}"), objectives: Vec::new() }
    }
}

impl RunRequest {
    /// Asks for the rest of a run, within what a server has; for the same time again if its time is over.
    pub(super) fn rest(&self, account: &RunAccount, n_threads: usize, memory_left: u64) -> Self {
        let rest = account.limit_seconds.map(|limit| limit - account.seconds).filter(|rest| *rest >= LEAST_REST);
        Self {
            seconds: self.seconds.map(|seconds| rest.unwrap_or(seconds)),
            threads: self.threads.map(|threads| threads.min(n_threads)),
            memory_mib: self.memory_mib.map(|mib| mib.min(memory_left >> 20).max(MIN_MIB)),
            ..self.clone()
        }
    }
}

impl RunPlan {
    /// Checks a request against what is left of the server's threads and memory.
    pub(super) fn of(request: &RunRequest, n_threads: usize, memory_left: u64) -> Result<Self, Problem> {
        let head = RunHead::of(request)?;
        let time = match request.seconds {
            None => None,
            Some(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => Some(Duration::from_secs_f64(seconds)),
            Some(_) => return Err(Problem::bad("the time must be more than 0 seconds and at most 30 days")),
        };
        let threads = request.threads.unwrap_or(n_threads);
        if !(1..=n_threads).contains(&threads) {
            return Err(Problem::bad(format!("a run can have 1 to {n_threads} threads; see soko serve --threads")));
        }
        let left_mib = memory_left >> 20;
        let memory = request.memory_mib.unwrap_or_else(|| (left_mib / 4).max(MIN_MIB));
        if memory < MIN_MIB {
            return Err(Problem::bad(format!("a run needs at least {MIN_MIB} MiB of memory")));
        }
        if memory > left_mib {
            return Err(Problem::busy(format!(
                "{memory} MiB of memory are asked for and {left_mib} are left; ask for less, or stop another run"
            )));
        }
        if request.levels.len() > MAX_LEVELS {
            return Err(Problem::bad(format!("at most {MAX_LEVELS} levels can be named; name their collections")));
        }
        let id = |text: &String| text.parse().map_err(|_| Problem::bad(format!("{} is no level", title(text))));
        let levels: Vec<LevelId> = request.levels.iter().map(id).collect::<Result<_, _>>()?;
        let knobs =
            NightKnobs::default().with_objectives(head.objectives.clone()).with_time(time).with_threads(threads);
        Ok(Self {
            head,
            settings: format!("serve {}", request.kind.name()),
            knobs: knobs.with_memory(memory << 20),
            collections: request.collections.clone(),
            levels,
        })
    }

    /// Takes the levels out of the library.
    pub(super) fn levels(&self, library: &Library) -> Result<Vec<NightLevel>, NightLevelError> {
        let objectives = &self.knobs.objectives;
        let mut levels = if !self.levels.is_empty() {
            NightLevel::of_ids(library, &self.levels, &self.collections, objectives)?
        } else if !self.collections.is_empty() {
            NightLevel::of_collections(library, &self.collections, objectives)?
        } else {
            let all: Vec<_> = library.collections()?.into_iter().map(|collection| collection.name).collect();
            NightLevel::of_collections(library, &all, objectives)?
        };
        levels.retain(|level| self.head.kind != RunKind::Solve || level.known.is_empty());
        Ok(levels)
    }

    /// Returns the time that it may take, in seconds.
    pub(super) fn seconds(&self) -> Option<f64> {
        self.knobs.time.map(|time| time.as_secs_f64())
    }
}

fn objectives(request: &RunRequest) -> Result<Vec<Objective>, Problem> {
    if request.kind == RunKind::Solve {
        return Ok(Vec::new());
    }
    if request.objectives.len() > MAX_OBJECTIVES {
        return Err(Problem::bad(format!("a run can have {MAX_OBJECTIVES} objectives")));
    }
    let mut objectives = Vec::new();
    for text in &request.objectives {
        let objective: Objective = text.parse().map_err(|error| Problem::bad(with_causes(&error)))?;
        if !objectives.contains(&objective) {
            objectives.push(objective);
        }
    }
    Ok(if objectives.is_empty() { vec![Objective::MOVES, Objective::PUSHES] } else { objectives })
}

fn title_of(request: &RunRequest) -> String {
    let what = match (&*request.levels, &*request.collections) {
        ([_], [collection]) => format!("a level of {collection}"),
        ([_], _) => "a level".to_owned(),
        ([], []) => "the whole library".to_owned(),
        ([], [collection]) => collection.clone(),
        ([], collections) => format!("{} collections", collections.len()),
        (levels, _) => format!("{} levels", levels.len()),
    };
    title(&what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expect: Result<&str, &str>) {
        let request = serde_json::from_str::<RunRequest>(json);
        let plan = request
            .map_err(|error| error.to_string())
            .and_then(|request| RunPlan::of(&request, 2, 512 << 20).map_err(|problem| problem.to_string()));
        match (plan, expect) {
            (Ok(plan), Ok(title)) => assert_eq!(plan.head.title, title, "{json}"),
            (Err(error), Err(expect)) => assert!(error.contains(expect), "{json}: {error}"),
            (plan, expect) => panic!("{json}: {plan:?}, expected {expect:?}"),
        }
    }

    #[test]
    fn requests_are_checked() {
        check(r#"{"kind": "night"}"#, Ok("the whole library"));
        check(r#"{"kind": "optimize", "collections": ["a\u0007b"], "seconds": 10}"#, Ok("a\u{fffd}b"));
        check(r#"{"kind": "solve", "threads": 2, "memory_mib": 512}"#, Ok("the whole library"));
        check(r#"{"kind": "fly"}"#, Err("unknown variant"));
        check(r#"{"kind": "night", "path": "/etc/passwd"}"#, Err("unknown field"));
        check(r#"{"kind": "night", "seconds": 0}"#, Err("more than 0 seconds"));
        check(r#"{"kind": "night", "seconds": 1e300}"#, Err("at most 30 days"));
        check(r#"{"kind": "night", "threads": 3}"#, Err("1 to 2 threads"));
        check(r#"{"kind": "night", "memory_mib": 1}"#, Err("at least 64 MiB"));
        check(r#"{"kind": "night", "memory_mib": 513}"#, Err("512 are left"));
        check(r#"{"kind": "night", "memory_mib": 18446744073709551615}"#, Err("512 are left"));
        check(r#"{"kind": "optimize", "levels": ["../x"]}"#, Err("no level"));
        check(r#"{"kind": "optimize", "objectives": ["speed"]}"#, Err("speed"));
    }

    #[test]
    fn the_rest_of_a_run_fits_the_server() {
        let check = |json: &str, seconds: f64, expect: (Option<f64>, Option<usize>, Option<u64>)| {
            let request: RunRequest = serde_json::from_str(json).unwrap();
            let account = RunAccount { seconds, limit_seconds: Some(100.0), ..RunAccount::default() };
            let rest = request.rest(&account, 2, 256 << 20);
            assert_eq!((rest.seconds, rest.threads, rest.memory_mib), expect, "{json}");
        };
        let asked = r#"{"kind": "night", "seconds": 100, "threads": 8, "memory_mib": 1000}"#;
        check(asked, 40.0, (Some(60.0), Some(2), Some(256)));
        check(asked, 99.5, (Some(100.0), Some(2), Some(256)));
        check(asked, 140.0, (Some(100.0), Some(2), Some(256)));
        check(r#"{"kind": "night"}"#, 40.0, (None, None, None));
    }
}
