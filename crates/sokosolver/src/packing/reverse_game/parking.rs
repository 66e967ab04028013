//! Where a box can be parked, and which of several boxes is parked first.
//!
//! Each box is tried once in a position, on two squares: the one with the most pushes from it, and the one farthest
//! away.

use sokocore::FloorSquare;

use super::removal::Removal;
use super::{FrameStage, GameBox, GameFrame, ReverseGame, manhattan};
use crate::board::level_tables::LevelTables;
use crate::board::{Distances, GoalIndex};
use crate::packing::order::OrderTarget;

/// Most parkings of a game before it is given up.
const MAX_PARKINGS: u32 = 8_000;
/// Steps of the game, so that phases remain small numbers.
const MAX_STEPS: u16 = 250;

/// The squares where one box can be parked, the best last, with the player's square.
#[derive(Clone, Debug)]
struct ParkingSquares {
    goal: GoalIndex,
    value: u16,
    squares: Vec<(FloorSquare, FloorSquare)>,
}

/// The search for squares where the boxes of a position can be parked.
#[derive(Clone, Debug)]
pub(super) struct ParkingSearch {
    /// The goals of boxes whose squares are not known yet, the first one last.
    allowed: Vec<GoalIndex>,
    candidates: Vec<ParkingSquares>,
    /// The boxes that can be taken away if parking fails.
    removals: Vec<Removal>,
}

/// The boxes of a position that are still to be parked on trial.
#[derive(Clone, Debug)]
pub(super) struct ParkingTrials {
    candidates: Vec<ParkingSquares>,
    /// The box on trial, with the squares left.
    trying: Option<ParkingSquares>,
    /// Whether it stands on one of them now.
    is_parked: bool,
    removals: Vec<Removal>,
}

impl ReverseGame {
    /// Begins to search for squares for these boxes.
    pub(super) fn begin_parking_search(&self, mut allowed: Vec<GoalIndex>, removals: Vec<Removal>) -> FrameStage {
        allowed.reverse();
        FrameStage::ParkingSearch(ParkingSearch { allowed, candidates: Vec::new(), removals })
    }

    /// Finds the squares of the next box; returns the ticks it took, too.
    pub(super) fn find_next_squares(
        &mut self,
        tables: &LevelTables,
        frame: &GameFrame,
        mut search: ParkingSearch,
    ) -> (FrameStage, u64) {
        let Some(last) = search.allowed.iter().rposition(|&goal| self.can_pull(tables, goal.idx())) else {
            let ParkingSearch { candidates, removals, .. } = search;
            let trials = ParkingTrials { candidates, trying: None, is_parked: false, removals };
            return (FrameStage::Parking(trials), tables.flood_ticks());
        };
        let goal = search.allowed[last];
        search.allowed.truncate(last);
        search.candidates.extend(self.parking_squares(tables, goal, frame.player));
        (FrameStage::ParkingSearch(search), self.walk.ticks())
    }

    /// Parks the next box, or the same one elsewhere: returns the position after it, or `None` and the next stage.
    pub(super) fn park(
        &mut self,
        tables: &LevelTables,
        frame: &GameFrame,
        mut trials: ParkingTrials,
    ) -> (FrameStage, Option<GameFrame>) {
        if std::mem::take(&mut trials.is_parked) {
            self.boxes.pop();
            if let Some(ParkingSquares { goal, .. }) = trials.trying {
                (self.boxes[goal.idx()].on_board, self.boxes[goal.idx()].target.phase) = (true, 0);
            }
        }
        loop {
            let next = trials.trying.as_mut().and_then(|parking| Some((parking.goal, parking.squares.pop()?)));
            if let Some((goal, (sq, stand))) = next {
                self.n_parkings += 1;
                if self.n_parkings > MAX_PARKINGS || frame.step > MAX_STEPS {
                    return (FrameStage::Removing(trials.removals), None);
                }
                (self.boxes[goal.idx()].on_board, self.boxes[goal.idx()].target.phase) = (false, frame.step);
                let target = OrderTarget { sq, phase: 0, parked_for: frame.step };
                self.boxes.push(GameBox { target, on_board: true });
                trials.is_parked = true;
                return (FrameStage::Parking(trials), Some(GameFrame::new(stand, frame.step + 1, frame.seen.clone())));
            }
            let Some(choice) = self.choose(tables, &trials.candidates) else {
                return (FrameStage::Removing(trials.removals), None);
            };
            trials.trying = Some(trials.candidates.remove(choice));
        }
    }

    /// Returns the parking to try next: the farthest; among equals a later one that is not in a corner.
    fn choose(&self, tables: &LevelTables, candidates: &[ParkingSquares]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (at, parking) in candidates.iter().enumerate() {
            let better = best.is_none_or(|best| {
                let value = candidates[best].value;
                parking.value > value || parking.value == value && !self.is_corner(tables, parking.goal)
            });
            if better {
                best = Some(at);
            }
        }
        best
    }

    fn is_corner(&self, tables: &LevelTables, goal: GoalIndex) -> bool {
        let board = tables.board();
        let walls = board.steps(self.boxes[goal.idx()].target.sq).map(|next| next == board.wall());
        (walls[0] || walls[2]) && (walls[1] || walls[3])
    }

    /// Finds the squares where the box of a goal can be parked.
    fn parking_squares(
        &mut self,
        tables: &LevelTables,
        goal: GoalIndex,
        player: FloorSquare,
    ) -> Option<ParkingSquares> {
        let board = tables.board();
        let from = self.boxes[goal.idx()].target.sq;
        let others: Vec<FloorSquare> = self.on_board().collect();
        let value = |sq: FloorSquare| board.to_goals().row(sq)[goal.idx()];
        let mut found: Vec<(FloorSquare, FloorSquare)> = Vec::new();
        self.walk.pull(tables, &others, from, player, |sq, stand, flood| {
            let fits = tables.is_parkable(sq) && (1..Distances::NONE).contains(&value(sq)) && flood.reaches(from);
            if fits && found.iter().all(|&(other, _)| other != sq) {
                found.push((sq, stand));
            }
        });
        found.sort_unstable();
        let first = found.iter().copied().rev().max_by_key(|&(sq, _)| value(sq))?;
        let rest = found.iter().copied().filter(|&(sq, _)| sq != first.0).rev();
        let second = rest.max_by_key(|&(sq, _)| (manhattan(tables, sq, from), manhattan(tables, sq, first.0)));
        Some(ParkingSquares { goal, value: value(first.0), squares: second.into_iter().chain([first]).collect() })
    }
}
