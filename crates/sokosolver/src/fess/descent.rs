//! Whose turn it is in a tree of values: from the root to the best leaf, now and then by another branch.
//!
//! ```text
//!   root ── best child ── best child ── next child in turn ── leap not yet made
//!                                       (its size has come round)
//! ```
//!
//! The iterated greedy of Festival's third strategy, by Yaron Shoham. **Invariant**: the value of a node is the best
//! of its branches that are not dead; less is better. A branch that was taken is dead until its node is added.

use super::forest::{Edge, NOBODY};

/// A branch that leads nowhere.
const DEAD: u64 = u64::MAX;

#[derive(Clone, Debug)]
struct Branch {
    edge: Edge,
    child: u32,
    value: u64,
}

#[derive(Clone, Debug)]
struct Fork {
    parent: u32,
    /// The branch of the parent that leads here.
    came: usize,
    value: u64,
    size: usize,
    robin: usize,
    branches: Vec<Branch>,
}

/// The forks of a tree, by the numbers of its nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Descent {
    forks: Vec<Fork>,
    roots: Vec<u32>,
    /// The fork and the branch taken last.
    taken: (u32, usize),
}

impl Descent {
    /// Adds the next node with its leaps; `parent` is where the branch taken last began.
    pub(crate) fn add(&mut self, parent: u32, edges: Vec<Edge>) {
        let number = u32::try_from(self.forks.len()).unwrap_or(NOBODY);
        let branch = |edge: Edge| Branch { edge, child: NOBODY, value: edge.order };
        let branches: Vec<Branch> = edges.into_iter().map(branch).collect();
        let came = if parent == NOBODY { 0 } else { self.taken.1 };
        let mut fork = Fork { parent, came, value: DEAD, size: 0, robin: 0, branches };
        fork.value = best(&fork.branches).map_or(DEAD, |at| fork.branches[at].value);
        match self.forks.get_mut(parent as usize) {
            Some(father) => father.branches[came].child = number,
            None => self.roots.push(number),
        }
        self.forks.push(fork);
        self.settle(number);
    }

    /// Takes the leap whose turn it is; branches that `is_closed` knows are cut.
    pub(crate) fn next(&mut self, is_closed: impl Fn(u64) -> bool) -> Option<(u32, Edge)> {
        loop {
            let live = self.roots.iter().copied().filter(|&root| self.forks[root as usize].value != DEAD);
            let mut number = live.min_by_key(|&root| self.forks[root as usize].size)?;
            loop {
                let fork = &mut self.forks[number as usize];
                let Some(at) = fork.choose() else { break };
                let branch = &mut fork.branches[at];
                if branch.child != NOBODY {
                    number = branch.child;
                    continue;
                }
                branch.value = DEAD;
                let edge = branch.edge;
                self.taken = (number, at);
                self.settle(number);
                if is_closed(edge.hash) {
                    break;
                }
                self.grow(number);
                return Some((number, edge));
            }
        }
    }

    /// Counts a node below this one and all above.
    fn grow(&mut self, mut number: u32) {
        while let Some(fork) = self.forks.get_mut(number as usize) {
            fork.size += 1;
            number = fork.parent;
        }
    }

    /// Hands the value of a node upward.
    fn settle(&mut self, mut number: u32) {
        loop {
            let fork = &mut self.forks[number as usize];
            fork.value = best(&fork.branches).map_or(DEAD, |at| fork.branches[at].value);
            let (value, parent, came) = (fork.value, fork.parent, fork.came);
            if parent == NOBODY {
                return;
            }
            self.forks[parent as usize].branches[came].value = value;
            number = parent;
        }
    }

    /// Forgets all leaps not yet made.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Fork {
    /// The best branch, or the next in turn when its size has come round.
    fn choose(&mut self) -> Option<usize> {
        let n = self.branches.len();
        if !self.size.is_multiple_of(n + 1) || n == 0 {
            return best(&self.branches);
        }
        let at = (0..n).map(|step| (self.robin + step) % n).find(|&at| self.branches[at].value != DEAD)?;
        self.robin = (at + 1) % n;
        Some(at)
    }
}

fn best(branches: &[Branch]) -> Option<usize> {
    let live = (0..branches.len()).filter(|&at| branches[at].value != DEAD);
    live.min_by_key(|&at| branches[at].value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(hash: u64, order: u64) -> Edge {
        Edge { hash, order, ..Edge::default() }
    }

    #[test]
    fn the_best_branch_goes_first_and_the_others_get_their_turn() {
        let mut descent = Descent::default();
        descent.add(NOBODY, vec![edge(1, 50), edge(2, 10), edge(3, 30)]);
        // Size 0: the first in turn. Then the best ones.
        let order: Vec<u64> = std::iter::from_fn(|| descent.next(|_| false)).map(|(_, edge)| edge.hash).collect();
        assert_eq!(order, [1, 2, 3]);
    }

    #[test]
    fn a_branch_is_worth_what_its_best_leaf_is() {
        let mut descent = Descent::default();
        descent.add(NOBODY, vec![edge(1, 50), edge(2, 60)]);
        assert_eq!(descent.next(|_| false).map(|(at, edge)| (at, edge.hash)), Some((0, 1)));
        descent.add(0, vec![edge(3, 5), edge(4, 6)]);
        assert_eq!(descent.next(|_| false).map(|(at, edge)| (at, edge.hash)), Some((1, 3)));
        assert_eq!(descent.next(|hash| hash == 4).map(|(at, edge)| (at, edge.hash)), Some((0, 2)));
        assert!(descent.next(|_| false).is_none());
    }
}
