//! What is found about a level, in sentences.

use std::time::Duration;

use serde::Serialize;
use sokocore::{Level, Solution};
use sokosearch::{End, Stop};
use sokosolver::{Alternatives, Analysis, BoxUse, LeastPushes, Reason, Solvability, SquareUse};

/// A sentence, and how it is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// `good`, `bad`, `open` or `fact`.
    tone: &'static str,
    text: String,
}

impl Finding {
    const fn new(tone: &'static str, text: String) -> Self {
        Self { tone, text }
    }

    /// Something that is wrong.
    pub(super) const fn bad(text: String) -> Self {
        Self::new("bad", text)
    }

    const fn good(text: String) -> Self {
        Self::new("good", text)
    }

    const fn open(text: String) -> Self {
        Self::new("open", text)
    }

    const fn fact(text: String) -> Self {
        Self::new("fact", text)
    }
}

/// What needs no search.
pub(super) fn of_survey(level: &Level, known: &[Solution]) -> Vec<Finding> {
    let size = format!(
        "{} by {} squares, {}.",
        level.grid().width(),
        level.grid().height(),
        counted(level.n_boxes() as u64, "box", "boxes")
    );
    let mut findings = vec![Finding::fact(size)];
    if let LeastPushes::AtLeast(pushes) = LeastPushes::of(level) {
        findings.push(Finding::fact(format!("Every solution has at least {}.", counted(pushes, "push", "pushes"))));
    }
    findings.push(match known.iter().map(|known| known.metrics().pushes).min() {
        Some(pushes) => Finding::good(format!("The library has a solution of {}.", counted(pushes, "push", "pushes"))),
        None => Finding::open("Nothing speaks against a solution so far; check it to find one.".to_owned()),
    });
    findings
}

/// What an analysis has found within its time.
pub(super) fn of_analysis(level: &Level, analysis: &Analysis, time: Duration) -> Vec<Finding> {
    let mut findings = vec![solvable(analysis, time)];
    if let Solvability::Unsolvable(_) = analysis.answer {
        return findings;
    }
    findings.push(fewest_pushes(analysis));
    match analysis.alternatives {
        Some(Alternatives::Exactly(1)) => {
            findings.push(Finding::good("There is only one best solution, up to the order of pushes.".to_owned()));
        }
        Some(Alternatives::Exactly(n)) => {
            findings.push(Finding::fact(format!("There are {n} best solutions, up to the order of pushes.")));
        }
        Some(Alternatives::MoreThan(n)) => {
            findings.push(Finding::fact(format!("There are more than {n} best solutions.")));
        }
        None => {}
    }
    findings.extend(boxes(level, &analysis.boxes));
    findings.extend(analysis.squares.as_ref().map(squares));
    if let Some(space) = analysis.space {
        let text = format!("{} positions in all, {} of them lost.", space.positions, space.lost);
        findings.push(Finding::fact(text));
    }
    if let End::Stopped(stop) = analysis.end {
        findings.push(Finding::open(format!("Not every question was answered: {}.", why(stop, time))));
    }
    findings
}

fn why(stop: Stop, time: Duration) -> String {
    match stop {
        Stop::Cancelled => "the check was stopped".to_owned(),
        Stop::Memory => "it takes more memory".to_owned(),
        Stop::Work => "there are too many positions".to_owned(),
        _ => format!("{} seconds are over; a longer check may know more", time.as_secs()),
    }
}

fn solvable(analysis: &Analysis, time: Duration) -> Finding {
    match (&analysis.answer, analysis.end) {
        (Solvability::Solvable, _) => {
            let metrics = analysis.best.as_ref().map(Solution::metrics).unwrap_or_default();
            let (pushes, moves) = (metrics.pushes, metrics.moves);
            Finding::good(format!("It has a solution: the best one found has {pushes} pushes and {moves} moves."))
        }
        (Solvability::Unsolvable(Reason::Exhausted { positions }), _) => {
            Finding::bad(format!("It has no solution: none of its {positions} positions is solved."))
        }
        (Solvability::Unsolvable(_), _) => Finding::bad("It has no solution; a search has proved it.".to_owned()),
        (Solvability::Unknown, End::Stopped(stop)) => {
            Finding::open(format!("Whether it has a solution is not known: {}.", why(stop, time)))
        }
        (Solvability::Unknown, End::Exhausted) => Finding::open("Whether it has a solution is not known.".to_owned()),
    }
}

fn fewest_pushes(analysis: &Analysis) -> Finding {
    let at_least = analysis.bounds.at_least;
    match analysis.bounds.at_most {
        Some(at_most) if analysis.bounds.is_proved() => {
            Finding::good(format!("No solution has fewer than {at_most} pushes; that is proved."))
        }
        Some(at_most) => Finding::open(format!("The fewest pushes are between {at_least} and {at_most}.")),
        None => Finding::fact(format!("Every solution has at least {at_least} pushes.")),
    }
}

fn boxes(level: &Level, boxes: &[BoxUse]) -> Option<Finding> {
    let unused: Vec<_> = boxes.iter().filter(|one| one.pushes == 0).map(|one| level.board().place(one.from)).collect();
    let named = |(row, column): &(usize, usize)| format!("row {}, column {}", row + 1, column + 1);
    match &*unused {
        [] if boxes.is_empty() => None,
        [] => Some(Finding::good("Each box is pushed in the best solution found.".to_owned())),
        [one] => Some(Finding::open(format!("The box at {} is not pushed in the best solution found.", named(one)))),
        [first, rest @ ..] => Some(Finding::open(format!(
            "{} boxes are not pushed in the best solution found, the first of them at {}.",
            rest.len() + 1,
            named(first)
        ))),
    }
}

fn squares(used: &SquareUse) -> Finding {
    match used.spare.len() + used.unentered.iter().filter(|&sq| !used.spare.contains(sq)).count() {
        0 => Finding::good("Every square is needed, or may be.".to_owned()),
        1 => Finding::open("One square could be wall without a push more (marked).".to_owned()),
        n => Finding::open(format!("Each of {n} squares could be wall without a push more (marked).")),
    }
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
