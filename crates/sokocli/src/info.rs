//! The command `info`: what can be said about a level without solving it.

use serde::Serialize;
use sokocore::{Level, Metric};
use sokoio::LevelId;
use sokosolver::{LeastPushes, LevelBounds, Parity};

use crate::args::FileArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::{InputLevel, Inputs, OwnResults};
use crate::json::{FaultJson, JsonLines, LevelFacts, LevelRef, LookSums, RunLine, SelectionJson};
use crate::known_solutions::{KnownSolutions, moves_and_pushes};
use crate::level_fault::{LevelFault, SOLVED_AT_START, UNSOLVABLE, is_solved_at_start};
use crate::output;
use crate::proofs;
use crate::table::{Column, Table, TableCell};

const COLUMNS: [Column; 24] = [
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
    Column::number("move_lower_bound", "moves >=").rank(4),
    Column::number("moves_gap_percent", "moves gap").rank(3).if_any(),
    Column::number("pushes_gap_percent", "pushes gap").rank(3).if_any(),
    Column::id("id", "id").rank(9),
    Column::remark("note", "note").if_any(),
];

/// Runs the command.
pub(crate) fn run(args: &FileArgs, console: &Console) -> anyhow::Result<Exit> {
    let inputs = Inputs::read(&args.level.files, OwnResults::Read, &console.complaints);
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let lines = JsonLines::new(args.print.json);
    lines.print(&InfoLine::Run(RunLine::new("info", &inputs, (&selection).into())));
    let mut table = Table::new(&COLUMNS);
    let mut n_faults = inputs.n_faults();
    let mut sums = LookSums::default();
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        let facts = at.entry.level().ok().map(|level| Facts::of(&at, level));
        let fault = LevelFault::at(&at);
        if let Some(fault) = &fault {
            n_faults += usize::from(fault.is_error());
            fault.complain(&at, &console.complaints);
        }
        let is_bad_board = fault.as_ref().is_some_and(LevelFault::is_error);
        let said = FaultJson::of(fault.as_ref(), facts.as_ref().map(|facts| facts.least_pushes));
        sums.count(is_bad_board, said.unsolvable);
        if args.print.json {
            lines.print(&line(&at, facts.as_ref(), said));
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
#[derive(Clone, Debug)]
struct Facts<'a> {
    level: &'a Level,
    parity: Option<Parity>,
    least_pushes: LeastPushes,
    moves: KnownRange,
    pushes: KnownRange,
    known: KnownSolutions,
    is_solved: bool,
    id: LevelId,
}

/// What is proved and what is known of moves or pushes.
#[derive(Clone, Copy, Debug)]
struct KnownRange {
    /// No solution has fewer; `None` where the boxes cannot be matched with goals.
    at_least: Option<u64>,
    /// The best solution of the file has so many.
    best: Option<u64>,
}

impl KnownRange {
    fn of(metric: Metric, bounds: Option<&LevelBounds>, known: &KnownSolutions) -> Self {
        let best = if metric == Metric::Moves { known.best_moves } else { known.best_pushes };
        let best = best.map(|metrics| metric.of(&metrics));
        let noted = proofs::at_least(&known.proofs, metric, best);
        Self { at_least: bounds.and_then(|bounds| bounds.at_least(metric)).max(noted), best }
    }

    fn gap(self) -> Option<f64> {
        proofs::gap_percent(self.best?, self.at_least?)
    }
}

impl<'a> Facts<'a> {
    fn of(at: &InputLevel<'_>, level: &'a Level) -> Self {
        let (known, bounds) = (KnownSolutions::of(at), LevelBounds::of(level));
        let range = |metric| KnownRange::of(metric, bounds.as_ref(), &known);
        Self {
            moves: range(Metric::Moves),
            pushes: range(Metric::Pushes),
            level,
            parity: Parity::of(level),
            least_pushes: LeastPushes::of(level),
            known,
            is_solved: is_solved_at_start(level),
            id: LevelId::of(level),
        }
    }
}

fn row(at: &InputLevel<'_>, facts: Option<&Facts<'_>>, fault: Option<&LevelFault>) -> Vec<TableCell> {
    let mut cells = vec![
        TableCell::text(at.path.display().to_string()),
        TableCell::number(at.number),
        TableCell::text(at.entry.title_or_number()),
    ];
    match facts {
        Some(facts) => cells.extend(fact_cells(facts)),
        None => cells.resize(COLUMNS.len() - 1, TableCell::empty()),
    }
    cells.push(note(facts, fault));
    cells
}

fn fact_cells(facts: &Facts<'_>) -> Vec<TableCell> {
    let (level, board) = (facts.level, facts.level.board());
    let (width, height) = (level.grid().width(), level.grid().height());
    let mut cells =
        vec![TableCell::text(format!("{width}x{height}")), TableCell::number(width), TableCell::number(height)];
    let counts = [level.n_boxes(), board.goals().len(), board.n_squares(), level.live().len()];
    cells.extend(counts.map(TableCell::number));
    cells.push(TableCell::text(facts.parity.map_or("either", Parity::name)));
    cells.push(TableCell::number_or_dash(facts.pushes.at_least));
    cells.push(TableCell::number(facts.known.n));
    for best in [facts.known.best_moves, facts.known.best_pushes] {
        cells.push(TableCell::number_or_dash(best.map(|best| moves_and_pushes(&best))));
        cells.push(TableCell::number_or_dash(best.map(|best| best.moves)));
        cells.push(TableCell::number_or_dash(best.map(|best| best.pushes)));
    }
    cells.push(TableCell::number_or_dash(facts.moves.at_least));
    cells.extend([facts.moves, facts.pushes].map(|range| TableCell::percent(range.gap())));
    cells.push(TableCell::text(facts.id.to_string()).dim());
    cells
}

/// What a person should know before all figures.
fn note(facts: Option<&Facts<'_>>, fault: Option<&LevelFault>) -> TableCell {
    match (fault, facts) {
        (Some(fault), _) => {
            let cell = TableCell::text(format!("{}: {}", fault.name(), fault.reason()));
            if fault.is_error() { cell.wrong() } else { cell.warning() }
        }
        (None, Some(facts)) if facts.least_pushes == LeastPushes::Unsolvable => {
            TableCell::text(format!("{UNSOLVABLE}: the boxes cannot all have goals of their own")).warning()
        }
        (None, Some(facts)) if facts.is_solved => TableCell::text(SOLVED_AT_START),
        _ => TableCell::empty(),
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
    Info(Box<InfoLevel>),
    /// The last line.
    Summary(LookSums),
}

/// What can be said about a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct InfoLevel {
    #[serde(flatten)]
    at: LevelRef,
    /// The author, if the file gives one.
    author: Option<String>,
    #[serde(flatten)]
    fault: FaultJson,
    #[serde(flatten)]
    facts: Option<LevelFacts>,
    #[serde(flatten)]
    gaps: Option<GapFacts>,
    #[serde(flatten)]
    board: Option<BoardFacts>,
}

/// What is proved of moves and pushes, without a search and by the notes of the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GapFacts {
    /// A number of moves that every solution needs; null where boxes and goals cannot be matched.
    move_lower_bound: Option<u64>,
    /// How many more moves the best solution of the file has than the bound, in percent of the bound.
    moves_gap_percent: Option<f64>,
    /// How many more pushes the best solution of the file has than the bound, in percent of the bound.
    pushes_gap_percent: Option<f64>,
    /// Notes of proofs below the solutions of the file, such as `Proved: at least 92 pushes, Soko 0.1.0`; only those that
    /// their solution does not contradict.
    proofs: Vec<String>,
}

/// What only `info` says about a board that is a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoardFacts {
    /// Columns of the board.
    width: usize,
    /// Rows of the board.
    height: usize,
    /// Squares that the player could reach without boxes.
    floor_squares: usize,
    /// Squares from which a box could be pushed to a goal.
    live_squares: usize,
    /// Whether all boxes are on goals before the first move.
    solved_at_start: bool,
}

fn line(at: &InputLevel<'_>, facts: Option<&Facts<'_>>, fault: FaultJson) -> InfoLine {
    InfoLine::Info(Box::new(InfoLevel {
        at: LevelRef::of(at),
        author: at.entry.author().map(str::to_owned),
        fault,
        facts: facts.map(|facts| LevelFacts::of(facts.level, facts.pushes.at_least, &facts.known)),
        gaps: facts.map(GapFacts::of),
        board: facts.map(BoardFacts::of),
    }))
}

impl GapFacts {
    fn of(facts: &Facts<'_>) -> Self {
        Self {
            move_lower_bound: facts.moves.at_least,
            moves_gap_percent: facts.moves.gap(),
            pushes_gap_percent: facts.pushes.gap(),
            proofs: facts.known.proofs.iter().map(ToString::to_string).collect(),
        }
    }
}

impl BoardFacts {
    fn of(facts: &Facts<'_>) -> Self {
        let (level, grid) = (facts.level, facts.level.grid());
        Self {
            width: grid.width(),
            height: grid.height(),
            floor_squares: level.board().n_squares(),
            live_squares: level.live().len(),
            solved_at_start: facts.is_solved,
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
