//! Where a box can be parked, and which of several boxes goes first.
//!
//! Each box gets one chance in a position, with two places to try: as many pushes away as can be, and as far away as
//! can be.

use super::removal::Removal;
use super::{Frame, Piece, ReverseGame, Stage, manhattan};
use crate::board::Distances;
use crate::board::level_tables::LevelTables;
use crate::packing::order::Target;

/// How many boxes may be parked in vain before the game is given up.
const MAX_PARKINGS: u32 = 8_000;
/// Steps of the game, so that phases keep to small numbers.
const MAX_STEPS: u16 = 250;

/// Where one box can be parked, best place last, with where the player then stands.
#[derive(Clone, Debug)]
struct Parking {
    goal: usize,
    value: u16,
    places: Vec<(u16, u16)>,
}

/// The boxes that may be parked in a position, on the way to their places.
#[derive(Clone, Debug)]
pub(super) struct Weighing {
    /// Boxes whose places are not known yet, the first one last.
    allowed: Vec<usize>,
    parkings: Vec<Parking>,
    /// What can be taken away if parking comes to nothing.
    removals: Vec<Removal>,
}

/// The boxes that may still be parked in a position.
#[derive(Clone, Debug)]
pub(super) struct Parkings {
    parkings: Vec<Parking>,
    /// The box that is tried, with the places left.
    trying: Option<Parking>,
    /// Whether it stands on one of them now.
    is_parked: bool,
    removals: Vec<Removal>,
}

impl ReverseGame {
    /// Begins to look for places for these boxes.
    pub(super) fn weighing(&self, mut allowed: Vec<usize>, removals: Vec<Removal>) -> Stage {
        allowed.reverse();
        Stage::Weighing(Weighing { allowed, parkings: Vec::new(), removals })
    }

    /// Finds the places of the next box. Returns the ticks it took, too.
    pub(super) fn weigh(&mut self, yard: &LevelTables, frame: &Frame, mut weighing: Weighing) -> (Stage, u64) {
        let Some(last) = weighing.allowed.iter().rposition(|&goal| self.can_pull(yard, goal)) else {
            let Weighing { parkings, removals, .. } = weighing;
            let parkings = Parkings { parkings, trying: None, is_parked: false, removals };
            return (Stage::Parking(parkings), yard.flood_ticks());
        };
        let goal = weighing.allowed[last];
        weighing.allowed.truncate(last);
        weighing.parkings.extend(self.places(yard, goal, frame.player));
        (Stage::Weighing(weighing), self.walk.ticks())
    }

    /// Parks the next box, or the same one elsewhere: returns the position after it, or `None` and what to do instead.
    pub(super) fn park(&mut self, yard: &LevelTables, frame: &Frame, mut parkings: Parkings) -> (Stage, Option<Frame>) {
        if std::mem::take(&mut parkings.is_parked) {
            self.boxes.pop();
            if let Some(Parking { goal, .. }) = parkings.trying {
                (self.boxes[goal].on_board, self.boxes[goal].target.phase) = (true, 0);
            }
        }
        loop {
            let next = parkings.trying.as_mut().and_then(|parking| Some((parking.goal, parking.places.pop()?)));
            if let Some((goal, (sq, stand))) = next {
                self.n_parkings += 1;
                if self.n_parkings > MAX_PARKINGS || frame.step > MAX_STEPS {
                    return (Stage::Removing(parkings.removals), None);
                }
                (self.boxes[goal].on_board, self.boxes[goal].target.phase) = (false, frame.step);
                let target = Target { sq, phase: 0, parked_for: frame.step };
                self.boxes.push(Piece { target, on_board: true });
                parkings.is_parked = true;
                return (Stage::Parking(parkings), Some(Frame::new(stand, frame.step + 1, frame.seen.clone())));
            }
            let Some(choice) = self.choose(yard, &parkings.parkings) else {
                return (Stage::Removing(parkings.removals), None);
            };
            parkings.trying = Some(parkings.parkings.remove(choice));
        }
    }

    /// Returns the parking to try next: the farthest; among equals a later one that is not in a corner.
    fn choose(&self, yard: &LevelTables, parkings: &[Parking]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (place, parking) in parkings.iter().enumerate() {
            let better = best.is_none_or(|best| {
                let value = parkings[best].value;
                parking.value > value || parking.value == value && !self.is_corner(yard, parking.goal)
            });
            if better {
                best = Some(place);
            }
        }
        best
    }

    fn is_corner(&self, yard: &LevelTables, goal: usize) -> bool {
        let ground = yard.ground();
        let walls = ground.steps(self.boxes[goal].target.sq).map(|next| next == ground.wall());
        (walls[0] || walls[2]) && (walls[1] || walls[3])
    }

    /// Finds where the box of a goal can be parked.
    fn places(&mut self, yard: &LevelTables, goal: usize, player: u16) -> Option<Parking> {
        let ground = yard.ground();
        let from = self.boxes[goal].target.sq;
        let others: Vec<u16> = self.on_board().collect();
        let value = |sq: u16| ground.to_goals().row(sq)[goal];
        let mut found: Vec<(u16, u16)> = Vec::new();
        self.walk.pull(yard, &others, from, player, |sq, stand, flood| {
            let fits = yard.is_parkable(sq) && (1..Distances::NONE).contains(&value(sq)) && flood.reaches(from);
            if fits && found.iter().all(|&(other, _)| other != sq) {
                found.push((sq, stand));
            }
        });
        found.sort_unstable();
        let first = found.iter().copied().rev().max_by_key(|&(sq, _)| value(sq))?;
        let rest = found.iter().copied().filter(|&(sq, _)| sq != first.0).rev();
        let second = rest.max_by_key(|&(sq, _)| (manhattan(yard, sq, from), manhattan(yard, sq, first.0)));
        Some(Parking { goal, value: value(first.0), places: second.into_iter().chain([first]).collect() })
    }
}
