//! The command `library list`: the collections with their sums, or the levels of some.

use sokocore::Metrics;
use sokolibrary::{CollectionSums, Library, RatedEntry};

use super::json_line::{CollectionLine, EntryLine, LibraryLine, LibrarySummary};
use crate::args::ListArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::json::JsonLines;
use crate::known_solutions::moves_and_pushes;
use crate::output;
use crate::proofs::gap_percent;
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, thousands};

const COLLECTIONS: [Column; 9] = [
    Column::title("collection", "collection"),
    Column::number("levels", "levels"),
    Column::number("solved", "solved"),
    Column::number("proved_moves", "moves proved").rank(3),
    Column::number("proved_pushes", "pushes proved").rank(4),
    Column::number("moves", "moves"),
    Column::number("moves_gap_percent", "gap %").rank(1),
    Column::number("pushes", "pushes"),
    Column::number("pushes_gap_percent", "gap %").rank(2),
];

pub(super) const LEVELS: [Column; 18] = [
    Column::title("collection", "collection").hidden(),
    Column::number("level", "level"),
    Column::title("title", "title").widths(14, 8),
    Column::text("author", "author").hidden(),
    Column::number("best_moves", "best moves").for_people(),
    Column::number("best_moves_moves", "").hidden(),
    Column::number("best_moves_pushes", "").hidden(),
    Column::number("least_moves", "at least").rank(3),
    Column::number("moves_gap_percent", "gap %").rank(1),
    Column::number("best_pushes", "best pushes").for_people(),
    Column::number("best_pushes_moves", "").hidden(),
    Column::number("best_pushes_pushes", "").hidden(),
    Column::number("least_pushes", "at least").rank(4),
    Column::number("pushes_gap_percent", "gap %").rank(2),
    Column::number("solutions", "solutions").rank(6),
    Column::text("moves_found_at", "found").hidden(),
    Column::text("pushes_found_at", "found").hidden(),
    Column::id("id", "id").rank(5),
];

/// Runs the command.
pub(super) fn run(library: &Library, args: &ListArgs, console: &Console) -> anyhow::Result<Exit> {
    let lines = JsonLines::new(args.print.json);
    lines.print(&LibraryLine::run("list", library));
    let (table, totals) =
        if args.names.is_empty() { collections(library, &lines)? } else { levels(library, &args.names, &lines)? };
    lines.print(&LibraryLine::Summary(LibrarySummary::of(library)?));
    if args.print.csv {
        output::print(&table.csv())?;
    } else if !args.print.json {
        output::print(&format!("{}\n{totals}\n", table.draw(&console.stdout)))?;
    }
    lines.end()?;
    Ok(Exit::Done)
}

fn collections(library: &Library, lines: &JsonLines) -> anyhow::Result<(Table, String)> {
    let mut table = Table::new(&COLLECTIONS);
    for sums in library.collection_sums()? {
        lines.print(&LibraryLine::Collection(CollectionLine::from(&sums)));
        table.row(collection_row(&sums));
    }
    let sums = library.sums()?;
    let loose = match sums.n_loose_levels {
        0 => String::new(),
        n => format!(" ({} in none)", thousands(n)),
    };
    let totals = format!(
        "{} with {}{loose}, {} solved; {}",
        count(sums.n_collections, "collection"),
        count(sums.n_levels, "level"),
        thousands(sums.n_solved),
        count(sums.n_solutions, "solution"),
    );
    Ok((table, totals))
}

/// A gap for people and programs, if there is one.
pub(super) fn gap_cell(found: Option<u64>, least: u64) -> TableCell {
    match found.and_then(|found| gap_percent(found, least)) {
        Some(gap) if found == Some(least) => TableCell::number(format!("{gap:.1}")).proved(),
        gap => TableCell::number_or_dash(gap.map(|gap| format!("{gap:.1}"))),
    }
}

fn collection_row(sums: &CollectionSums) -> Vec<TableCell> {
    let is_solved = sums.n_solved > 0;
    let sum = |sum: u64| TableCell::number_or_dash(is_solved.then(|| thousands(sum))).with_raw(sum);
    let solved = TableCell::number(sums.n_solved);
    vec![
        TableCell::text(&sums.name),
        TableCell::number(sums.n_levels),
        if sums.n_solved == sums.n_levels { solved.good() } else { solved },
        TableCell::number(sums.n_proved_moves),
        TableCell::number(sums.n_proved_pushes),
        sum(sums.moves),
        gap_cell(is_solved.then_some(sums.moves), sums.least_moves),
        sum(sums.pushes),
        gap_cell(is_solved.then_some(sums.pushes), sums.least_pushes),
    ]
}

fn levels(library: &Library, names: &[String], lines: &JsonLines) -> anyhow::Result<(Table, String)> {
    let mut table = Table::new(&LEVELS);
    let (mut n_levels, mut n_solved) = (0_u64, 0_u64);
    for name in names {
        let collection = super::names::find_collection(library, name)?;
        for entry in library.rated_entries(&collection.name)? {
            n_levels += 1;
            n_solved += u64::from(entry.best_moves.is_some());
            lines.print(&LibraryLine::Level(Box::new(EntryLine::new(&collection.name, &entry))));
            table.row(entry_row(&collection.name, &entry));
        }
    }
    Ok((table, format!("{}, {} solved", count(n_levels, "level"), thousands(n_solved))))
}

/// The row of a level.
pub(super) fn entry_row(collection: &str, entry: &RatedEntry) -> Vec<TableCell> {
    let metrics = |best: &Option<(Metrics, String)>| best.as_ref().map(|(metrics, _)| *metrics);
    let at = |best: &Option<(Metrics, String)>| best.as_ref().map(|(_, at)| at.clone()).unwrap_or_default();
    let (moves, pushes) = (metrics(&entry.best_moves), metrics(&entry.best_pushes));
    let least = |least: u64| TableCell::number_or_dash((least > 0).then_some(least));
    let mut cells = vec![
        TableCell::text(collection),
        TableCell::number(entry.number),
        TableCell::text(&entry.title),
        TableCell::text(&entry.author),
    ];
    let bests = [
        (moves, moves.map(|best| best.moves), entry.least_moves),
        (pushes, pushes.map(|best| best.pushes), entry.least_pushes),
    ];
    for (best, counted, least_possible) in bests {
        cells.push(TableCell::number_or_dash(best.map(|best| moves_and_pushes(&best))));
        cells.push(TableCell::number_or_dash(best.map(|best| best.moves)));
        cells.push(TableCell::number_or_dash(best.map(|best| best.pushes)));
        cells.push(least(least_possible));
        cells.push(gap_cell(counted, least_possible));
    }
    cells.push(TableCell::number(entry.n_solutions));
    cells.push(TableCell::text(at(&entry.best_moves)));
    cells.push(TableCell::text(at(&entry.best_pushes)));
    cells.push(TableCell::text(entry.id.map(|id| id.to_string()).unwrap_or_default()).dim());
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let mut library = Library::in_memory().unwrap();
        let collection = sokoio::Collection::parse(b"#####\n#@$.#\n#####\n\nSolution\nR\n");
        let new = sokolibrary::NewCollection::new("one", &collection);
        library.write(|changes| changes.add_collection(&new)).unwrap();
        let entries = library.rated_entries("one").unwrap();
        assert_eq!(entry_row("one", &entries[0]).len(), LEVELS.len());
        assert_eq!(collection_row(&library.collection_sums().unwrap()[0]).len(), COLLECTIONS.len());
    }
}
