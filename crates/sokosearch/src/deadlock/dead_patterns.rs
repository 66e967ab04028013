//! Dead patterns: pairs and triples of boxes that are on no solution, whatever the other boxes.
//!
//! ```text
//!   pairs[box]              ──▶ set of second boxes       forward or backward, with the player's region told apart:
//!   seconds[box]            ──▶ lower boxes in triples    see sokocore::PatternSearch
//!   triples[box][second]    ──▶ set of higher third boxes
//! ```
//!
//! A spine has no dead pattern, so only patterns with a box that has just moved need be looked up.

use sokocore::{FloorSquare, PatternSearch};

use crate::{Charge, MemoryAccount, Stop};

/// Pairs and triples of boxes that are on no solution, wherever the player is.
#[derive(Debug)]
pub(crate) struct DeadPatterns {
    words: usize,
    n_live: usize,
    pairs: Vec<u64>,
    seconds: Vec<u64>,
    triples: Vec<u64>,
    _charge: Charge,
}

impl DeadPatterns {
    /// Makes the table from finished pattern searches; `None` if nothing is dead.
    ///
    /// # Errors
    /// It does not fit.
    pub(crate) fn new(
        searches: &[PatternSearch],
        n_live: usize,
        account: &MemoryAccount,
    ) -> Result<Option<Self>, Stop> {
        let words = n_live.div_ceil(64);
        let has_triples = searches.iter().any(|search| search.size() == 3);
        let n_rows = n_live * (2 + usize::from(has_triples) * n_live);
        let charge = account.charge((n_rows * words * size_of::<u64>()) as u64)?;
        let (mut pairs, mut seconds) = (vec![0; n_live * words], vec![0; n_live * words]);
        let mut triples = vec![0; (n_rows - 2 * n_live) * words];
        let mut n_dead = 0;
        let set = |rows: &mut [u64], row: usize, bit: usize| rows[row * words + bit / 64] |= 1 << (bit % 64);
        for search in searches {
            search.each_hopeless(|squares| {
                n_dead += 1;
                match *squares {
                    [a, b] => {
                        let (a, b) = (a.idx(), b.idx());
                        set(&mut pairs, a, b);
                        set(&mut pairs, b, a);
                    }
                    [a, b, c] => {
                        let [a, b, c] = [a, b, c].map(FloorSquare::idx);
                        for (one, second, third) in [(a, b, c), (b, a, c), (c, a, b)] {
                            set(&mut seconds, one, second);
                            set(&mut triples, one * n_live + second, third);
                        }
                    }
                    _ => {}
                }
            });
        }
        Ok((n_dead > 0).then_some(Self { words, n_live, pairs, seconds, triples, _charge: charge }))
    }

    /// Returns the bits of a dead pattern of this configuration with the box on this bit. A pair names one bit twice.
    #[inline]
    pub(crate) fn with(&self, key: &[u64], bit: usize) -> Option<[usize; 3]> {
        let meets = |rows: &[u64], row: usize| {
            let row = &rows[row * self.words..][..self.words];
            let both = row.iter().zip(key).map(|(others, boxes)| others & boxes);
            both.enumerate().find(|(_, word)| *word != 0).map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
        };
        if let Some(other) = meets(&self.pairs, bit) {
            return Some([bit, bit, other]);
        }
        let seconds = &self.seconds[bit * self.words..][..self.words];
        seconds.iter().zip(key).enumerate().find_map(|(at, (seconds, boxes))| {
            let mut rest = seconds & boxes;
            while rest != 0 {
                let second = at * 64 + rest.trailing_zeros() as usize;
                if let Some(third) = meets(&self.triples, bit * self.n_live + second) {
                    return Some([bit, second, third]);
                }
                rest &= rest - 1;
            }
            None
        })
    }
}
