//! The answer for a level as text: the picture with marks, then one question a line.

use std::time::Duration;

use sokocore::{Board, Level, ParseLevelError, Square, SquareSet};
use sokosearch::{End, Stop};
use sokosolver::{Alternatives, Analysis, BoxUse, Choices, Fault, LeastPushes, Reason, Solvability, SquareUse};

use super::AnalyzeResult;
use crate::board_picture::{BoardPicture, Mark};
use crate::complaint::with_causes;
use crate::inputs::InputLevel;
use crate::level_fault::{BAD_BOARD, UNSOLVABLE};
use crate::show::{heading, picture_of_error, with_letter};
use crate::terminal::{Paint, Terminal};
use crate::wording::{count, duration, thousands};

/// Most squares that are named in a line.
const MAX_NAMED: usize = 6;
/// Columns of the questions.
const QUESTION_WIDTH: usize = 15;

/// Marks of squares in pictures.
const UNENTERED: char = '%';
const SPARE: char = '-';
const UNDECIDED: char = '?';

/// Writes the section of a level. `time` is what it was allowed.
pub(super) fn of(at: &InputLevel<'_>, answer: &AnalyzeResult<'_>, terminal: &Terminal, time: Duration) -> String {
    let title = terminal.paint(Paint::Strong, &heading(at));
    let body = match answer {
        AnalyzeResult::BadBoard(error) => of_error(at, *error, BAD_BOARD, terminal),
        AnalyzeResult::Unsolvable(error) => of_error(at, *error, UNSOLVABLE, terminal),
        AnalyzeResult::NotBegun => String::new(),
        AnalyzeResult::Analyzed(level, analysis) => {
            let picture = picture(level, analysis).with_coordinates().draw(terminal);
            picture + "\n" + &lines(level, analysis, terminal, time)
        }
    };
    format!("{title}\n{body}\n")
}

fn of_error(at: &InputLevel<'_>, error: ParseLevelError, verdict: &str, terminal: &Terminal) -> String {
    let picture = picture_of_error(at, error).with_coordinates().draw(terminal);
    let verdict = terminal.paint(Paint::Wrong, verdict);
    let section = ReportSection::new(terminal).with("solvable", &format!("{verdict}: {}", with_causes(error)));
    format!("{picture}\n{}", section.text)
}

/// Lines of questions and answers.
struct ReportSection<'a> {
    terminal: &'a Terminal,
    text: String,
}

impl<'a> ReportSection<'a> {
    const fn new(terminal: &'a Terminal) -> Self {
        Self { terminal, text: String::new() }
    }

    fn with(mut self, question: &str, answer: &str) -> Self {
        self.add(question, answer);
        self
    }

    /// Adds an answer, wrapped to the width of the terminal. An empty question continues the one before.
    fn add(&mut self, question: &str, answer: &str) {
        let room = self.terminal.width().map_or(usize::MAX, |width| width.saturating_sub(QUESTION_WIDTH + 5).max(24));
        for (at, line) in wrapped(answer, room).iter().enumerate() {
            let question = if at == 0 { question } else { "" };
            let question = self.terminal.paint(Paint::Dim, &format!("{question:<QUESTION_WIDTH$}"));
            self.text.push_str(&format!("  {question}  {line}\n"));
        }
    }

    /// Adds lines that answer one question.
    fn add_all(&mut self, question: &str, answers: &[String]) {
        for (at, answer) in answers.iter().enumerate() {
            self.add(if at == 0 { question } else { "" }, answer);
        }
    }
}

/// Breaks a text between words where it is wider than `width`. Paint counts as if it were seen.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn picture(level: &Level, analysis: &Analysis) -> BoardPicture {
    let mut picture = BoardPicture::of(level);
    if let Solvability::Unsolvable(Reason::Fault(fault)) = &analysis.answer {
        let mut point = |squares: &SquareSet, paint: Paint| {
            for (row, column) in squares.iter().map(|sq| level.board().place(sq)) {
                picture = picture.clone().mark(row, column, Mark::pointed_at(paint));
            }
        };
        point(fault.boxes(), Paint::Wrong);
        if let Fault::TooFewGoals { goals, .. } = fault {
            point(goals, Paint::Warning);
        }
    }
    if let Some(used) = &analysis.squares {
        picture = with_letter(picture, level, &used.undecided, UNDECIDED, Paint::Warning);
        picture = with_letter(picture, level, &used.spare, SPARE, Paint::Good);
        picture = with_letter(picture, level, &used.unentered, UNENTERED, Paint::Good);
    }
    picture
}

fn lines(level: &Level, analysis: &Analysis, terminal: &Terminal, time: Duration) -> String {
    let not_known = not_known(analysis.end, time);
    let mut section = ReportSection::new(terminal);
    section.add("solvable", &solvable(level, analysis, terminal, &not_known));
    if !matches!(analysis.answer, Solvability::Unsolvable(_)) {
        section.add("fewest pushes", &fewest_pushes(analysis, terminal, &not_known));
    }
    if analysis.best.is_some() {
        section.add("best solutions", &best_solutions(analysis, &not_known));
        section.add_all("boxes", &boxes(level.board(), analysis, &not_known));
        if let Some(used) = &analysis.squares {
            section.add_all("empty squares", &empty_squares(used));
        }
        section.add_all("difficulty", &difficulty(level, analysis));
    }
    let searched = format!("{} expanded in {}", count(analysis.n_nodes, "position"), duration(analysis.elapsed));
    section.add("search", &searched);
    section.text
}

/// Why something is not known.
fn not_known(end: End, time: Duration) -> String {
    match end {
        End::Stopped(Stop::Cancelled) => "not known: interrupted".to_owned(),
        End::Stopped(Stop::Memory) => "not known within the memory; see --memory".to_owned(),
        End::Stopped(Stop::Work) => "not known: too many positions".to_owned(),
        End::Stopped(_) | End::Exhausted => format!("not known within {}; see --time", duration(time)),
    }
}

fn solvable(level: &Level, analysis: &Analysis, terminal: &Terminal, not_known: &str) -> String {
    match &analysis.answer {
        Solvability::Solvable => {
            let by = analysis.found_by.as_ref().map_or("in the file".to_owned(), |by| format!("found by {by}"));
            let best = analysis.best.as_ref().map(|best| {
                let metrics = best.metrics();
                format!("; the best solution known has {} pushes and {} moves, {by}", metrics.pushes, metrics.moves)
            });
            terminal.paint(Paint::Good, "yes") + &best.unwrap_or_default()
        }
        Solvability::Unknown => not_known.to_owned(),
        Solvability::Unsolvable(reason) => {
            terminal.paint(Paint::Wrong, "no") + ": " + &reason_text(level.board(), reason)
        }
    }
}

fn reason_text(board: &Board, reason: &Reason) -> String {
    match reason {
        Reason::Fault(fault) => {
            let boxes = named(board, fault.boxes().iter());
            match fault {
                Fault::TooFewGoals { boxes: all, goals } => format!(
                    "{} ({boxes}) compete for {} ({})",
                    count(all.len(), "box"),
                    count(goals.len(), "goal"),
                    named(board, goals.iter())
                ),
                _ => format!("{} ({boxes})", fault.reason()),
            }
        }
        Reason::Exhausted { positions } => format!("none of the {} is solved", count(*positions, "position")),
        Reason::Search { by } => format!("exhausted by {by}"),
    }
}

fn fewest_pushes(analysis: &Analysis, terminal: &Terminal, not_known: &str) -> String {
    let at_least = analysis.bounds.at_least;
    let parity = analysis.parity.map(|parity| format!(", an {} number", parity.name())).unwrap_or_default();
    match analysis.bounds.at_most {
        Some(at_most) if analysis.bounds.is_proved() => {
            format!("{at_most}, {}", terminal.paint(Paint::Proved, "proved"))
        }
        Some(at_most) => format!("from {at_least} to {at_most}{parity}; {not_known}"),
        None => format!("at least {at_least}{parity}"),
    }
}

fn best_solutions(analysis: &Analysis, not_known: &str) -> String {
    match analysis.alternatives {
        Some(Alternatives::Exactly(1)) => "only one, up to the order of pushes".to_owned(),
        Some(Alternatives::Exactly(n)) => format!("{n}, up to the order of pushes"),
        Some(Alternatives::MoreThan(n)) => format!("more than {n}, up to the order of pushes"),
        None => not_known.to_owned(),
    }
}

fn boxes(board: &Board, analysis: &Analysis, not_known: &str) -> Vec<String> {
    let total = analysis.bounds.at_most.unwrap_or(0);
    let named = |is_meant: &dyn Fn(&BoxUse) -> bool| {
        let chosen: Vec<_> = analysis.boxes.iter().filter(|one| is_meant(one)).map(|one| one.from).collect();
        (chosen.len(), named(board, chosen.into_iter()))
    };
    let mut lines = Vec::new();
    let (n_still, still) = named(&|one| one.pushes == 0);
    lines.push(match n_still {
        0 => format!("{}, each of them pushed in the best solution known", count(analysis.boxes.len(), "box")),
        _ => {
            format!("{}, {n_still} not pushed in the best solution known: {still}", count(analysis.boxes.len(), "box"))
        }
    });
    let (n_idle, idle) = named(&|one| one.can_stay == Some(true) && one.pushes > 0);
    if n_idle > 0 {
        lines.push(format!("not pushed in some other best solution: {idle}"));
    }
    if analysis.boxes.len() > 1 {
        let (n_free, free) = named(&|one| one.pushes > 0 && one.hindrance(total) == Some(0));
        if n_free > 0 {
            lines.push(format!("in no other's way (without it and its goal, the others need as many pushes): {free}"));
        }
        let worst = analysis.boxes.iter().filter_map(|one| Some((one.hindrance(total)?, one)));
        if let Some((pushes, one)) = worst.max_by_key(|(pushes, _)| *pushes).filter(|(pushes, _)| *pushes > 0) {
            let place = self::named(board, std::iter::once(one.from));
            lines.push(format!("most in the way: {place}; without it and its goal, the others need {pushes} fewer"));
        }
        let (n_open, open) = named(&|one| one.others_need.is_none());
        if n_open > 0 {
            lines.push(format!("whether it is in the way of others is {not_known}: {open}"));
        }
    }
    lines
}

fn empty_squares(used: &SquareUse) -> Vec<String> {
    let n_needed = used.needed.len();
    let n_all = n_needed + used.spare.len() + used.undecided.len();
    let mut lines =
        vec![format!("{n_needed} of {n_all} needed: as a wall, each of them would cost pushes or the solution")];
    if !used.spare.is_empty() {
        let marks = if used.unentered.is_empty() { SPARE.to_string() } else { format!("{SPARE} and {UNENTERED}") };
        lines.push(format!("{} spare: each by itself could be a wall without a push more ({marks})", used.spare.len()));
    }
    if !used.unentered.is_empty() {
        let n = used.unentered.len();
        lines.push(format!("{n} not entered in the best solution known: all together could be walls ({UNENTERED})"));
    }
    let open = used.undecided.iter().filter(|&sq| !used.unentered.contains(sq)).count();
    if open > 0 {
        lines.push(format!("{open} not known ({UNDECIDED})"));
    }
    lines
}

fn difficulty(level: &Level, analysis: &Analysis) -> Vec<String> {
    let Some(best) = &analysis.best else { return Vec::new() };
    let metrics = best.metrics();
    let mut lines = vec![format!(
        "{}, {}, {}",
        count(metrics.pushes, "push"),
        count(metrics.box_changes, "box change"),
        count(metrics.box_lines, "box line"),
    )];
    if let LeastPushes::AtLeast(pushes) = LeastPushes::of(level) {
        let detour = metrics.pushes.saturating_sub(pushes);
        lines.push(format!("{} beyond the distances between boxes and goals", count(detour, "push")));
    }
    lines.extend(choices(&analysis.choices));
    if let Some(space) = analysis.space {
        let share = percent(space.lost, space.positions);
        lines.push(format!(
            "{} in all, {} of them lost ({share})",
            count(space.positions, "position"),
            thousands(space.lost)
        ));
    }
    lines
}

fn choices(choices: &[Choices]) -> Vec<String> {
    let sum = |of: fn(&Choices) -> usize| choices.iter().map(of).sum::<usize>() as u64;
    let n_pushes = sum(|at| at.pushes);
    let Some(most) = choices.iter().map(|at| at.pushes).max() else { return Vec::new() };
    let n_lost = sum(|at| at.lost);
    let open = match sum(|at| at.undecided) {
        0 => String::new(),
        n_open => format!(", {n_open} not known"),
    };
    let tenths = 10 * n_pushes / choices.len().max(1) as u64;
    vec![
        format!("{}.{} pushes to choose from on average, {most} at most", tenths / 10, tenths % 10),
        format!("{n_lost} of these {n_pushes} choices lose the level ({}){open}", percent(n_lost, n_pushes)),
    ]
}

fn percent(part: u64, whole: u64) -> String {
    format!("{} %", (part.saturating_mul(100) + whole / 2) / whole.max(1))
}

/// Names squares by row and column from 1.
fn named(board: &Board, squares: impl Iterator<Item = Square>) -> String {
    let places: Vec<_> = squares.map(|sq| board.place(sq)).collect();
    let mut names: Vec<_> =
        places.iter().take(MAX_NAMED).map(|(row, column)| format!("row {}, column {}", row + 1, column + 1)).collect();
    if places.len() > MAX_NAMED {
        names.push(format!("and {} more", places.len() - MAX_NAMED));
    }
    names.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 3), ["one", "two", "three"]);
        assert_eq!(wrapped("", 3), [""]);
        assert_eq!(wrapped("one two", usize::MAX), ["one two"]);
        let mut section = ReportSection::new(&Terminal::FILE).with("why", "because");
        section.add("", "of that");
        assert_eq!(section.text, "  why              because\n                   of that\n");
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!([percent(0, 0), percent(1, 3), percent(2, 3), percent(3, 3)], ["0 %", "33 %", "67 %", "100 %"]);
    }
}
