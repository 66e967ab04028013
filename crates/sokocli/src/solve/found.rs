//! One level that was to be solved, what came of it, and how that is written into its file.

use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use sokocore::{Metrics, Objective, ParseLevelError, Solution};
use sokoio::{EditError, ProofNote, SolutionKind};
use sokolibrary::{Document, Find, Keep, PROGRAM, RunDone};
use sokonight::{FoundSolution, LevelFinds};
use sokosearch::End;
use sokosolver::{Answer, Optimal, Outcome};

use crate::complaint::with_causes;
use crate::inputs::InputLevel;
use crate::level_fault::is_solved_at_start;
use crate::outputs::saver::{Gains, TargetLevel};
use crate::proofs;
use crate::work_list::WorkLevel;

/// What a library and the first line call a run.
pub(super) const SOLVE: &str = "solve";

/// What came of a level.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    work: &'a WorkLevel<'a>,
    pub(crate) fate: Fate,
    /// What the solution was asked to be best in.
    optimal: Optimal,
    /// When the level was done.
    found_at: Timestamp,
}

/// How the level ended: not tried, or tried by the solver.
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
    /// The file has a solution that was proved to be best.
    ProvedBefore(Solution),
    /// The same level was on the list before.
    SameAs,
    /// The run was interrupted, or its time was over, before.
    NotBegun,
}

/// What came of a level, in a word: for the table, for totals and for JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LevelResult {
    Proved,
    Solved,
    /// All boxes are on goals, and no push leads away and back.
    SolvedAtStart,
    Unsolvable,
    NotSolved,
    BadBoard,
    HasSolution,
    SameAs,
    NotBegun,
}

impl LevelResult {
    /// Says it in words.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved optimal",
            Self::Solved => "solved",
            Self::SolvedAtStart => "solved at the start",
            Self::Unsolvable => "unsolvable",
            Self::NotSolved => "not solved",
            Self::BadBoard => "bad board",
            Self::HasSolution => "has a solution",
            Self::SameAs => "same level",
            Self::NotBegun => "not begun",
        }
    }
}

impl<'a> Found<'a> {
    /// Makes the account of a level.
    pub(crate) fn new(work: &'a WorkLevel<'a>, fate: Fate, optimal: Optimal) -> Self {
        Self { work, fate, optimal, found_at: Timestamp::now() }
    }

    /// Returns where the level stands.
    pub(crate) const fn at(&self) -> &'a InputLevel<'a> {
        &self.work.at
    }

    /// Says what came of it in a word.
    pub(crate) fn verdict(&self) -> LevelResult {
        match &self.fate {
            Fate::Ran(outcome, _) => match outcome.answer {
                Answer::Solved { proved: true, .. } => LevelResult::Proved,
                Answer::Solved { .. } => LevelResult::Solved,
                Answer::Unsolvable { .. } if self.is_solved_start() => LevelResult::SolvedAtStart,
                Answer::Unsolvable { .. } => LevelResult::Unsolvable,
                Answer::Unsolved(_) => LevelResult::NotSolved,
            },
            Fate::NoSolution(_) => LevelResult::Unsolvable,
            Fate::BadBoard(_) => LevelResult::BadBoard,
            Fate::HasSolution => LevelResult::HasSolution,
            Fate::ProvedBefore(_) => LevelResult::Proved,
            Fate::SameAs => LevelResult::SameAs,
            Fate::NotBegun => LevelResult::NotBegun,
        }
    }

    fn is_solved_start(&self) -> bool {
        self.work.level().is_ok_and(is_solved_at_start)
    }

    /// Returns whether more time cannot change it.
    pub(crate) fn is_settled(&self) -> bool {
        match &self.fate {
            Fate::Ran(outcome, _) => match outcome.answer {
                Answer::Solved { proved, .. } => proved || self.optimal == Optimal::Any,
                Answer::Unsolvable { .. } => true,
                Answer::Unsolved(end) => end == End::Exhausted,
            },
            Fate::NotBegun => false,
            _ => true,
        }
    }

    /// Returns whether it makes the exit code 1: a bad board, or a fault of this program.
    pub(crate) fn is_fault(&self) -> bool {
        matches!(self.fate, Fate::BadBoard(_)) || self.outcome().is_some_and(Outcome::has_fault)
    }

    /// Says why there is no solution, or who found it.
    pub(crate) fn reason(&self) -> String {
        match &self.fate {
            Fate::Ran(outcome, _) => match &outcome.answer {
                Answer::Unsolvable { .. } if self.is_solved_start() => "no push leads away and back".to_owned(),
                Answer::Solved { by, proved: false, .. } if self.is_bound_asked_for() => {
                    format!("{}; then {}", finder(by), end_name(outcome.end))
                }
                Answer::Solved { by, .. } => finder(by).to_owned(),
                Answer::Unsolvable { by, .. } => by.clone(),
                Answer::Unsolved(end) => {
                    let tried = outcome.tried.iter().filter(|attempt| attempt.ticks > 0);
                    let tried: Vec<_> = tried.map(|attempt| attempt.strategy.as_str()).collect();
                    let end = end_name(*end);
                    if tried.is_empty() { end.to_owned() } else { format!("{end}; tried {}", tried.join(", ")) }
                }
            },
            Fate::NoSolution(error) | Fate::BadBoard(error) => with_causes(*error),
            Fate::ProvedBefore(_) => "proved before, says the file".to_owned(),
            Fate::SameAs => self.work.same_as.map_or_else(String::new, |number| format!("as level {number}")),
            Fate::HasSolution | Fate::NotBegun => String::new(),
        }
    }

    /// Returns the strategy that found the solution or showed that there is none.
    pub(crate) fn by(&self) -> Option<&str> {
        self.outcome()?.by().map(finder)
    }

    /// Returns the solution to be written or known.
    pub(crate) const fn solution(&self) -> Option<&Solution> {
        match &self.fate {
            Fate::Ran(_, solution) => solution.as_ref(),
            Fate::ProvedBefore(solution) => Some(solution),
            _ => None,
        }
    }

    /// Returns what the solution measures.
    pub(crate) fn metrics(&self) -> Option<Metrics> {
        self.solution().map(Solution::metrics)
    }

    /// Returns the fewest pushes or moves that are possible, as far as that is proved.
    pub(crate) fn lower_bound(&self) -> Option<u64> {
        let proved = || Some(self.primary(&self.metrics()?));
        match self.verdict() {
            LevelResult::Proved => proved(),
            _ => self.outcome().and_then(|outcome| outcome.lower_bound),
        }
    }

    /// Returns how far the solution may be from the best, in percent of the bound.
    pub(crate) fn gap(&self) -> Option<f64> {
        proofs::gap_percent(self.primary(&self.metrics()?), self.lower_bound()?)
    }

    /// Returns whether bounds are of interest.
    pub(crate) fn is_bound_asked_for(&self) -> bool {
        self.optimal != Optimal::Any
    }

    fn primary(&self, metrics: &Metrics) -> u64 {
        self.objective().order()[0].of(metrics)
    }

    fn objective(&self) -> Objective {
        objective_of(self.optimal)
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
    fn kind(&self) -> SolutionKind {
        match (self.verdict(), self.optimal) {
            (LevelResult::Proved, Optimal::Pushes | Optimal::PushesMoves) => SolutionKind::Pushes,
            (LevelResult::Proved, Optimal::Moves | Optimal::MovesPushes) => SolutionKind::Moves,
            _ => SolutionKind::Plain,
        }
    }

    fn notes(&self, metrics: &Metrics) -> Vec<String> {
        let by = self.by().unwrap_or_default();
        let solver = format!("Solver: {PROGRAM} {}, {by}", env!("CARGO_PKG_VERSION"));
        let time = format!("Solver time: {:.2} s", self.elapsed().as_secs_f64());
        let date = format!("Solver date: {}", self.found_at.strftime("%Y-%m-%dT%H:%M:%SZ"));
        let proof = self.proof(metrics).map(|proof| proof.to_string());
        [solver, time, date].into_iter().chain(proof).collect()
    }

    /// What the run has proved, as it is written below the solution.
    fn proof(&self, metrics: &Metrics) -> Option<ProofNote> {
        let proved = match self.verdict() {
            LevelResult::Proved => proofs::claim(self.optimal, metrics),
            _ => proofs::bound(self.optimal, self.lower_bound()?),
        };
        proved.map(proofs::note)
    }
}

impl Gains for Found<'_> {
    fn key(&self) -> (usize, Option<usize>) {
        (self.work.at.number, None)
    }

    fn at(&self) -> &InputLevel<'_> {
        &self.work.at
    }

    fn places(&self) -> &[TargetLevel] {
        &self.work.places
    }

    fn finds(&self) -> Option<LevelFinds> {
        let mut finds = LevelFinds::of(self.work.level().ok()?);
        if let (Fate::Ran(..), Some(solution)) = (&self.fate, self.solution()) {
            let found = FoundSolution::new(solution.clone(), self.objective());
            let by = self.outcome().and_then(|outcome| Some((outcome.by()?, outcome.elapsed)));
            finds.solutions.push(match by {
                Some((strategy, elapsed)) => found.by(strategy, elapsed),
                None => found,
            });
            finds.proofs.extend(self.proof(&solution.metrics()).map(|proof| proof.proved()));
        }
        Some(finds)
    }

    fn runs(&self) -> Vec<RunDone> {
        let Some(outcome) = self.outcome() else { return Vec::new() };
        let mut run = RunDone::new(SOLVE, outcome.elapsed, self.verdict().name());
        run.ticks = outcome.tried.iter().map(|attempt| attempt.ticks).sum();
        run.has_gain = self.solution().is_some();
        vec![run]
    }

    fn add_to(&self, document: &mut Document, level_idx: usize, keep: Keep) -> Result<bool, EditError> {
        let (Fate::Ran(..), Some(solution)) = (&self.fate, self.solution()) else { return Ok(false) };
        let metrics = solution.metrics();
        let find = Find { notes: self.notes(&metrics), kind: Some(self.kind()), ..Find::ours(solution) };
        if document.add(level_idx, [find], keep)? {
            return Ok(true);
        }
        // The solution was there; that it is the best may be new.
        match self.proof(&metrics) {
            Some(proof) => document.add_proof(level_idx, self.objective(), &proof),
            None => Ok(false),
        }
    }
}

/// The best solution of a level that is being solved for the best one: it is saved, and known to the next turn.
#[derive(Debug)]
pub(crate) struct UnderWay<'a> {
    work: &'a WorkLevel<'a>,
    best: Mutex<Option<Solution>>,
}

impl<'a> UnderWay<'a> {
    /// Makes an account without a solution.
    pub(crate) const fn new(work: &'a WorkLevel<'a>) -> Self {
        Self { work, best: Mutex::new(None) }
    }

    /// Returns the level.
    pub(crate) const fn work(&self) -> &'a WorkLevel<'a> {
        self.work
    }

    /// Notes a better solution.
    pub(crate) fn found(&self, solution: &Solution) {
        *self.best.lock() = Some(solution.clone());
    }

    /// Returns all solutions that are known.
    pub(crate) fn known(&self) -> Vec<Solution> {
        self.work.solutions.iter().cloned().chain(self.best.lock().clone()).collect()
    }
}

impl Gains for UnderWay<'_> {
    fn key(&self) -> (usize, Option<usize>) {
        (self.work.at.number, None)
    }

    fn at(&self) -> &InputLevel<'_> {
        &self.work.at
    }

    fn places(&self) -> &[TargetLevel] {
        &self.work.places
    }

    fn finds(&self) -> Option<LevelFinds> {
        let mut finds = LevelFinds::of(self.work.level().ok()?);
        finds.solutions.extend(self.best.lock().clone().map(|best| FoundSolution::new(best, Objective::PUSHES)));
        Some(finds)
    }

    fn add_to(&self, document: &mut Document, level_idx: usize, keep: Keep) -> Result<bool, EditError> {
        let Some(solution) = self.best.lock().clone() else { return Ok(false) };
        let find = Find { kind: Some(SolutionKind::Plain), ..Find::ours(&solution) };
        document.add(level_idx, [find], keep)
    }
}

/// Says who found a solution that the solver was given.
fn finder(by: &str) -> &str {
    if by == "known" { "the file" } else { by }
}

/// Says how a run ended without an answer.
pub(crate) const fn end_name(end: End) -> &'static str {
    match end {
        End::Exhausted => "all strategies gave up",
        End::Stopped(stop) => stop.name(),
    }
}

/// The objective by which solutions are compared: any solution counts by its pushes.
pub(crate) const fn objective_of(optimal: Optimal) -> Objective {
    match optimal.objective() {
        Some(objective) => objective,
        None => Objective::PUSHES,
    }
}
