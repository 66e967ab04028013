//! The command `library show`: a level with all that is known of it.

use std::fmt::Write as _;

use sokocore::{Metrics, Objective};
use sokolibrary::{Library, StoredEntry, StoredLevel, StoredSolution, WorkDone};

use super::json_line::{KnownLine, LibraryLine, LibrarySummary};
use super::names::find_level;
use crate::args::ShowLevelArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::json::JsonLines;
use crate::output;
use crate::proofs::gap_percent;
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, duration, harmless, thousands};

const COLUMNS: [Column; 9] = [
    Column::number("moves", "moves"),
    Column::number("pushes", "pushes"),
    Column::number("box_lines", "box lines").rank(2),
    Column::number("box_changes", "box changes").rank(3),
    Column::number("pushing_sessions", "sessions").rank(4),
    Column::number("player_lines", "player lines").rank(5),
    Column::text("best", "best").rank(1),
    Column::text("found_at", "since"),
    Column::remark("from", "from"),
];

/// All that the library knows of a level.
struct KnownLevel {
    stored: StoredLevel,
    places: Vec<StoredEntry>,
    relatives: Vec<String>,
    solutions: Vec<StoredSolution>,
    proofs: Vec<String>,
    work: Vec<WorkDone>,
}

/// Runs the command.
pub(super) fn run(library: &Library, args: &ShowLevelArgs, console: &Console) -> anyhow::Result<Exit> {
    let known = KnownLevel::of(library, find_level(library, &args.level)?)?;
    let lines = JsonLines::new(args.json);
    if lines.is_on() {
        lines.print(&LibraryLine::run("show", library));
        lines.print(&LibraryLine::Known(Box::new(known.line())));
        lines.print(&LibraryLine::Summary(LibrarySummary::of(library)?));
        lines.end()?;
    } else {
        output::print(&known.text(console))?;
    }
    Ok(Exit::Done)
}

impl KnownLevel {
    fn of(library: &Library, stored: StoredLevel) -> anyhow::Result<Self> {
        let id = stored.id;
        let relatives = library.relatives(&stored.level()?)?;
        let proofs = library.proofs(id)?.iter().map(|proof| proof.note().to_string()).collect();
        Ok(Self {
            places: library.places(id)?,
            relatives: relatives.into_iter().map(|relative| relative.id.to_string()).collect(),
            solutions: library.solutions(id)?,
            proofs,
            work: library.all_work(id)?,
            stored,
        })
    }

    fn places(&self) -> impl Iterator<Item = String> + '_ {
        self.places.iter().map(|place| format!("{}:{}", place.collection, place.number))
    }

    fn line(&self) -> KnownLine {
        KnownLine {
            id: self.stored.id.to_string(),
            board: self.stored.board.clone(),
            places: self.places().collect(),
            relatives: self.relatives.clone(),
            least_moves: self.stored.least_moves,
            least_pushes: self.stored.least_pushes,
            solutions: self.solutions.iter().map(Into::into).collect(),
            proofs: self.proofs.clone(),
            work: self.work.iter().map(Into::into).collect(),
        }
    }

    fn text(&self, console: &Console) -> String {
        let board: Vec<_> = self.stored.board.lines().map(harmless).collect();
        let mut text = format!("{}\nidentity {}\n", board.join("\n"), self.stored.id);
        for place in &self.places {
            let title = if place.title.is_empty() { String::new() } else { format!(" \"{}\"", place.title) };
            let _ = writeln!(text, "stands in {}:{}{}", harmless(&place.collection), place.number, harmless(&title));
        }
        for relative in &self.relatives {
            let _ = writeln!(text, "is an image of {relative}");
        }
        let _ = writeln!(text, "\n{}", self.bounds());
        for proof in &self.proofs {
            let _ = writeln!(text, "{}", harmless(proof));
        }
        for work in &self.work {
            let runs = count(work.n_runs, "run");
            let (all, dry) = (duration(work.elapsed), duration(work.dry));
            let (purpose, ended) = (harmless(&work.purpose), harmless(&work.ended));
            let _ = writeln!(text, "tried {purpose}: {runs}, {all}, {dry} of them without a gain; {ended}");
        }
        if self.solutions.is_empty() {
            return text + "no solution\n";
        }
        text + "\n" + &self.table().draw(&console.stdout)
    }

    fn best(&self, objective: Objective) -> Option<Metrics> {
        let metrics = self.solutions.iter().map(|solution| solution.metrics);
        metrics.min_by_key(|metrics| objective.score(metrics))
    }

    fn bounds(&self) -> String {
        let of = |found: Option<u64>, least: u64, what: &str| {
            let gap = found.and_then(|found| gap_percent(found, least));
            match (found, gap) {
                (Some(found), _) if found == least => format!("{what}: {}, proved", thousands(found)),
                (Some(found), Some(gap)) => {
                    format!("{what}: {}, at least {}, gap {gap:.1} %", thousands(found), thousands(least))
                }
                (Some(found), None) => format!("{what}: {}", thousands(found)),
                (None, _) => format!("{what}: at least {}", thousands(least)),
            }
        };
        let moves = of(self.best(Objective::MOVES).map(|best| best.moves), self.stored.least_moves, "moves");
        let pushes = of(self.best(Objective::PUSHES).map(|best| best.pushes), self.stored.least_pushes, "pushes");
        format!("{moves}\n{pushes}")
    }

    fn table(&self) -> Table {
        let mut table = Table::new(&COLUMNS);
        let bests = [(self.best(Objective::MOVES), "moves"), (self.best(Objective::PUSHES), "pushes")];
        for solution in &self.solutions {
            let metrics = solution.metrics;
            let best: Vec<_> = bests.iter().filter(|(best, _)| *best == Some(metrics)).map(|(_, name)| *name).collect();
            let origin = &solution.origin;
            let from = [&origin.program, &origin.version, &solution.method, &origin.file];
            let from: Vec<_> = from.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect();
            let counts = [
                metrics.moves,
                metrics.pushes,
                metrics.box_lines,
                metrics.box_changes,
                metrics.pushing_sessions,
                metrics.player_lines,
            ];
            let cells = counts.map(TableCell::number).into_iter();
            table.row(cells.chain([
                TableCell::text(best.join(", ")).good(),
                TableCell::text(solution.found_at.get(..10).unwrap_or_default()).with_raw(&solution.found_at),
                TableCell::text(from.join(" ")),
            ]));
        }
        table
    }
}
