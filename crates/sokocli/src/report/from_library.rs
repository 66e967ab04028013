//! Levels of collections of the library: before is what their files came with.

use sokocore::{Objective, replay};
use sokoio::LevelEntry;
use sokolibrary::{Library, RatedEntry, StoredSolution};

use super::level::{OBJECTIVES, ReportContent, ReportLevel};
use super::reported_solution::{ReportedSolution, seconds_since_1970};
use super::sums::DatedCount;
use crate::args::ReportArgs;
use crate::exit::UsageError;
use crate::level_fault::LevelFault;
use crate::library::names::find_collection;

/// Adds the levels of these collections, or of all.
pub(super) fn add(report: &mut ReportContent, args: &ReportArgs, names: &[&String]) -> anyhow::Result<()> {
    let library = args.place.open()?;
    let collections: Vec<String> = if names.is_empty() {
        library.collections()?.into_iter().map(|collection| collection.name).collect()
    } else {
        let found = names.iter().map(|name| {
            let found = find_collection(&library, name).map_err(|error| {
                let is_file = std::path::Path::new(name).extension().is_some();
                if is_file { UsageError(format!("there is no file {name}, and {error}")).into() } else { error }
            });
            Ok(found?.name)
        });
        found.collect::<anyhow::Result<_>>()?
    };
    for name in &collections {
        let n_before = report.levels.len();
        let text = library.collection_text(name)?;
        for (rated, entry) in library.rated_entries(name)?.iter().zip(text.levels()) {
            let number = report.levels.len() + 1;
            report.levels.push(level_of(&library, rated, entry, number)?);
        }
        for (at, objective) in OBJECTIVES.into_iter().enumerate() {
            report.counts[at].extend(library.gains(name, objective)?.into_iter().map(|gain| DatedCount {
                level: n_before + usize::try_from(gain.number).unwrap_or(usize::MAX),
                at: seconds_since_1970(&gain.at),
                counted: if objective == Objective::MOVES { gain.moves } else { gain.pushes },
            }));
        }
    }
    report.sources.extend(collections);
    Ok(())
}

fn level_of(library: &Library, rated: &RatedEntry, entry: &LevelEntry, number: usize) -> anyhow::Result<ReportLevel> {
    let mut shown = ReportLevel::new(number, &rated.title, &rated.author);
    let (level, id) = match (entry.level(), rated.id) {
        (Ok(level), Some(id)) => (level, id),
        (Err(error), _) => {
            let fault = LevelFault::of(error);
            shown.rows = entry.board_rows().to_vec();
            shown.fault = Some(format!("{}: {}", fault.name(), fault.reason()));
            return Ok(shown);
        }
        (Ok(_), None) => return Ok(shown),
    };
    let mut known: Vec<ReportedSolution> = Vec::new();
    for (game, solution) in entry.solutions() {
        let Ok(solution) = solution else { continue };
        known.push(ReportedSolution { is_original: true, ..ReportedSolution::of_game(&entry.games()[game], solution) });
    }
    let seconds: f64 = library.all_work(id)?.iter().map(|work| work.elapsed.as_secs_f64()).sum();
    for stored in library.solutions(id)? {
        let Ok(solution) = replay(level, &stored.moves) else { continue };
        let seconds = stored.seconds.or((seconds > 0.0).then_some(seconds));
        known.push(ReportedSolution {
            solution,
            is_original: false,
            by: finder(&stored),
            at: stored.found_at,
            seconds,
        });
    }
    shown.rate(level, &known, [rated.least_moves, rated.least_pushes].map(Some));
    Ok(shown)
}

/// Who found a solution, as far as the library knows.
fn finder(stored: &StoredSolution) -> String {
    let origin = &stored.origin;
    let program = format!("{} {}", origin.program, origin.version);
    let program = if program.trim().is_empty() { origin.file.as_str() } else { program.trim() };
    if stored.method.is_empty() { program.to_owned() } else { format!("{program}, {}", stored.method) }
}
