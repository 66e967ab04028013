//! Selection by values: from the root to the best leaf, from time to time by another branch.
//!
//! ```text
//!   root ── best child ── best child ── next child by turns ── macro move not yet made
//!                                       (its size is a multiple)
//! ```
//!
//! The iterated greedy search of Festival's third strategy, by Yaron Shoham. Branches are sorted by their first values
//! and taken in this order. So of the branches not yet taken only the first value is stored, and of those taken only
//! the ones that led to a node.
//!
//! Invariant: the value of a node is the best of its branches that are not dead; less is better. A branch that was
//! taken is dead until its node is added.

use sokosearch::ChunkedVec;

use crate::fess::tree::nodes::NO_NODE;

/// The value of a branch that leads to no open leaf.
pub(crate) const DEAD: u64 = u64::MAX;

#[derive(Clone, Debug)]
struct ValueNode {
    value: u64,
    /// The value of the first branch not yet taken.
    open: u64,
    parent: u32,
    /// The number of the parent's branch that leads here.
    branch: u32,
    /// Macro moves taken in the subtree.
    size: u32,
    cursor: u32,
    n_branches: u32,
    n_taken: u32,
    /// Children in the order of their branches: the first and the last one, and the next child of the parent.
    first: u32,
    last: u32,
    next: u32,
    /// The child whose value is the node's, unless that of the next macro move is better.
    best_child: u32,
}

/// The nodes of a tree, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct ValueTree {
    nodes: ChunkedVec<ValueNode>,
    roots: Vec<u32>,
    /// The branch taken last.
    taken: u32,
}

impl ValueTree {
    /// Adds the next node, with so many macro moves, the best of this value; `parent` is where the branch taken last
    /// began.
    pub(crate) fn add(&mut self, parent: u32, n_branches: u32, open: u64) {
        let number = u32::try_from(self.nodes.len()).unwrap_or(NO_NODE);
        let (branch, none) = (if parent == NO_NODE { 0 } else { self.taken }, NO_NODE);
        let [size, cursor, n_taken] = [0; 3];
        let [first, last, next, best_child] = [none; 4];
        let value = open;
        self.nodes.push(ValueNode {
            value,
            open,
            parent,
            branch,
            size,
            cursor,
            n_branches,
            n_taken,
            first,
            last,
            next,
            best_child,
        });
        match self.nodes.get_mut(parent as usize) {
            Some(parent_node) => {
                let before = std::mem::replace(&mut parent_node.last, number);
                match self.nodes.get_mut(before as usize) {
                    Some(previous) => previous.next = number,
                    None => self.nodes[parent].first = number,
                }
            }
            None => self.roots.push(number),
        }
        self.back_up(parent);
    }

    /// Returns the node whose next macro move is selected.
    pub(crate) fn select(&mut self) -> Option<u32> {
        loop {
            let live = self.roots.iter().copied().filter(|&root| self.nodes[root].value != DEAD);
            let mut number = live.min_by_key(|&root| self.nodes[root].size)?;
            loop {
                match self.next_step(number) {
                    NextStep::Child(child) => number = child,
                    NextStep::Pending => return Some(number),
                    NextStep::None => break,
                }
            }
        }
    }

    /// Notes that the next macro move of a node is taken, and the value of the one after it.
    pub(crate) fn take(&mut self, number: u32, open: u64) {
        let node = &mut self.nodes[number];
        self.taken = node.n_taken;
        node.n_taken += 1;
        node.open = open;
        self.back_up(number);
    }

    /// Counts a node in its subtree and in those of its ancestors.
    pub(crate) fn count_node(&mut self, mut number: u32) {
        while let Some(node) = self.nodes.get_mut(number as usize) {
            node.size += 1;
            number = node.parent;
        }
    }

    /// Backs up the value of a node, as far as it changes an ancestor.
    fn back_up(&mut self, mut number: u32) {
        while number != NO_NODE {
            let (value, best_child) = self.best(number);
            let node = &mut self.nodes[number];
            node.best_child = best_child;
            if std::mem::replace(&mut node.value, value) == value {
                return;
            }
            number = node.parent;
        }
    }

    /// Returns the children of a node.
    fn children(&self, number: u32) -> impl Iterator<Item = (u32, &ValueNode)> {
        let mut at = self.nodes[number].first;
        std::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            Some((std::mem::replace(&mut at, node.next), node))
        })
    }

    /// Returns the best value, and the child that has it: of equals a child, since its branch is before all others.
    fn best(&self, number: u32) -> (u64, u32) {
        let (mut value, mut best_child) = (DEAD, NO_NODE);
        for (child, node) in self.children(number) {
            if node.value < value {
                (value, best_child) = (node.value, child);
            }
        }
        let open = self.nodes[number].open;
        if open < value { (open, NO_NODE) } else { (value, best_child) }
    }

    /// Returns the best branch, or the next by turns when the size of the subtree is a multiple.
    fn next_step(&mut self, number: u32) -> NextStep {
        let &ValueNode { value, best_child, size, n_branches, cursor, open, n_taken, .. } = &self.nodes[number];
        if n_branches == 0 || !size.is_multiple_of(n_branches + 1) {
            return match (value, best_child) {
                (DEAD, _) => NextStep::None,
                (_, NO_NODE) => NextStep::Pending,
                (_, child) => NextStep::Child(child),
            };
        }
        let live = |&(_, node): &(u32, &ValueNode)| node.value != DEAD;
        let child = |from: u32| self.children(number).filter(live).find(|(_, node)| node.branch >= from);
        let child_at = |from: u32| child(from).map(|(child, node)| (node.branch, NextStep::Child(child)));
        let macro_move = (open != DEAD).then_some((n_taken, NextStep::Pending));
        let Some((at, branch)) = child_at(cursor).or(macro_move).or_else(|| child_at(0)) else { return NextStep::None };
        self.nodes[number].cursor = (at + 1) % n_branches;
        branch
    }

    /// Returns the bytes in use once one more node is added.
    pub(crate) const fn bytes_ahead(&self) -> usize {
        self.nodes.bytes_with(1)
    }
}

/// The next step from a node.
#[derive(Clone, Copy, Debug)]
enum NextStep {
    Child(u32),
    /// The first macro move not yet made.
    Pending,
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the macro move that is selected.
    fn next(value_tree: &mut ValueTree, values: &mut [Vec<u64>]) -> Option<(u32, u64)> {
        let number = value_tree.select()?;
        let taken = values[number as usize].remove(0);
        value_tree.take(number, values[number as usize].first().copied().unwrap_or(DEAD));
        Some((number, taken))
    }

    #[test]
    fn the_best_branch_goes_first_and_the_others_get_their_turn() {
        let mut value_tree = ValueTree::default();
        let mut values = [vec![10, 30, 50]];
        value_tree.add(NO_NODE, 3, 10);
        let order: Vec<u64> =
            std::iter::from_fn(|| next(&mut value_tree, &mut values)).map(|(_, value)| value).collect();
        assert_eq!(order, [10, 30, 50]);
    }

    #[test]
    fn a_branch_is_worth_what_its_best_leaf_is() {
        let mut value_tree = ValueTree::default();
        let mut values = [vec![50, 60], vec![5, 70]];
        value_tree.add(NO_NODE, 2, 50);
        assert_eq!(next(&mut value_tree, &mut values), Some((0, 50)));
        value_tree.count_node(0);
        value_tree.add(0, 2, 5);
        assert_eq!(next(&mut value_tree, &mut values), Some((1, 5)));
        value_tree.count_node(1);
        assert_eq!(next(&mut value_tree, &mut values), Some((0, 60)));
        assert_eq!(next(&mut value_tree, &mut values), Some((1, 70)));
        assert_eq!(next(&mut value_tree, &mut values), None);
    }

    /// A root with three macro moves: after every fourth node below it the next branch has its turn, whatever its
    /// value.
    #[test]
    fn a_branch_gets_its_turn_when_the_size_is_a_multiple() {
        let mut value_tree = ValueTree::default();
        let mut values = vec![vec![50, 60, 70]];
        value_tree.add(NO_NODE, 3, 50);
        let mut from = Vec::new();
        for _ in 0..8 {
            let (number, _) = next(&mut value_tree, &mut values).unwrap();
            value_tree.count_node(number);
            value_tree.add(number, 1, 5);
            values.push(vec![5]);
            from.push(number);
        }
        assert_eq!(from, [0, 1, 2, 3, 0, 4, 6, 7]);
    }
}
