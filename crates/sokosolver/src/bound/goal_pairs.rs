//! Pairs of goals that exclude each other, once others are filled for good.
//!
//! ```text
//!   #######        a frozen box on Z has closed the other path between the two rooms: after X is filled, from the left,
//!   ...  X #       the player cannot get down to fill Y from below, and conversely
//!   ######Y#
//! ```
//!
//! The boxes frozen on goals are walls. From two goals in narrow places two boxes are pulled, alone among these walls,
//! with the player in every region. If they can never both leave their goals, the goals exclude each other, unless
//! boxes already stand on squares that this search reaches.
//!
//! **Invariant**: an exclusion is proved for every position with these frozen boxes, since the boxes that fill the two
//! goals could do the same without the others. Every goal must need a box. When the tables are full they are cleared.

use hashbrown::{HashMap, HashSet};
use sokocore::FloorSquare;
use sokosearch::Charge;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard};
use crate::bound::added_bound::{AddedBound, BoundParts, BoundedPosition};
use crate::{Technique, WorkMeter};

/// Bytes of all tables.
const MAX_BYTES: usize = 8 << 20;
/// Narrow goals that are examined.
const MAX_NARROW: usize = 8;
/// The most positions of two boxes in one search.
const MAX_STATES: usize = 1_000;

/// Makes the bound, if frozen boxes are walls.
pub(crate) fn make<const W: usize>(parts: &mut BoundParts<'_, W>) -> Option<Box<dyn AddedBound<W>>> {
    let is_on = parts.has_frozen_walls && parts.settings.uses(Technique::GoalPairs);
    let goal_pairs = if is_on { GoalPairs::new(parts.board, parts.meter) } else { None };
    goal_pairs.map(|goal_pairs| Box::new(goal_pairs) as Box<dyn AddedBound<W>>)
}

/// Exclusions by frozen set.
#[derive(Debug)]
struct GoalPairs<const W: usize> {
    exclusions: HashMap<BitSet<W>, Vec<Exclusion<W>>>,
    flood: Flood,
    bytes: usize,
    work: u64,
    /// For the tables.
    _charge: Charge,
}

/// For two goals that exclude each other, the pairs of squares from which both can still be filled.
type Exclusion<const W: usize> = HashMap<FloorSquare, BitSet<W>>;

impl<const W: usize> GoalPairs<W> {
    /// Prepares for a level; `None` if goals may stay empty, or without memory.
    fn new(board: &SearchBoard, meter: &WorkMeter) -> Option<Self> {
        let charge = meter.memory().charge(MAX_BYTES as u64).ok()?;
        let flood = Flood::new(board);
        let fills_all = board.goals().len() == board.n_boxes();
        fills_all.then(|| Self { exclusions: HashMap::new(), flood, bytes: 0, work: 0, _charge: charge })
    }

    /// Returns whether two goals can no longer both be filled; `frozen` boxes stay where they are, on goals.
    fn is_lost(&mut self, board: &SearchBoard, boxes: &BitSet<W>, frozen: &BitSet<W>) -> bool {
        if *frozen == BitSet::default() {
            return false;
        }
        let mut free = *boxes;
        frozen.iter().for_each(|sq| free.remove(sq));
        if !self.exclusions.contains_key(frozen) {
            let exclusions = self.find_exclusions(board, frozen);
            let n_squares = exclusions.iter().map(HashMap::len).sum::<usize>();
            self.make_room(64 + n_squares * (size_of::<BitSet<W>>() + 16));
            self.exclusions.insert(*frozen, exclusions);
        }
        let is_far =
            |origins: &Exclusion<W>| !free.iter().any(|sq| origins.get(&sq).is_some_and(|others| others.meets(&free)));
        self.exclusions.get(frozen).is_some_and(|exclusions| exclusions.iter().any(is_far))
    }

    fn make_room(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            self.exclusions.clear();
            self.bytes = bytes.min(MAX_BYTES);
        }
    }

    /// Finds the pairs that exclude each other. A full goal that does not split the floor around it blocks nothing.
    fn find_exclusions(&mut self, board: &SearchBoard, frozen: &BitSet<W>) -> Vec<Exclusion<W>> {
        let is_narrow = |sq: &FloorSquare| !frozen.has(*sq) && splits_floor(board, frozen, *sq);
        let narrow: Vec<FloorSquare> = board.goals().iter().copied().filter(is_narrow).collect();
        let narrow = &narrow[..narrow.len().min(MAX_NARROW)];
        let mut exclusions = Vec::new();
        for (at, &one) in narrow.iter().enumerate() {
            for &other in &narrow[at + 1..] {
                exclusions.extend(self.origins(board, frozen, [one, other]));
            }
        }
        exclusions
    }

    /// Pulls two boxes from these goals, with the player in every region; returns the squares that they reach, or
    /// `None` if both leave their goals or there are too many positions.
    fn origins(&mut self, board: &SearchBoard, frozen: &BitSet<W>, goals: [FloorSquare; 2]) -> Option<Exclusion<W>> {
        let mut origins = Exclusion::<W>::new();
        origins.entry(goals[0]).or_default().insert(goals[1]);
        let mut seen = HashSet::new();
        let around = goals.into_iter().flat_map(|goal| board.steps(goal));
        let is_free = |sq: &FloorSquare| *sq != board.wall() && !goals.contains(sq) && !frozen.has(*sq);
        let mut todo: Vec<([FloorSquare; 2], FloorSquare)> =
            around.filter(is_free).map(|player| (goals, player)).collect();
        while let Some((squares, player)) = todo.pop() {
            self.flood.place(frozen.iter().chain(squares));
            let zone = self.flood.spread(board, player);
            self.work += 1;
            if !seen.insert((squares, zone)) {
                continue;
            }
            let [one, other] = squares;
            if (one != goals[0] && other != goals[1]) || seen.len() > MAX_STATES {
                return None;
            }
            origins.entry(one).or_default().insert(other);
            origins.entry(other).or_default().insert(one);
            for (at, side) in (0..2).flat_map(|at| (0..4).map(move |side| (at, side))) {
                let stand = board.step(squares[at], side);
                if !self.flood.reaches(stand) || !board.is_live(stand) {
                    continue;
                }
                let player = board.step(stand, side);
                if self.flood.is_free(player) {
                    let mut next = squares;
                    next[at] = stand;
                    todo.push((next, player));
                }
            }
        }
        Some(origins)
    }
}

impl<const W: usize> AddedBound<W> for GoalPairs<W> {
    fn reads_frozen(&self) -> bool {
        true
    }

    fn of(&mut self, position: &BoundedPosition<'_, W>) -> Option<u16> {
        let is_lost = self.is_lost(position.board, position.boxes, position.frozen);
        (!is_lost).then_some(0)
    }

    /// A tick for each flood.
    fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }
}

/// Returns whether a box on the square splits the free squares around it.
fn splits_floor<const W: usize>(board: &SearchBoard, frozen: &BitSet<W>, sq: FloorSquare) -> bool {
    let is_free = |next: FloorSquare| next != board.wall() && !frozen.has(next);
    let mut n_runs = 0;
    for dir in 0..4 {
        let here = board.step(sq, dir);
        if !is_free(here) {
            continue;
        }
        let corner = board.step(here, dir + 1);
        let joins_next = is_free(board.step(sq, dir + 1)) && is_free(corner);
        n_runs += usize::from(!joins_next);
    }
    n_runs >= 2
}

#[cfg(test)]
mod tests;
