//! Capacity areas: squares from which boxes can reach a few goals only.
//!
//! Some squares lead only to a certain set of goals. All squares that lead to no goal but these must not hold more
//! boxes than there are such goals. The plainest case is the edge of a hall: a box on it stays on it.

use sokocore::FloorSquare;

use crate::board::Distances;
use crate::board::level_tables::LevelTables;
use crate::deadlock::deadlock_sets::DeadlockSets;

/// More areas than this are not searched for.
const MAX_AREAS: usize = 500;
/// More words of goal sets than this are not compared: some ten milliseconds, far beyond what usual levels take.
const MAX_WORDS: usize = 1 << 24;

/// Adds all areas of a level.
pub(crate) fn add_capacity_areas(tables: &LevelTables, sets: &mut DeadlockSets) {
    let board = tables.board();
    let n_goals = board.goals().len();
    let n_words = n_goals.div_ceil(64).max(1);
    let live: Vec<FloorSquare> = board.live_squares().collect();
    let mut goals = vec![0u64; live.len() * n_words];
    for (&sq, words) in live.iter().zip(goals.chunks_exact_mut(n_words)) {
        for (goal, &distance) in board.to_goals().row(sq).iter().enumerate() {
            words[goal / 64] |= u64::from(distance < Distances::NONE) << (goal % 64);
        }
    }
    let mut kinds: Vec<&[u64]> = goals.chunks_exact(n_words).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let most = MAX_AREAS.min(MAX_WORDS / goals.len().max(1));
    for kind in kinds.into_iter().take(most) {
        let capacity: usize = kind.iter().map(|word| word.count_ones() as usize).sum();
        let within = |words: &[u64]| words.iter().zip(kind).all(|(here, there)| here & !there == 0);
        let here = live.iter().zip(goals.chunks_exact(n_words)).filter(|(_, words)| within(words));
        let squares: Vec<FloorSquare> = here.map(|(&sq, _)| sq).collect();
        if capacity < n_goals && squares.len() > capacity {
            sets.add_capacity_area(&squares, capacity);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::SearchBoard;
    use crate::board::tests::TestBoard;

    /// For each set of goals that some square leads to: the squares that lead to no other goal, if more boxes fit there
    /// than there are goals of the set, and these are not all goals.
    fn expected(test: &TestBoard) -> Vec<(BTreeSet<FloorSquare>, usize)> {
        let board = &test.board;
        let goals_of = |sq: FloorSquare| -> BTreeSet<usize> {
            let row = board.to_goals().row(sq).iter().enumerate();
            row.filter(|&(_, &distance)| distance != Distances::NONE).map(|(goal, _)| goal).collect()
        };
        let kinds: BTreeSet<BTreeSet<usize>> = board.live_squares().map(goals_of).collect();
        let area = |kind: BTreeSet<usize>| -> (BTreeSet<FloorSquare>, usize) {
            (board.live_squares().filter(|&sq| goals_of(sq).is_subset(&kind)).collect(), kind.len())
        };
        let areas = kinds.into_iter().map(area);
        areas.filter(|(squares, capacity)| *capacity < board.goals().len() && squares.len() > *capacity).collect()
    }

    /// Every push of three boxes is forbidden by the areas if and only if one of them then holds too many.
    fn check(rows: &[&str], capacities: &[(usize, usize)]) {
        let test = TestBoard::new(rows);
        let (tables, areas) = (test.tables.as_ref().unwrap(), expected(&test));
        let mut sizes: Vec<(usize, usize)> = areas.iter().map(|(area, capacity)| (area.len(), *capacity)).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, capacities, "{rows:?}");
        let mut sets = DeadlockSets::new(tables);
        add_capacity_areas(tables, &mut sets);
        assert_eq!(sets.len(), areas.len());
        let live: Vec<FloorSquare> = test.board.live_squares().collect();
        for &sq in &live {
            assert_eq!(sets.n_at(sq), areas.iter().filter(|(area, _)| area.contains(&sq)).count());
        }
        let triples = (0..live.len()).flat_map(|c| (0..=c).flat_map(move |b| (0..=b).map(move |a| [a, b, c])));
        for boxes in triples.map(|places| BTreeSet::from(places.map(|place| live[place]))) {
            let set = SearchBoard::set::<2>(&boxes.iter().copied().collect::<Vec<_>>());
            for &to in &boxes {
                let is_over = |(area, capacity): &(BTreeSet<FloorSquare>, usize)| {
                    area.contains(&to) && area.intersection(&boxes).count() > *capacity
                };
                let is_forbidden = sets.forbids(set.view(), test.board.player(), to);
                assert_eq!(is_forbidden, areas.iter().any(is_over), "{boxes:?} {to}");
            }
        }
    }

    /// The four edges of a hall, with two goals each. A corner is full with one box: it is no area.
    #[test]
    fn the_edges_of_a_hall_are_areas() {
        check(&["######", "#.  .#", "# $$ #", "#@$$ #", "#.  .#", "######"], &[(4, 2); 4]);
    }

    /// The upper corridor leads to its own goal, and the hall to its own two. All squares of a level are no area.
    #[test]
    fn squares_that_lead_to_a_few_goals_are_an_area() {
        let rows =
            ["#########", "#.  $@  #", "####### #", "#       #", "#  $ .$ #", "#    .  #", "#       #", "#########"];
        check(&rows, &[(6, 1), (10, 2)]);
        check(&["#######", "#@$ .##", "#######"], &[]);
    }
}
