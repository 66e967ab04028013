//! Lexicographic refinement: among all optimal paths of a tube, one that is best in all six metrics.
//!
//! The backward search gives the moves to go from the start and, modulo 3, from every state. Three sweeps:
//!
//! 1. *Forward*, layer by layer: all states that may lie on a path of exactly that many moves, with their steps.
//! 2. *Backward* along these steps: those that do. Some hundred to some thousand states are left.
//! 3. *Forward* again, with the history that the metrics depend on: the box and direction of the last push, the
//!    direction of the last move, and whether it was a walk. Of each state with its history the best metrics are kept.
//!
//! Exact for any objective whose first two metrics are moves and pushes in either order: every path found has the
//! optimal number of moves, the third sweep minimizes the rest, pushes first.

use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use sokocore::Push;

use crate::engine::path::optimal_paths::OptimalPaths;
use crate::engine::path::path_history::PathHistory;
use crate::engine::path::successors::Edge;
use crate::engine::state::State;
use crate::{Charge, ConfigStore, Context, SearchWindow, Stop};

/// States that are charged at once.
const CHARGED_STATES: usize = 1 << 8;
/// Bytes for a state and where its steps end, in vectors and a map that may have room for twice as many, and for a step.
const STATE_BYTES: usize = 4 * (size_of::<State>() + size_of::<u32>());
const STEP_BYTES: usize = 2 * size_of::<u32>();
/// Bytes for a state with its history, which is in a vector, and in a map while its layer is made.
const REACHED_BYTES: usize = 2 * size_of::<PathNode>() + 3 * (size_of::<PathHistory>() + size_of::<usize>());
/// States to generate before giving up.
const MAX_STATES: usize = 8_000_000;

/// Returns the pushes of a best path; `None` if there are too many states, or too little memory or time, for that.
pub(crate) fn refine<S: ConfigStore>(optimal: &OptimalPaths<'_, S>, cx: &mut Context<'_>) -> Option<Vec<Push>> {
    let charge = cx.budget().memory().nothing();
    let mut refiner = Refiner { optimal, cx, charge, key: optimal.key(), edges: Vec::with_capacity(4) };
    let layers = refiner.forward().ok()?;
    let layers = refiner.backward(layers).ok()?;
    refiner.best_path(&layers).ok().flatten()
}

/// The states that may be on a path after so many moves, and the steps to the next layer.
#[derive(Default)]
struct PathLayer {
    states: Vec<State>,
    /// The places in the next layer that steps lead to, those of the first state in front.
    steps: Vec<u32>,
    /// For each state, the number of steps of the states up to it.
    step_ends: Vec<u32>,
}

impl PathLayer {
    /// Returns for each state whether a step leads to one that is kept.
    fn leads_to(&self, is_kept: &[bool]) -> Vec<bool> {
        let starts = std::iter::once(&0).chain(&self.step_ends);
        let steps = starts.zip(&self.step_ends).map(|(&start, &end)| &self.steps[start as usize..end as usize]);
        steps.map(|places| places.iter().any(|&place| is_kept[place as usize])).collect()
    }
}

/// A state with its history, its metrics in the objective's order, and its parent in the layer before.
struct PathNode {
    history: PathHistory,
    score: [u32; 6],
    parent: u32,
    push: Option<Push>,
}

struct Refiner<'a, 'c, S> {
    optimal: &'a OptimalPaths<'a, S>,
    cx: &'a mut Context<'c>,
    charge: Charge,
    key: Vec<u64>,
    edges: Vec<Edge>,
}

impl<S: ConfigStore> Refiner<'_, '_, S> {
    /// Fills `edges` with the steps from a state that may leave `moves_left` moves to go.
    fn step(&mut self, state: State, moves_left: u32) -> Result<(), Stop> {
        self.cx.tick()?;
        self.optimal.steps_from(state, moves_left, &mut self.key, self.cx, &mut self.edges);
        Ok(())
    }

    /// The states that may be on a path of the right length, by number of moves made.
    fn forward(&mut self) -> Result<Vec<PathLayer>, Stop> {
        let number = |n: usize| u32::try_from(n).map_err(|_| Stop::Memory);
        let mut layers = Vec::new();
        let mut layer = PathLayer { states: vec![self.optimal.start()], ..PathLayer::default() };
        let (mut n_states, mut n_steps) = (0, 0);
        for moves_left in (0..self.optimal.moves()).rev() {
            let mut places: HashMap<State, u32> = HashMap::new();
            let mut next = PathLayer::default();
            for &state in &layer.states {
                self.step(state, moves_left)?;
                for edge in &self.edges {
                    let place = match places.entry(edge.to) {
                        Entry::Occupied(place) => *place.get(),
                        Entry::Vacant(place) => {
                            charge_one_more(&mut self.charge, &mut n_states, STATE_BYTES)?;
                            next.states.push(edge.to);
                            *place.insert(number(next.states.len() - 1)?)
                        }
                    };
                    charge_one_more(&mut self.charge, &mut n_steps, STEP_BYTES)?;
                    layer.steps.push(place);
                }
                layer.step_ends.push(number(layer.steps.len())?);
            }
            if n_states > MAX_STATES {
                return Err(Stop::Work);
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        layers.push(layer);
        Ok(layers)
    }

    /// Keeps the states from which the end is reached.
    fn backward(&mut self, mut layers: Vec<PathLayer>) -> Result<Vec<HashSet<State>>, Stop> {
        let Some(last) = layers.pop() else { return Ok(Vec::new()) };
        let mut is_kept = vec![true; last.states.len()];
        let mut kept: Vec<HashSet<State>> = vec![last.states.into_iter().collect()];
        while let Some(layer) = layers.pop() {
            self.cx.tick_by(layer.states.len() as u64)?;
            is_kept = layer.leads_to(&is_kept);
            let states = layer.states.into_iter().zip(&is_kept);
            kept.push(states.filter_map(|(state, &is_kept)| is_kept.then_some(state)).collect());
        }
        kept.reverse();
        Ok(kept)
    }

    /// The pushes of the path with the best metrics through the layers.
    fn best_path(&mut self, layers: &[HashSet<State>]) -> Result<Option<Vec<Push>>, Stop> {
        let SearchWindow { spine, from, .. } = *self.optimal.window();
        let history = PathHistory::at(spine, from, self.optimal.start(), self.cx.level().board());
        let mut reached = vec![vec![PathNode { history, score: [0; 6], parent: 0, push: None }]];
        let mut n_reached = 0;
        for (layer, moves_left) in layers.iter().skip(1).zip((0..self.optimal.moves()).rev()) {
            let next = self.next_layer(&reached[reached.len() - 1], layer, moves_left, &mut n_reached)?;
            reached.push(next);
        }
        Ok(trace(&reached))
    }

    fn next_layer(
        &mut self,
        from: &[PathNode],
        layer: &HashSet<State>,
        moves_left: u32,
        n_reached: &mut usize,
    ) -> Result<Vec<PathNode>, Stop> {
        let objective = self.cx.objective();
        let mut index: HashMap<PathHistory, usize> = HashMap::new();
        let mut next: Vec<PathNode> = Vec::new();
        for (parent, reached) in (0..).zip(from) {
            self.step(reached.history.state, moves_left)?;
            for edge in self.edges.iter().filter(|edge| layer.contains(&edge.to)) {
                let (history, step_cost) = reached.history.after(edge, self.cx.level().board());
                let score = step_cost.add_to(reached.score, &objective);
                let candidate = PathNode { history, score, parent, push: edge.push() };
                match index.get(&history) {
                    None => {
                        charge_one_more(&mut self.charge, n_reached, REACHED_BYTES)?;
                        index.insert(history, next.len());
                        next.push(candidate);
                    }
                    Some(&at) if score < next[at].score => next[at] = candidate,
                    Some(_) => {}
                }
            }
        }
        Ok(next)
    }
}

/// Counts one more item; charges several at a time, always before they exist.
fn charge_one_more(charge: &mut Charge, n: &mut usize, bytes: usize) -> Result<(), Stop> {
    if n.is_multiple_of(CHARGED_STATES) {
        charge.add((CHARGED_STATES * bytes) as u64)?;
    }
    *n += 1;
    Ok(())
}

/// Follows the best of the last layer back to the start.
fn trace(layers: &[Vec<PathNode>]) -> Option<Vec<Push>> {
    let (last, before) = layers.split_last()?;
    let mut at = last.iter().min_by_key(|reached| reached.score)?;
    let mut pushes: Vec<Push> = Vec::new();
    for layer in before.iter().rev() {
        pushes.extend(at.push);
        at = layer.get(at.parent as usize)?;
    }
    pushes.reverse();
    Some(pushes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryAccount;

    #[test]
    fn states_are_charged_before_they_are_kept() {
        let account = MemoryAccount::new(1 << 20);
        let (mut charge, mut n) = (account.nothing(), 0);
        while charge_one_more(&mut charge, &mut n, 100).is_ok() {
            assert!(account.used() >= 100 * n as u64);
        }
        assert!(n > 10_000 && account.used() >= 100 * n as u64);
    }
}
