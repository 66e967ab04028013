//! Means that a search takes from the level itself, prepared once for both directions.

use std::sync::Arc;

use sokocore::{DiagonalCheck, Level, SquareSet};

use crate::bits::Bits;
use crate::ground::Ground;
use crate::packing::Yard;
use crate::{Effort, Heading, Settings};

/// What a forward search may be given beyond the ground.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aids {
    /// For proofs about enclosed areas.
    pub(crate) yard: Option<Arc<Yard>>,
    /// For closed diagonals.
    pub(crate) diagonals: Option<Diagonals>,
}

impl Aids {
    /// Prepares what the settings ask for; pulls have no use for it.
    pub(crate) fn new(level: &Level, ground: &Ground, settings: &Settings, effort: Option<&Effort>) -> Self {
        if settings.heading == Heading::Backward {
            return Self::default();
        }
        let yard = if settings.corral_proofs { Yard::on(level, ground.clone()) } else { None };
        let share = |yard: Yard| Arc::new(if let Some(effort) = effort { yard.sharing(effort) } else { yard });
        Self { yard: yard.map(share), diagonals: settings.diagonals.then(|| Diagonals::new(level)) }
    }
}

/// The core's check for closed diagonals, in the terms of a ground.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    check: DiagonalCheck,
    boxes: SquareSet,
}

impl Diagonals {
    fn new(level: &Level) -> Self {
        Self { check: DiagonalCheck::new(level), boxes: level.board().no_squares() }
    }

    /// Returns whether the box just pushed to `sq` closes a diagonal that is a deadlock.
    #[inline]
    pub(crate) fn is_deadlock<const W: usize>(
        &mut self,
        ground: &Ground,
        boxes: &Bits<W>,
        player: u16,
        sq: u16,
    ) -> bool {
        // A diagonal that closes has another box at a corner of this one, or a wall beyond its gap.
        let has_neighbor = (0..4).any(|dir| {
            let next = ground.step(sq, dir);
            let corner = ground.step(next.min(ground.wall() - 1), dir + 1);
            next != ground.wall() && !boxes.has(next) && boxes.has(corner)
        });
        if !has_neighbor {
            return false;
        }
        self.boxes.clear();
        for sq in boxes.iter() {
            self.boxes.insert(ground.square(sq));
        }
        self.check.is_deadlock(&self.boxes, ground.square(player), ground.square(sq))
    }
}
