//! The command `analyze`: what a level is like, for those who make levels.
//!
//! ```text
//!  Inputs ─▶ Analyzer ─▶ AnalyzeResult ─▶ report: picture, one question a line
//!                             ├─────────▶ json_line
//!                             └─────────▶ totals
//! ```
//!
//! Nothing is written but the answer. Levels are analyzed one after the other, each with all threads.

mod json_line;
mod report;
mod totals;

use std::io::{self, Write};
use std::time::Duration;

use sokocore::{Level, ParseLevelError};
use sokosearch::{Budget, Cancel, Clock, MemoryAccount};
use sokosolver::{Analysis, AnalysisKnobs, AnalysisStage, analyze, is_unsolvable};
use tracing::info;

#[cfg(test)]
pub(crate) use self::json_line::AnalyzeLine;
#[cfg(not(test))]
use self::json_line::AnalyzeLine;
use self::json_line::{AnalyzeSettings, AnalyzedLevel};
use self::totals::Totals;
use crate::args::AnalyzeArgs;
use crate::complaint::Complaints;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::selection::LevelSelection;
use crate::inputs::{InputLevel, Inputs, OwnResults};
use crate::interrupt::cancel_on_ctrl_c;
use crate::json::{JsonLines, RunLine};
use crate::output;
use crate::process_memory::{keep_within, memory_of_searches};
use crate::show::complain;

/// Runs the command.
pub(crate) fn run(args: &AnalyzeArgs, console: &Console) -> anyhow::Result<Exit> {
    let clock = Clock::start();
    let inputs = Inputs::read(&args.level.files, OwnResults::Read, &console.complaints);
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let analyzer = Analyzer::of(args, console)?;
    let terminal = console.stdout;
    let lines = JsonLines::new(args.json);
    lines.print(&AnalyzeLine::Run(RunLine::new("analyze", &inputs, analyzer.settings(&selection))));
    let mut totals = Totals::default();
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        if lines.has_failed() {
            break;
        }
        let answer = analyzer.answer(&at);
        totals.count(&answer);
        if args.json {
            lines.print(&AnalyzeLine::Analysis(Box::new(AnalyzedLevel::of(&at, &answer))));
        } else if !matches!(answer, AnalyzeResult::NotBegun) {
            output::print(&report::of(&at, &answer, &terminal, args.time.0))?;
        }
    }
    let is_interrupted = analyzer.cancel.is_cancelled();
    let exit =
        if is_interrupted { Exit::Interrupted } else { Exit::of_faults(inputs.n_faults() + totals.n_bad_boards) };
    if args.json {
        lines.print(&AnalyzeLine::Summary(totals.json(is_interrupted, clock.elapsed(), exit)));
        lines.end()?;
    } else if totals.n_levels() > 1 || is_interrupted {
        output::print_line(&totals.text(clock.elapsed()))?;
    }
    Ok(exit)
}

/// What became of a level.
#[derive(Debug)]
enum AnalyzeResult<'a> {
    /// The board is no level.
    BadBoard(ParseLevelError),
    /// The picture shows that there is no solution.
    Unsolvable(ParseLevelError),
    /// Interrupted before its turn.
    NotBegun,
    /// It was analyzed.
    Analyzed(&'a Level, Box<Analysis>),
}

/// The settings of a run.
#[derive(Debug)]
struct Analyzer {
    knobs: AnalysisKnobs,
    time: Duration,
    /// For the whole process, in bytes.
    memory_in_all: u64,
    /// For the searches.
    memory: u64,
    cancel: Cancel,
    complaints: Complaints,
}

impl Analyzer {
    fn of(args: &AnalyzeArgs, console: &Console) -> anyhow::Result<Self> {
        let n_threads = args.resources.n_threads();
        let cancel = Cancel::default();
        cancel_on_ctrl_c(cancel.clone(), console.complaints.clone(), "what is known by then is printed")?;
        let memory_in_all = args.resources.memory()?;
        keep_within(memory_in_all);
        Ok(Self {
            knobs: AnalysisKnobs { n_threads, ..AnalysisKnobs::default() },
            time: args.time.0,
            memory_in_all,
            memory: memory_of_searches(memory_in_all, n_threads),
            cancel,
            complaints: console.complaints.clone(),
        })
    }

    fn settings(&self, selection: &LevelSelection) -> AnalyzeSettings {
        AnalyzeSettings {
            selection: selection.into(),
            seconds_per_level: self.time.as_secs_f64(),
            memory_bytes: self.memory_in_all,
            threads: self.knobs.n_threads,
        }
    }

    fn answer<'a>(&self, at: &InputLevel<'a>) -> AnalyzeResult<'a> {
        match at.entry.level() {
            Err(error) if is_unsolvable(&error) => AnalyzeResult::Unsolvable(error),
            Err(error) => {
                complain(at, error, &self.complaints);
                AnalyzeResult::BadBoard(error)
            }
            Ok(_) if self.cancel.is_cancelled() => AnalyzeResult::NotBegun,
            Ok(level) => {
                let known: Vec<_> = at.entry.solutions().filter_map(|(_, solution)| solution.ok()).collect();
                let budget = Budget::new(Some(self.time), MemoryAccount::new(self.memory), self.cancel.clone());
                let stage = |stage| self.show(at, Some(stage));
                let analysis = analyze(level, &known, &self.knobs, &budget, &stage);
                self.show(at, None);
                AnalyzeResult::Analyzed(level, Box::new(analysis))
            }
        }
    }

    /// Says on a terminal what the analysis is busy with, in a line that is drawn over.
    fn show(&self, at: &InputLevel<'_>, stage: Option<AnalysisStage>) {
        info!(level = at.number, ?stage, "analysis");
        if self.complaints.terminal().can_redraw() {
            let text = stage.map(|stage| format!("level {}: {}", at.number, doing(stage))).unwrap_or_default();
            // A terminal that went away is no fault of ours.
            let _ = write!(io::stderr().lock(), "\r\x1b[K{text}");
        }
    }
}

/// What a stage does.
const fn doing(stage: AnalysisStage) -> &'static str {
    match stage {
        AnalysisStage::Whole => "looking at all positions",
        AnalysisStage::Solving => "solving",
        AnalysisStage::Proving => "proving the fewest pushes",
        AnalysisStage::Best => "finding all best solutions",
        AnalysisStage::Squares => "filling squares",
        AnalysisStage::Choices => "judging the pushes along the way",
        AnalysisStage::Boxes => "solving without each box",
        _ => "analyzing",
    }
}
