//! Whether displacements, one for each limit, lead from one configuration to another.
//!
//! Boxes on *wrong* squares must move to *missing* squares, so nearly always the question is whether the wrong and the
//! missing squares can be paired such that each pair is within a limit of its own, the larger limits for the farther
//! pairs. Only where limits are to spare, detours are tried: a box that moves to another square first, or a box on a right
//! square that is replaced by another one.

use sokocore::Board;

use crate::store::bits::toggle_both;
use crate::{LiveIndex, Rings, Stop};

/// The most limits.
pub(super) const MAX_LIMITS: usize = 4;
/// Beyond the last limit.
const NO_LIMIT: u8 = 4;

/// The limits, square by square.
#[derive(Debug)]
pub(super) struct Displacements<const K: usize> {
    n_live: usize,
    n_limits: usize,
    /// For each two squares, the first limit within which the one is near the other; `NO_LIMIT` if there is none.
    first_limits: Vec<u8>,
    /// For each limit and square, the squares that a box may move to.
    targets: Vec<[u64; K]>,
}

/// A configuration, and those of its boxes that may be displaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovableConfig<const K: usize> {
    pub(super) boxes: [u64; K],
    pub(super) movable: [u64; K],
}

/// The first displacement of a sequence that has more of them than there are wrong boxes.
#[derive(Clone, Copy)]
struct Detour {
    origin: DetourOrigin,
    target: DetourTarget,
    /// Displacements to spare that it needs.
    n_spare: usize,
}

/// The box that a detour displaces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DetourOrigin {
    Wrong,
    Right,
}

/// The square that a detour displaces a box to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DetourTarget {
    Missing,
    Other,
}

/// All detours, in the order in which they are tried.
const DETOURS: [Detour; 4] = [
    Detour { origin: DetourOrigin::Wrong, target: DetourTarget::Missing, n_spare: 1 },
    Detour { origin: DetourOrigin::Wrong, target: DetourTarget::Other, n_spare: 1 },
    Detour { origin: DetourOrigin::Right, target: DetourTarget::Missing, n_spare: 1 },
    Detour { origin: DetourOrigin::Right, target: DetourTarget::Other, n_spare: 2 },
];

impl<const K: usize> MovableConfig<K> {
    fn with_shifted(mut self, from: usize, to: usize) -> Self {
        for boxes in [&mut self.boxes, &mut self.movable] {
            toggle_both(boxes, from, to);
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

    /// Returns whether displacements lead from a configuration to the key; counts the displacements tried.
    pub(super) fn reaches(&self, from: MovableConfig<K>, key: &[u64; K], n_tried: &mut u64) -> bool {
        self.reaches_from(from, key, 0, n_tried)
    }

    /// Whether displacements by the limits from `depth` on lead to the key.
    fn reaches_from(&self, from: MovableConfig<K>, key: &[u64; K], depth: usize, n_tried: &mut u64) -> bool {
        *n_tried += 1;
        let (mut wrong, mut missing) = (FewBits::default(), FewBits::default());
        for (at, (&there, &wanted)) in from.boxes.iter().zip(key).enumerate() {
            // A wrong box that may not be displaced stays wrong.
            let may = there & !wanted & !from.movable[at] == 0;
            if !may || !wrong.add(there & !wanted, at) || !missing.add(wanted & !there, at) {
                return false;
            }
        }
        let left = self.n_limits - depth;
        if wrong.n > left {
            return false;
        }
        // The largest limits are used for the pairs.
        let limits = (1 << self.n_limits) - (1 << (self.n_limits - wrong.n));
        self.pair(wrong.bits(), &missing, (1 << missing.n) - 1, limits)
            || (wrong.n > 0 && wrong.n < left && self.reaches_by_detour(from, key, wrong.n, depth, n_tried))
    }

    /// Whether the wrong boxes can move to the missing squares in the bit set `free`, each within another of the limits
    /// in the bit set `limits`.
    fn pair(&self, wrong: &[u16], missing: &FewBits, free: u32, limits: u32) -> bool {
        let Some((&origin, rest)) = wrong.split_first() else { return true };
        missing.bits().iter().enumerate().filter(|(at, _)| free >> at & 1 != 0).any(|(at, &target)| {
            let first = self.first_limits[usize::from(origin) * self.n_live + usize::from(target)];
            // The least limit is the best choice: a larger one serves more of the others.
            let usable = limits >> first << first;
            usable != 0 && self.pair(rest, missing, free ^ 1 << at, limits ^ (usable & usable.wrapping_neg()))
        })
    }

    /// Whether displacements lead to the key if one of those to spare uses the limit `depth` or a later one.
    fn reaches_by_detour(
        &self,
        from: MovableConfig<K>,
        key: &[u64; K],
        n_wrong: usize,
        depth: usize,
        n_tried: &mut u64,
    ) -> bool {
        let to_spare = self.n_limits - depth - n_wrong;
        if to_spare > 1 && self.reaches_by_detour(from, key, n_wrong, depth + 1, n_tried) {
            return true;
        }
        DETOURS.into_iter().any(|detour| {
            let is_last =
                detour.origin == DetourOrigin::Wrong && detour.target == DetourTarget::Missing && n_wrong == 1;
            detour.n_spare <= to_spare && !is_last && self.reaches_after(from, key, depth, detour, n_tried)
        })
    }

    /// Whether displacements lead to the key after a first one within the limit `depth`.
    fn reaches_after(
        &self,
        from: MovableConfig<K>,
        key: &[u64; K],
        depth: usize,
        detour: Detour,
        n_tried: &mut u64,
    ) -> bool {
        let origins: [u64; K] = std::array::from_fn(|at| match detour.origin {
            DetourOrigin::Wrong => from.movable[at] & !key[at],
            DetourOrigin::Right => from.movable[at] & key[at],
        });
        LiveIndex::bits_of(&origins).any(|origin| {
            let reach = self.targets[depth * self.n_live + origin];
            let targets: [u64; K] = std::array::from_fn(|at| match detour.target {
                DetourTarget::Missing => reach[at] & !from.boxes[at] & key[at],
                DetourTarget::Other => reach[at] & !from.boxes[at] & !key[at],
            });
            LiveIndex::bits_of(&targets)
                .any(|to| self.reaches_from(from.with_shifted(origin, to), key, depth + 1, n_tried))
        })
    }
}

/// Up to as many bits as there are limits.
#[derive(Clone, Copy, Debug, Default)]
struct FewBits {
    bits: [u16; MAX_LIMITS],
    n: usize,
}

impl FewBits {
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
