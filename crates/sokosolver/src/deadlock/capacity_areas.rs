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
