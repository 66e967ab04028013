//! Lines of `fleet` for programs.

use serde::Serialize;
use sokofleet::{CollectedLevel, FleetView, GainView, ItemView, Submitted, WorkOutcome, WorkerView};

use crate::json::{MetricsJson, SCHEMA_VERSION};

/// The lines of `fleet --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum FleetLine {
    /// The first line.
    Run(FleetRun),
    /// A worker that is there.
    Worker(FleetWorker),
    /// What slices of a level and purpose have brought.
    Item(FleetItem),
    /// A better solution, or a first one, as its finder tells.
    Gain(FleetGain),
    /// A slice of this worker that has ended.
    Slice(FleetSlice),
    /// A solution of another worker that this one has taken over, after a replay.
    TakenOver(FleetTakenOver),
    /// The server cannot be reached, or refuses; everything waits, and is tried again.
    Trouble(FleetTrouble),
    /// The server answers again.
    Recovered,
    /// A level that was collected.
    Level(FleetLevel),
    /// The last line of `work`.
    Worked(FleetWorked),
    /// The last line of `status`.
    Status(FleetSums),
}

/// The first line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetRun {
    /// Version of the schema of these lines.
    schema: u32,
    /// `soko`.
    program: &'static str,
    /// Version of the program.
    version: &'static str,
    /// `fleet work`, `fleet status` or `fleet collect`.
    command: &'static str,
    /// Name of the fleet.
    fleet: String,
    /// Its servers.
    servers: String,
}

impl FleetRun {
    /// Makes the first line of a command.
    pub(super) fn of(command: &'static str, place: &crate::args::FleetPlace) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            program: "soko",
            version: env!("CARGO_PKG_VERSION"),
            command,
            fleet: place.fleet.to_string(),
            servers: place.address().to_string(),
        }
    }
}

/// A worker that is there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetWorker {
    /// Its name.
    name: String,
    /// The computer.
    host: String,
    /// Version of its program.
    version: String,
    /// Its threads.
    threads: u64,
    /// Seconds since it began.
    seconds: u64,
    /// Seconds since its last sign of life.
    silent_seconds: u64,
    /// Slices that it has ended.
    slices: u64,
    /// Solutions that it has delivered.
    finds: u64,
    /// What its threads do.
    doing: Vec<String>,
}

impl From<&WorkerView> for FleetWorker {
    fn from(of: &WorkerView) -> Self {
        Self {
            name: of.name.clone(),
            host: of.host.clone(),
            version: of.version.clone(),
            threads: of.n_threads,
            seconds: of.uptime.as_secs(),
            silent_seconds: of.silent.as_secs(),
            slices: of.n_slices,
            finds: of.n_finds,
            doing: of.doing.clone(),
        }
    }
}

/// What slices of a level and purpose have brought.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetItem {
    /// Identity of the level, 32 hexadecimal digits.
    id: String,
    /// An objective, `solve`, `bound moves` or `bound pushes`.
    purpose: String,
    /// Which island it is, from 0.
    island: u64,
    /// Whether it gets slices.
    open: bool,
    /// Whether more time cannot help, as far as is known.
    settled: bool,
    /// Slices that it has had.
    slices: u64,
    /// Seconds of threads that it has had.
    seconds: f64,
    /// How its last slice ended; empty before.
    ended: String,
}

impl From<&ItemView> for FleetItem {
    fn from(of: &ItemView) -> Self {
        Self {
            id: of.level.clone(),
            purpose: of.purpose.clone(),
            island: of.island,
            open: of.is_open,
            settled: of.is_settled,
            slices: of.n_slices,
            seconds: of.seconds,
            ended: of.ended.clone(),
        }
    }
}

/// A better solution, or a first one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetGain {
    /// Identity of the level, 32 hexadecimal digits; null of a gain of this worker.
    pub(super) id: Option<String>,
    /// What a person calls it.
    pub(super) level: String,
    /// What it is better in.
    pub(super) objective: String,
    /// What the best measured before; null of a first solution, and of a gain of this worker.
    pub(super) before: Option<MetricsJson>,
    /// What it measures.
    pub(super) after: MetricsJson,
    /// The method or strategy that found it.
    pub(super) by: String,
    /// The worker; null of this one.
    pub(super) worker: Option<String>,
    /// The server's time, in seconds since 1970; null of a gain of this worker.
    pub(super) at: Option<i64>,
}

impl From<&GainView> for FleetGain {
    fn from(of: &GainView) -> Self {
        Self {
            id: Some(of.level.clone()),
            level: of.name.clone(),
            objective: of.objective.to_string(),
            before: of.before.map(Into::into),
            after: of.after.into(),
            by: of.method.clone(),
            worker: Some(of.worker.clone()),
            at: Some(of.at),
        }
    }
}

/// A slice of this worker that has ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetSlice {
    /// What a person calls the level.
    pub(super) level: String,
    /// An objective, `solve`, `bound moves` or `bound pushes`.
    pub(super) purpose: String,
    /// Which island it was, from 0.
    pub(super) island: u64,
    /// Time of the slice.
    pub(super) seconds: f64,
    /// How it ended.
    pub(super) ended: &'static str,
    /// Whether another worker had the slice in the meantime, so that its account was dropped.
    pub(super) overtaken: bool,
}

/// A solution of another worker.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetTakenOver {
    /// What a person calls the level.
    pub(super) level: String,
    /// What it is better in.
    pub(super) objective: String,
    /// What it measures.
    pub(super) metrics: MetricsJson,
    /// The other worker.
    pub(super) worker: String,
}

/// The server cannot be reached, or refuses.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetTrouble {
    /// Why.
    pub(super) error: String,
}

/// A level that was collected.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetLevel {
    /// Identity, 32 hexadecimal digits.
    id: String,
    /// What a person calls it.
    level: String,
    /// The best solution by each objective; all were replayed.
    solutions: Vec<FleetSolution>,
    /// What workers say is proved.
    proofs: Vec<String>,
}

/// A solution that was collected.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetSolution {
    /// What it is the best in.
    objective: String,
    /// What it measures.
    metrics: MetricsJson,
    /// Its moves.
    moves: String,
    /// The worker; `files` if it was submitted.
    worker: String,
    /// The method or strategy that found it; empty if that is not known.
    by: String,
}

impl From<&CollectedLevel> for FleetLevel {
    fn from(of: &CollectedLevel) -> Self {
        let solutions = of.solutions.iter().map(|found| FleetSolution {
            objective: found.objective.to_string(),
            metrics: found.solution.metrics().into(),
            moves: found.solution.lurd().to_string(),
            worker: found.worker.clone(),
            by: found.method.clone(),
        });
        let proofs = of.proofs.iter().map(|&proved| sokoio::ProofNote::new(proved).to_string());
        Self { id: of.id.to_string(), level: of.name.clone(), solutions: solutions.collect(), proofs: proofs.collect() }
    }
}

/// The last line of `work`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetWorked {
    /// Name of the worker.
    worker: String,
    /// Slices that it has ended.
    slices: u64,
    /// Solutions that it has delivered.
    finds: u64,
    /// Solutions that the server does not have yet; the next worker here delivers them.
    waiting: usize,
    /// Slices that failed by a fault of the program.
    failed: u64,
    /// Why it has stopped.
    ended: &'static str,
    /// What the program returns to the system.
    exit_code: u8,
}

impl FleetWorked {
    pub(super) fn of(of: &WorkOutcome, exit_code: u8) -> Self {
        Self {
            worker: of.worker.clone(),
            slices: of.n_slices,
            finds: of.n_finds,
            waiting: of.n_waiting,
            failed: of.n_failed,
            ended: of.ended,
            exit_code,
        }
    }
}

/// The last line of `status`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FleetSums {
    /// Workers that are there.
    workers: usize,
    /// Their threads.
    threads: u64,
    /// Slices that wait or are worked on.
    queued: u64,
    /// Items that get slices.
    open: usize,
    /// Items that more time cannot help.
    settled: usize,
    /// Seconds of threads in all slices.
    seconds: f64,
    /// Better solutions that were found.
    gains: usize,
    /// Whether no slices are dealt out.
    drained: bool,
}

impl From<&FleetView> for FleetSums {
    fn from(of: &FleetView) -> Self {
        Self {
            workers: of.workers.len(),
            threads: of.workers.iter().fold(0, |sum, worker| sum.saturating_add(worker.n_threads)),
            queued: of.n_queued,
            open: of.items.iter().filter(|item| item.is_open).count(),
            settled: of.items.iter().filter(|item| item.is_settled).count(),
            seconds: of.items.iter().map(|item| item.seconds).sum(),
            gains: of.gains.len(),
            drained: of.is_drained,
        }
    }
}

/// What `submit` has done, in a line for people.
pub(super) fn submitted_text(of: &Submitted, name: &str) -> String {
    use crate::wording::count;
    let new = if of.n_new == of.n_levels { "all new".to_owned() } else { format!("{} new", of.n_new) };
    format!("fleet {name}: {}, {new}; {} opened", count(of.n_levels, "level"), count(of.n_opened, "item"))
}
