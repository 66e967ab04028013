//! PI-corrals: enclosed areas that must be opened, and can be opened at once, so that only their boxes need be pushed.
//!
//! ```text
//!   ########
//!   #  $   #      the area on the left is closed by two boxes; every first push of one of them leads into it, and the
//!   #. ###@#      player can make all of those pushes now
//!   #  $   #
//!   ########
//! ```
//!
//! The idea is Brian Damgaard's and Matthias Meger's (*PI-corral*: player can make all pushes, all lead inward). A
//! candidate starts from one area that the player cannot reach, with the boxes that touch it. If a push depends on a
//! further box, that box is added; if it depends on another unreached area, that area is added. So simple corrals,
//! pairs and the whole unreached part are all found by growing. A push that leads out rejects the candidate.
//!
//! **Why nothing is lost**: let some box of the corral still have to move. The first push of one of its boxes in any
//! solution is among those that can be made now. Made now, it does not affect the pushes before it: the box goes to a
//! square that neither player nor box could have entered. So neither solutions nor fewest pushes are lost; fewest moves
//! are. A corral that must be opened and cannot be is a deadlock. One that need not be opened and cannot be is a wall:
//! by the same argument none of its boxes, all on goals, will ever move (Florent Diedler's *frozen corral*).

use crate::Settings;
use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard};

/// The result of a search for corrals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corral<const W: usize> {
    /// Nothing that restricts the pushes.
    None,
    /// Only these boxes need be pushed.
    Only(BitSet<W>),
    /// Some box of a corral must move, and none of them can: a deadlock.
    Dead,
}

/// Which of several corrals is opened first; each choice is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorralChoice {
    /// The one with the fewest possible pushes.
    FewestPushes,
    /// The one with the most boxes on goals, of those the one with the fewest boxes, then the least floor: a corral
    /// around goals may be a deadlock of its own (Florent Diedler).
    MostBoxesOnGoals,
}

impl CorralChoice {
    /// Returns the choice of the settings.
    pub(crate) const fn of(settings: &Settings) -> Self {
        if settings.goal_corrals { Self::MostBoxesOnGoals } else { Self::FewestPushes }
    }
}

/// Scratch space for corrals on one board.
#[derive(Clone, Debug)]
pub(crate) struct PiCorrals {
    choice: CorralChoice,
    /// The area of every square: its number, or [`OUTSIDE`].
    areas: Vec<u8>,
    /// The squares of all areas, one area after the other.
    squares: Vec<u16>,
    /// The index of each area's first square in `squares`.
    starts: Vec<usize>,
    /// The boxes at the sides of each area's squares.
    fences: Vec<u16>,
    /// The index of each area's first box in `fences`.
    fence_starts: Vec<usize>,
    n_areas: u8,
}

const OUTSIDE: u8 = u8::MAX;
/// Areas that are examined; further ones are ignored.
const MAX_AREAS: u8 = 63;

/// A set of areas and boxes that grows until it is a corral or is rejected.
struct Candidate<const W: usize> {
    areas: u64,
    boxes: BitSet<W>,
}

impl PiCorrals {
    /// Makes scratch space.
    pub(crate) fn new(board: &SearchBoard, choice: CorralChoice) -> Self {
        Self {
            choice,
            areas: vec![OUTSIDE; board.n_squares() + 1],
            squares: Vec::new(),
            starts: Vec::new(),
            fences: Vec::new(),
            fence_starts: Vec::new(),
            n_areas: 0,
        }
    }

    /// Looks for the corral to be opened first, after [`PiCorrals::label`] with the same flood.
    pub(crate) fn find<const W: usize>(
        &mut self,
        board: &SearchBoard,
        goals: &BitSet<W>,
        boxes: &BitSet<W>,
        flood: &Flood,
    ) -> Corral<W> {
        self.find_and_freeze(board, goals, boxes, flood, &mut BitSet::default())
    }

    /// As [`PiCorrals::find`], and adds the boxes of corrals that can never be opened, and need not be, to `frozen`.
    pub(crate) fn find_and_freeze<const W: usize>(
        &mut self,
        board: &SearchBoard,
        goals: &BitSet<W>,
        boxes: &BitSet<W>,
        flood: &Flood,
        frozen: &mut BitSet<W>,
    ) -> Corral<W> {
        let (mut best, mut least) = (Corral::None, [usize::MAX; 3]);
        for area in 0..self.n_areas {
            let start = Candidate { areas: 1 << area, boxes: BitSet::default() };
            let Some((corral, n_pushes)) = self.grow(board, boxes, flood, start) else { continue };
            let rank = self.rank(goals, &corral, n_pushes);
            if rank >= least && n_pushes > 0 {
                continue;
            }
            if !self.must_open(board, goals, boxes, &corral) {
                if n_pushes == 0 {
                    corral.boxes.iter().for_each(|sq| frozen.insert(sq));
                }
                continue;
            }
            if n_pushes == 0 {
                return Corral::Dead;
            }
            (best, least) = (Corral::Only(corral.boxes), rank);
        }
        best
    }

    /// The corral of the least rank is opened first.
    fn rank<const W: usize>(&self, goals: &BitSet<W>, corral: &Candidate<W>, n_pushes: usize) -> [usize; 3] {
        if self.choice == CorralChoice::FewestPushes {
            return [n_pushes, 0, 0];
        }
        let n_boxes = corral.boxes.len();
        let n_out = corral.boxes.iter().filter(|&sq| !goals.has(sq)).count();
        let end = |area: usize| self.starts.get(area + 1).copied().unwrap_or(self.squares.len());
        let size = |area: usize| end(area) - self.starts[area];
        let n_squares = (0..self.starts.len()).filter(|area| corral.areas >> area & 1 != 0).map(size).sum();
        [usize::MAX - (n_boxes - n_out), n_boxes, n_squares]
    }

    /// Gives numbers to the areas that the player cannot reach.
    pub(crate) fn label(&mut self, board: &SearchBoard, flood: &Flood) {
        for &sq in &self.squares {
            self.areas[usize::from(sq)] = OUTSIDE;
        }
        self.squares.clear();
        self.starts.clear();
        self.fences.clear();
        self.fence_starts.clear();
        self.n_areas = 0;
        for sq in 0..board.wall() {
            let is_new = self.areas[usize::from(sq)] == OUTSIDE && flood.is_free(sq) && !flood.reaches(sq);
            if is_new && self.n_areas < MAX_AREAS {
                self.spread(board, flood, sq);
            }
        }
    }

    /// Adds the area of this square.
    fn spread(&mut self, board: &SearchBoard, flood: &Flood, sq: u16) {
        let mut head = self.squares.len();
        self.fence_starts.push(self.fences.len());
        self.starts.push(head);
        self.areas[usize::from(sq)] = self.n_areas;
        self.squares.push(sq);
        while let Some(&sq) = self.squares.get(head) {
            head += 1;
            for next in board.steps(sq) {
                if !flood.is_free(next) {
                    if next != board.wall() {
                        self.fences.push(next);
                    }
                } else if self.areas[usize::from(next)] == OUTSIDE {
                    self.areas[usize::from(next)] = self.n_areas;
                    self.squares.push(next);
                }
            }
        }
        self.n_areas += 1;
    }

    /// Returns the number of areas found.
    pub(crate) const fn n_areas(&self) -> u8 {
        self.n_areas
    }

    /// Collects the boxes that touch an area, corners included, and its squares.
    pub(crate) fn collect<const W: usize>(
        &self,
        board: &SearchBoard,
        area: u8,
        all: &BitSet<W>,
        boxes: &mut Vec<u16>,
        inside: &mut Vec<u16>,
    ) {
        boxes.clear();
        inside.clear();
        let area = usize::from(area);
        let end = self.starts.get(area + 1).copied().unwrap_or(self.squares.len());
        inside.extend_from_slice(&self.squares[self.starts[area]..end]);
        let mut touching = BitSet::<W>::default();
        for &sq in &*inside {
            for dir in 0..4 {
                let next = board.step(sq, dir);
                if next == board.wall() {
                    continue;
                }
                let around = [next, board.step(next, dir + 1), board.step(next, dir + 3)];
                around.into_iter().filter(|&sq| all.has(sq)).for_each(|sq| touching.insert(sq));
            }
        }
        boxes.extend(touching.iter());
    }

    fn is_inside(&self, areas: u64, sq: u16) -> bool {
        let area = self.areas[usize::from(sq)];
        area != OUTSIDE && areas >> area & 1 != 0
    }

    /// Adds what its pushes depend on, until nothing is missing; returns the corral and the number of possible pushes,
    /// or `None` if one leads out.
    fn grow<const W: usize>(
        &self,
        board: &SearchBoard,
        all: &BitSet<W>,
        flood: &Flood,
        mut candidate: Candidate<W>,
    ) -> Option<(Candidate<W>, usize)> {
        'again: loop {
            for (area, &start_idx) in self.fence_starts.iter().enumerate() {
                if candidate.areas >> area & 1 != 0 {
                    let end = self.fence_starts.get(area + 1).copied().unwrap_or(self.fences.len());
                    self.fences[start_idx..end].iter().for_each(|&sq| candidate.boxes.insert(sq));
                }
            }
            let mut n_pushes = 0;
            for sq in candidate.boxes.iter() {
                for dir in 0..4 {
                    let (to, stand) = (board.step(sq, dir), board.step(sq, dir ^ 2));
                    if !board.is_live(to) || stand == board.wall() {
                        continue;
                    }
                    // Until a box of the corral has moved, the player is not inside and no box of it gives way.
                    if candidate.boxes.has(to) || candidate.boxes.has(stand) || self.is_inside(candidate.areas, stand) {
                        continue;
                    }
                    if self.is_inside(candidate.areas, to) && flood.reaches(stand) {
                        n_pushes += 1;
                        continue;
                    }
                    // What blocks the push now may give way later, so it has to belong to the corral.
                    let blocker = if flood.reaches(to) || self.is_inside(candidate.areas, to) { stand } else { to };
                    if all.has(blocker) {
                        candidate.boxes.insert(blocker);
                    } else if self.areas[usize::from(blocker)] != OUTSIDE {
                        candidate.areas |= 1 << self.areas[usize::from(blocker)];
                    } else {
                        return None;
                    }
                    if self.is_limited(all.has(blocker), candidate.areas) {
                        return None;
                    }
                    continue 'again;
                }
            }
            return Some((candidate, n_pushes));
        }
    }

    /// Whether a candidate with a further box, or with these areas, is rejected: only in tests, to measure what each
    /// kind of corral saves.
    #[cfg(not(test))]
    const fn is_limited(&self, _: bool, _: u64) -> bool {
        false
    }

    #[cfg(test)]
    fn is_limited(&self, took_box: bool, areas: u64) -> bool {
        tests::KINDS.get().leave_out(took_box, areas)
    }

    /// Whether some box of the corral has to move in every solution.
    fn must_open<const W: usize>(
        &self,
        board: &SearchBoard,
        goals: &BitSet<W>,
        all: &BitSet<W>,
        corral: &Candidate<W>,
    ) -> bool {
        let fills_all = board.goals().len() == board.n_boxes();
        let is_open = |sq: u16| !all.has(sq) && self.is_inside(corral.areas, sq);
        !corral.boxes.is_within(goals) || (fills_all && board.goals().iter().any(|&sq| is_open(sq)))
    }
}

#[cfg(test)]
pub(crate) mod tests;
