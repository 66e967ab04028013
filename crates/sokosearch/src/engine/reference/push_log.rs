//! The push log of the lockstep search: pushes are kept after expansion, because paths are read from them.
//!
//! ```text
//!  QueueNode, 12 bytes:  config 32 │ player 16 │ ancestor 48 = last direction 2 · stream 1 · number 45
//! ```
//!
//! Every node carries its *ancestor*: the latest push on the way to it. So walks are dropped after expansion,
//! and a path is read by following pushes alone (Damgaard's YASO description).

use sokocore::{Direction, Square};

use crate::store::recycling_queue::{BLOCK, new_block};
use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// A reference to a push in one of the two push streams, or to the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PushRef(u64);

const NUMBER_BITS: u32 = 45;
const NUMBER_MASK: u64 = (1 << NUMBER_BITS) - 1;

impl PushRef {
    /// The start of the search: no push led here.
    pub(crate) const START: Self = Self(NUMBER_MASK);

    pub(crate) const fn new(stream: usize, number: u64) -> Self {
        Self(number | (stream as u64) << NUMBER_BITS)
    }

    /// The stream, 0 or 1, and the number within it; `None` for the start.
    pub(crate) fn place(self) -> Option<(usize, u64)> {
        (self.0 & NUMBER_MASK != NUMBER_MASK).then_some((usize::from(self.0 >> NUMBER_BITS != 0), self.0 & NUMBER_MASK))
    }
}

/// A state on a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueNode {
    config: u32,
    ancestor_low: u32,
    ancestor_high: u16,
    player: u16,
}

const _: () = assert!(size_of::<QueueNode>() == 12);

impl QueueNode {
    /// `dir` is the direction of the push that ends here; without meaning for walks.
    #[expect(clippy::cast_possible_truncation, reason = "a 48-bit ancestor and a 16-bit square are packed by parts")]
    pub(crate) const fn new(config: ConfigId, player: Square, dir: Direction, ancestor: PushRef) -> Self {
        let packed = ancestor.0 | (dir.idx() as u64) << (NUMBER_BITS + 1);
        let (ancestor_low, ancestor_high) = (packed as u32, (packed >> 32) as u16);
        Self { config: config.0, ancestor_low, ancestor_high, player: player.idx() as u16 }
    }

    pub(crate) const fn config(self) -> ConfigId {
        ConfigId(self.config)
    }

    pub(crate) fn player(self) -> Square {
        Square::new(usize::from(self.player)).expect("invariant: nodes are made of squares")
    }

    pub(crate) const fn dir(self) -> Direction {
        Direction::ALL[(self.ancestor_high >> (NUMBER_BITS + 1 - 32)) as usize]
    }

    pub(crate) fn ancestor(self) -> PushRef {
        let packed = u64::from(self.ancestor_low) | u64::from(self.ancestor_high) << 32;
        PushRef(packed & (NUMBER_MASK << 1 | 1))
    }
}

/// A first-in first-out queue that keeps popped nodes, for reading paths.
#[derive(Debug)]
pub(crate) struct PushLog {
    stream: usize,
    blocks: Vec<Vec<QueueNode>>,
    /// Number of the next node to pop.
    head: u64,
    charge: Charge,
}

impl PushLog {
    pub(crate) fn new(stream: usize, account: &MemoryAccount) -> Self {
        Self { stream, blocks: Vec::new(), head: 0, charge: account.nothing() }
    }

    #[inline]
    pub(crate) fn push(&mut self, node: QueueNode) -> Result<(), Stop> {
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.blocks.push(new_block(&mut self.charge)?);
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(node);
        }
        Ok(())
    }

    /// Pops the next node, with the reference by which its descendants name it.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(QueueNode, PushRef)> {
        let node = self.get(self.head)?;
        self.head += 1;
        Some((node, PushRef::new(self.stream, self.head - 1)))
    }

    pub(crate) fn get(&self, number: u64) -> Option<QueueNode> {
        let number = usize::try_from(number).ok()?;
        self.blocks.get(number / BLOCK)?.get(number % BLOCK).copied()
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(config: u32) -> QueueNode {
        let ancestor = PushRef::new(1, u64::from(config) << 12);
        QueueNode::new(ConfigId(config), Square::new(65_533).unwrap(), Direction::Left, ancestor)
    }

    #[test]
    fn nodes_keep_their_parts() {
        let node = node(u32::MAX);
        assert_eq!((node.config(), node.player().idx(), node.dir()), (ConfigId(u32::MAX), 65_533, Direction::Left));
        assert_eq!(node.ancestor().place(), Some((1, u64::from(u32::MAX) << 12)));
        let start = QueueNode::new(ConfigId(0), Square::new(0).unwrap(), Direction::Right, PushRef::START);
        assert_eq!((start.ancestor().place(), start.dir()), (None, Direction::Right));
    }

    #[test]
    fn pushes_are_kept_and_charged() {
        let account = MemoryAccount::new(1 << 20);
        let mut pushes = PushLog::new(0, &account);
        for config in 0..3_000 {
            pushes.push(node(config)).unwrap();
        }
        assert_eq!(pushes.pop().unwrap().1.place(), Some((0, 0)));
        assert_eq!(pushes.get(2_999).unwrap().config(), ConfigId(2_999));
        assert!(pushes.get(3_000).is_none());
        assert!((0..).map_while(|n| pushes.push(node(n)).ok()).count() < 100_000, "the account must stop it");
    }
}
