//! Options of `optimize`.

use clap::ValueEnum;
use sokocore::Objective;
use sokomethods::{Interval, Technique};

use super::run::RunArgs;
use super::values::{EXPERT, Switch, square, techniques, vicinity_limit};
use crate::bound_share::BoundShare;
use crate::push_range::{PushRange, interval};

/// The heading of options about what may change.
const SCOPE: &str = "What may change";

/// Options of `optimize`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OptimizeArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// What to make small: moves, pushes, boxlines, boxchanges, sessions, playerlines, pushes-only, moves/most-pushes, or
    /// some joined by /; repeatable [default: moves and pushes]
    #[arg(long, value_name = "NAME")]
    pub(crate) objective: Vec<Objective>,

    /// Pushes that may change: 100..400, 100.. or ..400; others stay
    #[arg(long, value_name = "A..B", help_heading = SCOPE)]
    pub(crate) pushes: Option<PushRange>,

    /// Go through the solution by N pushes at a time [overlap: half of N]
    #[arg(long, value_name = "N[,OVERLAP]", value_parser = interval, help_heading = SCOPE)]
    pub(crate) interval: Option<Interval>,

    /// Boxes that are not pushed stay where they are, like walls
    #[arg(long, help_heading = SCOPE)]
    pub(crate) freeze: bool,

    /// The player ends where it ends now
    #[arg(long, help_heading = SCOPE)]
    pub(crate) keep_end: bool,

    /// Square that is never entered, counted from 1; repeatable
    #[arg(long, value_name = "COLUMN,ROW", value_parser = square, help_heading = SCOPE)]
    pub(crate) avoid: Vec<(usize, usize)>,

    /// Optimize snapshots as well: games that end in a position to keep
    #[arg(long, help_heading = SCOPE)]
    pub(crate) snapshots: bool,

    /// Do not call the solver: levels without a solution stay as they are
    #[arg(long)]
    pub(crate) no_solve: bool,

    /// Raise lower bounds of moves and pushes by search, and show the gap; in this share of each level's time [default
    /// share: 25%]
    #[arg(long, value_name = "SHARE", num_args = 0..=1, require_equals = true, default_missing_value = "25%",
          help_heading = EXPERT, conflicts_with_all = ["pushes", "interval", "freeze", "keep_end"])]
    pub(crate) bound: Option<BoundShare>,

    /// End each search with its first gain
    #[arg(long, help_heading = EXPERT)]
    pub(crate) first: bool,

    /// Search again what the files say is proved
    #[arg(long, help_heading = EXPERT)]
    pub(crate) recheck: bool,

    /// Squares that each displaced box may take, for one to four boxes, 1 to 999 each
    #[arg(long, value_name = "N,N..", default_value = "20,10", value_delimiter = ',', num_args = 1,
          value_parser = vicinity_limit, help_heading = EXPERT)]
    pub(crate) vicinity: Vec<usize>,

    /// Seed; with one thread and no limit of time, equal seeds give equal runs
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = EXPERT)]
    pub(crate) seed: u64,

    /// Do not combine the several solutions of a level
    #[arg(long, help_heading = EXPERT)]
    pub(crate) no_relink: bool,

    /// Techniques to switch off, joined by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = techniques(Switch::Off),
          help_heading = EXPERT)]
    pub(crate) without: Vec<Technique>,

    /// Techniques to switch on, joined by commas; they are off otherwise
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = techniques(Switch::On),
          help_heading = EXPERT)]
    pub(crate) with: Vec<Technique>,

    /// How the box configurations of a vicinity are kept
    #[arg(long, value_enum, default_value_t = StoreChoice::Auto, help_heading = EXPERT)]
    pub(crate) store: StoreChoice,

    /// How the vicinity is searched
    #[arg(long, value_enum, default_value_t = EngineChoice::Fast, help_heading = EXPERT)]
    pub(crate) engine: EngineChoice,
}

/// The configuration store, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreChoice {
    /// What the search generates; where all are generated first, a hash table, or the tree if memory is short
    Auto,
    /// All, in a hash table
    Hash,
    /// All, in a balanced binary tree, which takes the least memory
    Tree,
}

/// The search engine, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// Backward, exact in all six metrics
    Fast,
    /// Forward, with two queues in lockstep
    Reference,
}
