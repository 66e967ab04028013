//! Exact tables of the pairs and triples of boxes that cannot be brought home, whatever the other boxes do.
//!
//! ```text
//!   dead[box moved last, side of the player][second box]  ──▶ set of third boxes       one AND for each second box
//! ```
//!
//! Forward, a pattern is dead if its boxes alone cannot be pushed to different goals; backward, if they alone cannot
//! be pulled to different start squares, as [`sokocore::PatternSearch`] finds. A pattern's region changes only when one
//! of its boxes moves: to look at the patterns of the box moved last, on the side where the player now stands, is enough.

use sokocore::PatternSearch;
use sokosearch::{Charge, Stop};

use crate::bits::Bits;
use crate::ground::{Ground, Way};
use crate::{Effort, Settings};

/// The dead patterns of one direction, as sets of squares.
#[derive(Debug)]
pub(crate) struct Patterns<const W: usize> {
    n_live: usize,
    /// For each square and side: that box alone is dead.
    singles: Vec<bool>,
    /// For each square and side: the second squares.
    pairs: Vec<Bits<W>>,
    /// For each square, side and second square: the third squares. Empty if there are no triples.
    triples: Vec<Bits<W>>,
    _charge: Charge,
}

/// The making of [`Patterns`], which can be paused.
#[derive(Debug)]
pub(crate) struct PatternMaker {
    todo: Vec<PatternSearch>,
    done: Vec<PatternSearch>,
}

impl PatternMaker {
    /// Positions of boxes up to which a table is made: a second of work or so.
    const MAX_CONFIGS: usize = 1 << 20;

    /// Plans the tables that the settings ask for and the board allows.
    pub(crate) fn new(ground: &Ground, way: Way, settings: &Settings) -> Self {
        let n_boxes = ground.n_boxes();
        let wanted = [true, settings.pairs && n_boxes >= 2, settings.triples && settings.pairs && n_boxes >= 3];
        let sizes = (1..=3).zip(wanted).filter(|&(_, wanted)| wanted).map(|(size, _)| size);
        let fits = |&size: &usize| PatternSearch::n_patterns(ground.n_live(), size) <= Self::MAX_CONFIGS;
        let todo = sizes.take_while(fits).map(|size| ground.pattern_search(way, size)).collect();
        Self { todo, done: Vec::new() }
    }

    /// Goes on; once it returns, [`PatternMaker::finish`] gives the tables.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn go_on(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        while let Some(next) = self.todo.first_mut() {
            next.go_on(|| effort.tick())?;
            self.done.push(self.todo.remove(0));
        }
        Ok(())
    }

    /// Makes the tables. Without memory for the larger ones they are left out.
    pub(crate) fn finish<const W: usize>(self, ground: &Ground, effort: &Effort) -> Patterns<W> {
        let n_live = ground.n_live();
        let mut charge = effort.memory().nothing();
        let mut patterns = Patterns {
            n_live,
            singles: vec![false; n_live * 4],
            pairs: Vec::new(),
            triples: Vec::new(),
            _charge: effort.memory().nothing(),
        };
        for table in &self.done {
            let n_rows = if table.size() == 3 { n_live * n_live * 4 } else { n_live * 4 };
            if charge.add((n_rows * size_of::<Bits<W>>()) as u64).is_err() {
                break;
            }
            match table.size() {
                1 => table.each_dead(|squares, _, side| {
                    patterns.singles[usize::from(squares[0]) * 4 + side.idx()] = true;
                }),
                2 => {
                    patterns.pairs = vec![Bits::default(); n_rows];
                    table.each_dead(|squares, moved, side| {
                        patterns.pairs[usize::from(squares[moved]) * 4 + side.idx()].insert(squares[1 - moved]);
                    });
                }
                _ => {
                    patterns.triples = vec![Bits::default(); n_rows];
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

impl<const W: usize> Patterns<W> {
    /// Returns whether a pattern with the box on `sq`, just moved, is dead; the player is at its `side`.
    /// `boxes` are the squares of all boxes.
    #[inline]
    pub(crate) fn is_dead(&self, boxes: &Bits<W>, sq: u16, side: usize) -> bool {
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
mod tests;
