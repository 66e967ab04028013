//! Spans: how many consecutive nodes of a queue share one cost.
//!
//! A search generates very many nodes and few costs, so costs are kept beside the queue, not in its nodes.
//! Invariant: the costs of a queue's spans ascend strictly, and the counts sum to the number of nodes on the queue.

use std::collections::VecDeque;

use crate::Cost;

/// The costs of the nodes on one queue.
#[derive(Debug, Default)]
pub(crate) struct Spans(VecDeque<(Cost, u64)>);

impl Spans {
    /// Records that a node of this cost was pushed to the queue.
    #[inline]
    pub(crate) fn push(&mut self, cost: Cost) {
        match self.0.back_mut() {
            Some((last, count)) if *last == cost => *count += 1,
            last => {
                debug_assert!(last.is_none_or(|(last, _)| *last < cost), "spans must ascend");
                self.0.push_back((cost, 1));
            }
        }
    }

    /// Returns the cost of the next node.
    #[inline]
    pub(crate) fn cost(&self) -> Option<Cost> {
        self.0.front().map(|(cost, _)| *cost)
    }

    /// Returns how many nodes of this cost are next on the queue.
    pub(crate) fn count(&self, cost: Cost) -> u64 {
        self.0.front().filter(|(next, _)| *next == cost).map_or(0, |(_, count)| *count)
    }

    /// Records that the next node was popped.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some((_, count)) = self.0.front_mut() {
            *count -= 1;
            if *count == 0 {
                self.0.pop_front();
            }
        }
    }
}
