//! The path of every box through a solution, and the groups of boxes that two solutions have to exchange together.

use hashbrown::HashMap;
use sokocore::{Level, Push, Solution, Square, pushes_of};
use sokosearch::{Charge, MemoryAccount, Stop};

/// The paths of all boxes. The number of a box is that of its start square in ascending order.
#[derive(Debug)]
pub(super) struct BoxPaths {
    starts: Vec<Square>,
    /// The pushes, each with the number of its box.
    pushes: Vec<(usize, Push)>,
    /// For each box its squares, in order; the first one is its start.
    squares: Vec<Vec<Square>>,
    _charge: Charge,
}

/// One of the two solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Parent {
    One,
    Other,
}

/// The pushes of some boxes of a solution, in their order, and the squares that these boxes start on.
#[derive(Debug)]
pub(super) struct PathPart {
    pub(super) starts: Vec<Square>,
    pub(super) pushes: Vec<Push>,
}

/// Boxes that end on the same set of goals in both solutions, not all on the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) boxes: Vec<usize>,
    /// The number of their pushes in the one solution and in the other.
    pub(super) n_pushes: (usize, usize),
}

impl BoxPaths {
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

    /// Returns the part of the boxes that take their path from this parent.
    pub(super) fn part(&self, choice: &[Parent], parent: Parent) -> PathPart {
        let starts = self.starts.iter().zip(choice).filter(|(_, chosen)| **chosen == parent).map(|(&sq, _)| sq);
        let pushes = self.pushes.iter().filter(|(n, _)| choice[*n] == parent).map(|&(_, push)| push);
        PathPart { starts: starts.collect(), pushes: pushes.collect() }
    }

    fn goal(&self, n: usize) -> Square {
        self.squares[n][self.squares[n].len() - 1]
    }
}

/// Which boxes form a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// Those that share a goal.
    ByGoal,
    /// Those that share a goal, and those whose paths cross in one of the two solutions.
    ByGoalAndCrossing,
}

/// Returns the groups of boxes. Groups with the same paths in both solutions are left out.
pub(super) fn groups(one: &BoxPaths, other: &BoxPaths, grouping: Grouping) -> Vec<Group> {
    let mut sets = DisjointSets::of(one.n_boxes());
    let taker: HashMap<Square, usize> = (0..other.n_boxes()).map(|n| (other.goal(n), n)).collect();
    for n in 0..one.n_boxes() {
        if let Some(&same) = taker.get(&one.goal(n)) {
            sets.join(n, same);
        }
    }
    for paths in [one, other].into_iter().filter(|_| grouping == Grouping::ByGoalAndCrossing) {
        let mut first = HashMap::new();
        let moved = paths.squares.iter().enumerate().filter(|(_, squares)| squares.len() > 1);
        for (n, sq) in moved.flat_map(|(n, squares)| squares.iter().map(move |&sq| (n, sq))) {
            sets.join(n, *first.entry(sq).or_insert(n));
        }
    }
    let mut groups: Vec<Group> = vec![Group { boxes: Vec::new(), n_pushes: (0, 0) }; one.n_boxes()];
    for n in 0..one.n_boxes() {
        let group = &mut groups[sets.root(n)];
        group.boxes.push(n);
        group.n_pushes.0 += one.squares[n].len() - 1;
        group.n_pushes.1 += other.squares[n].len() - 1;
    }
    groups.retain(|group| group.boxes.iter().any(|&n| one.squares[n] != other.squares[n]));
    groups
}

/// Disjoint sets of boxes (union-find).
struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
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
