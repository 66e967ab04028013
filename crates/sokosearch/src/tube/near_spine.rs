//! Membership in the tube, tested when a search generates a configuration.
//!
//! The same set as [`crate::Tube`], except for frozen configurations, which a backward search never generates; but the
//! tube is not generated: of a tube of millions of configurations a search often reaches a tenth.
//!
//! A configuration is near a spine state if displacements, one for each limit, lead from the state to it. Each displaces
//! one box, so at most as many boxes of the configuration may be missing in the state as there are limits. That rules out
//! nearly all states, 128 of them at a time:
//!
//! ```text
//!  bit for each state     0 1 2 3 4 5 6 7        for every square: the states that have no box there
//!  no box on square 5     . . . 1 1 1 1 1
//!  no box on square 8     1 1 . . . . 1 1        for the boxes of a configuration, one by one: the states in which
//!  no box on square 9     1 1 1 1 . . . .        at least 1, 2, ... of them are missing
//!  at least 1 missing     1 1 1 1 1 1 1 1
//!  at least 2 missing     1 1 . 1 . . 1 1        with one limit, only states 2, 4 and 5 are left
//! ```
//!
//! This test runs in registers alone, so it comes before the look-up in the table of reached configurations. The results
//! of all pulls from one configuration differ from it in one box each: so missing boxes are counted once for that
//! configuration, with thresholds for one more and one fewer as well, and each pull costs only a few operations.
//! Most configurations are on the border of the tube: as many boxes are missing in the nearest states as there are limits.
//! From there a pull leads to a configuration of the tube only if its box is missing in such a state, or if such a state has
//! a box on the target square; both, if one box more is missing in the state. No other pulls are generated (see
//! [`ShiftsWithin`]).
//! The states that are left are decided by trying displacements (see `displacements`).

mod displacements;

use sokocore::Board;

use self::displacements::{Displacements, MovableConfig};
use super::movable::Movable;
use super::spine::SpineRange;
use crate::store::bits::{BoxShift, union_with};
use crate::{Charge, LiveIndex, MemoryAccount, Neighborhood, Rings, Stop};

/// The most limits that a membership test supports.
pub(crate) const MAX_LIMITS: usize = displacements::MAX_LIMITS;
/// Words of states that are tested together.
const CHUNK: usize = 2;
/// States in them.
const CHUNK_STATES: usize = 64 * CHUNK;

/// A neighborhood, with the numbers of the first and the last spine state that it lies around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpineNeighborhood<'a> {
    pub(crate) neighborhood: &'a Neighborhood,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// The neighborhoods of a window of the spine, for keys of up to `K` words.
#[derive(Debug)]
pub(crate) struct NearSpine<const K: usize> {
    n_live: usize,
    n_limits: usize,
    states: Vec<MovableConfig<K>>,
    /// For each chunk of states, for each live square: which of them have no box there. States beyond the last have
    /// none anywhere.
    lacking: Vec<[u64; CHUNK]>,
    /// Boxes that all states of a chunk share, and that any of them has.
    chunk_boxes: Vec<BoxesOfStates<K>>,
    displacements: Displacements<K>,
    _charge: Charge,
}

/// The boxes that all of some states have, and those that any has.
#[derive(Clone, Copy, Debug)]
struct BoxesOfStates<const K: usize> {
    all: [u64; K],
    any: [u64; K],
}

/// The states of one chunk that a configuration may be near.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NearStates {
    chunk: usize,
    states: [u64; CHUNK],
    n_chunks_left: usize,
}

/// The states of a chunk in which so few boxes of a configuration are missing that the limits suffice if one more is
/// missing, as it is, and if one fewer is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkVicinity {
    chunk: usize,
    states: [[u64; CHUNK]; 3],
    n_chunks_left: usize,
}

/// The shifts of one box after which a configuration on the border of the tube may still be near a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShiftsWithin<const K: usize> {
    /// Those with one of these ends or both: of the states in which as many boxes are missing as there are limits.
    pub(crate) either_end: ShiftEnds<K>,
    /// Those with both of these ends: of the states in which one more is missing.
    pub(crate) both_ends: ShiftEnds<K>,
}

/// Boxes that are missing in some of a few states, and squares where a box of such a state is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShiftEnds<const K: usize> {
    pub(crate) from: [u64; K],
    pub(crate) to: [u64; K],
}

/// A key as an array, padded with zeros.
pub(crate) fn padded<const K: usize>(key: &[u64]) -> [u64; K] {
    std::array::from_fn(|at| key.get(at).copied().unwrap_or(0))
}

impl<const K: usize> BoxesOfStates<K> {
    /// Of no states.
    const NONE: Self = Self { all: [u64::MAX; K], any: [0; K] };

    /// Adds a state with these boxes.
    #[inline]
    fn add(&mut self, boxes: &[u64; K]) {
        self.all.iter_mut().zip(boxes).for_each(|(all, word)| *all &= word);
        union_with(&mut self.any, boxes);
    }

    /// Adds the states at these places; `None` if there are not as many states: places beyond the last may be counted as
    /// near where few boxes move, and tell nothing.
    #[inline]
    fn add_all(&mut self, states: &[MovableConfig<K>], places: [u64; CHUNK]) -> Option<()> {
        for (at, mut rest) in places.into_iter().enumerate() {
            while rest != 0 {
                self.add(&states.get(at * 64 + rest.trailing_zeros() as usize)?.boxes);
                rest &= rest - 1;
            }
        }
        Some(())
    }

    /// The boxes of a configuration that are missing in any of the states, and the squares where any of them has another.
    fn shift_ends(&self, key: &[u64; K]) -> ShiftEnds<K> {
        ShiftEnds {
            from: std::array::from_fn(|at| key[at] & !self.all[at]),
            to: std::array::from_fn(|at| self.any[at] & !key[at]),
        }
    }
}

impl<const K: usize> NearSpine<K> {
    /// Prepares for a range of states. Of states outside the neighborhood only their own configurations belong to the
    /// tube: none of their boxes may be displaced.
    pub(crate) fn new(
        board: &Board,
        live: &LiveIndex,
        range: SpineRange<'_>,
        SpineNeighborhood { neighborhood, first, last }: SpineNeighborhood<'_>,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let SpineRange { spine, from, to } = range;
        let n_live = live.n_live();
        let n_states = to + 1 - from;
        let n_chunks = n_states.div_ceil(CHUNK_STATES);
        let bytes = n_states * size_of::<MovableConfig<K>>()
            + n_chunks * (8 * CHUNK * n_live + size_of::<BoxesOfStates<K>>())
            + Displacements::<K>::bytes(n_live, neighborhood.limits.len());
        let charge = account.charge(bytes as u64)?;
        let mut movable = Movable::new(board, live, range, &neighborhood.boxes);
        let placed = |at: usize| {
            let is_around = (first..=last).contains(&at);
            let movable = movable.at(at);
            let movable = if is_around { padded(movable) } else { [0; K] };
            MovableConfig { boxes: padded(&spine.states()[at].key), movable }
        };
        let states: Vec<MovableConfig<K>> = (from..=to).map(placed).collect();
        let boxes_of = |chunk: &[MovableConfig<K>]| {
            let mut boxes = BoxesOfStates::NONE;
            chunk.iter().for_each(|state| boxes.add(&state.boxes));
            boxes
        };
        let chunk_boxes = states.chunks(CHUNK_STATES).map(boxes_of).collect();
        let mut lacking = vec![[u64::MAX; CHUNK]; n_chunks * n_live];
        for (number, state) in states.iter().enumerate() {
            let (chunk, place) = (number / CHUNK_STATES, number % CHUNK_STATES);
            for bit in LiveIndex::bits_of(&state.boxes) {
                lacking[chunk * n_live + bit][place / 64] ^= 1 << (place % 64);
            }
        }
        let farthest = neighborhood.limits.last().copied().unwrap_or(0);
        let mut rings = Rings::new(live, neighborhood.ring, farthest, account);
        let displacements = Displacements::new(board, live, &mut rings, &neighborhood.limits)?;
        let n_limits = neighborhood.limits.len();
        Ok(Self { n_live, n_limits, states, lacking, chunk_boxes, displacements, _charge: charge })
    }

    /// Finds the states that configurations which differ from this one in one box may be near, chunk by chunk, cyclically
    /// from the chunk of the state `hint` on.
    #[inline]
    pub(crate) fn find_vicinity(&self, key: &[u64; K], hint: usize, vicinity: &mut Vec<ChunkVicinity>) {
        vicinity.clear();
        let n_chunks = self.chunk_boxes.len();
        for step in 0..n_chunks {
            let chunk = (hint / CHUNK_STATES + step) % n_chunks;
            if let Some(states) = self.missing_in(key, chunk) {
                vicinity.push(ChunkVicinity { chunk, states, n_chunks_left: n_chunks - 1 - step });
            }
        }
    }

    /// Returns the first states that a configuration may be near, or `None` if it is near none. The configuration is
    /// that whose vicinity this is, after the shift.
    #[inline]
    pub(crate) fn near_states(&self, vicinity: &[ChunkVicinity], shift: BoxShift) -> Option<NearStates> {
        for &ChunkVicinity { chunk, states: [less, same, more], n_chunks_left } in vicinity {
            let lacking = &self.lacking[chunk * self.n_live..][..self.n_live];
            let (old, new) = (lacking[shift.from], lacking[shift.to]);
            // One box fewer is missing in states without a box on the old square, one more in those without one on the new.
            let states = std::array::from_fn(|at| {
                same[at] & !(old[at] ^ new[at]) | more[at] & old[at] & !new[at] | less[at] & new[at] & !old[at]
            });
            if states != [0; CHUNK] {
                return Some(NearStates { chunk, states, n_chunks_left });
            }
        }
        None
    }

    /// Returns the shifts after which a configuration with this vicinity may be near a state, or `None` if it may after all
    /// shifts.
    #[inline]
    pub(crate) fn shifts_within(&self, key: &[u64; K], vicinity: &[ChunkVicinity]) -> Option<ShiftsWithin<K>> {
        if vicinity.iter().any(|chunk| chunk.states[0] != [0; CHUNK]) {
            return None;
        }
        let (mut same_boxes, mut more_boxes) = (BoxesOfStates::NONE, BoxesOfStates::NONE);
        for &ChunkVicinity { chunk, states: [_, same, more], .. } in vicinity {
            let states = &self.states[chunk * CHUNK_STATES..];
            same_boxes.add_all(states, same)?;
            more_boxes.add_all(states, std::array::from_fn(|at| more[at] & !same[at]))?;
        }
        Some(ShiftsWithin { either_end: same_boxes.shift_ends(key), both_ends: more_boxes.shift_ends(key) })
    }

    /// Tests `n_chunks` chunks, cyclically from this one on.
    #[inline]
    fn next_candidates(&self, key: &[u64; K], chunk: usize, n_chunks: usize) -> Option<NearStates> {
        (0..n_chunks).find_map(|step| {
            let chunk = (chunk + step) % self.chunk_boxes.len();
            let states = self.states_near(key, chunk);
            (states != [0; CHUNK]).then_some(NearStates { chunk, states, n_chunks_left: n_chunks - 1 - step })
        })
    }

    /// Returns whether the configuration is near a state: one of these, or of the chunks after theirs; and the ticks of
    /// work for trying displacements.
    pub(crate) fn contains(&self, key: &[u64; K], near_states: NearStates) -> (bool, u64) {
        let mut n_tried = 0;
        let mut next = Some(near_states);
        while let Some(NearStates { chunk, states, n_chunks_left }) = next {
            let mut places =
                LiveIndex::bits_of(&states).filter_map(|place| self.states.get(chunk * CHUNK_STATES + place));
            if places.any(|&state| self.displacements.reaches(state, key, &mut n_tried)) {
                return (true, n_tried / 4);
            }
            next = self.next_candidates(key, chunk + 1, n_chunks_left);
        }
        (false, n_tried / 4)
    }

    /// Returns the ticks of work for testing all states, which is not 0 for long solutions.
    #[inline]
    pub(crate) const fn ticks_to_scan(&self) -> u64 {
        self.chunk_boxes.len() as u64 / 32
    }

    /// The states of a chunk in which no more boxes of a configuration are missing than there are limits.
    #[inline]
    fn states_near(&self, key: &[u64; K], chunk: usize) -> [u64; CHUNK] {
        self.missing_in(key, chunk).map_or([0; CHUNK], |[_, same, _]| same)
    }

    /// The states of a chunk in which fewer boxes of a configuration are missing than there are limits, no more, and at
    /// most one more; `None` if there are none at all.
    #[inline]
    fn missing_in(&self, key: &[u64; K], chunk: usize) -> Option<[[u64; CHUNK]; 3]> {
        let BoxesOfStates { all, any } = &self.chunk_boxes[chunk];
        let lacking: [u64; K] = std::array::from_fn(|at| all[at] & !key[at]);
        let surplus: [u64; K] = std::array::from_fn(|at| key[at] & !any[at]);
        // A state has as many boxes off the configuration as the configuration has off the state.
        if count_up_to(&lacking, self.n_limits + 2) > self.n_limits + 1 {
            return None;
        }
        let n_surplus = count_up_to(&surplus, self.n_limits + 2);
        // Boxes that all states have are missing in none; boxes that no state has are missing in all.
        let boxes = std::array::from_fn(|at| key[at] & any[at] & !all[at]);
        let lacking = &self.lacking[chunk * self.n_live..][..self.n_live];
        match (self.n_limits + 2).saturating_sub(n_surplus) {
            0 => None,
            1 => states_missing::<K, 1>(&boxes, lacking),
            2 => states_missing::<K, 2>(&boxes, lacking),
            3 => states_missing::<K, 3>(&boxes, lacking),
            4 => states_missing::<K, 4>(&boxes, lacking),
            5 => states_missing::<K, 5>(&boxes, lacking),
            _ => states_missing::<K, { MAX_LIMITS + 2 }>(&boxes, lacking),
        }
    }
}

/// The states in which fewer than `N - 2`, than `N - 1` and than `N` of the boxes are missing; `None` if there are none.
#[inline]
fn states_missing<const K: usize, const N: usize>(
    boxes: &[u64; K],
    lacking: &[[u64; CHUNK]],
) -> Option<[[u64; CHUNK]; 3]> {
    // Word by word, so that all stays in registers: at least one missing, at least two, and so on.
    let mut missing = [[0; CHUNK]; N];
    for (at, &word) in boxes.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let lacks = &lacking[at * 64 + rest.trailing_zeros() as usize];
            rest &= rest - 1;
            for least in (1..N).rev() {
                for at in 0..CHUNK {
                    missing[least][at] |= missing[least - 1][at] & lacks[at];
                }
            }
            for at in 0..CHUNK {
                missing[0][at] |= lacks[at];
            }
            if missing[N - 1] == [u64::MAX; CHUNK] {
                return None;
            }
        }
    }
    let fewer_than = |n: usize| if n == 0 { [0; CHUNK] } else { missing[n - 1].map(|word| !word) };
    Some([fewer_than(N.saturating_sub(2)), fewer_than(N - 1), fewer_than(N)])
}

/// Counts the bits of a small set, up to `enough`.
#[inline]
fn count_up_to<const K: usize>(set: &[u64; K], enough: usize) -> usize {
    let mut n = 0;
    for &word in set {
        let mut rest = word;
        while rest != 0 && n < enough {
            n += 1;
            rest &= rest - 1;
        }
    }
    n
}
