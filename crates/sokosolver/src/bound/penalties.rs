//! Penalties for pairs of boxes in conflict, whatever goals they go to: linear conflicts and all others.
//!
//! ```text
//!   #######      each box alone is two pushes from a goal; together one of them has to step aside
//!   #.$$. #
//! ```
//!
//! A pair is *free*, for a region of the player, if its two boxes alone can be brought to some two targets with no more
//! pushes than each needs without the other. Otherwise it costs at least two pushes more (colors of a chessboard: the
//! pushes of a box beyond its distance are even in number). All free pairs are found by retrograde search from the
//! targets; for each state it keeps the set of assignments for which the state is free.
//!
//! Distances are those of [`SideDistances`]: with these a step is either on a shortest path, or not.
//!
//! **Why it may be added**: a solution brings the pair to some two targets, at their distances and two more, and other
//! boxes are only in the way. So the penalty is admissible for any number of disjoint pairs, on top of a matching of
//! distances on the empty board, with or without sides; not on top of one around frozen boxes, which may count the same
//! detour.

use std::collections::VecDeque;

use sokocore::FloorSquare;
use sokosearch::{Charge, Stop};

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::side_distances::SideDistances;
use crate::board::{Flood, SearchBoard, SearchDirection};

/// The pairs that are not free.
#[derive(Debug)]
pub(crate) struct Penalties<const W: usize> {
    /// For each square, the squares that a box there may be in conflict with.
    partners: Vec<BitSet<W>>,
    /// For each pair of squares, the sides with the player on which the pair is in conflict.
    sides: Vec<u8>,
    _charge: Charge,
}

/// Builds [`Penalties`]; it can be paused.
#[derive(Debug)]
pub(crate) struct PenaltyMaker {
    direction: SearchDirection,
    n_targets: usize,
    /// For each pair, side and target of the first box: targets of the second.
    free: Vec<u64>,
    /// For each square and side: the targets from which a reverse step to that side leads one push away.
    away: Vec<u64>,
    queued: Vec<u8>,
    todo: VecDeque<([FloorSquare; 2], u8)>,
    regions: PairRegions,
    seeded: bool,
    charge: Charge,
}

impl PenaltyMaker {
    /// Bytes up to which the table is made.
    const MAX_BYTES: usize = 48 << 20;

    /// Prepares the search; `None` if the board is too large, has too many targets, or there is no memory.
    pub(crate) fn new(board: &SearchBoard, direction: SearchDirection, meter: &WorkMeter) -> Option<Self> {
        let n_live = board.n_live();
        let n_targets = board.targets(direction).len();
        let n_pairs = n_live * n_live.saturating_sub(1) / 2;
        let n_bytes = n_pairs * (8 * (n_targets * 8 + 2) + size_of::<u32>());
        if n_targets > 64 || board.n_boxes() < 2 || n_bytes > Self::MAX_BYTES {
            return None;
        }
        let charge = meter.memory().charge(n_bytes as u64).ok()?;
        let distances = SideDistances::new(board, direction);
        let mut away = vec![0; n_live * 4];
        for (sq, side) in board.live_squares().flat_map(|sq| (0..4).map(move |side| (sq, side))) {
            let back = match direction {
                SearchDirection::Forward => board.step(sq, side),
                SearchDirection::Backward => board.step(sq, side ^ 2),
            };
            if !board.is_live(back) {
                continue;
            }
            let pairs = distances.row(sq, side).iter().zip(distances.row(back, side));
            let is_away = |(&here, &there): (&u16, &u16)| here != u16::MAX && there == here + 1;
            for (target, _) in pairs.enumerate().filter(|&(_, pair)| is_away(pair)) {
                away[sq.idx() * 4 + side] |= 1 << target;
            }
        }
        Some(Self {
            direction,
            n_targets,
            free: vec![0; n_pairs * 8 * n_targets],
            away,
            queued: vec![0; n_pairs],
            todo: VecDeque::new(),
            regions: PairRegions::new(board, n_pairs),
            seeded: false,
            charge,
        })
    }

    /// Starts or continues the search; once it returns, [`PenaltyMaker::finish`] makes the table.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn resume(&mut self, board: &SearchBoard, meter: &mut WorkMeter) -> Result<(), Stop> {
        if !self.seeded {
            self.seed(board);
            self.seeded = true;
        }
        while !self.todo.is_empty() {
            meter.tick()?;
            if let Some((squares, bit)) = self.todo.pop_front() {
                self.queued[index(squares)] &= !(1 << bit);
                self.expand(board, squares, bit);
            }
        }
        Ok(())
    }

    fn seed(&mut self, board: &SearchBoard) {
        let targets = board.targets(self.direction);
        for one in 0..targets.len() {
            for other in (0..targets.len()).filter(|&other| targets[one] < targets[other]) {
                let squares = [targets[one], targets[other]];
                let mut assignments = vec![0; self.n_targets];
                assignments[one] = 1 << other;
                for bit in 0..8 {
                    if self.regions.name(board, squares, bit).is_some() {
                        self.add(board, squares, bit, &assignments);
                    }
                }
            }
        }
    }

    /// Records that the state is free for these assignments.
    fn add(&mut self, board: &SearchBoard, squares: [FloorSquare; 2], bit: u8, assignments: &[u64]) {
        let Some(bit) = self.regions.name(board, squares, bit) else { return };
        let pair = index(squares);
        let start = (pair * 8 + usize::from(bit)) * self.n_targets;
        let known = &mut self.free[start..start + self.n_targets];
        let mut is_new = false;
        for (known, new) in known.iter_mut().zip(assignments) {
            is_new |= new & !*known != 0;
            *known |= new;
        }
        if is_new && self.queued[pair] >> bit & 1 == 0 {
            self.queued[pair] |= 1 << bit;
            self.todo.push_back((squares, bit));
        }
    }

    /// Generates the predecessors of a state by all steps that are on shortest paths for some of its assignments.
    fn expand(&mut self, board: &SearchBoard, squares: [FloorSquare; 2], bit: u8) {
        let start = (index(squares) * 8 + usize::from(bit)) * self.n_targets;
        let free = self.free[start..start + self.n_targets].to_vec();
        let mut steps = Vec::new();
        for (at, side) in (0..2).flat_map(|at| (0..4).map(move |side| (at, side))) {
            if self.regions.name(board, squares, bit_of(at, side)) != Some(bit) {
                continue;
            }
            // Pulls undo the pushes of the forward game, pushes the pulls of the backward one.
            let to = match self.direction {
                SearchDirection::Forward => board.step(squares[at], side),
                SearchDirection::Backward => board.step(squares[at], side ^ 2),
            };
            let room = match self.direction {
                SearchDirection::Forward => board.step(to, side),
                SearchDirection::Backward => to,
            };
            if board.is_live(to) && room != board.wall() && !squares.contains(&room) {
                steps.push((at, side, to));
            }
        }
        for (at, side, to) in steps {
            let away = self.away[squares[at].idx() * 4 + side];
            let mut kept = free.clone();
            for (target, others) in kept.iter_mut().enumerate() {
                *others &= if at == 1 { away } else { 0u64.wrapping_sub(away >> target & 1) };
            }
            if kept.iter().all(|&others| others == 0) {
                continue;
            }
            let (mut next, mut at) = (squares, at);
            next[at] = to;
            if next[0] > next[1] {
                next.swap(0, 1);
                at = 1 - at;
                kept = transposed(&kept);
            }
            // The player is on the side to which the box came.
            self.add(board, next, bit_of(at, side), &kept);
        }
    }

    /// Makes the table.
    pub(crate) fn finish<const W: usize>(mut self, board: &SearchBoard, meter: &WorkMeter) -> Penalties<W> {
        let n_live = board.n_live();
        let mut sides = vec![u8::MAX; self.queued.len()];
        let mut partners = vec![BitSet::default(); n_live];
        let pairs =
            board.live_squares().flat_map(|other| board.live_squares().take(other.idx()).map(move |one| [one, other]));
        for squares in pairs {
            let pair = index(squares);
            let mut is_free = [false; 8];
            for (bit, free) in is_free.iter_mut().enumerate() {
                let start = (pair * 8 + bit) * self.n_targets;
                *free = self.free[start..start + self.n_targets].iter().any(|&others| others != 0);
            }
            let (mut conflicts, mut has_any) = (0u8, false);
            for bit in 0..8 {
                let name = self.regions.name(board, squares, bit);
                if name.is_none_or(|name| !is_free[usize::from(name)]) {
                    conflicts |= 1 << bit;
                    has_any |= name.is_some();
                }
            }
            sides[pair] = conflicts;
            if has_any {
                partners[squares[0].idx()].insert(squares[1]);
            }
        }
        let bytes = sides.len() + partners.len() * size_of::<BitSet<W>>();
        drop(self.charge);
        let charge = meter.memory().charge(bytes as u64).unwrap_or_else(|_| meter.memory().nothing());
        Penalties { partners, sides, _charge: charge }
    }
}

impl<const W: usize> Penalties<W> {
    /// The least pushes of a pair in conflict beyond its distances.
    const PUSHES: u16 = 2;

    /// Returns whether some two boxes may be in conflict, with the player on any side.
    #[inline]
    pub(crate) fn may_apply(&self, boxes: &BitSet<W>) -> bool {
        boxes.iter().any(|sq| self.partners[sq.idx()].meets(boxes))
    }

    /// Returns the pushes of disjoint pairs beyond their distances, after a flood from the player around all boxes.
    pub(crate) fn of(&self, board: &SearchBoard, boxes: &BitSet<W>, flood: &Flood) -> u16 {
        let mut left = *boxes;
        let mut sum = 0;
        for sq in boxes.iter() {
            if !left.has(sq) {
                continue;
            }
            let partners = self.partners[sq.idx()];
            let partner = left.iter().find(|&other| partners.has(other) && self.is_conflict(board, [sq, other], flood));
            if let Some(partner) = partner {
                left.remove(sq);
                left.remove(partner);
                sum += Self::PUSHES;
            }
        }
        sum
    }

    /// If the player's region touches neither box, the pair counts only if it is in conflict on every side.
    fn is_conflict(&self, board: &SearchBoard, squares: [FloorSquare; 2], flood: &Flood) -> bool {
        let conflicts = self.sides[index(squares)];
        let touched = (0..8).find(|&bit| flood.reaches(board.step(squares[bit / 4], bit % 4)));
        touched.map_or(conflicts == u8::MAX, |bit| conflicts >> bit & 1 != 0)
    }
}

/// The player's regions around pairs of boxes, each named by its first side; computed when first asked for.
#[derive(Debug)]
struct PairRegions {
    /// For each pair, four bits for each side: the name of its region, or [`PairRegions::NO_REGION`].
    names: Vec<u32>,
    flood: Flood,
}

impl PairRegions {
    /// The side is a wall, or the other box.
    const NO_REGION: u32 = 8;
    const NOT_COMPUTED: u32 = u32::MAX;

    fn new(board: &SearchBoard, n_pairs: usize) -> Self {
        Self { names: vec![Self::NOT_COMPUTED; n_pairs], flood: Flood::new(board) }
    }

    /// Returns the name of the region on a side of an ascending pair; `None` if the player cannot be there.
    fn name(&mut self, board: &SearchBoard, squares: [FloorSquare; 2], bit: u8) -> Option<u8> {
        let pair = index(squares);
        if self.names[pair] == Self::NOT_COMPUTED {
            self.names[pair] = self.compute(board, squares);
        }
        let name = self.names[pair] >> (4 * bit) & 0xf;
        u8::try_from(name).ok().filter(|_| name != Self::NO_REGION)
    }

    fn compute(&mut self, board: &SearchBoard, squares: [FloorSquare; 2]) -> u32 {
        let stands: [FloorSquare; 8] = std::array::from_fn(|bit| board.step(squares[bit / 4], bit % 4));
        self.flood.place(squares);
        let mut names = [Self::NO_REGION; 8];
        for (bit, &from) in (0..).zip(&stands) {
            if !self.flood.is_free(from) || self.flood.reaches(from) {
                continue;
            }
            // Floods add up, so only the sides of the new region are without a name.
            self.flood.spread(board, from);
            let sides = names.iter_mut().zip(&stands);
            sides
                .filter(|(name, stand)| **name == Self::NO_REGION && self.flood.reaches(**stand))
                .for_each(|(name, _)| *name = bit);
        }
        names.iter().rev().fold(0, |packed, name| packed << 4 | name)
    }
}

/// The bit of a side of the first or second box of a pair.
fn bit_of(at: usize, side: usize) -> u8 {
    u8::try_from(4 * at + side).expect("invariant: two boxes with four sides")
}

/// The number of an ascending pair.
fn index([one, other]: [FloorSquare; 2]) -> usize {
    let (one, other) = (one.idx(), other.idx());
    other * (other - 1) / 2 + one
}

fn transposed(rows: &[u64]) -> Vec<u64> {
    let mut columns = vec![0; rows.len()];
    for (at, &row) in rows.iter().enumerate() {
        let mut rest = row;
        while rest != 0 {
            columns[rest.trailing_zeros() as usize] |= 1 << at;
            rest &= rest - 1;
        }
    }
    columns
}

#[cfg(test)]
pub(crate) mod tests;
