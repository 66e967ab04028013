//! The command `verify`: replays every recorded game and says what it measures.

use serde::Serialize;
use sokocore::{BoxLineRule, Metric, Metrics, Remarks, replay_snapshot};
use sokoio::{Game, GameKind, LevelId, SolutionTitle};

use crate::args::FileArgs;
use crate::complaint::Diagnostics;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::{InputLevel, Inputs, OwnResults};
use crate::json::{JsonLines, LevelRef, MetricsJson, RunLine, SelectionJson};
use crate::level_fault::{BAD_BOARD, LevelFault, UNSOLVABLE};
use crate::output;
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, thousands};

const COLUMNS: [Column; 14] = [
    Column::text("file", "file").hidden(),
    Column::number("level", "level"),
    Column::title("title", "title").widths(14, 8),
    Column::text("id", "id").hidden(),
    Column::number("line", "line").hidden(),
    Column::title("game", "game").widths(13, 8),
    Column::text("kind", "kind").hidden(),
    Column::number("moves", "moves"),
    Column::number("pushes", "pushes"),
    Column::number("box_lines", "box lines").rank(1),
    Column::number("box_changes", "box changes").rank(2),
    Column::number("pushing_sessions", "sessions").rank(3),
    Column::number("player_lines", "player lines").rank(4),
    Column::remark("verdict", "verdict"),
];

/// Runs the command.
pub(crate) fn run(args: &FileArgs, console: &Console) -> anyhow::Result<Exit> {
    let inputs = Inputs::read(&args.level.files, OwnResults::Read, &console.complaints);
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let lines = JsonLines::new(args.print.json);
    lines.print(&VerifyLine::Run(RunLine::new("verify", &inputs, (&selection).into())));
    let mut table = Table::new(&COLUMNS);
    let mut counts = VerifyCounts { n_faults: inputs.n_faults(), ..VerifyCounts::default() };
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        counts.n_levels += 1;
        let fault = LevelFault::at(&at);
        if let Some(fault) = &fault {
            counts.add_fault(fault);
            fault.complain(&at, &console.complaints);
            if args.print.json {
                lines.print(&fault_line(&at, fault));
            } else {
                table.row(level_row(&at, fault_cell(fault)));
            }
        }
        if fault.as_ref().is_some_and(LevelFault::is_error) {
            continue;
        }
        for (game_idx, game) in at.entry.games().iter().enumerate() {
            let checked = Checked::of(&at, game_idx);
            counts.add(game, &checked);
            checked.diagnostics.complain(&at.place(game.line()), &console.complaints);
            if args.print.json {
                lines.print(&checked.json(&at, game));
            } else {
                table.row(checked.row(&at, game, game_idx > 0 || fault.is_some()));
            }
        }
        if at.entry.games().is_empty() && fault.is_none() && !args.print.json {
            table.row(level_row(&at, TableCell::text("no solution").dim()));
        }
    }
    let exit = Exit::of_faults(counts.n_faults);
    if args.print.json {
        lines.print(&counts.json(exit));
        lines.end()?;
    } else if args.print.csv {
        output::print(&table.csv())?;
    } else {
        output::print(&format!("{}\n{}\n", table.draw(&console.stdout), counts.text()))?;
    }
    Ok(exit)
}

/// The lines of `verify --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum VerifyLine {
    /// The first line.
    Run(RunLine<SelectionJson>),
    /// A level that has no solution for sure.
    Level(FaultyLevel),
    /// A game that is recorded below a level.
    Game(Box<GameLine>),
    /// The last line.
    Summary(VerifySummary),
}

/// A level that has no solution for sure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FaultyLevel {
    #[serde(flatten)]
    at: LevelRef,
    /// Whether the board is a level at all.
    valid: bool,
    /// `bad board` or `unsolvable`.
    fault: &'static str,
    /// What is wrong.
    errors: Vec<String>,
}

/// A game that is recorded below a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameLine {
    #[serde(flatten)]
    at: LevelRef,
    /// Line of the file where the game starts with its title or else its moves, from 1.
    game_line: usize,
    /// `solution`, `snapshot`, `reverse snapshot` or `saved game`.
    kind: String,
    /// The title of the game.
    game: Option<String>,
    /// Whether it replays, and a solution solves its level.
    valid: bool,
    /// What the replay measures; null if the game does not replay.
    metrics: Option<MetricsJson>,
    /// What is wrong.
    errors: Vec<String>,
    /// What is odd: letters of the wrong case, moves after the end, a title with other numbers.
    warnings: Vec<String>,
    /// The moves, as letters.
    moves: Option<String>,
}

/// What was counted over all files.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct VerifySummary {
    /// Levels looked at.
    levels: usize,
    /// Solutions replayed.
    solutions: usize,
    /// Snapshots and saved games.
    other_games: usize,
    /// Warnings of all games.
    warnings: usize,
    /// Boards that are no level.
    bad_boards: usize,
    /// Levels whose board shows that there is no solution.
    unsolvable: usize,
    /// Solutions and boards that are wrong.
    wrong: usize,
    /// What the program returns to the system.
    exit_code: u8,
}

fn fault_line(at: &InputLevel<'_>, fault: &LevelFault) -> VerifyLine {
    let (valid, fault, errors) = (!fault.is_error(), fault.name(), vec![fault.reason()]);
    VerifyLine::Level(FaultyLevel { at: LevelRef::of(at), valid, fault, errors })
}

fn fault_cell(fault: &LevelFault) -> TableCell {
    let cell = TableCell::text(format!("{}: {}", fault.name(), fault.reason()));
    if fault.is_error() { cell.wrong() } else { cell.warning() }
}

/// The first cells of a row: which level it is about.
fn level_cells(at: &InputLevel<'_>) -> [TableCell; 4] {
    [
        TableCell::text(at.path.display().to_string()),
        TableCell::number(at.number),
        TableCell::text(at.entry.title_or_number()),
        TableCell::text(id(at).unwrap_or_default()),
    ]
}

fn id(at: &InputLevel<'_>) -> Option<String> {
    at.entry.level().ok().map(|level| LevelId::of(level).to_string())
}

/// The row of a level without a game.
fn level_row(at: &InputLevel<'_>, verdict: TableCell) -> Vec<TableCell> {
    let mut cells = level_cells(at).to_vec();
    cells.push(TableCell::number(at.entry.line()));
    cells.resize(COLUMNS.len() - 1, TableCell::empty());
    cells.push(verdict);
    cells
}

/// What was counted over all files.
#[derive(Clone, Copy, Debug, Default)]
struct VerifyCounts {
    n_levels: usize,
    n_solutions: usize,
    n_others: usize,
    n_warnings: usize,
    n_bad_boards: usize,
    n_unsolvable: usize,
    /// What the exit code is for.
    n_faults: usize,
}

impl VerifyCounts {
    fn add_fault(&mut self, fault: &LevelFault) {
        if fault.is_error() {
            self.n_bad_boards += 1;
            self.n_faults += 1;
        } else {
            self.n_unsolvable += 1;
        }
    }

    fn add(&mut self, game: &Game, checked: &Checked) {
        match game.kind() {
            GameKind::Solution => self.n_solutions += 1,
            _ => self.n_others += 1,
        }
        self.n_warnings += checked.diagnostics.warnings().len();
        self.n_faults += usize::from(!checked.diagnostics.is_fine());
    }

    fn text(&self) -> String {
        let mut counts = vec![
            count(self.n_levels, "level"),
            count(self.n_solutions, "solution"),
            count(self.n_others, "other game"),
            count(self.n_warnings, "warning"),
        ];
        counts.extend((self.n_bad_boards > 0).then(|| count(self.n_bad_boards, BAD_BOARD)));
        let number = |n: usize| thousands(n.try_into().unwrap_or(u64::MAX));
        counts.extend((self.n_unsolvable > 0).then(|| format!("{} {UNSOLVABLE}", number(self.n_unsolvable))));
        let verdict = match self.n_faults {
            0 => "nothing wrong".to_owned(),
            n => format!("{} wrong", number(n)),
        };
        format!("{}; {verdict}", counts.join(", "))
    }

    const fn json(&self, exit: Exit) -> VerifyLine {
        VerifyLine::Summary(VerifySummary {
            levels: self.n_levels,
            solutions: self.n_solutions,
            other_games: self.n_others,
            warnings: self.n_warnings,
            bad_boards: self.n_bad_boards,
            unsolvable: self.n_unsolvable,
            wrong: self.n_faults,
            exit_code: exit.code(),
        })
    }
}

/// One game after its replay.
#[derive(Clone, Debug)]
struct Checked {
    metrics: Option<Metrics>,
    diagnostics: Diagnostics,
}

impl Checked {
    fn of(at: &InputLevel<'_>, game_idx: usize) -> Self {
        let game = &at.entry.games()[game_idx];
        let mut checked = Self { metrics: None, diagnostics: Diagnostics::default() };
        match game.kind() {
            GameKind::Solution => match at.entry.replay(game_idx) {
                Ok(solution) => {
                    checked.replayed(solution.metrics(), solution.remarks());
                    let other_rule = solution.metrics_by(BoxLineRule::LetterRuns);
                    checked.compare_title(game, &[solution.metrics(), other_rule]);
                }
                Err(error) => checked.diagnostics.error(cause(error)),
            },
            GameKind::ReverseSnapshot => {
                checked.diagnostics.warning("backward game", "played backward, so it was not replayed")
            }
            _ => checked.snapshot(at, game),
        }
        checked
    }

    fn snapshot(&mut self, at: &InputLevel<'_>, game: &Game) {
        let played = match (at.entry.level(), game.moves()) {
            (Ok(level), Ok(moves)) => replay_snapshot(level, moves).map_err(cause),
            (Err(error), _) => Err(cause(error)),
            (_, Err(error)) => Err(cause(error)),
        };
        match played {
            Ok(snapshot) => self.replayed(snapshot.metrics(), snapshot.remarks()),
            Err(error) => self.diagnostics.error(error),
        }
    }

    fn replayed(&mut self, metrics: Metrics, replayed: Remarks) {
        self.metrics = Some(metrics);
        if replayed.case_corrected > 0 {
            self.diagnostics.warning(
                "wrong letter case",
                format!("{} of the wrong case", count(replayed.case_corrected, "letter")),
            );
        }
        if replayed.cut_after_solved > 0 {
            let moves = count(replayed.cut_after_solved, "move");
            self.diagnostics.warning("moves after the end", format!("{moves} after the level is solved, not counted"));
        }
    }

    /// Box lines may be counted by another program's rule.
    fn compare_title(&mut self, game: &Game, counts: &[Metrics]) {
        let Some(title) = game.title().and_then(SolutionTitle::parse) else { return };
        let says = |metrics: &Metrics| {
            let full = SolutionTitle::new(title.kind(), *metrics);
            full.numbers().starts_with(title.numbers())
        };
        if !counts.iter().any(says) {
            let numbers: Vec<_> = title.numbers().iter().map(ToString::to_string).collect();
            self.diagnostics.warning("title with other numbers", format!("its title says {}", numbers.join("/")));
        }
    }

    /// The row of a game; `repeats` the level of the row before.
    fn row(&self, at: &InputLevel<'_>, game: &Game, repeats: bool) -> Vec<TableCell> {
        let first = |cell: TableCell| if repeats { cell.repeated() } else { cell };
        let mut cells: Vec<_> = level_cells(at).map(first).to_vec();
        cells.push(TableCell::number(game.line()));
        let kind = game.kind().to_string();
        cells.push(TableCell::text(game.title().unwrap_or(&kind)).with_raw(game.title().unwrap_or_default()));
        cells.push(TableCell::text(kind));
        let metrics = self.metrics.map(|metrics| Metric::ALL.map(|metric| metric.of(&metrics)));
        cells.extend((0..Metric::ALL.len()).map(|at| TableCell::number_or_dash(metrics.map(|metrics| metrics[at]))));
        cells.push(self.verdict());
        cells
    }

    /// `right`, or what is wrong or odd.
    fn verdict(&self) -> TableCell {
        let warnings = self.diagnostics.warnings();
        match (self.diagnostics.errors().first(), &warnings[..]) {
            (Some(error), _) => TableCell::text(format!("WRONG: {error}")).wrong(),
            (None, []) => TableCell::text("right").good(),
            (None, warnings) if self.metrics.is_none() => TableCell::text(warnings.join("; ")).warning(),
            (None, warnings) => TableCell::text(format!("right; {}", warnings.join("; "))).warning(),
        }
    }

    fn json(&self, at: &InputLevel<'_>, game: &Game) -> VerifyLine {
        VerifyLine::Game(Box::new(GameLine {
            at: LevelRef::of(at),
            game_line: game.line(),
            kind: game.kind().to_string(),
            game: game.title().map(str::to_owned),
            valid: self.diagnostics.is_fine(),
            metrics: self.metrics.map(MetricsJson::from),
            errors: self.diagnostics.errors().to_vec(),
            warnings: self.diagnostics.warnings().into_iter().map(str::to_owned).collect(),
            moves: game.moves().ok().map(ToString::to_string),
        }))
    }
}

/// What is wrong, without the steps that lead there: where it is wrong is said beside it.
fn cause(error: impl Into<anyhow::Error>) -> String {
    error.into().root_cause().to_string()
}
