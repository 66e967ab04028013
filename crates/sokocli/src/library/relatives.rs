//! The command `library relatives`: levels that are images of each other.

use sokolibrary::{Library, NewSolution, Offer, Origin};

use crate::args::RelativesArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::output;
use crate::table::{Column, Table, TableCell};
use crate::wording::count;

const COLUMNS: [Column; 4] = [
    Column::id("id", "level"),
    Column::id("image", "image"),
    Column::title("places", "stands in"),
    Column::number("carried", "carried").if_any(),
];

/// Runs the command.
pub(super) fn run(mut library: Library, args: &RelativesArgs, console: &Console) -> anyhow::Result<Exit> {
    let mut table = Table::new(&COLUMNS);
    let (mut n_pairs, mut n_carried) = (0_usize, 0_usize);
    for stored in library.levels_with_relatives()? {
        let level = stored.level()?;
        for relative in library.relatives(&level)? {
            n_pairs += 1;
            let n = if args.carry { carry(&mut library, &stored, &relative)? } else { 0 };
            n_carried += n;
            let places: Vec<_> = library
                .places(stored.id)?
                .iter()
                .map(|place| format!("{}:{}", place.collection, place.number))
                .collect();
            let carried = if n == 0 { TableCell::empty() } else { TableCell::number(n).good() };
            table.row([
                TableCell::text(stored.id.to_string()),
                TableCell::text(relative.id.to_string()),
                TableCell::text(places.join(", ")),
                carried,
            ]);
        }
    }
    // Each pair is listed from both sides.
    let pairs = count(n_pairs / 2, "pair");
    let carried = if args.carry { format!(", {} carried over", count(n_carried, "solution")) } else { String::new() };
    output::print(&format!("{}\n{pairs} of levels are images of each other{carried}\n", table.draw(&console.stdout)))?;
    Ok(Exit::Done)
}

/// Offers the solutions of a level to an image of it. Returns how many were taken.
fn carry(library: &mut Library, from: &sokolibrary::StoredLevel, to: &sokolibrary::Relative) -> anyhow::Result<usize> {
    let Some(image) = library.level(to.id)? else { return Ok(0) };
    let (image, solutions) = (image.level()?, library.solutions(from.id)?);
    Ok(library.write(|changes| {
        let mut n_taken = 0;
        for solution in &solutions {
            let origin =
                Origin::of_file(solution.origin.file.clone()).by(&*solution.origin.program, &*solution.origin.version);
            let mut find = NewSolution::new(to.symmetry.moves(&solution.moves)).from(origin);
            find = find.with_method(&*solution.method).with_notes([format!("Turned from level {}", from.id)]);
            n_taken += usize::from(matches!(changes.offer(&image, &find)?, Offer::Added { .. }));
        }
        Ok(n_taken)
    })?)
}
