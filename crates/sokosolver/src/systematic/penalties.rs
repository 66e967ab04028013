//! Pairs of boxes that are in each other's way, whatever goals they go to: linear conflicts and all others.
//!
//! ```text
//!   #######      each box alone is two pushes from a goal; together one of them has to step aside
//!   #.$$. #
//! ```
//!
//! A pair is *free*, for a region of the player, if its two boxes alone can be brought home to some two targets with no
//! more pushes than each would need without the other; else it costs two pushes more at least (colors of a
//! chessboard: what a box takes beyond its distance is even). All free pairs are found by playing from home, keeping
//! for each state the set of assignments for which it is free.
//!
//! Distances are those of [`SideDistances`] here: only with these does every step waste nothing or something.
//!
//! **Why it may be added**: a solution brings the pair home to some two targets, at their distances and two more, and
//! other boxes only stand in the way. So it holds for any number of pairs without a box in common, on top of a
//! matching of distances on the empty board, and of those by side too, since a step wastes something by just these; not
//! on top of one around frozen boxes, which may count the same detour.

use std::collections::VecDeque;

use sokosearch::{Charge, Stop};

use super::side_distances::SideDistances;
use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Flood, Ground, Way};

/// The pairs that are not free.
#[derive(Debug)]
pub(crate) struct Penalties<const W: usize> {
    /// For each square the squares of boxes that it may be in conflict with.
    partners: Vec<Bits<W>>,
    /// For each pair of squares the sides on which the player finds a conflict.
    sides: Vec<u8>,
    _charge: Charge,
}

/// The making of [`Penalties`], which can be paused.
#[derive(Debug)]
pub(crate) struct PenaltyMaker {
    way: Way,
    n_targets: usize,
    /// For each pair, side and target of the first box: targets of the second.
    free: Vec<u64>,
    /// For each square and side: the targets from which a step back to that side leads one push away.
    away: Vec<u64>,
    queued: Vec<u8>,
    todo: VecDeque<([u16; 2], u8)>,
    flood: Flood,
    seeded: bool,
    charge: Charge,
}

impl PenaltyMaker {
    /// Bytes up to which the table is made.
    const MAX_BYTES: usize = 48 << 20;

    /// Prepares the making; `None` if the board is too large, has too many targets, or there is no memory.
    pub(crate) fn new(ground: &Ground, way: Way, effort: &Effort) -> Option<Self> {
        let n_live = ground.n_live();
        let n_targets = match way {
            Way::Forward => ground.goals().len(),
            Way::Backward => ground.starts().len(),
        };
        let n_pairs = n_live * n_live.saturating_sub(1) / 2;
        let n_bytes = n_pairs * 8 * (n_targets * 8 + 2);
        if n_targets > 64 || ground.n_boxes() < 2 || n_bytes > Self::MAX_BYTES {
            return None;
        }
        let charge = effort.memory().charge(n_bytes as u64).ok()?;
        let distances = SideDistances::new(ground, way);
        let mut away = vec![0; n_live * 4];
        for (sq, side) in (0..u16::try_from(n_live).ok()?).flat_map(|sq| (0..4).map(move |side| (sq, side))) {
            let back = match way {
                Way::Forward => ground.step(sq, side),
                Way::Backward => ground.step(sq, side ^ 2),
            };
            if !ground.is_live(back) {
                continue;
            }
            let pairs = distances.row(sq, side).iter().zip(distances.row(back, side));
            let is_away = |(&here, &there): (&u16, &u16)| here != u16::MAX && there == here + 1;
            for (target, _) in pairs.enumerate().filter(|&(_, pair)| is_away(pair)) {
                away[usize::from(sq) * 4 + side] |= 1 << target;
            }
        }
        Some(Self {
            way,
            n_targets,
            free: vec![0; n_pairs * 8 * n_targets],
            away,
            queued: vec![0; n_pairs],
            todo: VecDeque::new(),
            flood: Flood::new(ground),
            seeded: false,
            charge,
        })
    }

    /// Goes on; once it returns, [`PenaltyMaker::finish`] gives the table.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn go_on(&mut self, ground: &Ground, effort: &mut Effort) -> Result<(), Stop> {
        if !self.seeded {
            self.seed(ground);
            self.seeded = true;
        }
        while !self.todo.is_empty() {
            effort.tick()?;
            if let Some((squares, bit)) = self.todo.pop_front() {
                self.queued[index(squares)] &= !(1 << bit);
                self.expand(ground, squares, bit);
            }
        }
        Ok(())
    }

    fn seed(&mut self, ground: &Ground) {
        let targets = match self.way {
            Way::Forward => ground.goals(),
            Way::Backward => ground.starts(),
        };
        for one in 0..targets.len() {
            for other in (0..targets.len()).filter(|&other| targets[one] < targets[other]) {
                let squares = [targets[one], targets[other]];
                let mut assignments = vec![0; self.n_targets];
                assignments[one] = 1 << other;
                for bit in 0..8 {
                    let stand = ground.step(squares[bit / 4], bit % 4);
                    if stand != ground.wall() && !squares.contains(&stand) {
                        self.add(ground, squares, stand, &assignments);
                    }
                }
            }
        }
    }

    /// Floods from the player; returns the name of his region, its first side, if it touches a box.
    fn region(&mut self, ground: &Ground, squares: [u16; 2], player: u16) -> Option<u8> {
        self.flood.place(squares.into_iter());
        self.flood.spread(ground, player);
        (0..8).find(|&bit| self.flood.reaches(ground.step(squares[usize::from(bit) / 4], usize::from(bit) % 4)))
    }

    /// Takes note that the state is free for these assignments.
    fn add(&mut self, ground: &Ground, squares: [u16; 2], player: u16, assignments: &[u64]) {
        let Some(bit) = self.region(ground, squares, player) else { return };
        let pair = index(squares);
        let start = (pair * 8 + usize::from(bit)) * self.n_targets;
        let known = &mut self.free[start..start + self.n_targets];
        let mut is_new = false;
        for (known, new) in known.iter_mut().zip(assignments) {
            is_new |= new & !*known != 0;
            *known |= new;
        }
        if is_new && self.queued[pair] >> bit & 1 == 0 {
            self.queued[pair] |= 1 << bit;
            self.todo.push_back((squares, bit));
        }
    }

    /// Plays back from a state all steps that waste nothing for some of its assignments.
    fn expand(&mut self, ground: &Ground, squares: [u16; 2], bit: u8) {
        let player = ground.step(squares[usize::from(bit) / 4], usize::from(bit) % 4);
        self.region(ground, squares, player);
        let start = (index(squares) * 8 + usize::from(bit)) * self.n_targets;
        let free = self.free[start..start + self.n_targets].to_vec();
        let mut steps = Vec::new();
        for (at, side) in (0..2).flat_map(|at| (0..4).map(move |side| (at, side))) {
            let stand = ground.step(squares[at], side);
            if !self.flood.reaches(stand) {
                continue;
            }
            let (to, player) = match self.way {
                Way::Forward => (stand, ground.step(stand, side)),
                Way::Backward => (ground.step(squares[at], side ^ 2), squares[at]),
            };
            let room = if self.way == Way::Forward { player } else { to };
            if ground.is_live(to) && self.flood.is_free(room) {
                steps.push((at, side, to, player));
            }
        }
        for (at, side, to, player) in steps {
            let away = self.away[usize::from(squares[at]) * 4 + side];
            let mut kept = free.clone();
            for (target, others) in kept.iter_mut().enumerate() {
                *others &= if at == 1 { away } else { 0u64.wrapping_sub(away >> target & 1) };
            }
            if kept.iter().all(|&others| others == 0) {
                continue;
            }
            let mut next = squares;
            next[at] = to;
            if next[0] > next[1] {
                next.swap(0, 1);
                kept = transposed(&kept);
            }
            self.add(ground, next, player, &kept);
        }
    }

    /// Makes the table.
    pub(crate) fn finish<const W: usize>(mut self, ground: &Ground, effort: &Effort) -> Penalties<W> {
        let n_live = ground.n_live();
        let mut sides = vec![u8::MAX; self.queued.len()];
        let mut partners = vec![Bits::default(); n_live];
        let small = u16::try_from(n_live).unwrap_or(u16::MAX);
        for squares in (1..small).flat_map(|other| (0..other).map(move |one| [one, other])) {
            let pair = index(squares);
            let mut is_free = [false; 8];
            for (bit, free) in is_free.iter_mut().enumerate() {
                let start = (pair * 8 + bit) * self.n_targets;
                *free = self.free[start..start + self.n_targets].iter().any(|&others| others != 0);
            }
            let mut conflicts = 0u8;
            for bit in 0..8 {
                let stand = ground.step(squares[bit / 4], bit % 4);
                let region = if stand == ground.wall() || squares.contains(&stand) {
                    None
                } else if is_free[bit] {
                    continue;
                } else {
                    self.region(ground, squares, stand)
                };
                if region.is_none_or(|region| !is_free[usize::from(region)]) {
                    conflicts |= 1 << bit;
                }
            }
            sides[pair] = conflicts;
            let has_any = (0..8).any(|bit| {
                let stand = ground.step(squares[bit / 4], bit % 4);
                conflicts >> bit & 1 != 0 && stand != ground.wall() && !squares.contains(&stand)
            });
            if has_any {
                partners[usize::from(squares[0])].insert(squares[1]);
            }
        }
        let bytes = sides.len() + partners.len() * size_of::<Bits<W>>();
        drop(self.charge);
        let charge = effort.memory().charge(bytes as u64).unwrap_or_else(|_| effort.memory().nothing());
        Penalties { partners, sides, _charge: charge }
    }
}

impl<const W: usize> Penalties<W> {
    /// What a pair in conflict takes beyond its distances.
    const PUSHES: u16 = 2;

    /// Returns whether some two boxes may be in conflict, whoever asks.
    #[inline]
    pub(crate) fn may_apply(&self, boxes: &Bits<W>) -> bool {
        boxes.iter().any(|sq| self.partners[usize::from(sq)].meets(boxes))
    }

    /// Returns the pushes that pairs without a box in common take beyond their distances, after a flood from the
    /// player around all boxes.
    pub(crate) fn of(&self, ground: &Ground, boxes: &Bits<W>, flood: &Flood) -> u16 {
        let mut left = *boxes;
        let mut sum = 0;
        for sq in boxes.iter() {
            if !left.has(sq) {
                continue;
            }
            let partners = self.partners[usize::from(sq)];
            let partner =
                left.iter().find(|&other| partners.has(other) && self.is_conflict(ground, [sq, other], flood));
            if let Some(partner) = partner {
                left.remove(sq);
                left.remove(partner);
                sum += Self::PUSHES;
            }
        }
        sum
    }

    /// A player who touches neither box may be in any region.
    fn is_conflict(&self, ground: &Ground, squares: [u16; 2], flood: &Flood) -> bool {
        let conflicts = self.sides[index(squares)];
        let touched = (0..8).find(|&bit| flood.reaches(ground.step(squares[bit / 4], bit % 4)));
        touched.map_or(conflicts == u8::MAX, |bit| conflicts >> bit & 1 != 0)
    }
}

/// The number of an ascending pair.
fn index([one, other]: [u16; 2]) -> usize {
    let (one, other) = (usize::from(one), usize::from(other));
    other * (other - 1) / 2 + one
}

fn transposed(rows: &[u64]) -> Vec<u64> {
    let mut columns = vec![0; rows.len()];
    for (at, &row) in rows.iter().enumerate() {
        let mut rest = row;
        while rest != 0 {
            columns[rest.trailing_zeros() as usize] |= 1 << at;
            rest &= rest - 1;
        }
    }
    columns
}
