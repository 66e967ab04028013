//! Whether a configuration belongs to a neighborhood of the spine, asked when a search comes upon it.
//!
//! The same set as [`crate::Tube`], but for frozen configurations, which a backward search never comes upon, and
//! without generating it: of a tube of millions a search often reaches a tenth.
//!
//! A configuration is near a spine state if displacements, one for each limit, lead from there to it. Each puts at
//! most one box where one is missing, so of its boxes at most as many may be missing in the state as there are limits.
//! That rules out nearly all states, 128 of them at a time:
//!
//! ```text
//!  bit for each state     0 1 2 3 4 5 6 7        for every square: the states that have no box there
//!  no box on square 5     . . . 1 1 1 1 1
//!  no box on square 8     1 1 . . . . 1 1        for the boxes of a configuration, one by one: the states in which
//!  no box on square 9     1 1 1 1 . . . .        at least 1, 2, ... of them are missing
//!  at least 1 missing     1 1 1 1 1 1 1 1
//!  at least 2 missing     1 1 . 1 . . 1 1        with one limit, only states 2, 4 and 5 are looked at
//! ```
//!
//! Most of what a search asks about is turned down like that, in registers alone, so it comes before the search looks
//! whether it knows the configuration already: of the pulls of a search that displaces two boxes two thirds end there.
//! A search asks about all configurations that a pull leads to from one, and each differs from that in one box: so the
//! states are counted once, for one more box and one fewer as well, and each pull costs a few operations more.
//! What is left is decided by trying displacements (see `displacements`).

mod displacements;

use sokocore::Board;

use self::displacements::{Displacements, Placed};
use crate::tube::Movable;
use crate::wavefront::Around;
use crate::{Charge, LiveIndex, MemoryAccount, Rings, Spine, Stop};

/// The most displacements that a search may ask about.
pub(crate) const MAX_LIMITS: usize = displacements::MAX_LIMITS;
/// Words of states that are looked at together.
const CHUNK: usize = 2;
/// States in them.
const CHUNK_STATES: usize = 64 * CHUNK;

/// The neighborhoods of a stretch of the spine, for keys of up to `K` words.
#[derive(Debug)]
pub(crate) struct NearSpine<const K: usize> {
    n_live: usize,
    n_limits: usize,
    states: Vec<Placed<K>>,
    /// For each chunk of states, for each live square: which of them have no box there. States beyond the last have
    /// none anywhere.
    lacking: Vec<[u64; CHUNK]>,
    /// What the states of each chunk have in common.
    common: Vec<Common<K>>,
    displacements: Displacements<K>,
    _charge: Charge,
}

/// The boxes of all states of a chunk, and the boxes of any.
#[derive(Clone, Copy, Debug)]
struct Common<const K: usize> {
    all: [u64; K],
    any: [u64; K],
}

/// States that a configuration may be near: some of one chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidates {
    chunk: usize,
    states: [u64; CHUNK],
    n_chunks_left: usize,
}

/// The states of a chunk in which so few boxes of a configuration are missing that there are enough limits for one more,
/// for these, and for one fewer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing {
    chunk: usize,
    states: [[u64; CHUNK]; 3],
    n_chunks_left: usize,
}

/// A key as an array, filled up with zeros.
pub(crate) fn padded<const K: usize>(key: &[u64]) -> [u64; K] {
    std::array::from_fn(|at| key.get(at).copied().unwrap_or(0))
}

impl<const K: usize> NearSpine<K> {
    /// Prepares for the states `from..=to`. Of those that the neighborhood is not around only their own configurations
    /// belong to it: none of their boxes may be displaced.
    pub(crate) fn new(
        board: &Board,
        live: &LiveIndex,
        (spine, from, to): (&Spine, usize, usize),
        Around { neighborhood, states: (first, last) }: Around<'_>,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let n_live = live.n_live();
        let n_states = to + 1 - from;
        let n_chunks = n_states.div_ceil(CHUNK_STATES);
        let bytes = n_states * size_of::<Placed<K>>()
            + n_chunks * (8 * CHUNK * n_live + size_of::<Common<K>>())
            + Displacements::<K>::bytes(n_live, neighborhood.limits.len());
        let charge = account.charge(bytes as u64)?;
        let mut movable = Movable::new(board, live, (spine, from, to), neighborhood.boxes);
        let placed = |at: usize| {
            let is_around = (first..=last).contains(&at);
            let movable = movable.at(at);
            let movable = if is_around { padded(movable) } else { [0; K] };
            Placed { boxes: padded(&spine.states()[at].key), movable }
        };
        let states: Vec<Placed<K>> = (from..=to).map(placed).collect();
        let common = states.chunks(CHUNK_STATES).map(|chunk| {
            let join = |join: fn(u64, u64) -> u64| {
                std::array::from_fn(|at| chunk.iter().map(|state| state.boxes[at]).reduce(join).unwrap_or(0))
            };
            Common { all: join(|a, b| a & b), any: join(|a, b| a | b) }
        });
        let common = common.collect();
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
        Ok(Self { n_live, n_limits, states, lacking, common, displacements, _charge: charge })
    }

    /// Finds for each chunk of states, from that of the state `guess` on, round and round, how many boxes of a
    /// configuration are missing, for configurations that differ from it in one box.
    #[inline]
    pub(crate) fn look_around(&self, key: &[u64; K], guess: usize, vicinity: &mut Vec<Missing>) {
        vicinity.clear();
        let n_chunks = self.common.len();
        for step in 0..n_chunks {
            let chunk = (guess / CHUNK_STATES + step) % n_chunks;
            if let Some(states) = self.missing_in(key, chunk) {
                vicinity.push(Missing { chunk, states, n_chunks_left: n_chunks - 1 - step });
            }
        }
    }

    /// Returns states that a configuration may be near, or `None` if it is near none: one that has the box of another,
    /// around which was looked, on `to` instead of `from`.
    #[inline]
    pub(crate) fn candidates(&self, vicinity: &[Missing], (from, to): (usize, usize)) -> Option<Candidates> {
        for &Missing { chunk, states: [less, same, more], n_chunks_left } in vicinity {
            let lacking = &self.lacking[chunk * self.n_live..][..self.n_live];
            let (old, new) = (lacking[from], lacking[to]);
            // One box fewer is missing where the old place had none, and one more where the new one has none.
            let states = std::array::from_fn(|at| {
                same[at] & !(old[at] ^ new[at]) | more[at] & old[at] & !new[at] | less[at] & new[at] & !old[at]
            });
            if states != [0; CHUNK] {
                return Some(Candidates { chunk, states, n_chunks_left });
            }
        }
        None
    }

    /// Looks through `n_chunks` chunks from this one on, round and round.
    #[inline]
    fn next_candidates(&self, key: &[u64; K], chunk: usize, n_chunks: usize) -> Option<Candidates> {
        (0..n_chunks).find_map(|step| {
            let chunk = (chunk + step) % self.common.len();
            let states = self.near_states(key, chunk);
            (states != [0; CHUNK]).then_some(Candidates { chunk, states, n_chunks_left: n_chunks - 1 - step })
        })
    }

    /// Returns whether the configuration is near a state: one of these candidates, or of those that come after them;
    /// and how much work trying displacements was, in ticks.
    pub(crate) fn contains(&self, key: &[u64; K], candidates: Candidates) -> (bool, u64) {
        let mut n_tried = 0;
        let mut next = Some(candidates);
        while let Some(Candidates { chunk, states, n_chunks_left }) = next {
            let mut places =
                LiveIndex::bits_of(&states).filter_map(|place| self.states.get(chunk * CHUNK_STATES + place));
            if places.any(|&state| self.displacements.lead(state, key, &mut n_tried)) {
                return (true, n_tried / 4);
            }
            next = self.next_candidates(key, chunk + 1, n_chunks_left);
        }
        (false, n_tried / 4)
    }

    /// Returns how much work it is to look through all states for candidates, in ticks: some for long solutions.
    #[inline]
    pub(crate) const fn ticks_to_scan(&self) -> u64 {
        self.common.len() as u64 / 32
    }

    /// The states of a chunk in which no more boxes of a configuration are missing than there are limits.
    #[inline]
    fn near_states(&self, key: &[u64; K], chunk: usize) -> [u64; CHUNK] {
        self.missing_in(key, chunk).map_or([0; CHUNK], |[_, same, _]| same)
    }

    /// The states of a chunk in which fewer boxes of a configuration are missing than there are limits, no more, and at
    /// most one more; `None` if there are none at all.
    #[inline]
    fn missing_in(&self, key: &[u64; K], chunk: usize) -> Option<[[u64; CHUNK]; 3]> {
        let Common { all, any } = &self.common[chunk];
        let lacking: [u64; K] = std::array::from_fn(|at| all[at] & !key[at]);
        let surplus: [u64; K] = std::array::from_fn(|at| key[at] & !any[at]);
        // As many boxes are missing in a state as it has where the configuration has none.
        if count_up_to(&lacking, self.n_limits + 2) > self.n_limits + 1 {
            return None;
        }
        let n_surplus = count_up_to(&surplus, self.n_limits + 2);
        // Boxes that all states have are missing in none, and those that none has in all.
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
    // Word by word, so that all is done in registers: at least one missing, at least two, and so on.
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

/// Counts the bits of a set, but no farther than to `enough`: there are few.
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
