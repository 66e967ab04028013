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

use sokocore::{FloorSquare, PatternSearch};
use sokosearch::{Charge, Stop};

use crate::board::bit_set::BitView;
use crate::board::{SearchBoard, SearchDirection};
use crate::technique::Technique;
use crate::{Settings, WorkMeter};

/// The dead patterns of one direction, as sets of live squares.
#[derive(Debug)]
pub(crate) struct PatternTable {
    n_live: usize,
    /// Words of a set.
    n_words: usize,
    /// For each square and side: that box alone is dead.
    singles: Vec<bool>,
    /// For each square and side: the set of second squares. Empty if there are no pairs.
    pairs: Vec<u64>,
    /// For each square, side and second square: the set of third squares. Empty if there are no triples.
    triples: Vec<u64>,
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
        let wanted = [
            true,
            settings.uses(Technique::Pairs) && n_boxes >= 2,
            settings.uses(Technique::Triples) && settings.uses(Technique::Pairs) && n_boxes >= 3,
        ];
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
            next.resume(|| meter.tick())?;
            self.done.push(self.todo.remove(0));
        }
        Ok(())
    }

    /// Makes the tables, without the larger ones if there is no memory for them.
    pub(crate) fn finish(self, board: &SearchBoard, meter: &WorkMeter) -> PatternTable {
        let (n_live, n_words) = (board.n_live(), board.n_words());
        let mut charge = meter.memory().nothing();
        let mut patterns = PatternTable {
            n_live,
            n_words,
            singles: vec![false; n_live * 4],
            pairs: Vec::new(),
            triples: Vec::new(),
            _charge: meter.memory().nothing(),
        };
        let insert = |sets: &mut [u64], set: usize, sq: FloorSquare| {
            sets[set * n_words + sq.idx() / 64] |= 1 << (sq.idx() % 64);
        };
        for table in &self.done {
            let n_sets = if table.size() == 3 { n_live * n_live * 4 } else { n_live * 4 };
            if charge.add((n_sets * n_words * size_of::<u64>()) as u64).is_err() {
                break;
            }
            let row = |sq: FloorSquare, side: usize| sq.idx() * 4 + side;
            match table.size() {
                1 => table.each_dead(|squares, _, side| patterns.singles[row(squares[0], side.idx())] = true),
                2 => {
                    patterns.pairs = vec![0; n_sets * n_words];
                    table.each_dead(|squares, moved, side| {
                        insert(&mut patterns.pairs, row(squares[moved], side.idx()), squares[1 - moved]);
                    });
                }
                _ => {
                    patterns.triples = vec![0; n_sets * n_words];
                    table.each_dead(|squares, moved, side| {
                        let (one, other) = (squares[(moved + 1) % 3], squares[(moved + 2) % 3]);
                        let first = row(squares[moved], side.idx()) * n_live;
                        insert(&mut patterns.triples, first + one.idx(), other);
                        insert(&mut patterns.triples, first + other.idx(), one);
                    });
                }
            }
        }
        patterns._charge = charge;
        patterns
    }
}

impl PatternTable {
    /// Returns whether a pattern with the box on `sq`, just moved, is dead; the player is at its `side`.
    #[inline]
    pub(crate) fn is_dead(&self, boxes: BitView<'_>, sq: FloorSquare, side: usize) -> bool {
        let row = sq.idx() * 4 + side;
        if self.singles[row] || !self.pairs.is_empty() && self.meets(&self.pairs, row, boxes) {
            return true;
        }
        let first = row * self.n_live;
        !self.triples.is_empty() && boxes.iter().any(|second| self.meets(&self.triples, first + second.idx(), boxes))
    }

    /// Returns whether some box is in one of the sets.
    #[inline]
    fn meets(&self, sets: &[u64], set: usize, boxes: BitView<'_>) -> bool {
        let words = &sets[set * self.n_words..][..self.n_words];
        words.iter().zip(boxes.words()).any(|(dead, boxes)| dead & boxes != 0)
    }
}

#[cfg(test)]
pub(crate) mod tests;
