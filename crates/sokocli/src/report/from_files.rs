//! Levels of files with results. The same level in several files, as in `levels.sok` and `levels.soko.sok`, is one.

use hashbrown::HashMap;
use sokocore::{Level, Metric};
use sokoio::{LevelId, ProofNote};
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::LevelBounds;

use super::level::{OBJECTIVES, ReportContent, ReportLevel, counted};
use super::reported_solution::{ReportedSolution, seconds_since_1970};
use super::sums::DatedCount;
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
    known: Vec<ReportedSolution>,
    proofs: Vec<ProofNote>,
}

/// Adds the levels.
pub(super) fn add(report: &mut ReportContent, inputs: &Inputs) {
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
    for (mut shown, file) in files {
        if let Some(file) = file {
            shown.rate(file.level, &file.known, file.least());
            for (at, objective) in OBJECTIVES.into_iter().enumerate() {
                report.counts[at].extend(file.known.iter().map(|found| DatedCount {
                    level: shown.number,
                    at: seconds_since_1970(&found.at),
                    counted: counted(objective, &found.solution.metrics()),
                }));
            }
        }
        report.levels.push(shown);
    }
}

impl FileLevel<'_> {
    fn add(&mut self, at: &InputLevel<'_>) {
        for (game, solution) in at.entry.solutions() {
            let Ok(solution) = solution else { continue };
            let game = &at.entry.games()[game];
            let metrics = solution.metrics();
            let notes = game.notes().iter().filter_map(|note| ProofNote::parse(note));
            self.proofs.extend(notes.filter(|note| note.holds_for(&metrics)));
            self.known.push(ReportedSolution::of_game(game, solution));
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
