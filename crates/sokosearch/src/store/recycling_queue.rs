//! A first-in first-out queue whose memory is recycled block by block.

use std::collections::VecDeque;

use crate::{Charge, MemoryAccount, Stop};

/// Nodes in a block.
pub(crate) const BLOCK: usize = 1 << 10;

/// A first-in first-out queue that reuses the blocks of popped nodes.
#[derive(Debug)]
pub(crate) struct RecyclingQueue<T> {
    blocks: VecDeque<Vec<T>>,
    spare: Vec<Vec<T>>,
    /// Index of the next node in the first block.
    head: usize,
    charge: Charge,
}

impl<T: Copy> RecyclingQueue<T> {
    pub(crate) fn new(account: &MemoryAccount) -> Self {
        Self { blocks: VecDeque::new(), spare: Vec::new(), head: 0, charge: account.nothing() }
    }

    #[inline]
    pub(crate) fn push(&mut self, node: T) -> Result<(), Stop> {
        if self.blocks.back().is_none_or(|block| block.len() == BLOCK) {
            let block = match self.spare.pop() {
                Some(block) => block,
                None => new_block(&mut self.charge)?,
            };
            self.blocks.push_back(block);
        }
        if let Some(block) = self.blocks.back_mut() {
            block.push(node);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let node = *self.blocks.front()?.get(self.head)?;
        self.head += 1;
        if self.head == BLOCK {
            self.head = 0;
            if let Some(mut block) = self.blocks.pop_front() {
                block.clear();
                self.spare.push(block);
            }
        }
        Some(node)
    }

    /// Bytes held, recycled blocks included.
    pub(crate) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }
}

/// Charges for a block, then makes it.
pub(crate) fn new_block<T>(charge: &mut Charge) -> Result<Vec<T>, Stop> {
    charge.add((BLOCK * size_of::<T>()) as u64)?;
    Ok(Vec::with_capacity(BLOCK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_recycled() {
        let account = MemoryAccount::new(1 << 20);
        let mut queue = RecyclingQueue::new(&account);
        for number in 0..100_000_u32 {
            queue.push([number; 3]).unwrap();
            assert_eq!(queue.pop(), Some([number; 3]));
        }
        assert_eq!(queue.pop(), None);
        assert!(account.used() <= 2 * 12 * BLOCK as u64);
    }
}
