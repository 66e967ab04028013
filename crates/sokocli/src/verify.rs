//! The command `verify`: replays every recorded game and says what it measures.

use serde_json::{Value, json};
use sokocore::{BoxLineRule, Metrics, Remarks as Replayed, replay_snapshot};
use sokoio::{Game, GameKind, SolutionTitle};

use crate::args::FileArgs;
use crate::complaint::{self, Remarks, with_causes};
use crate::exit::Exit;
use crate::inputs::{InputLevel, Inputs};
use crate::table::{Column, Table, short, short_game};
use crate::wording::count;
use crate::{json, output};

const COLUMNS: [Column; 10] = [
    Column::Right("level"),
    Column::Left("title"),
    Column::Left("game"),
    Column::Right("moves"),
    Column::Right("pushes"),
    Column::Right("box lines"),
    Column::Right("box changes"),
    Column::Right("sessions"),
    Column::Right("player lines"),
    Column::Left("verdict"),
];

/// Runs the command.
pub(crate) fn run(args: &FileArgs) -> anyhow::Result<Exit> {
    let inputs = Inputs::read(&args.files)?;
    let mut table = Table::new(&COLUMNS);
    let mut tally = Tally::default();
    for at in inputs.levels() {
        tally.n_levels += 1;
        if let Err(error) = at.entry.level() {
            tally.n_faults += 1;
            complaint::error(&at.bad_board(error));
            if args.json {
                let mut line = json::level("level", &at);
                json::extend(&mut line, json!({ "valid": false, "errors": [with_causes(error)] }));
                output::print_line(&line.to_string())?;
            } else {
                table.row([at.number.to_string(), short(&at.entry.title_or_number()), "not a level".to_owned()]);
            }
            continue;
        }
        for (game_idx, game) in at.entry.games().iter().enumerate() {
            let checked = Checked::of(&at, game_idx);
            tally.add(game, &checked);
            checked.complain(&at, game);
            if args.json {
                output::print_line(&checked.json(&at, game).to_string())?;
            } else {
                table.row(checked.row(&at, game, game_idx));
            }
        }
        if at.entry.games().is_empty() && !args.json {
            table.row([at.number.to_string(), short(&at.entry.title_or_number()), "no solution".to_owned()]);
        }
    }
    let exit = Exit::of_faults(tally.n_faults);
    if args.json {
        output::print_line(&tally.json(exit).to_string())?;
    } else {
        output::print(&format!("{}\n{}\n", table.draw(), tally.text()))?;
    }
    Ok(exit)
}

/// What was counted over all files.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    n_levels: usize,
    n_solutions: usize,
    n_others: usize,
    n_warnings: usize,
    n_faults: usize,
}

impl Tally {
    fn add(&mut self, game: &Game, checked: &Checked) {
        match game.kind() {
            GameKind::Solution => self.n_solutions += 1,
            _ => self.n_others += 1,
        }
        self.n_warnings += checked.remarks.warnings().len();
        self.n_faults += usize::from(!checked.remarks.is_fine());
    }

    fn text(&self) -> String {
        let counts = [
            count(self.n_levels, "level"),
            count(self.n_solutions, "solution"),
            count(self.n_others, "other game"),
            count(self.n_warnings, "warning"),
        ];
        let verdict = match self.n_faults {
            0 => "nothing wrong".to_owned(),
            n => format!("{n} wrong"),
        };
        format!("{}; {verdict}", counts.join(", "))
    }

    fn json(&self, exit: Exit) -> Value {
        json!({
            "type": "summary",
            "levels": self.n_levels,
            "solutions": self.n_solutions,
            "other_games": self.n_others,
            "warnings": self.n_warnings,
            "wrong": self.n_faults,
            "exit_code": exit.code(),
        })
    }
}

/// One game after its replay.
#[derive(Clone, Debug)]
struct Checked {
    metrics: Option<Metrics>,
    remarks: Remarks,
}

impl Checked {
    fn of(at: &InputLevel<'_>, game_idx: usize) -> Self {
        let game = &at.entry.games()[game_idx];
        let mut checked = Self { metrics: None, remarks: Remarks::default() };
        match game.kind() {
            GameKind::Solution => match at.entry.replay(game_idx) {
                Ok(solution) => {
                    checked.replayed(solution.metrics(), solution.remarks());
                    let other_rule = solution.metrics_by(BoxLineRule::LetterRuns);
                    checked.compare_title(game, &[solution.metrics(), other_rule]);
                }
                Err(error) => checked.remarks.error(with_causes(error)),
            },
            GameKind::ReverseSnapshot => checked.remarks.warning("played backward, so it was not replayed"),
            _ => checked.snapshot(at, game),
        }
        checked
    }

    fn snapshot(&mut self, at: &InputLevel<'_>, game: &Game) {
        let played = match (at.entry.level(), game.moves()) {
            (Ok(level), Ok(moves)) => replay_snapshot(level, moves).map_err(with_causes),
            (Err(error), _) => Err(with_causes(error)),
            (_, Err(error)) => Err(with_causes(error)),
        };
        match played {
            Ok(snapshot) => self.replayed(snapshot.metrics(), snapshot.remarks()),
            Err(error) => self.remarks.error(error),
        }
    }

    fn replayed(&mut self, metrics: Metrics, replayed: Replayed) {
        self.metrics = Some(metrics);
        if replayed.case_corrected > 0 {
            self.remarks.warning(format!("{} of the wrong case", count(replayed.case_corrected, "letter")));
        }
        if replayed.cut_after_solved > 0 {
            let moves = count(replayed.cut_after_solved, "move");
            self.remarks.warning(format!("{moves} after the level is solved, not counted"));
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
            self.remarks.warning(format!("its title says {}", numbers.join("/")));
        }
    }

    fn complain(&self, at: &InputLevel<'_>, game: &Game) {
        let place = at.place(game.line());
        self.remarks.errors().iter().for_each(|text| complaint::error(&format!("{place}: {text}")));
        self.remarks.warnings().iter().for_each(|text| complaint::warning(&format!("{place}: {text}")));
    }

    fn row(&self, at: &InputLevel<'_>, game: &Game, game_idx: usize) -> Vec<String> {
        let first = |text: String| if game_idx == 0 { text } else { String::new() };
        let mut cells = vec![first(at.number.to_string()), first(short(&at.entry.title_or_number()))];
        cells.push(game.title().map_or_else(|| game.kind().to_string(), short_game));
        match self.metrics {
            Some(metrics) => cells.extend(metrics.to_string().split('/').map(str::to_owned)),
            None => cells.extend((0..6).map(|_| "-".to_owned())),
        }
        let (errors, warnings) = (self.remarks.errors(), self.remarks.warnings());
        cells.push(match (errors.first(), warnings.is_empty()) {
            (Some(_), _) => "WRONG".to_owned(),
            (None, true) => "right".to_owned(),
            (None, false) if self.metrics.is_none() => warnings.join("; "),
            (None, false) => format!("right; {}", warnings.join("; ")),
        });
        cells
    }

    fn json(&self, at: &InputLevel<'_>, game: &Game) -> Value {
        let mut line = json::level("game", at);
        json::extend(
            &mut line,
            json!({
                "line": game.line(),
                "kind": game.kind().to_string(),
                "game": game.title(),
                "valid": self.remarks.is_fine(),
                "metrics": self.metrics.map(|metrics| json::metrics(&metrics)),
                "errors": self.remarks.errors(),
                "warnings": self.remarks.warnings(),
            }),
        );
        line
    }
}
