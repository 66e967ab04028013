//! The way of every box through a solution, and which boxes of two solutions belong together.

use hashbrown::HashMap;
use sokocore::{Level, Push, Solution, Square, pushes_of};
use sokosearch::{Charge, MemoryAccount, Stop};

use super::Part;

/// The ways of all boxes. A box is named by its number among the start squares in ascending order.
#[derive(Debug)]
pub(super) struct Ways {
    starts: Vec<Square>,
    /// The pushes, and whose they are.
    pushes: Vec<(usize, Push)>,
    /// For each box the squares that it stands on, in order; the first one is its start.
    squares: Vec<Vec<Square>>,
    _charge: Charge,
}

/// Boxes of two solutions that take the same goals, not all in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) boxes: Vec<usize>,
    /// Their pushes in the one solution and in the other.
    pub(super) n_pushes: (usize, usize),
}

impl Ways {
    /// Follows the boxes through a solution of the level.
    pub(super) fn new(level: &Level, solution: &Solution, account: &MemoryAccount) -> Result<Self, Stop> {
        let entry = (size_of::<(usize, Push)>() + size_of::<Push>() + 2 * size_of::<Square>()) as u64;
        let box_bytes = (size_of::<Vec<Square>>() + 4 * size_of::<Square>() + size_of::<usize>()) as u64;
        let n_boxes = level.n_boxes() as u64;
        let charge = account.charge(solution.metrics().pushes * entry + n_boxes * box_bytes)?;
        let starts: Vec<Square> = level.start().boxes.iter().collect();
        let mut squares: Vec<Vec<Square>> = starts.iter().map(|&sq| vec![sq]).collect();
        let mut box_on: HashMap<Square, usize> = starts.iter().enumerate().map(|(n, &sq)| (sq, n)).collect();
        let mut pushes = Vec::new();
        for push in pushes_of(level, solution.lurd()) {
            let Some((n, to)) = box_on.remove(&push.from).zip(push.to(level.board())) else { continue };
            box_on.insert(to, n);
            squares[n].push(to);
            pushes.push((n, push));
        }
        Ok(Self { starts, pushes, squares, _charge: charge })
    }

    pub(super) fn n_boxes(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn n_pushes(&self) -> usize {
        self.pushes.len()
    }

    /// Returns the part of the boxes for which `choice` is as told.
    pub(super) fn part(&self, choice: &[bool], told: bool) -> Part {
        let starts = self.starts.iter().zip(choice).filter(|(_, chosen)| **chosen == told).map(|(&sq, _)| sq);
        let pushes = self.pushes.iter().filter(|(n, _)| choice[*n] == told).map(|&(_, push)| push);
        Part { starts: starts.collect(), pushes: pushes.collect() }
    }

    fn goal(&self, n: usize) -> Square {
        self.squares[n][self.squares[n].len() - 1]
    }
}

/// Groups the boxes: those that share a goal belong together, and if `coarse`, those whose ways cross in one of the two
/// solutions as well. Groups whose boxes go the same ways in both are left out.
pub(super) fn groups(one: &Ways, other: &Ways, coarse: bool) -> Vec<Group> {
    let mut union = Union::of(one.n_boxes());
    let taker: HashMap<Square, usize> = (0..other.n_boxes()).map(|n| (other.goal(n), n)).collect();
    for n in 0..one.n_boxes() {
        if let Some(&same) = taker.get(&one.goal(n)) {
            union.join(n, same);
        }
    }
    for ways in [one, other].into_iter().filter(|_| coarse) {
        let mut first = HashMap::new();
        let moved = ways.squares.iter().enumerate().filter(|(_, squares)| squares.len() > 1);
        for (n, sq) in moved.flat_map(|(n, squares)| squares.iter().map(move |&sq| (n, sq))) {
            union.join(n, *first.entry(sq).or_insert(n));
        }
    }
    let mut groups: Vec<Group> = vec![Group { boxes: Vec::new(), n_pushes: (0, 0) }; one.n_boxes()];
    for n in 0..one.n_boxes() {
        let group = &mut groups[union.root(n)];
        group.boxes.push(n);
        group.n_pushes.0 += one.squares[n].len() - 1;
        group.n_pushes.1 += other.squares[n].len() - 1;
    }
    groups.retain(|group| group.boxes.iter().any(|&n| one.squares[n] != other.squares[n]));
    groups
}

/// Which boxes belong together: disjoint sets.
struct Union {
    parents: Vec<usize>,
}

impl Union {
    fn of(n: usize) -> Self {
        Self { parents: (0..n).collect() }
    }

    fn root(&mut self, mut n: usize) -> usize {
        while self.parents[n] != n {
            self.parents[n] = self.parents[self.parents[n]];
            n = self.parents[n];
        }
        n
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }
}
