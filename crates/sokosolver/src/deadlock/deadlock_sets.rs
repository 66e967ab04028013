//! The deadlock database: sets of squares with the most boxes that they may hold, so that a push is checked by
//! counters.
//!
//! A *pattern* may hold one box less than it has squares: all its squares taken is a deadlock, by a proof. It holds for
//! a player who stands where the proof began: on one of the squares that he could reach then with only the pattern's
//! boxes on the board. Boxes outside the pattern may only shrink that region, and the player cannot leave it without
//! moving a box of the pattern; so the check is exact, and one bit of a table. A *capacity area* holds for every
//! player.
//!
//! For other searches: [`DeadlockSets::forbids`] checks one push against all sets, given the boxes after the push as
//! bits of live squares and the player's square, without counters. Sets are only ever added, and hold for every packing
//! order and every search by pushes of the same level.
//!
//! Invariant: a [`SetOccupancy`] counts, for every set, how many more boxes one board may have in it.

use std::cell::Cell;

use sokocore::FloorSquare;

use crate::board::bit_set::BitView;
use crate::board::level_tables::LevelTables;

/// Number of a set.
type SetId = u32;

/// All sets of a level.
#[derive(Debug)]
pub(crate) struct DeadlockSets {
    n_words: usize,
    n_dead_words: usize,
    at: Vec<Vec<SetId>>,
    members: Vec<u64>,
    dead: Vec<u64>,
    capacities: Vec<i16>,
    patterns: Vec<bool>,
    /// Two squares of each pattern: if one is empty, the others need not be tested.
    samples: Vec<[FloorSquare; 2]>,
}

/// How many more boxes each set may hold, for one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetOccupancy {
    remaining: Vec<i16>,
    /// How many sets were looked up so far: the cost of a push where many are known.
    n_lookups: Cell<u64>,
}

impl SetOccupancy {
    /// Returns how many sets were looked up so far.
    pub(crate) const fn n_lookups(&self) -> u64 {
        self.n_lookups.get()
    }

    fn count(&self, n: usize) {
        self.n_lookups.set(self.n_lookups.get() + n as u64);
    }
}

impl DeadlockSets {
    /// More sets than this are not kept.
    const MAX: usize = 1 << 15;

    /// Makes an empty database.
    pub(crate) fn new(tables: &LevelTables) -> Self {
        let board = tables.board();
        Self {
            n_words: board.n_words(),
            n_dead_words: board.n_squares().div_ceil(64),
            at: vec![Vec::new(); board.n_live()],
            members: Vec::new(),
            dead: Vec::new(),
            capacities: Vec::new(),
            patterns: Vec::new(),
            samples: Vec::new(),
        }
    }

    /// Returns how many sets there are.
    pub(crate) const fn len(&self) -> usize {
        self.capacities.len()
    }

    /// Returns how many sets a push to the square is looked up in.
    pub(crate) fn n_at(&self, sq: FloorSquare) -> usize {
        self.at[sq.idx()].len()
    }

    /// Returns about how many bytes another set takes.
    pub(crate) const fn bytes_each(&self) -> u64 {
        (self.n_words + self.n_dead_words) as u64 * 8 + 96
    }

    /// Adds a pattern: its squares must not all be taken while the player is on one of the squares of `dead`.
    pub(crate) fn add_pattern(&mut self, squares: &[FloorSquare], dead: impl Iterator<Item = FloorSquare>) {
        let capacity = i16::try_from(squares.len()).unwrap_or(i16::MAX) - 1;
        let start = self.dead.len();
        if self.add(squares, capacity, true) {
            dead.for_each(|sq| self.dead[start + sq.idx() / 64] |= 1 << (sq.idx() % 64));
        }
    }

    /// Adds a capacity area, which must not hold more boxes than `capacity`.
    pub(crate) fn add_capacity_area(&mut self, squares: &[FloorSquare], capacity: usize) {
        let start = self.dead.len();
        if self.add(squares, i16::try_from(capacity).unwrap_or(i16::MAX), false) {
            self.dead[start..].fill(u64::MAX);
        }
    }

    fn add(&mut self, squares: &[FloorSquare], capacity: i16, is_pattern: bool) -> bool {
        if self.len() >= Self::MAX {
            return false;
        }
        let id = SetId::try_from(self.len()).expect("invariant: at most MAX sets");
        let start = self.members.len();
        self.members.resize(start + self.n_words, 0);
        self.dead.resize(self.dead.len() + self.n_dead_words, 0);
        for &sq in squares {
            self.members[start + sq.idx() / 64] |= 1 << (sq.idx() % 64);
            self.at[sq.idx()].push(id);
        }
        self.capacities.push(capacity);
        self.patterns.push(is_pattern);
        let sample = [squares.first(), squares.last()].map(|sq| sq.copied().unwrap_or_default());
        self.samples.push(sample);
        true
    }

    #[inline]
    fn has(&self, id: SetId, sq: FloorSquare) -> bool {
        self.members[id as usize * self.n_words + sq.idx() / 64] >> (sq.idx() % 64) & 1 != 0
    }

    #[inline]
    fn is_dead_for(&self, id: SetId, player: FloorSquare) -> bool {
        self.dead[id as usize * self.n_dead_words + player.idx() / 64] >> (player.idx() % 64) & 1 != 0
    }

    /// Returns whether a push leads into a deadlock; `occupancy` is that of the board before it. The player ends on
    /// `from`.
    #[inline]
    pub(crate) fn forbids_counted(&self, occupancy: &SetOccupancy, from: FloorSquare, to: FloorSquare) -> bool {
        occupancy.count(self.at[to.idx()].len());
        self.at[to.idx()]
            .iter()
            .any(|&id| occupancy.remaining[id as usize] <= 0 && !self.has(id, from) && self.is_dead_for(id, from))
    }

    /// Returns whether the boxes, one of which was just pushed to `to`, fill a pattern that is a deadlock for the
    /// player.
    pub(crate) fn forbids(&self, boxes: BitView<'_>, player: FloorSquare, to: FloorSquare) -> bool {
        self.forbids_by_first(SetId::MAX, boxes, player, to)
    }

    /// As [`DeadlockSets::forbids`] with only the first so many sets, those known at an earlier time.
    #[inline]
    pub(crate) fn forbids_by_first(
        &self,
        n_sets: u32,
        boxes: BitView<'_>,
        player: FloorSquare,
        to: FloorSquare,
    ) -> bool {
        self.at[to.idx()].iter().take_while(|&&id| id < n_sets).any(|&id| {
            if self.patterns[id as usize] && !self.samples[id as usize].into_iter().all(|sq| boxes.has(sq)) {
                return false;
            }
            let start = id as usize * self.n_words;
            let members = &self.members[start..start + self.n_words];
            let filled = if self.patterns[id as usize] {
                members.iter().zip(boxes.words()).all(|(members, boxes)| members & !boxes == 0)
            } else {
                let held: u32 =
                    members.iter().zip(boxes.words()).map(|(members, boxes)| (members & boxes).count_ones()).sum();
                held > u32::from(self.capacities[id as usize].unsigned_abs())
            };
            filled && self.is_dead_for(id, player)
        })
    }

    /// Returns whether the boxes at these squares, alone, are a deadlock for the player.
    pub(crate) fn is_dead(&self, squares: &[FloorSquare], player: FloorSquare) -> bool {
        let mut boxes = vec![0; self.n_words];
        squares.iter().for_each(|&sq| boxes[sq.idx() / 64] |= 1 << (sq.idx() % 64));
        squares.iter().any(|&sq| self.forbids(BitView::new(&boxes), player, sq))
    }

    /// Counts the boxes of a board.
    pub(crate) fn occupancy(&self, boxes: impl Iterator<Item = FloorSquare>) -> SetOccupancy {
        let mut occupancy = SetOccupancy { remaining: self.capacities.clone(), n_lookups: Cell::default() };
        boxes.for_each(|sq| self.put(&mut occupancy, sq));
        occupancy
    }

    /// Counts the boxes in sets added since the occupancy was counted.
    pub(crate) fn extend(&self, occupancy: &mut SetOccupancy, boxes: impl Iterator<Item = FloorSquare> + Clone) {
        occupancy.count(self.len() - occupancy.remaining.len());
        for id in occupancy.remaining.len()..self.len() {
            let set = SetId::try_from(id).expect("invariant: at most MAX sets");
            let held = boxes.clone().filter(|&sq| self.has(set, sq)).count();
            occupancy.remaining.push(self.capacities[id] - i16::try_from(held).unwrap_or(i16::MAX));
        }
    }

    /// Counts a box put on the square.
    #[inline]
    pub(crate) fn put(&self, occupancy: &mut SetOccupancy, sq: FloorSquare) {
        occupancy.count(self.at[sq.idx()].len());
        self.at[sq.idx()].iter().for_each(|&id| occupancy.remaining[id as usize] -= 1);
    }

    /// Counts a box taken off the square.
    #[inline]
    pub(crate) fn take(&self, occupancy: &mut SetOccupancy, sq: FloorSquare) {
        occupancy.count(self.at[sq.idx()].len());
        self.at[sq.idx()].iter().for_each(|&id| occupancy.remaining[id as usize] += 1);
    }
}

#[cfg(test)]
mod tests;
