//! Where a box can be parked, and which of several boxes goes first.

use super::{ReverseGame, manhattan};
use crate::ground::Distances;

/// Where one box can be parked, best place first, with where the player then stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parking {
    pub(super) goal: usize,
    pub(super) value: u16,
    pub(super) places: [Option<(u16, u16)>; 2],
}

impl ReverseGame<'_> {
    /// Returns the parking to try next: the farthest; among equals a later one that is not in a corner.
    pub(super) fn choose(&self, parkings: &[Parking]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (place, parking) in parkings.iter().enumerate() {
            let better = best.is_none_or(|best| {
                let value = parkings[best].value;
                parking.value > value || parking.value == value && !self.is_corner(parking.goal)
            });
            if better {
                best = Some(place);
            }
        }
        best
    }

    fn is_corner(&self, goal: usize) -> bool {
        let ground = self.yard.ground();
        let walls = ground.steps(self.boxes[goal].target.sq).map(|next| next == ground.wall());
        (walls[0] || walls[2]) && (walls[1] || walls[3])
    }

    /// Finds where the box of a goal can be parked: as many pushes away as can be, and as far away as can be.
    pub(super) fn places(&mut self, goal: usize, player: u16) -> Option<Parking> {
        let yard = self.yard;
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
        Some(Parking { goal, value: value(first.0), places: [Some(first), second] })
    }
}
