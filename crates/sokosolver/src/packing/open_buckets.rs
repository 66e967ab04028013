//! The open list: a stack of nodes for every score.
//!
//! An entry is stale once its node is closed or has another score; whoever pops it finds out. Invariant: no bucket
//! below `lowest` has an entry.

/// Nodes to be expanded, the lowest score first, and among equals the newest.
#[derive(Debug, Default)]
pub(crate) struct OpenBuckets {
    buckets: Vec<Vec<u32>>,
    lowest: usize,
}

impl OpenBuckets {
    /// Adds a node.
    pub(crate) fn push(&mut self, score: i32, node: u32) {
        let place = usize::try_from(score).unwrap_or(0);
        if place >= self.buckets.len() {
            self.buckets.resize(place + 1, Vec::new());
        }
        self.buckets[place].push(node);
        self.lowest = self.lowest.min(place);
    }

    /// Takes the newest of the lowest score out, with its score.
    pub(crate) fn pop(&mut self) -> Option<(i32, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(node) = bucket.pop() {
                return Some((i32::try_from(self.lowest).unwrap_or(i32::MAX), node));
            }
            self.lowest += 1;
        }
        None
    }
}
