//! The command `solve`: one level after the other, each with all threads, saved as they are solved.
//!
//! ```text
//!  Inputs ─▶ level ─▶ portfolio ─▶ Outcome ─▶ quick methods ─▶ Found ─▶ table, JSON lines
//!                                                               │
//!                                       attendant thread ─▶ Saver
//! ```
//!
//! Invariant: as for `optimize`, every target file holds all of its inputs, and after a clean stop all finds.

pub(crate) mod choice;
pub(crate) mod found;
pub(crate) mod polish;
mod report;
pub(crate) mod view;

use std::num::NonZeroUsize;
use std::time::Duration;

use sokocore::{Level, ParseLevelError};
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::{Leftovers, Optimal, SolveKnobs};
use tracing::info;

use self::found::{Fate, Found};
use self::polish::polish;
use self::report::Results;
use self::view::SolveView;
use crate::args::SolveArgs;
use crate::complaint;
use crate::exit::Exit;
use crate::free_memory::resident_memory;
use crate::inputs::InputLevel;
use crate::output;
use crate::screen::{Chatter, Screen};
use crate::session::Session;

/// Longest time for a level when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Runs the command.
pub(crate) fn run(args: &SolveArgs, verbose: u8) -> anyhow::Result<Exit> {
    let plan = Plan::of(args)?;
    let (session, saver) = Session::open(&args.run)?;
    let Session { inputs, cancel, .. } = &session;
    let screen = Screen::new(Chatter::of(args.run.quiet, verbose));
    let mut print_error = None;
    let levels = args.run.levels.as_ref();
    let chosen: Vec<_> = inputs.levels().filter(|at| levels.is_none_or(|levels| levels.contains(at.number))).collect();
    let mut leftovers = Leftovers::default();
    let found: Vec<_> = saver.attend::<Found<'_>, _>(&[], || {
        let solve_one = |at| {
            // What the level before has left is freed now that its solution is written.
            drop(std::mem::take(&mut leftovers));
            let (found, left) = plan.solve(at, cancel, &screen);
            leftovers = left;
            saver.level_done(&found);
            screen.line(&report::line(&found));
            if args.run.json && print_error.is_none() {
                print_error = output::print_line(&report::json(&found).to_string()).err();
            }
            found
        };
        chosen.into_iter().map(solve_one).collect()
    });
    let n_faults = found.iter().filter(|found| is_fault(found)).count();
    let exit = session.end(saver, n_faults, "nothing new was found", print_error, &Results { found: &found });
    leftovers.abandon();
    exit
}

/// Boards that are no levels, and faults of ours.
fn is_fault(found: &Found<'_>) -> bool {
    matches!(found.fate, Fate::BadBoard(_)) || found.outcome().is_some_and(sokosolver::Outcome::has_fault)
}

/// The settings of a run.
#[derive(Debug)]
struct Plan {
    knobs: SolveKnobs,
    time: Option<Duration>,
    work: Option<u64>,
    memory: u64,
    /// Whether solutions are written as the solver found them.
    is_raw: bool,
    /// Whether levels with a solution are left out.
    only_unsolved: bool,
}

impl Plan {
    /// Fills in the defaults.
    fn of(args: &SolveArgs) -> anyhow::Result<Self> {
        let n_processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        // What counts ticks is repeatable, and so has one thread, unless told.
        let default_threads = || if args.work.is_some() { 1 } else { n_processors() };
        let n_threads = args.threads.map_or_else(default_threads, NonZeroUsize::get);
        let default_time = if args.work.is_some() { None } else { Some(DEFAULT_TIME) };
        let memory = args.run.memory();
        let mut knobs = choice::knobs(&args.algorithm, args.direction, args.optimal, n_threads)?;
        choice::switch(&mut knobs.settings, &args.without, false);
        choice::switch(&mut knobs.settings, &args.with, true);
        for (option, names) in [("--without", &args.without), ("--with", &args.with)] {
            for name in names.iter().filter(|name| !knobs.heeds(name)) {
                complaint::warning(&format!(
                    "{option} {name} changes nothing here: {} has no use for it",
                    args.algorithm
                ));
            }
        }
        Ok(Self {
            knobs,
            time: args.time.map(|time| time.0).or(default_time),
            work: args.work,
            memory: MemoryAccount::left_for_searches(memory, resident_memory(), n_threads),
            is_raw: args.raw,
            only_unsolved: args.unsolved,
        })
    }

    /// Solves a level, if it is one.
    fn solve<'a>(&self, at: InputLevel<'a>, cancel: &Cancel, screen: &Screen) -> (Found<'a>, Leftovers) {
        let optimal = self.knobs.settings.optimal;
        let mut leftovers = Leftovers::default();
        let fate = match at.entry.level() {
            Err(error @ (ParseLevelError::SealedBox { .. } | ParseLevelError::MoreBoxesThanGoals { .. })) => {
                Fate::NoSolution(error)
            }
            Err(error) => {
                complaint::error(&at.bad_board(error));
                Fate::BadBoard(error)
            }
            Ok(_) if cancel.is_cancelled() => Fate::NotBegun,
            Ok(_) if self.only_unsolved && at.entry.solutions().any(|(_, solution)| solution.is_ok()) => {
                Fate::HasSolution
            }
            Ok(level) => {
                let (fate, left) = self.solve_level(level, &at, cancel, screen);
                leftovers = left;
                fate
            }
        };
        (Found { at, fate, optimal }, leftovers)
    }

    fn solve_level(&self, level: &Level, at: &InputLevel<'_>, cancel: &Cancel, screen: &Screen) -> (Fate, Leftovers) {
        let view = SolveView::new(screen, &at.entry.title_or_number(), self.time);
        let budget = Budget::new(self.time, MemoryAccount::new(self.memory), cancel.clone()).with_work(self.work);
        let (outcome, leftovers) = sokosolver::solve_first(level, &self.knobs, &budget, &view);
        drop(view);
        if outcome.has_fault() {
            let title = at.entry.title_or_number();
            complaint::error(&format!("{title}: a search failed by a fault of this program; please report it"));
        }
        let raw = outcome.solution().cloned();
        let solution = raw.map(|solution| self.finish(level, solution, cancel));
        info!(level = at.number, elapsed = ?outcome.elapsed, ticks = outcome.ticks, "level done");
        (Fate::Ran(Box::new(outcome), solution), leftovers)
    }

    /// Runs the quick methods, unless told.
    fn finish(&self, level: &Level, solution: sokocore::Solution, cancel: &Cancel) -> sokocore::Solution {
        let optimal: Optimal = self.knobs.settings.optimal;
        if self.is_raw { solution } else { polish(level, &solution, optimal, cancel) }
    }
}
