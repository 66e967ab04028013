//! Whether a generated configuration is dead, and which boxes are responsible.
//!
//! ```text
//!  boxes displaced so far ──▶ frozen group, or dead pair or triple ──▶ its boxes, the *culprits*
//! ```
//!
//! The configuration stays dead until one of the culprits moves: a frozen group holds itself in place, and a pattern is
//! dead whatever stands around it. So a generator that displaces box after box need only displace culprits.

use std::sync::Arc;

use sokocore::{FreezeCheck, Level, SquareSet};

use crate::deadlock::pattern_builder::PatternBuilder;
use crate::{Context, Engine, LiveIndex, Stop};

/// Configurations after which the pattern builder advances.
const LEARN_EVERY: u64 = 256;

/// Checks configurations of one level; for the reference engine only for frozen boxes.
#[derive(Debug)]
pub(crate) struct DeadlockCheck<'a> {
    live: &'a LiveIndex,
    freeze: FreezeCheck,
    patterns: Option<Arc<PatternBuilder>>,
    /// Configurations generated since the pattern builder advanced.
    n_tried: u64,
    /// The configuration being checked, as a set of squares.
    boxes: SquareSet,
    /// The boxes responsible for the last deadlock found.
    culprits: Vec<u64>,
}

impl<'a> DeadlockCheck<'a> {
    pub(crate) fn new(live: &'a LiveIndex, engine: Engine, cx: &Context<'a>) -> Self {
        let level: &Level = cx.level();
        let patterns = (engine == Engine::Fast).then(|| PatternBuilder::of(cx.pool()));
        let (boxes, culprits) = (level.board().no_squares(), vec![0; live.words()]);
        Self { live, freeze: FreezeCheck::new(level), patterns, n_tried: 0, boxes, culprits }
    }

    /// Counts a generated configuration, which is a tick; now and then the pattern builder advances.
    ///
    /// # Errors
    /// The run was stopped.
    pub(crate) fn count(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        cx.tick()?;
        self.n_tried += 1;
        if self.n_tried < LEARN_EVERY {
            return Ok(());
        }
        let n_tried = std::mem::take(&mut self.n_tried);
        self.patterns.as_ref().map_or(Ok(()), |patterns| patterns.advance(n_tried, cx))
    }

    /// Returns whether a box on one of the `moved` bits is in a group that can never move again, with a box off goal, or
    /// in a pair or triple of boxes known to be on no solution. Bits without a box do not count.
    pub(crate) fn is_dead(&mut self, key: &[u64], moved: impl Iterator<Item = usize>) -> bool {
        let patterns = self.patterns.as_ref().and_then(|patterns| patterns.table());
        let has_box = |bit: &usize| key[bit / 64] >> (bit % 64) & 1 != 0;
        let mut is_drawn = false;
        for bit in moved.filter(has_box) {
            if let Some(pattern) = patterns.and_then(|patterns| patterns.with(key, bit)) {
                mark(&mut self.culprits, pattern.into_iter());
                return true;
            }
            if !std::mem::replace(&mut is_drawn, true) {
                self.boxes.clear();
                for bit in LiveIndex::bits_of(key) {
                    self.boxes.insert(self.live.square(bit));
                }
            }
            if let Some(group) = self.freeze.deadlock_group(&self.boxes, self.live.square(bit)) {
                mark(&mut self.culprits, group.filter_map(|sq| self.live.bit(sq)));
                return true;
            }
        }
        false
    }

    /// Returns the boxes responsible for the last deadlock found: one of them must move to resolve it.
    pub(crate) fn culprits(&self) -> &[u64] {
        &self.culprits
    }
}

/// Sets exactly these bits in a key.
fn mark(key: &mut [u64], bits: impl Iterator<Item = usize>) {
    key.fill(0);
    for bit in bits {
        key[bit / 64] |= 1 << (bit % 64);
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Objective, replay};

    use super::*;
    use crate::{Budget, Cancel, MemoryAccount, Pool};

    /// Boxes on these rows and columns, the first of them moved: the culprits, if any.
    fn culprits(engine: Engine, boxes: &[(usize, usize)]) -> Option<Vec<(usize, usize)>> {
        let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n#    *  #\n#########").unwrap();
        let board = level.board();
        let live = LiveIndex::new(&level);
        let start = replay(&level, &"uRRllLLdlU".parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 24), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        PatternBuilder::of(cx.pool()).advance(1 << 40, &mut cx).unwrap();
        let bits: Vec<usize> =
            boxes.iter().map(|&(row, column)| live.bit(board.square_at(row, column).unwrap()).unwrap()).collect();
        let mut key = vec![0; live.words()];
        mark(&mut key, bits.iter().copied());
        let mut dead = DeadlockCheck::new(&live, engine, &cx);
        dead.is_dead(&key, bits.into_iter().take(1)).then(|| {
            let places = LiveIndex::bits_of(dead.culprits()).map(|bit| board.place(live.square(bit)));
            places.collect()
        })
    }

    /// Two boxes side by side at a wall, or two at the wall with one goal; a third box is not involved.
    #[test]
    fn culprits_are_those_that_hold_each_other_and_no_others() {
        for engine in [Engine::Fast, Engine::Reference] {
            let frozen = culprits(engine, &[(1, 4), (1, 3), (4, 5)]);
            assert_eq!(frozen, Some(vec![(1, 3), (1, 4)]), "{engine:?}");
            assert_eq!(culprits(engine, &[(1, 3), (2, 5), (4, 5)]), None);
        }
        let apart = [(1, 5), (1, 3), (4, 5)];
        assert_eq!(culprits(Engine::Fast, &apart), Some(vec![(1, 3), (1, 5)]));
        assert_eq!(culprits(Engine::Reference, &apart), None);
        assert_eq!(culprits(Engine::Reference, &[(4, 5), (1, 3), (1, 4)]), None, "only boxes that moved are checked");
    }
}
