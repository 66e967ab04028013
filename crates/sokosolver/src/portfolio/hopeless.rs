//! Levels without a solution that need no search: what is wrong shows in the start position.

use std::time::Duration;

use sokocore::Level;
use sokosearch::Budget;

use crate::Fault;

/// Says what makes the level hopeless from the start, if anything does and there is time to see it.
pub(crate) fn fault(level: &Level, budget: &Budget) -> Option<Fault> {
    let of_matching = || has_time_to_match(level, budget).then(|| Fault::of_matching(level)).flatten();
    Fault::at_a_glance(level).or_else(of_matching)
}

/// Whether a matching of all boxes and goals takes less than half of the time that is left. It is made in one go: of
/// 400 boxes in a hall of 120 by 120 in a fifth of a second or more.
pub(crate) fn has_time_to_match(level: &Level, budget: &Budget) -> bool {
    const NANOS_PER_BOX_AND_SQUARE: u64 = 100;
    let size = level.n_boxes() as u64 * level.board().n_squares() as u64;
    let takes = Duration::from_nanos(size.saturating_mul(NANOS_PER_BOX_AND_SQUARE));
    budget.poll(0).is_ok() && budget.time().is_none_or(|time| budget.elapsed() + 2 * takes <= time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokosearch::{Cancel, MemoryAccount};

    /// Two boxes at the upper wall can only get to the same goal; to see it takes a matching, which is too much here for
    /// fifty milliseconds.
    #[test]
    fn a_short_limit_leaves_out_what_takes_longer() {
        let row = |cells: &str| format!("#{cells}{}#", " ".repeat(120 - cells.len()));
        let wall = "#".repeat(122);
        let rows: Vec<_> = [wall.clone(), row(" $ $ ."), row(" @"), row(&"  $ .".repeat(24))]
            .into_iter()
            .chain((0..100).map(|_| row("")))
            .chain([row("."), wall])
            .collect();
        let level = Level::parse(&rows.join("\n")).unwrap();
        let found = |time| {
            let budget = Budget::new(time, MemoryAccount::new(0), Cancel::default());
            fault(&level, &budget).map(|fault| fault.reason())
        };
        assert_eq!(found(Some(Duration::from_millis(50))), None);
        assert_eq!(found(None), Some("the boxes cannot all reach goals of their own"));
    }

    #[track_caller]
    fn check(rows: &str, expect: Option<&str>) {
        let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
        let found = fault(&Level::parse(rows).unwrap(), &budget).map(|fault| fault.reason());
        assert_eq!(found.is_some(), expect.is_some(), "{rows}: {found:?}");
        assert!(found.unwrap_or_default().contains(expect.unwrap_or_default()), "{found:?}");
    }

    #[test]
    fn dead_starts_are_told_apart() {
        check("#####\n#@$.#\n#####", None);
        check("######\n#$@ .#\n######", Some("no goal"));
        check("#########\n#       #\n#  $$   #\n#  $$ @ #\n#   ....#\n#########", Some("never be moved"));
        check("########\n#@$ $ .#\n#.     #\n########", Some("goals of their own"));
        check("########\n#@$   .#\n#. $   #\n#      #\n########", None);
    }
}
