//! Areas that must not fill up: squares from which boxes can get to a few goals only.
//!
//! For each set of goals that is all that some square leads to, the squares that lead to none but these goals must
//! not hold more boxes than there are such goals. The plainest case is the edge of a hall: a box on it stays on it.

use super::deadlock_sets::DeadlockSets;
use super::yard::Yard;
use crate::ground::Distances;

/// More areas than this are not looked for.
const MAX_AREAS: usize = 500;

/// Adds all areas of a level.
pub(super) fn add_areas(yard: &Yard, sets: &mut DeadlockSets) {
    let ground = yard.ground();
    let n_goals = ground.goals().len();
    let goals_of = |sq: u16| -> Vec<bool> {
        ground.to_goals().row(sq).iter().map(|&distance| distance < Distances::NONE).collect()
    };
    let live: Vec<u16> = (0..ground.wall()).filter(|&sq| ground.is_live(sq)).collect();
    let goals: Vec<Vec<bool>> = live.iter().map(|&sq| goals_of(sq)).collect();
    let mut kinds = goals.clone();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds.iter().take(MAX_AREAS) {
        let capacity = kind.iter().filter(|&&reached| reached).count();
        let within = |goals: &Vec<bool>| goals.iter().zip(kind).all(|(&here, &there)| !here || there);
        let squares: Vec<u16> = live.iter().zip(&goals).filter(|(_, goals)| within(goals)).map(|(&sq, _)| sq).collect();
        if capacity < n_goals && squares.len() > capacity {
            sets.add_area(&squares, capacity);
        }
    }
}
