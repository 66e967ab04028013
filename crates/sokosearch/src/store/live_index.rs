//! Box configurations as keys: one bit for each live square.
//!
//! Invariant: a key has `words()` words, and no bit at or above the number of live squares is set. Boxes stand on
//! live squares only, so a key is never all zeros, which stores use as the mark of an empty slot.
//!
//! The bit of a square is the number of its [`FloorSquare`]. Keys, tubes and bit-parallel floods work on such bits,
//! which are plain `usize`; a single square between them, such as the player's, is a [`FloorSquare`].

use sokocore::{FloorGraph, FloorSquare, Level, Square, SquareSet};

/// The live squares of a level as the bits of keys: their numbers in its [`FloorGraph`].
///
/// ```
/// use sokocore::Level;
/// use sokosearch::LiveIndex;
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let live = LiveIndex::new(&level);
/// assert_eq!((live.n_live(), live.words()), (3, 1), "a box cannot be pushed to the player's square");
/// assert_eq!(live.key(&level.start().boxes), Some(vec![0b001]));
/// assert_eq!(live.key(level.board().goals()), Some(vec![0b100]));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveIndex {
    graph: FloorGraph,
    goals: Box<[u64]>,
}

impl LiveIndex {
    /// Numbers the live squares of a level in ascending order.
    #[must_use]
    pub fn new(level: &Level) -> Self {
        let mut index = Self { graph: FloorGraph::new(level), goals: Box::default() };
        let mut goals = vec![0; index.words()];
        for bit in level.board().goals().iter().filter_map(|sq| index.bit(sq)) {
            goals[bit / 64] |= 1 << (bit % 64);
        }
        index.goals = goals.into();
        index
    }

    /// Returns the floor graph whose first numbers are the bits.
    #[must_use]
    pub const fn graph(&self) -> &FloorGraph {
        &self.graph
    }

    /// Returns the number of live squares.
    #[must_use]
    pub const fn n_live(&self) -> usize {
        self.graph.n_live()
    }

    /// Returns the number of 64-bit words in a key.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.graph.n_words()
    }

    /// Returns the bit of a square, or `None` if it is dead.
    #[inline]
    #[must_use]
    pub fn bit(&self, sq: Square) -> Option<usize> {
        let number = self.graph.number(sq);
        self.graph.is_live(number).then_some(number.idx())
    }

    /// Returns the square of a bit.
    ///
    /// # Panics
    /// If the board has no square of this number.
    #[must_use]
    pub fn square(&self, bit: usize) -> Square {
        self.graph.square(FloorSquare::from_idx(bit))
    }

    /// Returns whether the key has a box on this square.
    #[inline]
    #[must_use]
    pub fn has_box(&self, key: &[u64], sq: Square) -> bool {
        self.bit(sq).is_some_and(|bit| key[bit / 64] >> (bit % 64) & 1 != 0)
    }

    /// Returns the key of a box set, or `None` if a box stands on a dead square.
    #[must_use]
    pub fn key(&self, boxes: &SquareSet) -> Option<Vec<u64>> {
        let mut key = vec![0; self.words()];
        for sq in boxes.iter() {
            let bit = self.bit(sq)?;
            key[bit / 64] |= 1 << (bit % 64);
        }
        Some(key)
    }

    /// Returns whether every box of the key is on a goal.
    #[must_use]
    pub fn is_solved(&self, key: &[u64]) -> bool {
        key.iter().zip(&self.goals).all(|(boxes, goals)| boxes & !goals == 0)
    }

    /// Returns the goals as a key.
    pub(crate) fn goal_key(&self) -> &[u64] {
        &self.goals
    }

    /// Visits the bits of a key in ascending order.
    pub fn bits_of(key: &[u64]) -> impl Iterator<Item = usize> + '_ {
        key.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}
