//! What is seen of a position: the player's region, pieces of free floor, cut links between rooms, new ways to move.

use crate::bits::Bits;
use crate::ground::{Flood, Ground, Way};

use super::rooms::RoomScratch;
use super::terrain::Terrain;

/// Features of a position that both directions use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View {
    /// Least square of the player's region.
    pub(crate) zone: u16,
    /// Connected pieces of free floor.
    pub(crate) n_pieces: u64,
    /// Links between rooms that boxes cut.
    pub(crate) n_cut: u64,
    /// A box other than the one moved can be moved in a way that it could not before.
    pub(crate) is_opening: bool,
}

/// Scratch space for views.
#[derive(Debug)]
pub(crate) struct Viewer {
    flood: Flood,
    scratch: RoomScratch,
}

impl Viewer {
    /// Makes scratch space.
    pub(crate) fn new(ground: &Ground) -> Self {
        Self { flood: Flood::new(ground), scratch: RoomScratch::default() }
    }

    /// Returns the flood of the position looked at last; all its free squares are reached by now.
    pub(crate) const fn flood(&self) -> &Flood {
        &self.flood
    }

    /// Looks at a position; `before` is the flood of its father, `moved` the box that has moved since.
    pub(crate) fn look<const W: usize>(
        &mut self,
        terrain: &Terrain<W>,
        way: Way,
        boxes: &Bits<W>,
        player: u16,
        before: Option<(&Flood, u16)>,
    ) -> View {
        let ground = terrain.ground();
        let zone = self.flood.run(ground, boxes, player);
        let is_opening = before.is_some_and(|(before, moved)| {
            boxes.iter().filter(|&sq| sq != moved).any(|sq| {
                (0..4).any(|side| {
                    can_move(ground, &self.flood, way, sq, side) && !can_move(ground, before, way, sq, side)
                })
            })
        });
        let mut n_pieces = 1;
        for sq in 0..ground.wall() {
            if self.flood.is_free(sq) && !self.flood.reaches(sq) {
                self.flood.spread(ground, sq);
                n_pieces += 1;
            }
        }
        let n_cut = u64::from(terrain.rooms.cut(ground, &self.flood, &mut self.scratch));
        View { zone, n_pieces, n_cut, is_opening }
    }
}

fn can_move(ground: &Ground, flood: &Flood, way: Way, sq: u16, side: usize) -> bool {
    let stand = ground.step(sq, side);
    if !flood.reaches(stand) {
        return false;
    }
    let room = match way {
        Way::Forward => ground.step(sq, side ^ 2),
        Way::Backward => ground.step(stand, side),
    };
    flood.is_free(room) && (way == Way::Backward || ground.is_live(room))
}
