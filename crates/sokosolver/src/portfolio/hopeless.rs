//! Levels without a solution that need no search: what is wrong shows in the start position.

use sokocore::{FreezeCheck, GoalMatching, Level};
use sokosearch::Budget;

/// Says what makes the level hopeless from the start, if anything does and there is time to see it.
pub(crate) fn reason(level: &Level, budget: &Budget) -> Option<&'static str> {
    let boxes = &level.start().boxes;
    let mut frozen = level.board().no_squares();
    if !boxes.is_subset(level.live()) {
        Some("a box stands where it can reach no goal")
    } else if FreezeCheck::new(level).all_frozen(boxes, &mut frozen) {
        Some("boxes off goal can never be moved")
    } else if budget.poll(0).is_err() {
        None
    } else if GoalMatching::new(level).is_deadlock(boxes) {
        Some("the boxes cannot all reach goals of their own")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokosearch::{Cancel, MemoryAccount};

    #[track_caller]
    fn check(rows: &str, expect: Option<&str>) {
        let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
        let found = reason(&Level::parse(rows).unwrap(), &budget);
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
