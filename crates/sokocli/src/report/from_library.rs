//! Levels of collections of the library: before is what their files came with.

use hashbrown::HashMap;
use jiff::Timestamp;
use sokocore::{Objective, replay};
use sokoio::LevelEntry;
use sokolibrary::{Library, RatedEntry, StoredSolution};

use super::level::{KnownSolution, OBJECTIVES, Report, ReportLevel, SumPoint};
use crate::args::ReportArgs;
use crate::exit::UsageError;
use crate::level_fault::LevelFault;
use crate::library::names::find_collection;

/// Adds the levels of these collections, or of all.
pub(super) fn add(report: &mut Report, args: &ReportArgs, names: &[&String]) -> anyhow::Result<()> {
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
        let text = library.collection_text(name)?;
        for (rated, entry) in library.rated_entries(name)?.iter().zip(text.levels()) {
            let number = report.levels.len() + 1;
            report.levels.push(level_of(&library, rated, entry, number)?);
        }
    }
    for (at, objective) in OBJECTIVES.into_iter().enumerate() {
        report.sums[at] = sums(&library, &collections, objective)?;
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
    let originals = entry.solutions().filter_map(|(_, solution)| solution.ok());
    let mut known: Vec<KnownSolution> = originals
        .map(|solution| KnownSolution {
            solution,
            is_original: true,
            by: String::new(),
            at: String::new(),
            seconds: None,
        })
        .collect();
    let seconds: f64 = library.all_work(id)?.iter().map(|work| work.elapsed.as_secs_f64()).sum();
    for stored in library.solutions(id)? {
        let Ok(solution) = replay(level, &stored.moves) else { continue };
        let seconds = stored.seconds.or((seconds > 0.0).then_some(seconds));
        known.push(KnownSolution { solution, is_original: false, by: finder(&stored), at: stored.found_at, seconds });
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

/// The sum of the bests at each time of a gain.
fn sums(library: &Library, collections: &[String], objective: Objective) -> anyhow::Result<Vec<SumPoint>> {
    let mut gains = Vec::new();
    for (at, name) in collections.iter().enumerate() {
        gains.extend(library.gains(name, objective)?.into_iter().map(|gain| ((at, gain.number), gain)));
    }
    gains.sort_by(|(_, one), (_, other)| one.at.cmp(&other.at));
    let counted = |moves: u64, pushes: u64| if objective == Objective::MOVES { moves } else { pushes };
    let mut best: HashMap<(usize, u64), u64> = HashMap::new();
    for (level, gain) in &gains {
        best.entry(*level).or_insert_with(|| counted(gain.moves, gain.pushes));
    }
    let mut sum: u64 = best.values().sum();
    let mut points: Vec<SumPoint> = Vec::new();
    for (level, gain) in &gains {
        let counted = counted(gain.moves, gain.pushes);
        let old = best.insert(*level, counted).unwrap_or(counted);
        sum = (sum + counted).saturating_sub(old);
        let Ok(at) = gain.at.parse::<Timestamp>().map(Timestamp::as_second) else { continue };
        match points.last_mut() {
            Some(last) if last.at == at => last.sum = sum,
            _ => points.push(SumPoint { at, sum }),
        }
    }
    Ok(points)
}
