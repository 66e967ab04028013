//! How many pushes a lone box needs between each square and each of its targets.
//!
//! Forward the targets are the goals, found by pulling a box away from each; backward they are the squares where
//! boxes start, found by pushing one away from each. Sides that the player can walk between are one, as in
//! [`sokocore::PushDistances`], from which this differs by its two directions and by its numbering.
//!
//! A square's row has the least over its sides. With [`SideRows`] those that the player cannot walk between have rows of
//! their own as well, beyond the rows of the squares.

use sokosearch::Stop;

use super::{Ground, SideRows, Way};
use crate::Effort;

/// Push counts between squares and targets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distances {
    n_targets: usize,
    rows: Vec<u16>,
}

impl Distances {
    /// No way at all.
    pub(crate) const NONE: u16 = u16::MAX;

    /// Measures to `targets`; `frozen` squares are walls.
    pub(crate) fn new(ground: &Ground, way: Way, targets: &[u16], frozen: impl Fn(u16) -> bool) -> Self {
        Self::each(ground, way, targets, |_, sq| frozen(sq))
    }

    /// Measures to `targets`; for each, by its place among them, `frozen` squares are walls.
    pub(crate) fn each(ground: &Ground, way: Way, targets: &[u16], frozen: impl Fn(usize, u16) -> bool) -> Self {
        let mut distances = Self::none(ground, targets, None);
        let mut scratch = Scratch::new(ground);
        for (column, &target) in targets.iter().enumerate() {
            distances.measure(ground, way, (column, target), |sq| frozen(column, sq), None, &mut scratch);
        }
        distances
    }

    /// Measures to `targets` for each row; `frozen` squares are walls.
    pub(crate) fn by_side(
        ground: &Ground,
        way: Way,
        targets: &[u16],
        sides: Option<&SideRows>,
        frozen: impl Fn(u16) -> bool,
    ) -> Self {
        let mut distances = Self::none(ground, targets, sides);
        let mut scratch = Scratch::new(ground);
        for (column, &target) in targets.iter().enumerate() {
            distances.measure(ground, way, (column, target), &frozen, sides, &mut scratch);
        }
        distances
    }

    /// Measures to `targets` on the empty board and looks at the clock between them.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(
        ground: &Ground,
        way: Way,
        targets: &[u16],
        sides: Option<&SideRows>,
        effort: &mut Effort,
    ) -> Result<Self, Stop> {
        let mut distances = Self::none(ground, targets, sides);
        let mut scratch = Scratch::new(ground);
        for (column, &target) in targets.iter().enumerate() {
            distances.measure(ground, way, (column, target), |_| false, sides, &mut scratch);
            effort.press_on(1 + (ground.n_squares() / 32) as u64)?;
        }
        Ok(distances)
    }

    fn none(ground: &Ground, targets: &[u16], sides: Option<&SideRows>) -> Self {
        let n_rows = ground.n_squares() + sides.map_or(0, |sides| sides.n_rows() - ground.n_live());
        Self { n_targets: targets.len(), rows: vec![Self::NONE; n_rows * targets.len()] }
    }

    /// Fills the column of a target, layer by layer.
    fn measure(
        &mut self,
        ground: &Ground,
        way: Way,
        (column, target): (usize, u16),
        frozen: impl Fn(u16) -> bool,
        sides: Option<&SideRows>,
        scratch: &mut Scratch,
    ) {
        let Scratch { seen, layer, next_layer } = scratch;
        next_layer.clear();
        self.rows[usize::from(target) * self.n_targets + column] = 0;
        let n_targets = self.n_targets;
        let place = |sq: u16, side: usize| {
            let beyond = sides.and_then(|sides| sides.beyond(sq, side))?;
            Some((ground.n_squares() + beyond) * n_targets + column)
        };
        (0..4).filter_map(|side| place(target, side)).for_each(|place| self.rows[place] = 0);
        if frozen(target) {
            return;
        }
        let mut arrive = |sq: u16, side: usize, layer: &mut Vec<(u16, u8)>| {
            let group = ground.side_group(sq, side);
            let place = &mut seen[usize::from(sq) * 4 + usize::from(group)];
            let is_new = *place != column;
            if is_new {
                *place = column;
                layer.push((sq, group));
            }
            is_new
        };
        let open = (0..4).filter(|&side| ground.step(target, side) != ground.wall());
        open.for_each(|side| _ = arrive(target, side, next_layer));
        let mut distance: u16 = 0;
        while !next_layer.is_empty() {
            std::mem::swap(layer, next_layer);
            next_layer.clear();
            distance = (distance + 1).min(Self::NONE - 1);
            for &(sq, group) in &*layer {
                for side in (0..4).filter(|&side| ground.side_group(sq, side) == group) {
                    let stand = ground.step(sq, side);
                    if stand == ground.wall() || frozen(stand) {
                        continue;
                    }
                    // A pull draws the box to where the player stands; a push sends it away from there.
                    let (to, player) = match way {
                        Way::Forward => (stand, ground.step(stand, side)),
                        Way::Backward => (ground.step(sq, side ^ 2), sq),
                    };
                    if to == ground.wall() || player == ground.wall() || frozen(to) || frozen(player) {
                        continue;
                    }
                    let entry = &mut self.rows[usize::from(to) * self.n_targets + column];
                    *entry = (*entry).min(distance);
                    if arrive(to, side, next_layer)
                        && let Some(place) = place(to, side)
                    {
                        self.rows[place] = distance;
                    }
                }
            }
        }
    }

    /// Returns the number of targets.
    pub(crate) const fn n_targets(&self) -> usize {
        self.n_targets
    }

    /// Returns the distances of a square, one for each target; [`Distances::NONE`] if there is no way.
    #[inline]
    pub(crate) fn row(&self, sq: u16) -> &[u16] {
        let start = usize::from(sq) * self.n_targets;
        &self.rows[start..start + self.n_targets]
    }

    /// Returns the distances of all live squares, and then those of [`SideRows`].
    pub(crate) fn rows(&self, ground: &Ground) -> impl Iterator<Item = &u16> {
        let [live, all] = [ground.n_live(), ground.n_squares()].map(|n| n * self.n_targets);
        self.rows[..live].iter().chain(&self.rows[all..])
    }
}

/// What measuring one column leaves for the next.
#[derive(Debug)]
struct Scratch {
    /// For each side group of each square, the last column that came to it.
    seen: Vec<usize>,
    layer: Vec<(u16, u8)>,
    next_layer: Vec<(u16, u8)>,
}

impl Scratch {
    fn new(ground: &Ground) -> Self {
        Self { seen: vec![usize::MAX; ground.n_squares() * 4], layer: Vec::new(), next_layer: Vec::new() }
    }
}
