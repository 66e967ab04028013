//! One level of the campaign, what is true of it, and what was found to disagree.

use sokocore::{Level, Lurd, Objective, Solution};

use super::best_solution::{GameCost, cost_of};
use super::flat_board::{FlatBoard, FlatState, bit};
use super::position_graph::{Optimum, PositionGraph, pushes};
use crate::dataset::SplitMix64;

/// How often what was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Levels that have a solution.
    pub(super) solvable: u64,
    /// Positions that the rules were asked about.
    pub(super) positions: u64,
    /// Answers of the solver, of them proofs, and those that never came within the limit of work.
    pub(super) answers: u64,
    pub(super) proofs: u64,
    pub(super) unanswered: u64,
    /// Results of the optimizer, and of them proofs.
    pub(super) results: u64,
    pub(super) proved_results: u64,
}

/// A level under trial.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) level: &'a Level,
    pub(super) board: &'a FlatBoard,
    pub(super) graph: &'a PositionGraph,
    /// The best solutions; `None` if there is no solution.
    pub(super) best: Option<Optimum>,
    pub(super) dice: SplitMix64,
    pub(super) counts: &'a mut Counts,
    /// What disagrees, in words.
    pub(super) findings: Vec<String>,
}

impl Trial<'_> {
    /// Notes what disagrees, if it does.
    pub(super) fn demand(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.findings.push(what());
        }
    }

    /// Plays a solution by the referee's rules, and compares its metrics with those that were reported.
    pub(super) fn check_solution(&mut self, solution: &Solution, who: &str) -> Option<GameCost> {
        let letters = solution.lurd().to_string();
        let cost = cost_of(self.board, &letters, Objective::MOVES);
        self.demand(cost.is_some(), || format!("{who}: {letters} is no solution"));
        let metrics = Objective::MOVES.order().map(|metric| metric.of(&solution.metrics()));
        self.demand(cost.is_none_or(|cost| cost == metrics), || {
            format!("{who}: the metrics of {letters} are {cost:?}, not {metrics:?}")
        });
        cost
    }

    /// Makes a solution that wanders first; `None` if there is no solution.
    pub(super) fn poor_solution(&mut self) -> Option<Lurd> {
        self.best?;
        let (mut state, mut letters) = (self.board.start, String::new());
        let mut n_stray = self.dice.below(13);
        loop {
            let left = self.graph.pushes_left(self.board, state)?;
            let is_over = !letters.is_empty() && left == 0;
            if is_over {
                return letters.parse().ok();
            }
            let open: Vec<_> = pushes(self.board, state)
                .filter_map(|next| Some((self.graph.pushes_left(self.board, next)?, next)))
                .collect();
            let nearest = open.iter().map(|(left, _)| *left).min()?;
            let strays = n_stray > 0;
            n_stray = n_stray.saturating_sub(1);
            let choice: Vec<_> =
                open.iter().filter(|(left, _)| strays || *left == nearest).map(|(_, next)| *next).collect();
            let next = choice[self.dice.below(choice.len())];
            letters += &walk_and_push(self.board, state, next)?;
            state = next;
        }
    }
}

/// The letters of a shortest walk to a push, and of the push.
fn walk_and_push(board: &FlatBoard, state: FlatState, next: FlatState) -> Option<String> {
    let mut seen = bit(state.player);
    let mut layer = vec![(state, String::new())];
    while !layer.is_empty() {
        let mut further = Vec::new();
        for (at, letters) in layer {
            for (way, letter) in (0..4).zip("urdl".chars()) {
                match board.play(at, way) {
                    Some((after, true)) if after == next => return Some(letters + &letter.to_uppercase().to_string()),
                    Some((after, false)) if seen & bit(after.player) == 0 => {
                        seen |= bit(after.player);
                        further.push((after, format!("{letters}{letter}")));
                    }
                    _ => {}
                }
            }
        }
        layer = further;
    }
    None
}
