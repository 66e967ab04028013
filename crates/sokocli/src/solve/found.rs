//! One level that was to be solved, what came of it, and how that is written into its file.

use std::time::Duration;

use sokocore::{Metrics, ParseLevelError, Solution};
use sokoio::{Collection, EditError, SolutionKind, SolutionTitle};
use sokosearch::{End, Stop};
use sokosolver::{Answer, Optimal, Outcome};

use crate::complaint::with_causes;
use crate::inputs::InputLevel;
use crate::saver::Gains;

/// The name that our solutions carry.
const PROGRAM: &str = "Soko";

/// What came of a level.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) at: InputLevel<'a>,
    pub(crate) fate: Fate,
    /// What the solution was asked to be best in.
    pub(crate) optimal: Optimal,
}

/// What became of it.
#[derive(Debug)]
pub(crate) enum Fate {
    /// The solver ran. The solution is the one to be written, quick methods and all.
    Ran(Box<Outcome>, Option<Solution>),
    /// The board has no solution, as its reader saw already.
    NoSolution(ParseLevelError),
    /// The board is no level.
    BadBoard(ParseLevelError),
    /// The file has a solution, and only the others were asked for.
    HasSolution,
    /// The user had interrupted the run before.
    NotBegun,
}

impl Found<'_> {
    /// Says what came of it in a word or two.
    pub(crate) fn result(&self) -> &'static str {
        match &self.fate {
            Fate::Ran(outcome, _) => match outcome.answer {
                Answer::Solved { proved: true, .. } => "proved optimal",
                Answer::Solved { .. } => "solved",
                Answer::Unsolvable { .. } => "unsolvable",
                Answer::Unsolved(_) => "not solved",
            },
            Fate::NoSolution(_) => "unsolvable",
            Fate::BadBoard(_) => "bad board",
            Fate::HasSolution => "has a solution",
            Fate::NotBegun => "not begun",
        }
    }

    /// Says why there is no solution, or who found it.
    pub(crate) fn reason(&self) -> String {
        match &self.fate {
            Fate::Ran(outcome, _) => match &outcome.answer {
                Answer::Solved { by, .. } | Answer::Unsolvable { by } => by.clone(),
                Answer::Unsolved(end) => {
                    let tried = outcome.tried.iter().filter(|attempt| attempt.ticks > 0);
                    let tried: Vec<_> = tried.map(|attempt| attempt.strategy.as_str()).collect();
                    let end = end_name(*end);
                    if tried.is_empty() { end.to_owned() } else { format!("{end}; tried {}", tried.join(", ")) }
                }
            },
            Fate::NoSolution(error) | Fate::BadBoard(error) => with_causes(*error),
            Fate::HasSolution | Fate::NotBegun => String::new(),
        }
    }

    /// Returns the solution to be written.
    pub(crate) const fn solution(&self) -> Option<&Solution> {
        match &self.fate {
            Fate::Ran(_, solution) => solution.as_ref(),
            _ => None,
        }
    }

    /// Returns what the solution measures.
    pub(crate) fn metrics(&self) -> Option<Metrics> {
        self.solution().map(Solution::metrics)
    }

    /// Returns what the solver did, if it ran.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        match &self.fate {
            Fate::Ran(outcome, _) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the time that the solver took.
    pub(crate) fn elapsed(&self) -> Duration {
        self.outcome().map_or(Duration::ZERO, |outcome| outcome.elapsed)
    }

    /// Best in what was proved, plain otherwise: another program may know a better one.
    fn title(&self, metrics: Metrics) -> SolutionTitle {
        let kind = match (self.result(), self.optimal) {
            ("proved optimal", Optimal::Pushes | Optimal::PushesMoves) => SolutionKind::Pushes,
            ("proved optimal", Optimal::Moves | Optimal::MovesPushes) => SolutionKind::Moves,
            _ => SolutionKind::Plain,
        };
        SolutionTitle::new(kind, metrics).with_program(PROGRAM)
    }

    fn notes(&self) -> Vec<String> {
        let solver = format!("Solver: {PROGRAM} {}, {}", env!("CARGO_PKG_VERSION"), self.reason());
        vec![solver, format!("Solver time: {:.2} s", self.elapsed().as_secs_f64())]
    }
}

impl Gains for Found<'_> {
    fn key(&self) -> (usize, Option<usize>) {
        (self.at.number, None)
    }

    fn input_idx(&self) -> usize {
        self.at.input_idx
    }

    fn add_to(&self, collection: &mut Collection) -> Result<bool, EditError> {
        let Some(solution) = self.solution() else { return Ok(false) };
        let is_known = |known: Solution| known.lurd() == solution.lurd();
        if self.at.entry.solutions().filter_map(|(_, known)| known.ok()).any(is_known) {
            return Ok(false);
        }
        let level_idx = self.at.entry.number() - 1;
        collection.add_solution(level_idx, &self.title(solution.metrics()), solution.lurd(), &self.notes())?;
        Ok(true)
    }
}

/// Says how a run ended without an answer.
pub(crate) const fn end_name(end: End) -> &'static str {
    match end {
        End::Exhausted => "all strategies gave up",
        End::Stopped(Stop::Time) => "time",
        End::Stopped(Stop::Memory) => "memory",
        End::Stopped(Stop::Work) => "work",
        End::Stopped(Stop::Cancelled) => "interrupted",
    }
}
