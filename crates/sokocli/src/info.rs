//! The command `info`: what can be said about a level without solving it.

use serde::Serialize;
use sokocore::Level;
use sokoio::LevelId;
use sokosolver::{LeastPushes, Parity};

use crate::args::FileArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::faults::{Fault, SOLVED_AT_START, UNSOLVABLE, is_solved_at_start};
use crate::inputs::{InputLevel, Inputs, OwnResults};
use crate::json::{LevelRef, Lines, LookSums, MetricsJson, RunLine, SelectionJson};
use crate::known_solutions::{KnownSolutions, moves_and_pushes};
use crate::output;
use crate::table::{Cell, Column, Table};

const COLUMNS: [Column; 21] = [
    Column::text("file", "file").hidden(),
    Column::number("level", "level"),
    Column::title("title", "title").widths(14, 8),
    Column::number("size", "size").rank(4).for_people(),
    Column::number("width", "width").hidden(),
    Column::number("height", "height").hidden(),
    Column::number("boxes", "boxes").rank(1),
    Column::number("goals", "goals").rank(6),
    Column::number("floor_squares", "floor").rank(7),
    Column::number("live_squares", "live").rank(8),
    Column::text("push_parity", "parity").rank(10),
    Column::number("push_lower_bound", "pushes >=").rank(2),
    Column::number("solutions", "solutions").rank(5),
    Column::number("best_moves", "best moves").rank(3).for_people(),
    Column::number("best_moves_moves", "").hidden(),
    Column::number("best_moves_pushes", "").hidden(),
    Column::number("best_pushes", "best pushes").for_people(),
    Column::number("best_pushes_moves", "").hidden(),
    Column::number("best_pushes_pushes", "").hidden(),
    Column::id("id", "id").rank(9),
    Column::remark("note", "note").if_any(),
];

/// Runs the command.
pub(crate) fn run(args: &FileArgs, console: &Console) -> anyhow::Result<Exit> {
    let inputs = Inputs::read(&args.level.files, OwnResults::Read, &console.complaints);
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let lines = Lines::new(args.print.json);
    lines.print(&InfoLine::Run(RunLine::new("info", &inputs, (&selection).into())));
    let mut table = Table::new(&COLUMNS);
    let mut n_faults = inputs.n_faults();
    let mut sums = LookSums::default();
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        let facts = at.entry.level().ok().map(|level| Facts::of(&at, level));
        let fault = Fault::at(&at);
        if let Some(fault) = &fault {
            n_faults += usize::from(fault.is_error());
            fault.complain(&at, &console.complaints);
        }
        let is_bad_board = fault.as_ref().is_some_and(Fault::is_error);
        sums.count(is_bad_board, is_unsolvable(facts.as_ref(), fault.as_ref()));
        if args.print.json {
            lines.print(&line(&at, facts.as_ref(), fault.as_ref()));
        } else {
            table.row(row(&at, facts.as_ref(), fault.as_ref()));
        }
    }
    if args.print.csv {
        output::print(&table.csv())?;
    } else if !args.print.json {
        output::print(&table.draw(&console.stdout))?;
    }
    let exit = Exit::of_faults(n_faults);
    lines.print(&InfoLine::Summary(sums.ended(exit)));
    lines.end()?;
    Ok(exit)
}

/// What is known about a level.
#[derive(Clone, Copy, Debug)]
struct Facts {
    size: (usize, usize),
    n_boxes: usize,
    n_goals: usize,
    n_floor: usize,
    n_live: usize,
    parity: Option<Parity>,
    lower_bound: LeastPushes,
    known: KnownSolutions,
    is_solved: bool,
    id: LevelId,
}

impl Facts {
    fn of(at: &InputLevel<'_>, level: &Level) -> Self {
        let grid = level.grid();
        Self {
            size: (grid.width(), grid.height()),
            n_boxes: level.n_boxes(),
            n_goals: level.board().goals().len(),
            n_floor: level.board().n_squares(),
            n_live: level.live().len(),
            parity: Parity::of(level),
            lower_bound: LeastPushes::of(level),
            known: KnownSolutions::of(at),
            is_solved: is_solved_at_start(level),
            id: LevelId::of(level),
        }
    }
}

fn row(at: &InputLevel<'_>, facts: Option<&Facts>, fault: Option<&Fault>) -> Vec<Cell> {
    let mut cells = vec![
        Cell::text(at.path.display().to_string()),
        Cell::number(at.number),
        Cell::text(at.entry.title_or_number()),
    ];
    match facts {
        Some(facts) => cells.extend(fact_cells(facts)),
        None => cells.resize(COLUMNS.len() - 1, Cell::empty()),
    }
    cells.push(note(facts, fault));
    cells
}

fn fact_cells(facts: &Facts) -> Vec<Cell> {
    let (width, height) = facts.size;
    let mut cells = vec![Cell::text(format!("{width}x{height}")), Cell::number(width), Cell::number(height)];
    cells.extend([facts.n_boxes, facts.n_goals, facts.n_floor, facts.n_live].map(Cell::number));
    cells.push(Cell::text(facts.parity.map_or("either", Parity::name)));
    cells.push(Cell::number_or_dash(match facts.lower_bound {
        LeastPushes::AtLeast(pushes) => Some(pushes),
        LeastPushes::Unsolvable | LeastPushes::NotComputed => None,
    }));
    cells.push(Cell::number(facts.known.n));
    for best in [facts.known.best_moves, facts.known.best_pushes] {
        cells.push(Cell::number_or_dash(best.map(|best| moves_and_pushes(&best))));
        cells.push(Cell::number_or_dash(best.map(|best| best.moves)));
        cells.push(Cell::number_or_dash(best.map(|best| best.pushes)));
    }
    cells.push(Cell::text(facts.id.to_string()).dim());
    cells
}

/// What a person should know before all figures.
fn note(facts: Option<&Facts>, fault: Option<&Fault>) -> Cell {
    match (fault, facts) {
        (Some(fault), _) => {
            let cell = Cell::text(format!("{}: {}", fault.name(), fault.reason()));
            if fault.is_error() { cell.wrong() } else { cell.warning() }
        }
        (None, Some(facts)) if facts.lower_bound == LeastPushes::Unsolvable => {
            Cell::text(format!("{UNSOLVABLE}: the boxes cannot all have goals of their own")).warning()
        }
        (None, Some(facts)) if facts.is_solved => Cell::text(SOLVED_AT_START),
        _ => Cell::empty(),
    }
}

/// The lines of `info --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum InfoLine {
    /// The first line.
    Run(RunLine<SelectionJson>),
    /// A level.
    Info(Box<LevelLine>),
    /// The last line.
    Summary(LookSums),
}

/// What can be said about a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelLine {
    #[serde(flatten)]
    at: LevelRef,
    /// The author, if the file gives one.
    author: Option<String>,
    /// `bad board` or `unsolvable`, if the board shows one of them.
    fault: Option<&'static str>,
    /// What is wrong, in words.
    error: Option<String>,
    /// Whether the board shows that there is no solution.
    unsolvable: bool,
    #[serde(flatten)]
    facts: Option<FactsJson>,
}

/// What is known about a board that is a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FactsJson {
    /// Columns of the board.
    width: usize,
    /// Rows of the board.
    height: usize,
    /// Number of boxes.
    boxes: usize,
    /// Number of goals.
    goals: usize,
    /// Squares that the player could reach without boxes.
    floor_squares: usize,
    /// Squares from which a box could be pushed to a goal.
    live_squares: usize,
    /// `even`, `odd`, or null if spare goals leave it open.
    push_parity: Option<&'static str>,
    /// A number of pushes that every solution needs; null where the level is too large for it.
    push_lower_bound: Option<u64>,
    /// Whether all boxes are on goals before the first move.
    solved_at_start: bool,
    /// Solutions in the file that replay.
    solutions: usize,
    /// The best of them in moves.
    best_moves: Option<MetricsJson>,
    /// The best of them in pushes.
    best_pushes: Option<MetricsJson>,
}

/// Returns whether the board shows that there is no solution.
fn is_unsolvable(facts: Option<&Facts>, fault: Option<&Fault>) -> bool {
    let is_hopeless = facts.is_some_and(|facts| facts.lower_bound == LeastPushes::Unsolvable);
    is_hopeless || fault.is_some_and(|fault| !fault.is_error())
}

fn line(at: &InputLevel<'_>, facts: Option<&Facts>, fault: Option<&Fault>) -> InfoLine {
    InfoLine::Info(Box::new(LevelLine {
        at: LevelRef::of(at),
        author: at.entry.author().map(str::to_owned),
        fault: fault.map(Fault::name),
        error: fault.map(Fault::reason),
        unsolvable: is_unsolvable(facts, fault),
        facts: facts.map(FactsJson::from),
    }))
}

impl From<&Facts> for FactsJson {
    fn from(facts: &Facts) -> Self {
        Self {
            width: facts.size.0,
            height: facts.size.1,
            boxes: facts.n_boxes,
            goals: facts.n_goals,
            floor_squares: facts.n_floor,
            live_squares: facts.n_live,
            push_parity: facts.parity.map(Parity::name),
            push_lower_bound: match facts.lower_bound {
                LeastPushes::AtLeast(pushes) => Some(pushes),
                _ => None,
            },
            solved_at_start: facts.is_solved,
            solutions: facts.known.n,
            best_moves: facts.known.best_moves.map(MetricsJson::from),
            best_pushes: facts.known.best_pushes.map(MetricsJson::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let collection = sokoio::Collection::parse(b"#####\n#@$.#\n#####\n");
        let at = InputLevel { number: 1, input_idx: 0, path: "a.sok".as_ref(), entry: &collection.levels()[0] };
        let facts = Facts::of(&at, at.entry.level().unwrap());
        assert_eq!(row(&at, Some(&facts), None).len(), COLUMNS.len());
        assert_eq!(row(&at, None, None).len(), COLUMNS.len());
    }
}
