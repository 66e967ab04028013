//! The settings of a run of `optimize`, as its first JSON line tells them.

use std::num::NonZeroUsize;

use serde::Serialize;

use crate::args::{OptimizeArgs, typed_name};
use crate::bound_share::BoundShare;
use crate::json::{Place, SelectionJson, seconds};
use crate::plan::Plan;
use crate::run_time::Passes;

/// The settings of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OptimizeSettings {
    #[serde(flatten)]
    selection: SelectionJson,
    /// What is made small.
    objectives: Vec<String>,
    /// The pushes that may change, such as `100..400` or `100..`; null for all.
    pushes: Option<String>,
    /// Pushes of an interval, and of its overlap with the one before it; null if all are taken at once.
    interval: Option<[usize; 2]>,
    /// Whether boxes that are not pushed stay where they are.
    freeze: bool,
    /// Whether the player ends where it ends now.
    keep_end: bool,
    /// Squares that are not entered.
    avoid: Vec<Place>,
    /// Whether snapshots are optimized.
    snapshots: bool,
    /// Whether the solver may be called.
    solves: bool,
    /// The share of a level's time in which lower bounds are raised, in percent; null for bounds without a search.
    bound_percent: Option<u32>,
    /// Whether the first gain ends a search.
    first: bool,
    /// Whether what the files say is proved is searched again.
    recheck: bool,
    /// Squares that each displaced box may take.
    vicinity: Vec<usize>,
    /// Whether the several solutions of a level are combined.
    relinks: bool,
    /// Techniques that are switched on.
    with: Vec<String>,
    /// Techniques that are switched off.
    without: Vec<String>,
    /// How box configurations are stored: `auto`, `hash` or `tree`.
    store: String,
    /// How the vicinity is searched: `fast` or `reference`.
    engine: String,
    /// Longest time for a level; null without a limit.
    seconds_per_level: Option<f64>,
    /// Time for all levels; null without a limit.
    seconds_in_all: Option<f64>,
    /// Most units of work for a level and objective; null without a limit.
    work_per_search: Option<u64>,
    /// Most memory of the process.
    memory_bytes: u64,
    /// Searches at the same time.
    threads: usize,
    /// Levels at a time; null if that is decided by measured times.
    jobs: Option<usize>,
}

impl OptimizeSettings {
    /// Lists the settings of a plan, and those that it leaves to others.
    pub(super) fn of(args: &OptimizeArgs, plan: &Plan, passes: &Passes) -> Self {
        Self {
            selection: (&args.run.level.selection()).into(),
            objectives: plan.objectives.iter().map(ToString::to_string).collect(),
            pushes: args.pushes.as_ref().map(ToString::to_string),
            interval: args.interval.map(|interval| [interval.length(), interval.overlap()]),
            freeze: args.freeze,
            keep_end: plan.keeps_end,
            avoid: args.avoid.iter().map(|&(column, row)| Place::of((row - 1, column - 1))).collect(),
            snapshots: args.snapshots,
            solves: plan.solves,
            bound_percent: plan.bound_share.map(BoundShare::percent),
            first: plan.ends_at_first,
            recheck: args.recheck,
            vicinity: plan.knobs.vicinity.clone(),
            relinks: plan.knobs.relinks,
            with: args.with.iter().map(ToString::to_string).collect(),
            without: args.without.iter().map(ToString::to_string).collect(),
            store: typed_name(&args.store),
            engine: typed_name(&args.engine),
            seconds_per_level: seconds(passes.longest()),
            seconds_in_all: seconds(passes.total()),
            work_per_search: plan.work,
            memory_bytes: plan.memory,
            threads: plan.n_threads,
            jobs: args.run.jobs.map(NonZeroUsize::get),
        }
    }
}
