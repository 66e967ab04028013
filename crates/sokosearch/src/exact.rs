//! All six metrics at once, in any order: Dijkstra's algorithm over states with their past.
//!
//! A state is what the metrics can see: configuration, player, the box and direction of the last push, the direction
//! of the last move, and whether it was a walk. That is many times more than the states of an engine, so this is for
//! small sets of configurations, and for objectives whose order no engine counts.
//!
//! Invariant: pasts leave the open list in ascending order of their six metrics, so the first solved one is best.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use sokocore::{Lurd, Score, Step};

use crate::past::Past;
use crate::successors::{Edge, successors};
use crate::{Charge, ConfigStore, Context, LiveIndex, Spine, Stop};

/// A past that was reached, and how.
#[derive(Clone, Copy)]
struct Reached {
    past: Past,
    score: [u32; 6],
    came_from: u32,
    /// The step that led here; `None` at the start.
    step: Option<Step>,
}

/// Bytes for each past: itself, its place in the index, and its entries in the open list.
const BYTES_EACH: u64 = (size_of::<Reached>() + size_of::<Past>() + 8 + 2 * size_of::<([u32; 6], u32)>()) as u64 * 2;

/// Searches from the start of the spine to any solved configuration, visiting only configurations of `store`, and
/// offers the best solution by the context's objective. Returns whether it improved the incumbent.
///
/// # Errors
/// The run was stopped, or memory did not suffice; nothing is offered then.
///
/// # Panics
/// If the store lacks the start.
pub fn search_exact<S: ConfigStore>(
    live: &LiveIndex,
    spine: &Spine,
    store: &S,
    cx: &mut Context<'_>,
) -> Result<bool, Stop> {
    let first = &spine.states()[0];
    let config = store.find(&first.key).expect("the store holds the start");
    let past = Past::at(spine, 0, (config, first.player), cx.level().board());
    let bound = cx.objective().score(&cx.incumbent().metrics());
    let mut search = Dijkstra {
        live,
        store,
        bound,
        charge: cx.budget().memory().nothing(),
        reached: vec![Reached { past, score: [0; 6], came_from: 0, step: None }],
        places: HashMap::from([(past, 0)]),
        open: BinaryHeap::from([Reverse(([0; 6], 0))]),
        key: vec![0; live.words()],
    };
    let best = search.run(cx)?;
    Ok(best.is_some_and(|at| cx.found(&search.path_to(at))))
}

struct Dijkstra<'a, S> {
    live: &'a LiveIndex,
    store: &'a S,
    /// What is to be improved: paths that cost as much are not followed.
    bound: Score,
    charge: Charge,
    reached: Vec<Reached>,
    places: HashMap<Past, u32>,
    open: BinaryHeap<Reverse<([u32; 6], u32)>>,
    key: Vec<u64>,
}

impl<S: ConfigStore> Dijkstra<'_, S> {
    /// Returns the best solved past that beats the bound.
    fn run(&mut self, cx: &mut Context<'_>) -> Result<Option<u32>, Stop> {
        let mut edges = Vec::with_capacity(4);
        while let Some(Reverse((score, at))) = self.open.pop() {
            cx.tick()?;
            let Reached { past, score: known, step, .. } = self.reached[at as usize];
            if known < score {
                continue;
            }
            self.store.read(past.state.0, &mut self.key);
            if step.is_some_and(Step::is_push) && self.live.is_solved(&self.key) {
                return Ok(Some(at));
            }
            edges.clear();
            let within = (cx.level().board(), self.live, self.store);
            successors(within, past.state, &mut self.key, |edge| edges.push(edge));
            for edge in &edges {
                self.reach(at, edge, cx)?;
            }
        }
        Ok(None)
    }

    /// Reaches the past behind an edge, if it is new or cheaper this way.
    fn reach(&mut self, came_from: u32, edge: &Edge, cx: &Context<'_>) -> Result<(), Stop> {
        let from = &self.reached[came_from as usize];
        let (past, price) = from.past.after(edge, cx.level().board());
        let score = price.add_to(from.score, &cx.objective());
        if self.bound.is_reached_by(score) {
            return Ok(());
        }
        let step = if edge.pushes.is_some() { Step::Push(edge.dir) } else { Step::Walk(edge.dir) };
        let new = Reached { past, score, came_from, step: Some(step) };
        let at = match self.places.get(&past) {
            Some(&at) if self.reached[at as usize].score <= score => return Ok(()),
            Some(&at) => {
                self.reached[at as usize] = new;
                at
            }
            None => {
                self.charge.add(BYTES_EACH)?;
                let at = u32::try_from(self.reached.len()).map_err(|_| Stop::Memory)?;
                self.places.insert(past, at);
                self.reached.push(new);
                at
            }
        };
        self.open.push(Reverse((score, at)));
        Ok(())
    }

    /// The moves themselves, not only the pushes: where few player lines count more than few moves, a walk on the
    /// best path need not be a shortest one.
    fn path_to(&self, mut at: u32) -> Lurd {
        let mut steps = Vec::new();
        while at != 0 {
            let reached = &self.reached[at as usize];
            steps.extend(reached.step);
            at = reached.came_from;
        }
        steps.into_iter().rev().collect()
    }
}
