//! Tables of all dead patterns of two and three boxes: those that cannot all reach targets, whatever other boxes do.
//!
//! ```text
//!   dead[box moved last, side of the player][second box]  ──▶ set of third boxes       one AND for each second box
//! ```
//!
//! Forward, a pattern is dead if its boxes alone cannot be pushed to different goals; backward, if they alone cannot be
//! pulled to different start squares. [`sokocore::PatternSearch`] finds them. The player's region with respect to a
//! pattern changes only when one of its boxes moves. So it is enough to test the patterns of the box moved last, with
//! the player on its side.

use sokocore::PatternSearch;
use sokosearch::{Charge, Stop};

use crate::board::bit_set::BitSet;
use crate::board::{SearchBoard, SearchDirection};
use crate::{Settings, WorkMeter};

/// The dead patterns of one direction, as sets of squares.
#[derive(Debug)]
pub(crate) struct PatternTable<const W: usize> {
    n_live: usize,
    /// For each square and side: that box alone is dead.
    singles: Vec<bool>,
    /// For each square and side: the second squares.
    pairs: Vec<BitSet<W>>,
    /// For each square, side and second square: the third squares. Empty if there are no triples.
    triples: Vec<BitSet<W>>,
    _charge: Charge,
}

/// Builds a [`PatternTable`]; it can be paused.
#[derive(Debug)]
pub(crate) struct PatternMaker {
    todo: Vec<PatternSearch>,
    done: Vec<PatternSearch>,
}

impl PatternMaker {
    /// Box configurations up to which a table is made: about a second of work.
    const MAX_CONFIGS: usize = 1 << 20;

    /// Plans the tables that the settings ask for and the board allows.
    pub(crate) fn new(board: &SearchBoard, direction: SearchDirection, settings: &Settings) -> Self {
        let n_boxes = board.n_boxes();
        let wanted = [true, settings.pairs && n_boxes >= 2, settings.triples && settings.pairs && n_boxes >= 3];
        let sizes = (1..=3).zip(wanted).filter(|&(_, wanted)| wanted).map(|(size, _)| size);
        let fits = |&size: &usize| PatternSearch::n_patterns(board.n_live(), size) <= Self::MAX_CONFIGS;
        let todo = sizes.take_while(fits).map(|size| board.pattern_search(direction, size)).collect();
        Self { todo, done: Vec::new() }
    }

    /// Starts or continues the searches; once it returns, [`PatternMaker::finish`] makes the tables.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn resume(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        while let Some(next) = self.todo.first_mut() {
            next.go_on(|| meter.tick())?;
            self.done.push(self.todo.remove(0));
        }
        Ok(())
    }

    /// Makes the tables, without the larger ones if there is no memory for them.
    pub(crate) fn finish<const W: usize>(self, board: &SearchBoard, meter: &WorkMeter) -> PatternTable<W> {
        let n_live = board.n_live();
        let mut charge = meter.memory().nothing();
        let mut patterns = PatternTable {
            n_live,
            singles: vec![false; n_live * 4],
            pairs: Vec::new(),
            triples: Vec::new(),
            _charge: meter.memory().nothing(),
        };
        for table in &self.done {
            let n_rows = if table.size() == 3 { n_live * n_live * 4 } else { n_live * 4 };
            if charge.add((n_rows * size_of::<BitSet<W>>()) as u64).is_err() {
                break;
            }
            match table.size() {
                1 => table.each_dead(|squares, _, side| {
                    patterns.singles[usize::from(squares[0]) * 4 + side.idx()] = true;
                }),
                2 => {
                    patterns.pairs = vec![BitSet::default(); n_rows];
                    table.each_dead(|squares, moved, side| {
                        patterns.pairs[usize::from(squares[moved]) * 4 + side.idx()].insert(squares[1 - moved]);
                    });
                }
                _ => {
                    patterns.triples = vec![BitSet::default(); n_rows];
                    table.each_dead(|squares, moved, side| {
                        let (one, other) = (squares[(moved + 1) % 3], squares[(moved + 2) % 3]);
                        let start = (usize::from(squares[moved]) * 4 + side.idx()) * n_live;
                        patterns.triples[start + usize::from(one)].insert(other);
                        patterns.triples[start + usize::from(other)].insert(one);
                    });
                }
            }
        }
        patterns._charge = charge;
        patterns
    }
}

impl<const W: usize> PatternTable<W> {
    /// Returns whether a pattern with the box on `sq`, just moved, is dead; the player is at its `side`.
    /// `boxes` are the squares of all boxes.
    #[inline]
    pub(crate) fn is_dead(&self, boxes: &BitSet<W>, sq: u16, side: usize) -> bool {
        let row = usize::from(sq) * 4 + side;
        if self.singles[row] || self.pairs.get(row).is_some_and(|seconds| seconds.meets(boxes)) {
            return true;
        }
        if self.triples.is_empty() {
            return false;
        }
        let rows = &self.triples[row * self.n_live..][..self.n_live];
        boxes.iter().any(|second| rows[usize::from(second)].meets(boxes))
    }
}

#[cfg(test)]
pub(crate) mod tests;
