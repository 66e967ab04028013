//! How many pushes a lone box needs to each target, from each square and with the player on each of its sides.
//!
//! [`Distances`](crate::ground::Distances) keep the least over the sides; from one step to the next that may fall by
//! more than one. These never do, so that a step wastes nothing if and only if it brings them down by one.

use crate::ground::{Distances, Ground, Way};

/// Pushes by square, side and target.
#[derive(Debug)]
pub(crate) struct SideDistances {
    n_targets: usize,
    rows: Vec<u16>,
}

impl SideDistances {
    /// Measures to the targets of this game.
    pub(crate) fn new(ground: &Ground, way: Way) -> Self {
        let targets = match way {
            Way::Forward => ground.goals(),
            Way::Backward => ground.starts(),
        };
        let mut all =
            Self { n_targets: targets.len(), rows: vec![Distances::NONE; ground.n_live() * 4 * targets.len()] };
        for (number, &target) in targets.iter().enumerate() {
            all.measure(ground, way, number, target);
        }
        all
    }

    /// Returns the pushes to every target.
    pub(crate) fn row(&self, sq: u16, side: usize) -> &[u16] {
        let start = (usize::from(sq) * 4 + (side & 3)) * self.n_targets;
        &self.rows[start..start + self.n_targets]
    }

    fn measure(&mut self, ground: &Ground, way: Way, number: usize, target: u16) {
        let mut todo = std::collections::VecDeque::new();
        for side in 0..4 {
            self.arrive(ground, number, (target, side), 0, &mut todo);
        }
        while let Some((sq, side)) = todo.pop_front() {
            let stand = ground.step(sq, side);
            let distance = self.row(sq, side)[number] + 1;
            let (to, player) = match way {
                Way::Forward => (stand, ground.step(stand, side)),
                Way::Backward => (ground.step(sq, side ^ 2), sq),
            };
            if ground.is_live(to) && player != ground.wall() {
                self.arrive(ground, number, (to, side), distance, &mut todo);
            }
        }
    }

    /// Takes note of a distance for all sides that the player can walk between.
    fn arrive(
        &mut self,
        ground: &Ground,
        number: usize,
        (sq, side): (u16, usize),
        distance: u16,
        todo: &mut std::collections::VecDeque<(u16, usize)>,
    ) {
        let group = ground.side_group(sq, side);
        for other in (0..4).filter(|&other| ground.side_group(sq, other) == group) {
            let at = (usize::from(sq) * 4 + other) * self.n_targets + number;
            if self.rows[at] == Distances::NONE && ground.step(sq, other) != ground.wall() {
                self.rows[at] = distance;
                todo.push_back((sq, other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    /// The least over the sides is what the ground says, in both games, and no step gains more than one.
    #[test]
    fn the_least_side_is_the_distance() {
        let level = Level::parse("##########\n#.  #  # #\n# $  $   #\n#  # @ # #\n####   . #\n##########").unwrap();
        let ground = Ground::new(&level).unwrap();
        for (way, plain) in [(Way::Forward, ground.to_goals()), (Way::Backward, ground.to_starts())] {
            let sides = SideDistances::new(&ground, way);
            for sq in (0..ground.wall()).filter(|&sq| ground.is_live(sq)) {
                for (target, &expect) in plain.row(sq).iter().enumerate() {
                    let least = (0..4).map(|side| sides.row(sq, side)[target]).min().unwrap();
                    assert_eq!(least, expect, "{way:?} {sq} {target}");
                }
            }
        }
    }
}
