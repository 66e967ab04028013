//! What a page asks for when it begins a run, and the plan that is made of it.

use std::time::Duration;

use serde::Deserialize;
use sokocore::Objective;
use sokoio::LevelId;
use sokolibrary::{Library, LibraryError};
use sokonight::{NightKnobs, NightLevel};

use crate::problem::{Problem, with_causes};
use crate::shown_text::title;

/// The longest time that can be asked for: 30 days.
const MAX_SECONDS: f64 = 2_592_000.0;
/// The least memory that a run can do with, in MiB.
const MIN_MIB: u64 = 64;
/// The most objectives of a run.
const MAX_OBJECTIVES: usize = 6;
/// The most levels that can be named one by one.
const MAX_LEVELS: usize = 10_000;

/// What kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
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

/// A run to be begun.
#[derive(Clone, Debug)]
pub(crate) struct RunPlan {
    pub(super) kind: RunKind,
    pub(super) title: String,
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

impl RunPlan {
    /// Checks a request against what is left of the server's threads and memory.
    pub(super) fn of(request: &RunRequest, n_threads: usize, memory_left: u64) -> Result<Self, Problem> {
        let objectives = objectives(request)?;
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
        let knobs = NightKnobs::default().with_objectives(objectives).with_time(time).with_threads(threads);
        Ok(Self {
            kind: request.kind,
            title: title_of(request),
            settings: format!("serve {}", request.kind.name()),
            knobs: knobs.with_memory(memory << 20),
            collections: request.collections.clone(),
            levels,
        })
    }

    /// Returns the names of the collections.
    pub(super) fn collections(&self, library: &Library) -> Result<Vec<String>, LibraryError> {
        if !self.collections.is_empty() {
            return Ok(self.collections.clone());
        }
        Ok(library.collections()?.into_iter().map(|collection| collection.name).collect())
    }

    /// Whether a level of the collections is worked on.
    pub(super) fn takes(&self, level: &NightLevel) -> bool {
        let is_open = self.kind != RunKind::Solve || level.known.is_empty();
        is_open && (self.levels.is_empty() || self.levels.contains(&level.id))
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
            (Ok(plan), Ok(title)) => assert_eq!(plan.title, title, "{json}"),
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
}
