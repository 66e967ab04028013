//! Push distances: the pushes that a lone box needs between each square and each target.
//!
//! Forward the targets are the goals, and each column is measured by pulling a box away from its goal. Backward they
//! are the start squares of the boxes, measured by pushing. Sides that the player can walk between count as one, as in
//! [`sokocore::PushDistances`], which has one direction and the numbers of the level.
//!
//! A square's row is the least over its sides. With [`SideRows`], sides that the player cannot walk between have rows
//! of their own, beyond the rows of the squares.

use sokocore::{FloorGraph, FloorSquare};
use sokosearch::Stop;

use crate::WorkMeter;
use crate::board::{SearchDirection, SideGraph, SideRows};

/// Push counts between squares and targets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distances {
    n_targets: usize,
    rows: Vec<u16>,
}

impl Distances {
    /// Returns the bytes in use.
    pub(crate) const fn bytes(&self) -> u64 {
        (self.rows.len() * size_of::<u16>()) as u64
    }

    /// The target cannot be reached.
    pub(crate) const NONE: u16 = u16::MAX;

    /// Measures to `targets`; `frozen` squares are walls.
    pub(crate) fn new(
        graph: &SideGraph,
        direction: SearchDirection,
        targets: &[FloorSquare],
        frozen: impl Fn(FloorSquare) -> bool,
    ) -> Self {
        Self::each(graph, direction, targets, |_, sq| frozen(sq))
    }

    /// Measures to `targets`; for each, by its index, `frozen` squares are walls.
    pub(crate) fn each(
        graph: &SideGraph,
        direction: SearchDirection,
        targets: &[FloorSquare],
        frozen: impl Fn(usize, FloorSquare) -> bool,
    ) -> Self {
        let mut distances = Self::none(graph.floor(), targets, None);
        let mut scratch = Scratch::new(graph.floor());
        for (column, &target) in targets.iter().enumerate() {
            distances.measure(graph, direction, (column, target), |sq| frozen(column, sq), None, &mut scratch);
        }
        distances
    }

    /// Measures to `targets` for each row; `frozen` squares are walls.
    pub(crate) fn by_side(
        graph: &SideGraph,
        direction: SearchDirection,
        targets: &[FloorSquare],
        sides: Option<&SideRows>,
        frozen: impl Fn(FloorSquare) -> bool,
    ) -> Self {
        let mut distances = Self::none(graph.floor(), targets, sides);
        let mut scratch = Scratch::new(graph.floor());
        for (column, &target) in targets.iter().enumerate() {
            distances.measure(graph, direction, (column, target), &frozen, sides, &mut scratch);
        }
        distances
    }

    /// Measures to `targets` on the empty board, within the budget.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(
        graph: &SideGraph,
        direction: SearchDirection,
        targets: &[FloorSquare],
        sides: Option<&SideRows>,
        meter: &mut WorkMeter,
    ) -> Result<Self, Stop> {
        let mut distances = Self::none(graph.floor(), targets, sides);
        let mut scratch = Scratch::new(graph.floor());
        for (column, &target) in targets.iter().enumerate() {
            distances.measure(graph, direction, (column, target), |_| false, sides, &mut scratch);
            meter.tick_unpausable(1 + (graph.floor().n_squares() / 32) as u64)?;
        }
        Ok(distances)
    }

    /// Makes them of rows for each floor square, which were measured by other costs than pushes.
    pub(crate) const fn of_rows(n_targets: usize, rows: Vec<u16>) -> Self {
        Self { n_targets, rows }
    }

    fn none(floor: &FloorGraph, targets: &[FloorSquare], sides: Option<&SideRows>) -> Self {
        let n_rows = floor.n_squares() + sides.map_or(0, |sides| sides.n_rows() - floor.n_live());
        Self { n_targets: targets.len(), rows: vec![Self::NONE; n_rows * targets.len()] }
    }

    /// Fills the column of a target, layer by layer.
    fn measure(
        &mut self,
        graph: &SideGraph,
        direction: SearchDirection,
        (column, target): (usize, FloorSquare),
        frozen: impl Fn(FloorSquare) -> bool,
        sides: Option<&SideRows>,
        scratch: &mut Scratch,
    ) {
        let floor = graph.floor();
        let Scratch { seen, layer, next_layer } = scratch;
        next_layer.clear();
        self.rows[target.idx() * self.n_targets + column] = 0;
        let n_targets = self.n_targets;
        let side_idx = |sq: FloorSquare, side: usize| {
            let beyond = sides.and_then(|sides| sides.beyond(sq, side))?;
            Some((floor.n_squares() + beyond) * n_targets + column)
        };
        (0..4).filter_map(|side| side_idx(target, side)).for_each(|idx| self.rows[idx] = 0);
        if frozen(target) {
            return;
        }
        let mut arrive = |sq: FloorSquare, side: usize, layer: &mut Vec<(FloorSquare, u8)>| {
            let group = graph.group(sq, side);
            let last = &mut seen[sq.idx() * 4 + usize::from(group)];
            let is_new = *last != column;
            if is_new {
                *last = column;
                layer.push((sq, group));
            }
            is_new
        };
        let open = (0..4).filter(|&side| floor.step(target, side) != floor.wall());
        open.for_each(|side| _ = arrive(target, side, next_layer));
        let mut distance: u16 = 0;
        while !next_layer.is_empty() {
            std::mem::swap(layer, next_layer);
            next_layer.clear();
            distance = (distance + 1).min(Self::NONE - 1);
            for &(sq, group) in &*layer {
                for side in (0..4).filter(|&side| graph.group(sq, side) == group) {
                    let stand = floor.step(sq, side);
                    if stand == floor.wall() || frozen(stand) {
                        continue;
                    }
                    // A pull moves the box to the player's square, a push away from it.
                    let (to, player) = match direction {
                        SearchDirection::Forward => (stand, floor.step(stand, side)),
                        SearchDirection::Backward => (floor.step(sq, side ^ 2), sq),
                    };
                    if to == floor.wall() || player == floor.wall() || frozen(to) || frozen(player) {
                        continue;
                    }
                    let entry = &mut self.rows[to.idx() * self.n_targets + column];
                    *entry = (*entry).min(distance);
                    if arrive(to, side, next_layer)
                        && let Some(idx) = side_idx(to, side)
                    {
                        self.rows[idx] = distance;
                    }
                }
            }
        }
    }

    /// Returns the number of targets.
    pub(crate) const fn n_targets(&self) -> usize {
        self.n_targets
    }

    /// Returns the distances of a square, one for each target; [`Distances::NONE`] if it cannot be reached.
    #[inline]
    pub(crate) fn row(&self, sq: FloorSquare) -> &[u16] {
        let start = sq.idx() * self.n_targets;
        &self.rows[start..start + self.n_targets]
    }

    /// Returns the distances of all live squares, and then those of [`SideRows`].
    pub(crate) fn rows(&self, floor: &FloorGraph) -> impl Iterator<Item = &u16> {
        let [live, all] = [floor.n_live(), floor.n_squares()].map(|n| n * self.n_targets);
        self.rows[..live].iter().chain(&self.rows[all..])
    }
}

/// Scratch space, kept from column to column.
#[derive(Debug)]
struct Scratch {
    /// For each side group of each square, the last column that reached it.
    seen: Vec<usize>,
    layer: Vec<(FloorSquare, u8)>,
    next_layer: Vec<(FloorSquare, u8)>,
}

impl Scratch {
    fn new(floor: &FloorGraph) -> Self {
        Self { seen: vec![usize::MAX; floor.n_squares() * 4], layer: Vec::new(), next_layer: Vec::new() }
    }
}
