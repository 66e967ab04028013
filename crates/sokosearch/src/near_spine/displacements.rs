//! Whether displacements, one for each limit, lead from one configuration to another.
//!
//! Boxes that stand *wrong* have to go where one is *missing*, so nearly always the question is whether the wrong
//! boxes and the missing ones can be paired such that each pair is within a limit of its own, the larger limits for
//! the farther pairs. Only where limits are left over, detours are tried: a box that goes somewhere else first, or one
//! that stands right and changes its place with another.

use sokocore::Board;

use crate::{LiveIndex, Rings, Stop};

/// The most limits.
pub(super) const MAX_LIMITS: usize = 4;
/// Comes after all limits.
const NO_LIMIT: u8 = 4;

/// The limits, square by square.
#[derive(Debug)]
pub(super) struct Displacements<const K: usize> {
    n_live: usize,
    n_limits: usize,
    /// For each two squares the first limit that lets a box go from one to the other; `NO_LIMIT` if none does.
    first_limits: Vec<u8>,
    /// For each limit and square, where a box may go.
    targets: Vec<[u64; K]>,
}

/// A configuration, and those of its boxes that may be displaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<const K: usize> {
    pub(super) boxes: [u64; K],
    pub(super) movable: [u64; K],
}

impl<const K: usize> Placed<K> {
    fn with_shifted(mut self, from: usize, to: usize) -> Self {
        for boxes in [&mut self.boxes, &mut self.movable] {
            boxes[from / 64] ^= 1 << (from % 64);
            boxes[to / 64] ^= 1 << (to % 64);
        }
        self
    }
}

impl<const K: usize> Displacements<K> {
    /// Bytes that the tables take.
    pub(super) const fn bytes(n_live: usize, n_limits: usize) -> usize {
        n_live * n_live + 8 * K * n_limits * n_live
    }

    /// Makes the tables for ascending limits.
    pub(super) fn new(board: &Board, live: &LiveIndex, rings: &mut Rings, limits: &[usize]) -> Result<Self, Stop> {
        let (n_live, n_limits) = (live.n_live(), limits.len());
        let mut first_limits = vec![NO_LIMIT; n_live * n_live];
        let mut targets = vec![[0; K]; n_limits * n_live];
        for origin in 0..n_live {
            for (rank, &target) in rings.of(board, live, origin)?.iter().enumerate() {
                let target = target as usize;
                for (number, _) in (0_u8..).zip(limits).filter(|&(_, &limit)| rank <= limit) {
                    let first = &mut first_limits[origin * n_live + target];
                    *first = number.min(*first);
                    targets[usize::from(number) * n_live + origin][target / 64] |= 1 << (target % 64);
                }
            }
        }
        Ok(Self { n_live, n_limits, first_limits, targets })
    }

    /// Returns whether displacements lead from a configuration to the key; counts those that it tries.
    pub(super) fn lead(&self, from: Placed<K>, key: &[u64; K], n_tried: &mut u64) -> bool {
        self.lead_on((from, key), 0, n_tried)
    }

    /// Whether displacements by the limits from `depth` on lead to the key.
    fn lead_on(&self, (from, key): (Placed<K>, &[u64; K]), depth: usize, n_tried: &mut u64) -> bool {
        *n_tried += 1;
        let (mut wrong, mut missing) = (Few::default(), Few::default());
        for (at, (&there, &wanted)) in from.boxes.iter().zip(key).enumerate() {
            // Wrong boxes that may not be displaced never get right.
            let may = there & !wanted & !from.movable[at] == 0;
            if !may || !wrong.add(there & !wanted, at) || !missing.add(wanted & !there, at) {
                return false;
            }
        }
        let left = self.n_limits - depth;
        if wrong.n > left {
            return false;
        }
        // The largest limits are for these.
        let limits = (1 << self.n_limits) - (1 << (self.n_limits - wrong.n));
        self.pair(wrong.bits(), &missing, (1 << missing.n) - 1, limits)
            || (wrong.n > 0 && wrong.n < left && self.lead_round((from, key), wrong.n, depth, n_tried))
    }

    /// Whether the wrong boxes can go to those of the missing that are given by bits, with a limit each of those given
    /// by bits.
    fn pair(&self, wrong: &[u16], missing: &Few, free: u32, limits: u32) -> bool {
        let Some((&origin, rest)) = wrong.split_first() else { return true };
        missing.bits().iter().enumerate().filter(|(at, _)| free >> at & 1 != 0).any(|(at, &target)| {
            let first = self.first_limits[usize::from(origin) * self.n_live + usize::from(target)];
            // The least limit will do: a larger one does for more of the others.
            let usable = limits >> first << first;
            usable != 0 && self.pair(rest, missing, free ^ 1 << at, limits ^ (usable & usable.wrapping_neg()))
        })
    }

    /// Whether displacements lead to the key if one of those to spare is made by the limit `depth` or a later one.
    fn lead_round(&self, ends: (Placed<K>, &[u64; K]), n_wrong: usize, depth: usize, n_tried: &mut u64) -> bool {
        let to_spare = self.n_limits - depth - n_wrong;
        if to_spare > 1 && self.lead_round(ends, n_wrong, depth + 1, n_tried) {
            return true;
        }
        // Boxes that stand wrong go to where one is missing, as a start; or elsewhere. Boxes that stand right go where
        // one is missing; if two are to spare, elsewhere.
        let ways = [(true, true, 1), (true, false, 1), (false, true, 1), (false, false, 2)];
        ways.into_iter().any(|(wrong, missing, spare)| {
            let is_last = wrong && missing && n_wrong == 1;
            spare <= to_spare && !is_last && self.lead_by(ends, depth, (wrong, missing), n_tried)
        })
    }

    /// Whether a displacement by the limit `depth` of a box that stands wrong, or right, to where one is missing, or to
    /// elsewhere, leads on.
    fn lead_by(
        &self,
        (from, key): (Placed<K>, &[u64; K]),
        depth: usize,
        (wrong, missing): (bool, bool),
        n_tried: &mut u64,
    ) -> bool {
        let side = |is_in: bool, at: usize| if is_in { key[at] } else { !key[at] };
        let origins: [u64; K] = std::array::from_fn(|at| from.movable[at] & side(!wrong, at));
        LiveIndex::bits_of(&origins).any(|origin| {
            let reach = self.targets[depth * self.n_live + origin];
            let targets: [u64; K] = std::array::from_fn(|at| reach[at] & !from.boxes[at] & side(missing, at));
            LiveIndex::bits_of(&targets)
                .any(|to| self.lead_on((from.with_shifted(origin, to), key), depth + 1, n_tried))
        })
    }
}

/// Up to as many bits as there can be limits.
#[derive(Clone, Copy, Debug, Default)]
struct Few {
    bits: [u16; MAX_LIMITS],
    n: usize,
}

impl Few {
    /// Adds the bits of a word; returns whether there was room for them.
    #[inline]
    fn add(&mut self, word: u64, at: usize) -> bool {
        let mut rest = word;
        while rest != 0 {
            let Some(place) = self.bits.get_mut(self.n) else { return false };
            *place = u16::try_from(at * 64 + rest.trailing_zeros() as usize).unwrap_or(u16::MAX);
            self.n += 1;
            rest &= rest - 1;
        }
        true
    }

    fn bits(&self) -> &[u16] {
        &self.bits[..self.n]
    }
}
