//! What a macro move weighs in a search by pushes along a plan: in a cell, the least weight of a path comes first.
//!
//! In Festival a macro move that an advisor selects weighs 0 and any other 1, so that a path may cost any number of
//! pushes. Weighed by its *excess*, a move costs what it adds to f, the pushes made so far plus a lower bound of the rest. Each
//! advisor that selects the move takes something off. So paths with little excess come first, and the first solution is
//! shorter.

use crate::board::Distances;
use crate::fess::macro_move::MacroMove;
use crate::fess::tables::FessTables;

/// The weights of macro moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveWeights {
    /// Nothing if an advisor selects the move, otherwise 1.
    Advised,
    /// The excess of the move and as much more as one advisor takes off, down to 0: the less that is, the shorter the
    /// solutions and the longer the search.
    Excess { per_advisor: u8 },
}

impl MoveWeights {
    /// Returns the weight of a macro move that so many advisors select.
    pub(crate) fn weight<const W: usize>(self, tables: &FessTables<W>, macro_move: MacroMove, n_advisors: u8) -> u8 {
        match self {
            Self::Advised => u8::from(n_advisors == 0),
            Self::Excess { per_advisor } => {
                let unadvised = excess(tables, macro_move).saturating_add(per_advisor);
                unadvised.saturating_sub(per_advisor.saturating_mul(n_advisors))
            }
        }
    }
}

/// What the move adds to f: the pushes between the two squares on the empty board, and the growth of the distance to the
/// nearest goal; at most 255.
fn excess<const W: usize>(tables: &FessTables<W>, MacroMove { from, to, .. }: MacroMove) -> u8 {
    let between = tables.pushes.row(from)[to.idx()];
    let [before, after] = [from, to].map(|sq| tables.level.nearest(sq));
    if [between, before, after].contains(&Distances::NONE) {
        return u8::MAX;
    }
    u8::try_from((between + after).saturating_sub(before)).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sokocore::{FloorSquare, Level};
    use sokosearch::{Budget, Cancel, MemoryAccount};

    use super::*;
    use crate::WorkMeter;
    use crate::board::level_tables::LevelTables;

    #[test]
    fn pushes_toward_the_nearest_goal_are_free_and_a_push_away_costs_two() {
        let level = Level::parse("##########\n#        #\n#@ $   . #\n#        #\n##########").unwrap();
        let budget = Budget::new(None, MemoryAccount::new(1 << 24), Cancel::default());
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let tables = FessTables::<2>::within(Arc::new(LevelTables::new(&level).unwrap()), &mut meter).unwrap();
        let start = tables.starts.iter().next().unwrap();
        let after =
            |n_steps: usize, side: usize| (0..n_steps).fold(start, |sq: FloorSquare, _| tables.board().step(sq, side));
        let goal = tables.goals.iter().next().unwrap();
        let toward = (0..4).find(|&side| tables.level.nearest(after(1, side)) == 3).unwrap();
        let weight = |to, weights: MoveWeights, n_advisors| {
            weights.weight(&tables, MacroMove { from: start, to, ..MacroMove::default() }, n_advisors)
        };
        let by_excess = MoveWeights::Excess { per_advisor: 6 };
        assert_eq!([1, 2, 4].map(|n| weight(after(n, toward), by_excess, 1)), [0; 3]);
        assert_eq!([0, 1, 2].map(|n| weight(after(1, toward ^ 2), by_excess, n)), [8, 2, 0]);
        assert_eq!([0, 1, 2].map(|n| weight(goal, MoveWeights::Advised, n)), [1, 0, 0]);
    }
}
