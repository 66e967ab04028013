//! The lines of `analyze --json`.

use serde::Serialize;
use sokocore::{Board, Level, ParseLevelError};
use sokosearch::{End, Stop};
use sokosolver::{Alternatives, Analysis, BoxUse, Choices, Fault, Parity, Reason, Solvability, SquareUse};

use super::AnalyzeResult;
use super::totals::AnalyzeSums;
use crate::complaint::with_causes;
use crate::inputs::InputLevel;
use crate::json::{LevelRef, MetricsJson, Place, RunLine, SelectionJson};
use crate::level_fault::{BAD_BOARD, UNSOLVABLE};
use crate::show::marked;

/// The lines of `analyze --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum AnalyzeLine {
    /// The first line.
    Run(RunLine<AnalyzeSettings>),
    /// What is known about a level, as soon as it is analyzed.
    Analysis(Box<AnalyzedLevel>),
    /// The last line.
    Summary(AnalyzeSums),
}

/// The settings of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnalyzeSettings {
    #[serde(flatten)]
    pub(super) selection: SelectionJson,
    /// Longest time for a level.
    pub(super) seconds_per_level: f64,
    /// Most memory of the process.
    pub(super) memory_bytes: u64,
    /// Threads of the solver.
    pub(super) threads: usize,
}

/// What is known about a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnalyzedLevel {
    #[serde(flatten)]
    at: LevelRef,
    /// `solvable`, `unsolvable`, `unknown`, `bad board` or `not begun`.
    result: &'static str,
    /// Whether the result is proved: that `best` has the fewest pushes, or that there is no solution.
    proved: bool,
    /// Why the level is unsolvable or the board bad: `exhaustive search`, `search`, or what is wrong in words.
    reason: Option<String>,
    /// Squares that show the reason: boxes or faults.
    marked: Vec<Place>,
    /// Goals that the marked boxes compete for.
    marked_goals: Vec<Place>,
    #[serde(flatten)]
    analysis: Option<Box<AnalysisJson>>,
}

/// What an analysis knows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnalysisJson {
    /// No solution has fewer pushes; proved.
    least_pushes: u64,
    /// The best solution known; null without one.
    best: Option<MetricsJson>,
    /// The strategy that found it, or showed that there is none; null if a file had it.
    found_by: Option<String>,
    /// `even`, `odd`, or null if spare goals leave it open.
    push_parity: Option<&'static str>,
    /// How many solutions of fewest pushes there are, up to the order of pushes; null if not known.
    best_solutions: Option<CountJson>,
    /// What each box is for; empty without a solution.
    boxes: Vec<BoxJson>,
    /// What the empty squares are for; null without a solution.
    squares: Option<SquaresJson>,
    /// Pushes to choose from along the best solution known.
    choices: usize,
    /// Those that lose the level.
    lost_choices: usize,
    /// Those that nothing is known about.
    undecided_choices: usize,
    /// The same three numbers for each position of the solution.
    choices_by_push: Vec<[usize; 3]>,
    /// Positions of the whole level; null if they were not all looked at.
    positions: Option<u64>,
    /// Those from which there is no solution; null if they were not all looked at.
    lost_positions: Option<u64>,
    /// Positions expanded.
    nodes: u64,
    /// Time of the analysis.
    seconds: f64,
    /// `done`, or what stopped the first question without a full answer: `time`, `memory`, `too many positions`,
    /// `interrupted`.
    ended_by: &'static str,
    /// The moves of the best solution known, as letters.
    solution: Option<String>,
}

/// A number of solutions.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CountJson {
    /// The number, or a lower bound on it.
    count: usize,
    /// Whether there are no others.
    exact: bool,
}

/// What a box is for.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoxJson {
    /// Where it starts.
    from: Place,
    /// Where the best solution known leaves it.
    to: Place,
    /// How often that solution pushes it.
    pushes: u64,
    /// Whether some best solution never pushes it; null if not known.
    can_stay: Option<bool>,
    /// The fewest pushes of the level without it and the goal `to`; null if not known.
    others_need: Option<u64>,
    /// By how many pushes the others get along with less without it; null if not known.
    hindrance: Option<u64>,
}

/// What the squares are for that are empty at the start, goals apart.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SquaresJson {
    /// Not entered by the best solution known; all of them could be walls together.
    unentered: Vec<Place>,
    /// Each of them could be a wall without a push more.
    spare: Vec<Place>,
    /// A wall there costs pushes, or makes the level unsolvable.
    needed: Vec<Place>,
    /// Neither is known.
    undecided: Vec<Place>,
}

impl AnalyzedLevel {
    /// Describes the answer for a level.
    pub(super) fn of(at: &InputLevel<'_>, answer: &AnalyzeResult<'_>) -> Self {
        let new = |result| Self {
            at: LevelRef::of(at),
            result,
            proved: false,
            reason: None,
            marked: Vec::new(),
            marked_goals: Vec::new(),
            analysis: None,
        };
        let of_error = |result, error: ParseLevelError| Self {
            reason: Some(with_causes(error)),
            marked: marked(at.entry.board_rows(), &error),
            ..new(result)
        };
        match answer {
            AnalyzeResult::BadBoard(error) => of_error(BAD_BOARD, *error),
            AnalyzeResult::Unsolvable(error) => Self { proved: true, ..of_error(UNSOLVABLE, *error) },
            AnalyzeResult::NotBegun => new("not begun"),
            AnalyzeResult::Analyzed(level, analysis) => {
                let mut line = new(result(&analysis.answer));
                line.proved = analysis.bounds.is_proved();
                if let Solvability::Unsolvable(reason) = &analysis.answer {
                    line.add_reason(level.board(), reason);
                }
                line.analysis = Some(Box::new(AnalysisJson::of(level, analysis)));
                line
            }
        }
    }

    fn add_reason(&mut self, board: &Board, reason: &Reason) {
        self.proved = true;
        self.reason = Some(match reason {
            Reason::Fault(fault) => fault.reason().to_owned(),
            Reason::Exhausted { .. } => "exhaustive search".to_owned(),
            Reason::Search { .. } => "search".to_owned(),
        });
        if let Reason::Fault(fault) = reason {
            self.marked = Place::all(board, fault.boxes());
            if let Fault::TooFewGoals { goals, .. } = fault {
                self.marked_goals = Place::all(board, goals);
            }
        }
    }
}

impl AnalysisJson {
    fn of(level: &Level, analysis: &Analysis) -> Self {
        let board = level.board();
        let total = analysis.bounds.at_most.unwrap_or(0);
        let sum = |of: fn(&Choices) -> usize| analysis.choices.iter().map(of).sum();
        let (found_by, positions) = match &analysis.answer {
            Solvability::Unsolvable(Reason::Search { by }) => (Some(by.clone()), None),
            Solvability::Unsolvable(Reason::Exhausted { positions }) => (None, Some(*positions)),
            _ => (analysis.found_by.clone(), analysis.space.map(|space| space.positions)),
        };
        Self {
            least_pushes: analysis.bounds.at_least,
            best: analysis.best.as_ref().map(|best| best.metrics().into()),
            found_by,
            push_parity: analysis.parity.map(Parity::name),
            best_solutions: analysis.alternatives.map(CountJson::from),
            boxes: analysis.boxes.iter().map(|one| BoxJson::of(board, one, total)).collect(),
            squares: analysis.squares.as_ref().map(|squares| SquaresJson::of(board, squares)),
            choices: sum(|choices| choices.pushes),
            lost_choices: sum(|choices| choices.lost),
            undecided_choices: sum(|choices| choices.undecided),
            choices_by_push: analysis.choices.iter().map(|at| [at.pushes, at.lost, at.undecided]).collect(),
            positions,
            lost_positions: analysis.space.map(|space| space.lost),
            nodes: analysis.n_nodes,
            seconds: analysis.elapsed.as_secs_f64(),
            ended_by: ended_by(analysis.end),
            solution: analysis.best.as_ref().map(|best| best.lurd().to_string()),
        }
    }
}

impl From<Alternatives> for CountJson {
    fn from(alternatives: Alternatives) -> Self {
        match alternatives {
            Alternatives::Exactly(count) => Self { count, exact: true },
            Alternatives::MoreThan(n) => Self { count: n + 1, exact: false },
        }
    }
}

impl BoxJson {
    fn of(board: &Board, one: &BoxUse, total: u64) -> Self {
        Self {
            from: Place::of(board.place(one.from)),
            to: Place::of(board.place(one.to)),
            pushes: one.pushes,
            can_stay: one.can_stay,
            others_need: one.others_need,
            hindrance: one.hindrance(total),
        }
    }
}

impl SquaresJson {
    fn of(board: &Board, squares: &SquareUse) -> Self {
        Self {
            unentered: Place::all(board, &squares.unentered),
            spare: Place::all(board, &squares.spare),
            needed: Place::all(board, &squares.needed),
            undecided: Place::all(board, &squares.undecided),
        }
    }
}

const fn result(answer: &Solvability) -> &'static str {
    match answer {
        Solvability::Solvable => "solvable",
        Solvability::Unsolvable(_) => UNSOLVABLE,
        Solvability::Unknown => "unknown",
    }
}

/// What stopped the first question that has no full answer.
pub(super) const fn ended_by(end: End) -> &'static str {
    match end {
        End::Exhausted => "done",
        End::Stopped(Stop::Work) => "too many positions",
        End::Stopped(stop) => stop.name(),
    }
}
