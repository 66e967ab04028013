//! All solutions of fewest pushes: the positions of a graph that lie on one.
//!
//! A position lies on such a solution at one depth only, that of its layer, so the pushes between the positions of
//! neighboring layers are all that count.
//!
//! Two solutions are equal up to the order of their pushes if each box takes the same path in both. So a solution is
//! identified by the paths of its boxes, and a prefix of it by the paths so far. Different paths to one position stay
//! different to the end, since a shared rest takes boxes from different squares to different squares. So no position is
//! reached by more combinations of paths than there are solutions, and counting can stop at the first with too many.

use hashbrown::{HashMap, HashSet};
use sokocore::{Board, Direction, Level, Push, Reach, Square, SquareSet};
use sokosearch::{Budget, Charge, Stop};

use super::charged_vec::ChargedVec;
use super::graph::{Graph, PushEdge};

/// The part of a graph that lies on solutions of fewest pushes.
#[derive(Debug)]
pub(super) struct ShortestSolutions<'g> {
    graph: &'g Graph<'g>,
    is_on: ChargedVec<bool>,
    n_pushes: usize,
}

/// How many solutions of fewest pushes there are, up to the order of pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternatives {
    /// So many.
    Exactly(usize),
    /// More than were counted.
    MoreThan(usize),
}

impl<'g> ShortestSolutions<'g> {
    /// Bytes of a combination of paths in a set, beside the paths.
    const ENTRY_BYTES: usize = 64;

    /// Finds the positions; `None` if the graph has no solution.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn of(graph: &'g Graph<'g>, budget: &Budget) -> Result<Option<Self>, Stop> {
        let Some(&first) = graph.solved().first() else { return Ok(None) };
        let n_pushes = graph.depth(first);
        let mut is_on = ChargedVec::filled(budget.memory(), graph.n_nodes(), false)?;
        let last = graph.layer(n_pushes);
        for &node in graph.solved().iter().take_while(|node| last.contains(node)) {
            is_on.items_mut()[node as usize] = true;
        }
        for depth in (0..n_pushes).rev() {
            budget.poll(0)?;
            let next = graph.layer(depth + 1);
            for node in graph.layer(depth) {
                let leads_on = |edge: &PushEdge| next.contains(&edge.to) && is_on[edge.to as usize];
                let leads_on = graph.edges(node).iter().any(leads_on);
                is_on.items_mut()[node as usize] |= leads_on;
            }
        }
        Ok(Some(Self { graph, is_on, n_pushes }))
    }

    /// Returns the fewest pushes.
    pub(super) const fn n_pushes(&self) -> usize {
        self.n_pushes
    }

    /// Returns whether a node lies on a solution of fewest pushes.
    pub(super) fn is_on(&self, node: u32) -> bool {
        self.is_on[node as usize]
    }

    /// Returns one of the solutions.
    pub(super) fn pushes(&self) -> Vec<Push> {
        let mut node = Graph::START;
        let steps = (0..self.n_pushes).map_while(|depth| {
            let edge = self.edges(node, depth).next()?;
            node = edge.to;
            Some(edge.push)
        });
        steps.collect()
    }

    /// Counts the solutions that differ in the path of some box, up to `n_max`.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn count(&self, n_max: usize, budget: &Budget) -> Result<Alternatives, Stop> {
        let level = self.graph.level();
        let mut paths = Paths::new(level, budget);
        let mut layer: HashMap<u32, HashSet<Box<[u32]>>> = HashMap::new();
        layer.entry(Graph::START).or_default().insert((0..).take(level.n_boxes()).collect());
        let mut held = budget.memory().nothing();
        for depth in 0..self.n_pushes {
            let mut next: HashMap<u32, HashSet<Box<[u32]>>> = HashMap::new();
            let mut charge = budget.memory().nothing();
            for (&node, combinations) in &layer {
                budget.poll(0)?;
                for edge in self.edges(node, depth) {
                    let arrived = next.entry(edge.to).or_default();
                    for combination in combinations {
                        if arrived.insert(paths.extend(combination, edge.push)?) {
                            charge.add((combination.len() * size_of::<u32>() + Self::ENTRY_BYTES) as u64)?;
                        }
                    }
                    if arrived.len() > n_max {
                        return Ok(Alternatives::MoreThan(n_max));
                    }
                }
            }
            layer = next;
            held = charge;
        }
        let solutions: HashSet<&[u32]> = layer.values().flatten().map(|combination| &**combination).collect();
        let count = if solutions.len() > n_max {
            Alternatives::MoreThan(n_max)
        } else {
            Alternatives::Exactly(solutions.len())
        };
        drop(held);
        Ok(count)
    }

    /// Returns the start squares of the boxes each of which some solution of fewest pushes never pushes.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn idle_boxes(&self, budget: &Budget) -> Result<SquareSet, Stop> {
        let level = self.graph.level();
        let set_bytes = (size_of_val(level.start().boxes.words()) + Self::ENTRY_BYTES) as u64;
        let mut layer = HashMap::from([(Graph::START, level.start().boxes.clone())]);
        let mut held = budget.memory().nothing();
        for depth in 0..self.n_pushes {
            budget.poll(0)?;
            let mut charge = budget.memory().nothing();
            let mut next: HashMap<u32, SquareSet> = HashMap::new();
            for (&node, idle) in &layer {
                for edge in self.edges(node, depth) {
                    if !next.contains_key(&edge.to) {
                        charge.add(set_bytes)?;
                    }
                    let arrived = next.entry(edge.to).or_insert_with(|| level.board().no_squares());
                    idle.iter().filter(|&sq| sq != edge.push.from).for_each(|sq| _ = arrived.insert(sq));
                }
            }
            layer = next;
            held = charge;
        }
        let mut idle = level.board().no_squares();
        layer.values().flat_map(SquareSet::iter).for_each(|sq| _ = idle.insert(sq));
        drop(held);
        Ok(idle)
    }

    /// Returns whether some solution of fewest pushes never uses a square that is empty at the start: neither a box nor
    /// the player enters it, so it could be wall.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn does_without(&self, square: Square, scratch: &mut Reach, budget: &Budget) -> Result<bool, Stop> {
        let level = self.graph.level();
        let board = level.board();
        if level.start().player == square || level.start().boxes.contains(square) {
            return Ok(false);
        }
        let mut boxes = board.no_squares();
        // Any depth-first order will do: most squares are avoided at once, or hardly at all.
        let mut todo = vec![(Graph::START, level.start().player)];
        let mut seen: HashSet<(u32, Square)> = HashSet::new();
        let mut charge = budget.memory().nothing();
        while let Some((node, player)) = todo.pop() {
            let depth = self.graph.depth(node);
            if depth == self.n_pushes {
                return Ok(true);
            }
            self.graph.read(node, &mut boxes);
            // A wall blocks the player as a box does.
            boxes.insert(square);
            let region = scratch.flood(board, &boxes, player);
            if !seen.insert((node, region.zone())) {
                continue;
            }
            budget.poll(0)?;
            charge.add(Self::ENTRY_BYTES as u64)?;
            let is_free = |edge: &&PushEdge| {
                let stand = edge.push.stand(board).filter(|&stand| region.contains(stand));
                stand.is_some() && edge.push.to(board) != Some(square)
            };
            todo.extend(self.edges(node, depth).filter(is_free).map(|edge| (edge.to, edge.push.from)));
        }
        Ok(false)
    }

    /// The pushes from a node of this layer that stay on solutions of fewest pushes.
    fn edges(&self, node: u32, depth: usize) -> impl Iterator<Item = &'g PushEdge> {
        let next = self.graph.layer(depth + 1);
        self.graph.edges(node).iter().filter(move |edge| next.contains(&edge.to) && self.is_on(edge.to))
    }
}

/// The paths of boxes, each identified by a number.
#[derive(Debug)]
struct Paths<'a> {
    board: &'a Board,
    /// The last square of each path.
    ends: Vec<Square>,
    /// For a path and a further push of its box, the path with that push.
    longer: HashMap<(u32, Direction), u32>,
    charge: Charge,
}

impl<'a> Paths<'a> {
    /// Bytes of a path in both tables, free slots among them.
    const BYTES: u64 = 48;

    /// Makes an empty path for each box.
    fn new(level: &'a Level, budget: &Budget) -> Self {
        let ends = level.start().boxes.iter().collect();
        Self { board: level.board(), ends, longer: HashMap::new(), charge: budget.memory().nothing() }
    }

    /// Returns the paths of all boxes, given one for each, after one more push.
    fn extend(&mut self, paths: &[u32], push: Push) -> Result<Box<[u32]>, Stop> {
        let mut paths: Box<[u32]> = paths.into();
        let pushed = paths.iter_mut().find(|path| self.ends[**path as usize] == push.from);
        let (Some(path), Some(to)) = (pushed, push.to(self.board)) else { return Ok(paths) };
        if let Some(&longer) = self.longer.get(&(*path, push.dir)) {
            *path = longer;
            return Ok(paths);
        }
        self.charge.add(Self::BYTES)?;
        let longer = u32::try_from(self.ends.len()).map_err(|_| Stop::Memory)?;
        self.ends.push(to);
        self.longer.insert((*path, push.dir), longer);
        *path = longer;
        Ok(paths)
    }
}
