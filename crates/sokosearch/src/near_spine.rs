//! Whether a configuration belongs to a neighborhood of the spine, asked when a search comes upon it.
//!
//! The same set as [`crate::Tube`], but for frozen configurations, which a backward search never comes upon, and
//! without generating it: of a tube of millions a search often reaches a tenth.
//!
//! A configuration is near a spine state if displacements, one for each limit, lead from there to it. Each puts at
//! most one box where one is missing, so of its boxes at most as many may be missing in the state as there are limits.
//! That rules out nearly all states, 64 of them at a time:
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
//! What was turned down is remembered in a small table, since a search comes upon it again from other sides.

use sokocore::Board;

use crate::tube::Movable;
use crate::{Charge, LiveIndex, MemoryAccount, Neighborhood, Rings, Spine, Stop};

/// The most displacements that a search may ask about.
pub(crate) const MAX_LIMITS: usize = 4;
/// Words of states that are looked at together.
const CHUNK: usize = 2;
/// States in them.
const CHUNK_STATES: usize = 64 * CHUNK;
/// Configurations of one word that the table of those turned down has room for.
const MEMORY: usize = 1 << 14;

/// The neighborhoods of a stretch of the spine.
#[derive(Debug)]
pub(crate) struct NearSpine<'a> {
    board: &'a Board,
    live: &'a LiveIndex,
    limits: Vec<usize>,
    words: usize,
    n_states: usize,
    /// Displacements tried since this was asked last.
    n_tried: u64,
    /// Keys of the states, one after another.
    keys: Vec<u64>,
    /// Those of their boxes that may be displaced.
    movable_keys: Vec<u64>,
    /// For each chunk of states, for each live square: which of them have no box there. States beyond the last have
    /// none anywhere.
    lacking: Vec<[u64; CHUNK]>,
    /// For each chunk: the boxes of all its states, then the boxes of any.
    common: Vec<u64>,
    /// Configurations turned down, at places given by their hash; all zeros where there is none.
    turned_down: Vec<u64>,
    ranks: Ranks,
    /// A configuration on the way from a state to the one that was asked about.
    at: Vec<u64>,
    /// Those of its boxes that may be displaced.
    movable: Vec<u64>,
    _charge: Charge,
}

/// At which place of whose ring a square is: made when first asked for.
#[derive(Debug)]
struct Ranks {
    rings: Rings,
    rows: Vec<Option<Box<[u16]>>>,
    charge: Charge,
}

impl Ranks {
    /// Returns the ranks of all squares in the ring around one; `u16::MAX` is beyond every limit.
    fn of(&mut self, board: &Board, live: &LiveIndex, origin: usize) -> Result<&[u16], Stop> {
        if self.rows[origin].is_none() {
            self.charge.add(2 * live.n_live() as u64)?;
            let mut row = vec![u16::MAX; live.n_live()];
            for (rank, &bit) in (0..).zip(self.rings.of(board, live, origin)?) {
                row[bit as usize] = rank;
            }
            self.rows[origin] = Some(row.into());
        }
        Ok(self.rows[origin].as_deref().unwrap_or(&[]))
    }
}

impl<'a> NearSpine<'a> {
    /// Prepares for the states `from..=to`.
    pub(crate) fn new(
        board: &'a Board,
        live: &'a LiveIndex,
        (spine, from, to): (&'a Spine, usize, usize),
        neighborhood: &Neighborhood,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let (words, n_live) = (live.words(), live.n_live());
        let n_states = to + 1 - from;
        let n_chunks = n_states.div_ceil(CHUNK_STATES);
        let n_words = 2 * words * n_states + CHUNK * n_chunks * n_live + (MEMORY + 2 * n_chunks) * words;
        let charge = account.charge(8 * n_words as u64)?;
        let keys: Vec<u64> = spine.states()[from..=to].iter().flat_map(|state| state.key.iter().copied()).collect();
        let mut movable = Movable::new(board, live, (spine, from, to), neighborhood.boxes);
        let mut movable_keys = Vec::with_capacity(keys.len());
        (from..=to).for_each(|at| movable_keys.extend_from_slice(movable.at(at)));
        let common = keys.chunks(words * CHUNK_STATES).flat_map(|chunk| {
            let join =
                |at: usize, join: fn(u64, u64) -> u64| chunk.iter().skip(at).step_by(words).copied().reduce(join);
            let all = (0..words).map(move |at| join(at, |a, b| a & b).unwrap_or(0));
            all.chain((0..words).map(move |at| join(at, |a, b| a | b).unwrap_or(0)))
        });
        let common = common.collect();
        let mut lacking = vec![[u64::MAX; CHUNK]; n_chunks * n_live];
        for (state, key) in keys.chunks_exact(words).enumerate() {
            let (chunk, place) = (state / CHUNK_STATES, state % CHUNK_STATES);
            for bit in LiveIndex::bits_of(key) {
                lacking[chunk * n_live + bit][place / 64] ^= 1 << (place % 64);
            }
        }
        let farthest = neighborhood.limits.last().copied().unwrap_or(0);
        let rings = Rings::new(live, neighborhood.ring, farthest, account);
        let ranks = Ranks { rings, rows: vec![None; live.n_live()], charge: account.nothing() };
        let limits = neighborhood.limits.clone();
        let turned_down = vec![0; MEMORY * words];
        let [at, movable] = [(); 2].map(|()| vec![0; words]);
        Ok(Self {
            board,
            live,
            limits,
            words,
            n_states,
            n_tried: 0,
            keys,
            movable_keys,
            lacking,
            common,
            turned_down,
            ranks,
            at,
            movable,
            _charge: charge,
        })
    }

    /// Returns whether the configuration, whose hash this is, is near a state. `guess` is the number of a state,
    /// counted from the first one, that it may be near.
    pub(crate) fn contains(&mut self, key: &[u64], hash: u64, guess: usize) -> Result<bool, Stop> {
        let place = usize::try_from(hash >> (64 - MEMORY.ilog2())).unwrap_or(0) * self.words;
        if self.turned_down[place..place + self.words].iter().zip(key).all(|(one, other)| one == other) {
            return Ok(false);
        }
        let n_chunks = self.n_states.div_ceil(CHUNK_STATES);
        let first = (guess / CHUNK_STATES).min(n_chunks - 1);
        for chunk in (first..n_chunks).chain(0..first) {
            if !self.may_be_near(key, chunk) {
                continue;
            }
            let near = match self.limits.len() {
                0 => self.near_states::<1>(key, chunk),
                1 => self.near_states::<2>(key, chunk),
                2 => self.near_states::<3>(key, chunk),
                3 => self.near_states::<4>(key, chunk),
                _ => self.near_states::<{ MAX_LIMITS + 1 }>(key, chunk),
            };
            if near != [0; CHUNK] && self.is_near_one_of(key, chunk, near)? {
                return Ok(true);
            }
        }
        self.turned_down[place..place + self.words].copy_from_slice(key);
        Ok(false)
    }

    /// Returns how much work the questions were since this was called last, in ticks.
    pub(crate) const fn ticks(&mut self) -> u64 {
        let n_tried = self.n_tried;
        self.n_tried = 0;
        n_tried / 4 + 1
    }

    /// Whether few enough boxes differ from what all the states of a chunk have in common.
    fn may_be_near(&self, key: &[u64], chunk: usize) -> bool {
        let (all, any) = self.common[2 * self.words * chunk..][..2 * self.words].split_at(self.words);
        let (mut lacking, mut surplus) = (0, 0);
        for ((all, any), boxes) in all.iter().zip(any).zip(key) {
            lacking += (all & !boxes).count_ones() as usize;
            surplus += (boxes & !any).count_ones() as usize;
        }
        lacking.max(surplus) <= self.limits.len()
    }

    /// The states of a chunk in which fewer than `N` boxes of a configuration are missing.
    fn near_states<const N: usize>(&self, key: &[u64], chunk: usize) -> [u64; CHUNK] {
        let n_live = self.live.n_live();
        let lacking = &self.lacking[chunk * n_live..][..n_live];
        // Word by word, so that all is done in registers: at least one missing, at least two, and so on.
        let mut missing = [[0; CHUNK]; N];
        for bit in LiveIndex::bits_of(key) {
            let lacks = &lacking[bit];
            for least in (1..N).rev() {
                for at in 0..CHUNK {
                    missing[least][at] |= missing[least - 1][at] & lacks[at];
                }
            }
            for at in 0..CHUNK {
                missing[0][at] |= lacks[at];
            }
            if missing[N - 1] == [u64::MAX; CHUNK] {
                return [0; CHUNK];
            }
        }
        missing[N - 1].map(|word| !word)
    }

    /// Looks at some states of a chunk one by one.
    fn is_near_one_of(&mut self, key: &[u64], chunk: usize, states: [u64; CHUNK]) -> Result<bool, Stop> {
        for place in LiveIndex::bits_of(&states) {
            let state = chunk * CHUNK_STATES + place;
            if state >= self.n_states {
                break;
            }
            self.at.copy_from_slice(&self.keys[state * self.words..][..self.words]);
            self.movable.copy_from_slice(&self.movable_keys[state * self.words..][..self.words]);
            if self.leads_to(key, 0)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether displacements by the limits from `depth` on lead from `self.at` to the key.
    ///
    /// Invariant: `self.at` is on return what it was, and so is `self.movable`.
    fn leads_to(&mut self, key: &[u64], depth: usize) -> Result<bool, Stop> {
        self.n_tried += 1;
        let n_wrong = key.iter().zip(&self.at).map(|(a, b)| (a & !b).count_ones() as usize).sum::<usize>();
        let left = self.limits.len() - depth;
        if n_wrong == 0 || n_wrong > left {
            return Ok(n_wrong == 0);
        }
        if n_wrong < left && self.leads_to(key, depth + 1)? {
            return Ok(true);
        }
        // Boxes that stand wrong go to where one is missing; if displacements are to spare, elsewhere, or boxes that
        // stand right go where one is missing; if two are to spare, boxes that stand right go elsewhere.
        for (wrong, missing, spare) in [(true, true, 0), (true, false, 1), (false, true, 1), (false, false, 2)] {
            if n_wrong + spare <= left && self.leads_by(key, depth, wrong, missing)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a displacement of a box that stands wrong, or right, to where one is missing, or to elsewhere, leads on.
    fn leads_by(&mut self, key: &[u64], depth: usize, wrong: bool, missing: bool) -> Result<bool, Stop> {
        let limit = self.limits[depth];
        for from_word in 0..self.words {
            let there = self.movable[from_word];
            let mut origins = if wrong { there & !key[from_word] } else { there & key[from_word] };
            while origins != 0 {
                let origin = from_word * 64 + origins.trailing_zeros() as usize;
                origins &= origins - 1;
                for to_word in 0..self.words {
                    let free = !self.at[to_word];
                    let mut targets = if missing { free & key[to_word] } else { free & !key[to_word] };
                    while targets != 0 {
                        let target = to_word * 64 + targets.trailing_zeros() as usize;
                        targets &= targets - 1;
                        if target >= self.live.n_live() {
                            break;
                        }
                        let rank = self.ranks.of(self.board, self.live, origin)?[target];
                        if usize::from(rank) > limit || rank == u16::MAX {
                            continue;
                        }
                        self.shift(origin, target);
                        let leads = self.leads_to(key, depth + 1);
                        self.shift(target, origin);
                        if leads? {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    fn shift(&mut self, from: usize, to: usize) {
        for boxes in [&mut self.at, &mut self.movable] {
            boxes[from / 64] ^= 1 << (from % 64);
            boxes[to / 64] ^= 1 << (to % 64);
        }
    }
}
