//! Areas that must not fill up: squares from which boxes can get to a few goals only.
//!
//! For each set of goals that is all that some square leads to, the squares that lead to none but these goals must
//! not hold more boxes than there are such goals. The plainest case is the edge of a hall: a box on it stays on it.

use crate::board::Distances;
use crate::board::level_tables::LevelTables;
use crate::deadlock::deadlock_sets::DeadlockSets;

/// More areas than this are not looked for.
const MAX_AREAS: usize = 500;
/// More words of goal sets than this are not compared: some ten milliseconds, far beyond what levels by hand take.
const MAX_WORDS: usize = 1 << 24;

/// Adds all areas of a level.
pub(crate) fn add_areas(yard: &LevelTables, sets: &mut DeadlockSets) {
    let ground = yard.ground();
    let n_goals = ground.goals().len();
    let n_words = n_goals.div_ceil(64).max(1);
    let live: Vec<u16> = (0..ground.wall()).filter(|&sq| ground.is_live(sq)).collect();
    let mut goals = vec![0u64; live.len() * n_words];
    for (&sq, words) in live.iter().zip(goals.chunks_exact_mut(n_words)) {
        for (goal, &distance) in ground.to_goals().row(sq).iter().enumerate() {
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
        let squares: Vec<u16> = here.map(|(&sq, _)| sq).collect();
        if capacity < n_goals && squares.len() > capacity {
            sets.add_area(&squares, capacity);
        }
    }
}
