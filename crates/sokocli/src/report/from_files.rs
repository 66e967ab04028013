//! Levels of files with results. The same level in several files, as in `levels.sok` and `levels.soko.sok`, is one.

use hashbrown::HashMap;
use sokocore::{Level, Metric, Solution};
use sokoio::{Game, LevelId, ProofNote, SolutionTitle};
use sokolibrary::PROGRAM;
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::LevelBounds;

use super::level::{KnownSolution, Report, ReportLevel};
use crate::inputs::{InputLevel, Inputs};
use crate::level_fault::LevelFault;
use crate::proofs;

/// Work on the bounds of a level, in ticks: a few milliseconds, as a file may have thousands.
const BOUND_WORK: u64 = 4_000;
/// Memory of the tables that they are read off.
const BOUND_MEMORY: u64 = 96 << 20;

/// What the files have of a level.
#[derive(Debug)]
struct FileLevel<'a> {
    level: &'a Level,
    known: Vec<KnownSolution>,
    proofs: Vec<ProofNote>,
}

/// Adds the levels.
pub(super) fn add(report: &mut Report, inputs: &Inputs) {
    report.sources.extend(inputs.inputs().iter().map(|input| {
        let path = &input.source().path;
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }));
    let mut places: HashMap<LevelId, usize> = HashMap::new();
    let mut files: Vec<(ReportLevel, Option<FileLevel<'_>>)> = Vec::new();
    for at in inputs.levels() {
        let number = report.levels.len() + files.len() + 1;
        let mut shown =
            ReportLevel::new(number, at.entry.title().unwrap_or_default(), at.entry.author().unwrap_or_default());
        match at.entry.level() {
            Ok(level) => {
                let id = LevelId::of(level);
                let place = *places.entry(id).or_insert(files.len());
                if place == files.len() {
                    files.push((shown, Some(FileLevel { level, known: Vec::new(), proofs: Vec::new() })));
                }
                if let (_, Some(file)) = &mut files[place] {
                    file.add(&at);
                }
            }
            Err(error) => {
                let fault = LevelFault::of(error);
                shown.rows = at.entry.board_rows().to_vec();
                shown.fault = Some(format!("{}: {}", fault.name(), fault.reason()));
                files.push((shown, None));
            }
        }
    }
    report.levels.extend(files.into_iter().map(|(mut shown, file)| {
        if let Some(file) = file {
            shown.rate(file.level, &file.known, file.least());
        }
        shown
    }));
}

impl FileLevel<'_> {
    fn add(&mut self, at: &InputLevel<'_>) {
        for (game, solution) in at.entry.solutions() {
            let Ok(solution) = solution else { continue };
            let game = &at.entry.games()[game];
            let metrics = solution.metrics();
            let notes = game.notes().iter().filter_map(|note| ProofNote::parse(note));
            self.proofs.extend(notes.filter(|note| note.holds_for(&metrics)));
            self.known.push(known(game, solution));
        }
    }

    /// What every solution has at least of moves and of pushes.
    fn least(&self) -> [Option<u64>; 2] {
        if self.known.is_empty() {
            return [None, None];
        }
        let budget = Budget::new(None, MemoryAccount::new(BOUND_MEMORY), Cancel::default()).with_work(Some(BOUND_WORK));
        let bounds = LevelBounds::within(self.level, &budget);
        [Metric::Moves, Metric::Pushes].map(|metric| {
            let best = self.known.iter().map(|known| metric.of(&known.solution.metrics())).min();
            let noted = proofs::at_least(&self.proofs, metric, best);
            bounds.and_then(|bounds| bounds.at_least(metric)).max(noted)
        })
    }
}

fn known(game: &Game, solution: Solution) -> KnownSolution {
    let note = |name: &str| game.notes().iter().find_map(|note| note.strip_prefix(name)).map(str::trim);
    let program = game.title().and_then(SolutionTitle::parse).and_then(|title| title.program().map(str::to_owned));
    let solver = note("Solver:").map(str::to_owned);
    let is_ours = [&program, &solver].into_iter().flatten().any(|name| name.starts_with(PROGRAM));
    let seconds = note("Solver time:").and_then(|time| time.strip_suffix("s")?.trim().parse().ok());
    let by = solver.or(program).unwrap_or_default();
    KnownSolution { solution, is_original: !is_ours, by, at: String::new(), seconds }
}
