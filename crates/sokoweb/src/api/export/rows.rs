//! Levels as rows of CSV: the columns of `soko library export --csv`, quoted by RFC 4180.

use sokolibrary::RatedEntry;

/// The keys of the columns.
const HEAD: &str = "collection,level,title,author,best_moves_moves,best_moves_pushes,least_moves,moves_gap_percent,\
    best_pushes_moves,best_pushes_pushes,least_pushes,pushes_gap_percent,solutions,moves_found_at,pushes_found_at,id\n";

/// Returns the rows of levels, each with the name of its collection.
pub(super) fn csv<'a>(levels: impl Iterator<Item = (&'a str, &'a RatedEntry)>) -> String {
    levels.fold(HEAD.to_owned(), |mut text, (collection, entry)| {
        push_row(&mut text, collection, entry);
        text
    })
}

fn push_row(text: &mut String, collection: &str, entry: &RatedEntry) {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let (moves, pushes) = (entry.best_moves.as_ref(), entry.best_pushes.as_ref());
    let mut fields = vec![collection.to_owned(), entry.number.to_string(), entry.title.clone(), entry.author.clone()];
    let bests = [
        (moves, moves.map(|(best, _)| best.moves), entry.least_moves),
        (pushes, pushes.map(|(best, _)| best.pushes), entry.least_pushes),
    ];
    for (best, counted, least) in bests {
        fields.push(number(best.map(|(best, _)| best.moves)));
        fields.push(number(best.map(|(best, _)| best.pushes)));
        fields.push(number((least > 0).then_some(least)));
        fields.push(counted.filter(|_| least > 0).map(|best| gap_percent(best, least)).unwrap_or_default());
    }
    fields.push(entry.n_solutions.to_string());
    fields.extend([moves, pushes].map(|best| best.map(|(_, at)| at.clone()).unwrap_or_default()));
    fields.push(entry.id.map(|id| id.to_string()).unwrap_or_default());
    let fields: Vec<_> = fields.iter().map(|field| quoted(field)).collect();
    text.push_str(&fields.join(","));
    text.push('\n');
}

#[expect(clippy::cast_precision_loss, reason = "a tenth of a percent needs no more")]
fn gap_percent(best: u64, least: u64) -> String {
    format!("{:.1}", best.saturating_sub(least) as f64 * 100.0 / least as f64)
}

fn quoted(field: &str) -> String {
    let is_plain = !field.contains(['"', ',', '\n', '\r']) && !field.starts_with(' ') && !field.ends_with(' ');
    if is_plain { field.to_owned() } else { format!("\"{}\"", field.replace('"', "\"\"")) }
}
