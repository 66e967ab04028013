//! The command `library stats`: how the sums of collections have changed.

use sokocore::Objective;
use sokolibrary::{Library, SumAt};

use super::json_line::{LibraryLine, LibrarySummary, SumLine};
use super::names::find_collection;
use crate::args::ListArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::json::JsonLines;
use crate::output;
use crate::table::{Column, Table, TableCell};
use crate::wording::thousands;

const COLUMNS: [Column; 6] = [
    Column::title("collection", "collection"),
    Column::text("objective", "objective"),
    Column::text("at", "day"),
    Column::number("solved", "solved"),
    Column::number("sum", "sum"),
    Column::number("change", "change"),
];

/// Runs the command.
pub(super) fn run(library: &Library, args: &ListArgs, console: &Console) -> anyhow::Result<Exit> {
    let names = if args.names.is_empty() {
        library.collections()?.into_iter().map(|collection| collection.name).collect()
    } else {
        let found = args.names.iter().map(|name| Ok(find_collection(library, name)?.name));
        found.collect::<anyhow::Result<Vec<_>>>()?
    };
    let lines = JsonLines::new(args.print.json);
    lines.print(&LibraryLine::run("stats", library));
    let mut table = Table::new(&COLUMNS);
    for name in &names {
        for objective in [Objective::MOVES, Objective::PUSHES] {
            let history = library.history(name, objective)?;
            for sum in &history {
                lines.print(&LibraryLine::Sum(SumLine::new(name, &objective.to_string(), sum)));
            }
            push_rows(&mut table, name, objective, &days(&history));
        }
    }
    lines.print(&LibraryLine::Summary(LibrarySummary::of(library)?));
    if args.print.csv {
        output::print(&table.csv())?;
    } else if !args.print.json {
        output::print(&table.draw(&console.stdout))?;
    }
    lines.end()?;
    Ok(Exit::Done)
}

/// The last sum of each day.
fn days(history: &[SumAt]) -> Vec<&SumAt> {
    let day = |sum: &SumAt| sum.at.get(..10).unwrap_or_default().to_owned();
    let is_last = |at: &usize| history.get(at + 1).is_none_or(|next| day(next) != day(&history[*at]));
    (0..history.len()).filter(is_last).map(|at| &history[at]).collect()
}

fn push_rows(table: &mut Table, name: &str, objective: Objective, days: &[&SumAt]) {
    let mut last: Option<&SumAt> = None;
    for sum in days {
        // With more levels solved a sum grows, which says nothing.
        let change =
            last.filter(|last| last.n_solved == sum.n_solved).map(|last| i128::from(sum.sum) - i128::from(last.sum));
        table.row([
            TableCell::text(name),
            TableCell::text(objective.to_string()),
            TableCell::text(sum.at.get(..10).unwrap_or_default()).with_raw(&sum.at),
            TableCell::number(sum.n_solved),
            TableCell::number(thousands(sum.sum)).with_raw(sum.sum),
            TableCell::number_or_dash(change),
        ]);
        last = Some(sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_with_its_last_sum() {
        let mut library = Library::in_memory().unwrap();
        let collection = sokoio::Collection::parse(b"#######\n#@ $ .#\n#######\n\nSolution\nrlrRR\n");
        let new = sokolibrary::NewCollection::new("one", &collection);
        library.write(|changes| changes.add_collection(&new)).unwrap();
        let better = sokolibrary::NewSolution::new("rRR".parse().unwrap());
        library.write(|changes| changes.offer(collection.levels()[0].level().unwrap(), &better)).unwrap();
        let history = library.history("one", Objective::MOVES).unwrap();
        assert_eq!(days(&history).last().map(|sum| (sum.n_solved, sum.sum)), Some((1, 3)));
    }
}
