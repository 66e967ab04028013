//! A lower bound on moves: a matching of boxes and goals in which each push costs its part of the walks, too.
//!
//! For a potential h of the player, with each walk step raising h by at most one:
//!
//! ```text
//!   moves = pushes + steps of walks ≥ sum over pushes of (1 - change of h) + h(end) - h(start)
//! ```
//!
//! The sum is at least that of a minimum matching with these costs of pushes in place of ones, since each box takes some
//! path to a goal of its own. The end is beside a goal. (Costs reduced by a potential: Johnson 1977; the matching:
//! Kuhn 1955.)
//!
//! **Admissible** for every potential. The first push is one of those that can be made at the start, with a walk whose
//! length is known; the bound is the least over these.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sokocore::{FloorSquare, Level, Reach};
use sokosearch::Stop;

use super::displacement::ends;
use super::potential::PlayerPotential;
use crate::WorkMeter;
use crate::board::{DistanceRow, Distances, SearchBoard};
use crate::bound::matching::{CostTable, Matching};

/// A push that can be made at the start, and the position after it.
#[derive(Clone, Debug)]
pub(super) struct FirstPush {
    /// The steps of the player to where the push begins.
    pub(super) walk: u64,
    boxes: Vec<FloorSquare>,
    player: FloorSquare,
}

/// Lists the pushes at the start, those to dead squares left out.
pub(super) fn first_pushes(level: &Level, board: &SearchBoard) -> Vec<FirstPush> {
    let (start, floor) = (level.start(), level.board());
    let mut reach = Reach::new(floor);
    let region = reach.flood(floor, &start.boxes, start.player);
    let first = |push: sokocore::Push| {
        let to = push.to(floor).filter(|&to| level.live().contains(to))?;
        let walk = region.distance(push.stand(floor)?)?;
        let boxes = start.boxes.iter().map(|sq| board.number(if sq == push.from { to } else { sq })).collect();
        Some(FirstPush { walk: u64::from(walk), boxes, player: board.number(push.from) })
    };
    region.pushes().filter_map(first).collect()
}

/// The bound by one potential.
#[derive(Debug)]
pub(super) struct WalkBound {
    potential: PlayerPotential,
    costs: CostTable,
    matching: Matching,
    /// The least height beside a goal.
    end: i32,
}

impl WalkBound {
    /// Measures the distances by this potential.
    ///
    /// # Errors
    /// The budget is used up.
    pub(super) fn new(board: &SearchBoard, potential: PlayerPotential, meter: &mut WorkMeter) -> Result<Self, Stop> {
        let distances = distances(board, &potential, meter)?;
        let end = ends(board).map(|sq| potential.height(sq)).min().unwrap_or(0);
        let matching = Matching::new(distances.n_targets());
        Ok(Self { costs: CostTable::new(board, &distances), matching, end, potential })
    }

    /// Returns the least moves of a solution that begins with one of these pushes; 0 if nothing is known.
    pub(super) fn after_any(&mut self, firsts: &[FirstPush]) -> u64 {
        firsts.iter().map(|first| first.walk + 1 + self.moves_left(&first.boxes, first.player)).min().unwrap_or(0)
    }

    /// The least moves from a position to the last push, that one included.
    fn moves_left(&mut self, boxes: &[FloorSquare], player: FloorSquare) -> u64 {
        let Some(sum) = self.matching.solve(&self.costs, boxes.iter().copied().map(DistanceRow::from)) else {
            return 0;
        };
        let moves = i64::from(sum) + i64::from(self.end) - i64::from(self.potential.height(player));
        u64::try_from(moves).unwrap_or(0)
    }
}

/// The costs of a lone box to each goal, the player starting on any side: Dijkstra's algorithm by pulls from the goals.
fn distances(board: &SearchBoard, potential: &PlayerPotential, meter: &mut WorkMeter) -> Result<Distances, Stop> {
    let (graph, floor, goals) = (board.sides(), board.floor(), board.goals());
    let mut rows = vec![Distances::NONE; floor.n_squares() * goals.len()];
    let mut open: BinaryHeap<Reverse<(u16, FloorSquare, u8)>> = BinaryHeap::new();
    let mut least = vec![Distances::NONE; floor.n_squares() * 4];
    for (column, &goal) in goals.iter().enumerate() {
        meter.ticks_of(1 + (floor.n_squares() / 4) as u64)?;
        least.fill(Distances::NONE);
        let mut arrive = |sq: FloorSquare, side: usize, cost: u16, open: &mut BinaryHeap<_>| {
            let group = graph.group(sq, side);
            let known = &mut least[sq.idx() * 4 + usize::from(group)];
            if cost < *known {
                *known = cost;
                open.push(Reverse((cost, sq, group)));
            }
        };
        let sides = (0..4).filter(|&side| floor.step(goal, side) != floor.wall());
        sides.for_each(|side| arrive(goal, side, 0, &mut open));
        while let Some(Reverse((cost, sq, group))) = open.pop() {
            let entry = &mut rows[sq.idx() * goals.len() + column];
            *entry = (*entry).min(cost);
            for side in (0..4).filter(|&side| graph.group(sq, side) == group) {
                let stand = floor.step(sq, side);
                if stand == floor.wall() || floor.step(stand, side) == floor.wall() {
                    continue;
                }
                // The push that this pull undoes takes the player to the square where the box was.
                let push = potential.moves_of_push(floor.step(stand, side), stand);
                arrive(stand, side, cost.saturating_add(push).min(Distances::NONE - 1), &mut open);
            }
        }
    }
    Ok(Distances::of_rows(goals.len(), rows))
}

#[cfg(test)]
mod tests;
