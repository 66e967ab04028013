//! Enclosed areas that must be opened first, and can be opened at once: only their boxes need be pushed.
//!
//! ```text
//!   ########
//!   #  $   #      the area on the left is closed by two boxes; every push that these can ever make before one of
//!   #. ###@#      them has moved leads into it, and the player can make all of those now
//!   #  $   #
//!   ########
//! ```
//!
//! The idea is Brian Damgaard's and Matthias Meger's (*PI-corral*: player can make all pushes, all lead inward).
//! A candidate starts from one area that the player cannot reach, with the boxes that touch it. A push that depends
//! on a box beyond takes in that box; one that depends on another unreached area takes in that area: so simple
//! corrals, pairs and the whole unreached part are all found by growing. A push that leads out rejects it.
//!
//! **Why nothing is lost**: let some box of the corral still have to move. The first push of one of its boxes in any
//! solution is among those that can be made now, and made now it takes nothing from the pushes before it: the box
//! goes to a square that neither player nor box could have entered. So neither solutions nor fewest pushes are lost;
//! fewest moves are. A corral that must be opened and cannot be is a deadlock. One that need not be and cannot be is a
//! wall: by the same argument none of its boxes, all on goals, will ever move (Florent Diedler's *frozen corral*).

use crate::Settings;
use crate::bits::Bits;
use crate::ground::{Flood, Ground};

/// What a search for corrals has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corral<const W: usize> {
    /// Nothing that restricts the pushes.
    None,
    /// Only these boxes need be pushed.
    Only(Bits<W>),
    /// Some box must move and none of its corral can.
    Dead,
}

/// Which corral is opened first where there are several; each would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The one with the fewest pushes to be made now.
    FewestPushes,
    /// The one with the most boxes on goals, of those the one with the fewest boxes, then the least floor: a corral
    /// around goals may be a deadlock of its own (Florent Diedler).
    MostHome,
}

impl Choice {
    /// What the settings ask for.
    pub(crate) const fn of(settings: &Settings) -> Self {
        if settings.goal_corrals { Self::MostHome } else { Self::FewestPushes }
    }
}

/// Scratch space for corrals on one ground.
#[derive(Clone, Debug)]
pub(crate) struct PiCorrals {
    choice: Choice,
    /// The area of every square: its number, or [`OUTSIDE`].
    areas: Vec<u8>,
    /// The squares of all areas, one area after the other.
    squares: Vec<u16>,
    /// Where each area begins in `squares`.
    begins: Vec<usize>,
    /// The boxes at the sides of each area's squares.
    fences: Vec<u16>,
    /// Where those of each area begin in `fences`.
    fence_begins: Vec<usize>,
    n_areas: u8,
}

const OUTSIDE: u8 = u8::MAX;
/// Areas that are told apart; more are left alone.
const MAX_AREAS: u8 = 63;

/// A set of areas and boxes on the way to become a corral.
struct Candidate<const W: usize> {
    areas: u64,
    boxes: Bits<W>,
}

impl PiCorrals {
    /// Makes scratch space.
    pub(crate) fn new(ground: &Ground, choice: Choice) -> Self {
        Self {
            choice,
            areas: vec![OUTSIDE; ground.n_squares() + 1],
            squares: Vec::new(),
            begins: Vec::new(),
            fences: Vec::new(),
            fence_begins: Vec::new(),
            n_areas: 0,
        }
    }

    /// Looks for the corral to be opened first, after [`PiCorrals::label`] with the same flood.
    pub(crate) fn find<const W: usize>(
        &mut self,
        ground: &Ground,
        goals: &Bits<W>,
        boxes: &Bits<W>,
        flood: &Flood,
    ) -> Corral<W> {
        self.find_and_freeze(ground, goals, boxes, flood, &mut Bits::default())
    }

    /// As [`PiCorrals::find`], and adds the boxes of corrals that can never be opened, and need not be, to `frozen`.
    pub(crate) fn find_and_freeze<const W: usize>(
        &mut self,
        ground: &Ground,
        goals: &Bits<W>,
        boxes: &Bits<W>,
        flood: &Flood,
        frozen: &mut Bits<W>,
    ) -> Corral<W> {
        let (mut best, mut least) = (Corral::None, [usize::MAX; 3]);
        for area in 0..self.n_areas {
            let start = Candidate { areas: 1 << area, boxes: Bits::default() };
            let Some((corral, n_pushes)) = self.grow(ground, boxes, flood, start) else { continue };
            let rank = self.rank(goals, &corral, n_pushes);
            if rank >= least && n_pushes > 0 {
                continue;
            }
            if !self.must_open(ground, goals, boxes, &corral) {
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
    fn rank<const W: usize>(&self, goals: &Bits<W>, corral: &Candidate<W>, n_pushes: usize) -> [usize; 3] {
        if self.choice == Choice::FewestPushes {
            return [n_pushes, 0, 0];
        }
        let n_boxes = corral.boxes.len();
        let n_out = corral.boxes.iter().filter(|&sq| !goals.has(sq)).count();
        let end = |area: usize| self.begins.get(area + 1).copied().unwrap_or(self.squares.len());
        let size = |area: usize| end(area) - self.begins[area];
        let n_squares = (0..self.begins.len()).filter(|area| corral.areas >> area & 1 != 0).map(size).sum();
        [usize::MAX - (n_boxes - n_out), n_boxes, n_squares]
    }

    /// Gives numbers to the areas that the player cannot reach.
    pub(crate) fn label(&mut self, ground: &Ground, flood: &Flood) {
        for &sq in &self.squares {
            self.areas[usize::from(sq)] = OUTSIDE;
        }
        self.squares.clear();
        self.begins.clear();
        self.fences.clear();
        self.fence_begins.clear();
        self.n_areas = 0;
        for sq in 0..ground.wall() {
            let is_new = self.areas[usize::from(sq)] == OUTSIDE && flood.is_free(sq) && !flood.reaches(sq);
            if is_new && self.n_areas < MAX_AREAS {
                self.spread(ground, flood, sq);
            }
        }
    }

    /// Takes in the area of this square.
    fn spread(&mut self, ground: &Ground, flood: &Flood, sq: u16) {
        let mut head = self.squares.len();
        self.fence_begins.push(self.fences.len());
        self.begins.push(head);
        self.areas[usize::from(sq)] = self.n_areas;
        self.squares.push(sq);
        while let Some(&sq) = self.squares.get(head) {
            head += 1;
            for next in ground.steps(sq) {
                if !flood.is_free(next) {
                    if next != ground.wall() {
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
        ground: &Ground,
        area: u8,
        all: &Bits<W>,
        boxes: &mut Vec<u16>,
        inside: &mut Vec<u16>,
    ) {
        boxes.clear();
        inside.clear();
        let area = usize::from(area);
        let end = self.begins.get(area + 1).copied().unwrap_or(self.squares.len());
        inside.extend_from_slice(&self.squares[self.begins[area]..end]);
        let mut touching = Bits::<W>::default();
        for &sq in &*inside {
            for dir in 0..4 {
                let next = ground.step(sq, dir);
                if next == ground.wall() {
                    continue;
                }
                let around = [next, ground.step(next, dir + 1), ground.step(next, dir + 3)];
                around.into_iter().filter(|&sq| all.has(sq)).for_each(|sq| touching.insert(sq));
            }
        }
        boxes.extend(touching.iter());
    }

    fn is_inside(&self, areas: u64, sq: u16) -> bool {
        let area = self.areas[usize::from(sq)];
        area != OUTSIDE && areas >> area & 1 != 0
    }

    /// Takes in what its pushes depend on; returns the corral and how many pushes can be made, or `None` if one
    /// leads out.
    fn grow<const W: usize>(
        &self,
        ground: &Ground,
        all: &Bits<W>,
        flood: &Flood,
        mut candidate: Candidate<W>,
    ) -> Option<(Candidate<W>, usize)> {
        'again: loop {
            for (area, &begin) in self.fence_begins.iter().enumerate() {
                if candidate.areas >> area & 1 != 0 {
                    let end = self.fence_begins.get(area + 1).copied().unwrap_or(self.fences.len());
                    self.fences[begin..end].iter().for_each(|&sq| candidate.boxes.insert(sq));
                }
            }
            let mut n_pushes = 0;
            for sq in candidate.boxes.iter() {
                for dir in 0..4 {
                    let (to, stand) = (ground.step(sq, dir), ground.step(sq, dir ^ 2));
                    if !ground.is_live(to) || stand == ground.wall() {
                        continue;
                    }
                    // Until a box of the corral has moved, nobody stands inside and none of them gives way.
                    if candidate.boxes.has(to) || candidate.boxes.has(stand) || self.is_inside(candidate.areas, stand) {
                        continue;
                    }
                    if self.is_inside(candidate.areas, to) && flood.reaches(stand) {
                        n_pushes += 1;
                        continue;
                    }
                    // Whatever bars the push now may give way: it has to belong to the corral.
                    let bar = if flood.reaches(to) || self.is_inside(candidate.areas, to) { stand } else { to };
                    if all.has(bar) {
                        candidate.boxes.insert(bar);
                    } else if self.areas[usize::from(bar)] != OUTSIDE {
                        candidate.areas |= 1 << self.areas[usize::from(bar)];
                    } else {
                        return None;
                    }
                    if self.is_limited(all.has(bar), candidate.areas) {
                        return None;
                    }
                    continue 'again;
                }
            }
            return Some((candidate, n_pushes));
        }
    }

    /// Whether a candidate that took in a box beyond, or has these areas, is not looked at: only in tests, to see what
    /// each kind of corral is worth.
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
        ground: &Ground,
        goals: &Bits<W>,
        all: &Bits<W>,
        corral: &Candidate<W>,
    ) -> bool {
        let fills_all = ground.goals().len() == ground.n_boxes();
        let is_open = |sq: u16| !all.has(sq) && self.is_inside(corral.areas, sq);
        !corral.boxes.is_within(goals) || (fills_all && ground.goals().iter().any(|&sq| is_open(sq)))
    }
}

#[cfg(test)]
pub(crate) mod tests;
