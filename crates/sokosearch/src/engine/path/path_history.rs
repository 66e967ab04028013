//! The part of a path's history that the six metrics depend on, and what a step adds to them.

use sokocore::{Board, Direction, Metric, Objective, Square};

use crate::Spine;
use crate::engine::path::successors::Edge;
use crate::engine::state::State;

/// A state with the history that the metrics depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PathHistory {
    pub(crate) state: State,
    /// The square of the box pushed last, and the direction of the push.
    pub(crate) last_push: Option<(Square, Direction)>,
    pub(crate) last_dir: Option<Direction>,
    pub(crate) walked: bool,
}

/// The metrics that a step adds one to.
#[derive(Clone, Copy)]
pub(crate) struct StepCost {
    push: bool,
    new_line: bool,
    new_box: bool,
    new_session: bool,
    turn: bool,
}

impl StepCost {
    /// Adds the step to metrics in the order of an objective.
    pub(crate) fn add_to(self, score: [u32; 6], objective: &Objective) -> [u32; 6] {
        std::array::from_fn(|at| score[at] + u32::from(self.counts(objective.order()[at])))
    }

    const fn counts(self, metric: Metric) -> bool {
        match metric {
            Metric::Moves => true,
            Metric::Pushes => self.push,
            Metric::MostPushes => !self.push,
            Metric::BoxLines => self.new_line,
            Metric::BoxChanges => self.new_box,
            Metric::PushingSessions => self.new_session,
            Metric::PlayerLines => self.turn,
        }
    }
}

impl PathHistory {
    /// The history of a search that starts from state `at` of a spine; `state` is that state in a store.
    pub(crate) fn at(spine: &Spine, at: usize, state: State, board: &Board) -> Self {
        let before = at.checked_sub(1).map(|before| spine.pushes()[before]);
        let last_push = before.and_then(|push| push.to(board).map(|sq| (sq, push.dir)));
        Self { state, last_push, last_dir: before.map(|push| push.dir), walked: before.is_none() }
    }

    /// Returns the history after one more step, and the cost of the step.
    pub(crate) fn after(&self, edge: &Edge, board: &Board) -> (Self, StepCost) {
        let turn = self.last_dir != Some(edge.dir);
        let Some(from) = edge.pushes else {
            let step_cost = StepCost { push: false, new_line: false, new_box: false, new_session: false, turn };
            return (Self { state: edge.to, last_dir: Some(edge.dir), walked: true, ..*self }, step_cost);
        };
        let same_box = self.last_push.is_some_and(|(sq, _)| sq == from);
        let same_line = same_box && self.last_push.is_some_and(|(_, dir)| dir == edge.dir);
        let step_cost =
            StepCost { push: true, new_line: !same_line, new_box: !same_box, new_session: self.walked, turn };
        let last_push = board.step(from, edge.dir).map(|to| (to, edge.dir));
        (Self { state: edge.to, last_push, last_dir: Some(edge.dir), walked: false }, step_cost)
    }
}
