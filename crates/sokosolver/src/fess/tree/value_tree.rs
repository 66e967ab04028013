//! Whose turn it is in a tree of values: from the root to the best leaf, now and then by another branch.
//!
//! ```text
//!   root ── best child ── best child ── next child in turn ── leap not yet made
//!                                       (its size has come round)
//! ```
//!
//! The iterated greedy of Festival's third strategy, by Yaron Shoham. Branches are in the order of their first values,
//! and are taken in this order, so of those not yet taken only the first one's value is kept here, and of those taken
//! only the ones that led to a node. **Invariant**: the value of a node is the best of its branches that are not dead;
//! less is better. A branch that was taken is dead until its node is added.

use crate::fess::tree::nodes::NO_NODE;
use crate::store::chunked_vec::ChunkedVec;

/// The value of a branch that leads nowhere, and where none is left.
pub(crate) const DEAD: u64 = u64::MAX;

#[derive(Clone, Debug)]
struct Fork {
    value: u64,
    /// The value of the first branch not yet taken.
    open: u64,
    parent: u32,
    /// The branch of the parent that leads here.
    came: u32,
    /// Nodes taken below.
    size: u32,
    robin: u32,
    n_branches: u32,
    n_taken: u32,
    /// Children in the order of their branches: the first and the last one, and the next child of the parent.
    first: u32,
    last: u32,
    next: u32,
    /// The child whose value is the node's, unless that of the leap is better.
    heir: u32,
}

/// The forks of a tree, by the numbers of its nodes.
#[derive(Debug, Default)]
pub(crate) struct ValueTree {
    forks: ChunkedVec<Fork>,
    roots: Vec<u32>,
    /// The branch taken last.
    taken: u32,
}

impl ValueTree {
    /// Adds the next node, with so many leaps, the best of this value; `parent` is where the branch taken last began.
    pub(crate) fn add(&mut self, parent: u32, n_branches: u32, open: u64) {
        let number = u32::try_from(self.forks.len()).unwrap_or(NO_NODE);
        let (came, none) = (if parent == NO_NODE { 0 } else { self.taken }, NO_NODE);
        let [size, robin, n_taken] = [0; 3];
        let [first, last, next, heir] = [none; 4];
        let value = open;
        self.forks.push(Fork { value, open, parent, came, size, robin, n_branches, n_taken, first, last, next, heir });
        match self.forks.get_mut(parent as usize) {
            Some(father) => {
                let before = std::mem::replace(&mut father.last, number);
                match self.forks.get_mut(before as usize) {
                    Some(brother) => brother.next = number,
                    None => self.forks[parent].first = number,
                }
            }
            None => self.roots.push(number),
        }
        self.settle(parent);
    }

    /// Returns the node whose first leap not yet made has its turn.
    pub(crate) fn choose(&mut self) -> Option<u32> {
        loop {
            let live = self.roots.iter().copied().filter(|&root| self.forks[root].value != DEAD);
            let mut number = live.min_by_key(|&root| self.forks[root].size)?;
            loop {
                match self.branch(number) {
                    Branch::Child(child) => number = child,
                    Branch::MacroMove => return Some(number),
                    Branch::None => break,
                }
            }
        }
    }

    /// Notes that the first leap of a node is taken, and how good the one after it is.
    pub(crate) fn take(&mut self, number: u32, open: u64) {
        let fork = &mut self.forks[number];
        self.taken = fork.n_taken;
        fork.n_taken += 1;
        fork.open = open;
        self.settle(number);
    }

    /// Counts a node below this one and all above.
    pub(crate) fn grow(&mut self, mut number: u32) {
        while let Some(fork) = self.forks.get_mut(number as usize) {
            fork.size += 1;
            number = fork.parent;
        }
    }

    /// Finds the value of a node again, and of those above it as far as that makes a difference.
    fn settle(&mut self, mut number: u32) {
        while number != NO_NODE {
            let (value, heir) = self.best(number);
            let fork = &mut self.forks[number];
            fork.heir = heir;
            if std::mem::replace(&mut fork.value, value) == value {
                return;
            }
            number = fork.parent;
        }
    }

    /// Returns the children of a node.
    fn children(&self, number: u32) -> impl Iterator<Item = (u32, &Fork)> {
        let mut at = self.forks[number].first;
        std::iter::from_fn(move || {
            let fork = self.forks.get(at as usize)?;
            Some((std::mem::replace(&mut at, fork.next), fork))
        })
    }

    /// Returns the best value, and the child that has it: children first, since their branches are before all others.
    fn best(&self, number: u32) -> (u64, u32) {
        let (mut value, mut heir) = (DEAD, NO_NODE);
        for (child, fork) in self.children(number) {
            if fork.value < value {
                (value, heir) = (fork.value, child);
            }
        }
        let open = self.forks[number].open;
        if open < value { (open, NO_NODE) } else { (value, heir) }
    }

    /// Returns the best branch, or the next in turn when its size has come round.
    fn branch(&mut self, number: u32) -> Branch {
        let &Fork { value, heir, size, n_branches, robin, open, n_taken, .. } = &self.forks[number];
        if n_branches == 0 || !size.is_multiple_of(n_branches + 1) {
            return match (value, heir) {
                (DEAD, _) => Branch::None,
                (_, NO_NODE) => Branch::MacroMove,
                (_, child) => Branch::Child(child),
            };
        }
        let live = |&(_, fork): &(u32, &Fork)| fork.value != DEAD;
        let child = |from: u32| self.children(number).filter(live).find(|(_, fork)| fork.came >= from);
        let child_at = |from: u32| child(from).map(|(child, fork)| (fork.came, Branch::Child(child)));
        let leap = (open != DEAD).then_some((n_taken, Branch::MacroMove));
        let Some((at, branch)) = child_at(robin).or(leap).or_else(|| child_at(0)) else { return Branch::None };
        self.forks[number].robin = (at + 1) % n_branches;
        branch
    }

    /// Returns the bytes in use once one more node is added.
    pub(crate) const fn bytes_ahead(&self) -> usize {
        self.forks.bytes_with(1)
    }
}

/// Where to go from a node.
#[derive(Clone, Copy, Debug)]
enum Branch {
    Child(u32),
    /// The first leap not yet made.
    MacroMove,
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the leap whose turn it is; `rest` are the values of the leaps after it.
    fn next(descent: &mut ValueTree, leaps: &mut [Vec<u64>]) -> Option<(u32, u64)> {
        let number = descent.choose()?;
        let taken = leaps[number as usize].remove(0);
        descent.take(number, leaps[number as usize].first().copied().unwrap_or(DEAD));
        Some((number, taken))
    }

    #[test]
    fn the_best_branch_goes_first_and_the_others_get_their_turn() {
        let mut descent = ValueTree::default();
        let mut leaps = [vec![10, 30, 50]];
        descent.add(NO_NODE, 3, 10);
        let order: Vec<u64> = std::iter::from_fn(|| next(&mut descent, &mut leaps)).map(|(_, value)| value).collect();
        assert_eq!(order, [10, 30, 50]);
    }

    #[test]
    fn a_branch_is_worth_what_its_best_leaf_is() {
        let mut descent = ValueTree::default();
        let mut leaps = [vec![50, 60], vec![5, 70]];
        descent.add(NO_NODE, 2, 50);
        assert_eq!(next(&mut descent, &mut leaps), Some((0, 50)));
        descent.grow(0);
        descent.add(0, 2, 5);
        assert_eq!(next(&mut descent, &mut leaps), Some((1, 5)));
        descent.grow(1);
        assert_eq!(next(&mut descent, &mut leaps), Some((0, 60)));
        assert_eq!(next(&mut descent, &mut leaps), Some((1, 70)));
        assert_eq!(next(&mut descent, &mut leaps), None);
    }

    /// A root with three leaps: after every fourth node below it the next branch has its turn, however good.
    #[test]
    fn a_branch_gets_its_turn_when_the_size_comes_round() {
        let mut descent = ValueTree::default();
        let mut leaps = vec![vec![50, 60, 70]];
        descent.add(NO_NODE, 3, 50);
        let mut from = Vec::new();
        for _ in 0..8 {
            let (number, _) = next(&mut descent, &mut leaps).unwrap();
            descent.grow(number);
            descent.add(number, 1, 5);
            leaps.push(vec![5]);
            from.push(number);
        }
        assert_eq!(from, [0, 1, 2, 3, 0, 4, 6, 7]);
    }
}
