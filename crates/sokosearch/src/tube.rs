//! The tube: all configurations that a vicinity search may visit, generated around a stretch of the spine.
//!
//! By definition a neighborhood with limits `k1 <= k2 <= ...` holds what comes of taking a spine configuration and,
//! for each limit in turn, leaving it or moving one box (any box, one just moved included) to one of its `k` nearest
//! free live squares. Left out are frozen configurations and, but for the reference engine, those with a pair or a triple
//! of boxes that is on no solution, as soon as these are known; spine configurations never are.
//!
//! Two moves of different boxes give the same configuration in either order, so half of the pairs is skipped: the
//! pair that moves the lower box second is left to its mirror image, unless the first box had to leave the square
//! that the second one takes (trap 9).

use std::sync::Arc;

use hashbrown::HashSet;
use sokocore::{Board, FreezeCheck, Level, Push, SquareSet};

use crate::lesson::Lesson;
use crate::{ConfigStore, Context, Engine, HashStore, Inserted, LiveIndex, Order, RingOrder, Rings, Spine, Stop};

/// Bytes for each state in a set of references to keys, at most: a place and a byte, 16/7 times.
const CENTER_BYTES: usize = 40;

/// Which configurations around the spine belong to the tube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighborhood {
    /// For each box that may be displaced, how many of its nearest squares it may take; ascending.
    pub limits: Vec<usize>,
    /// In which order rings are entered.
    pub ring: RingOrder,
    /// Which boxes may be displaced.
    pub boxes: Boxes,
}

/// Which boxes of a configuration may be displaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boxes {
    /// All.
    All,
    /// Those that the spine pushes somewhere in the window: of many boxes few matter, and these go farther then.
    Pushed,
}

/// Configurations around the states `from..=to` of a spine.
#[derive(Debug)]
pub struct Tube {
    /// The configurations.
    pub store: HashStore,
    /// Number of the first spine state whose neighborhood is in the tube.
    pub from: usize,
    /// Number of the last spine state whose neighborhood is in the tube.
    pub to: usize,
}

impl Tube {
    /// Generates the neighborhoods of the spine from state `from` on, up to state `last` or until the engine's
    /// share of the free memory is taken, counting what it needs for each configuration in this order.
    ///
    /// # Errors
    /// The run was stopped, or not even two neighborhoods fit ([`Stop::Memory`]).
    pub fn around(
        live: &LiveIndex,
        spine: &Spine,
        stretch: (usize, usize),
        neighborhood: &Neighborhood,
        (engine, order): (Engine, Order),
        cx: &mut Context<'_>,
    ) -> Result<Self, Stop> {
        let (from, last) = stretch;
        let level = cx.level();
        let account = cx.budget().memory();
        let byte_limit = engine.byte_limit(order, account);
        let state_bytes = engine.bytes_per_config(order, level.board().n_squares());
        let store = HashStore::new(live.words(), account, byte_limit, state_bytes)?;
        let farthest = neighborhood.limits.last().copied().unwrap_or(0);
        let mut generator = Generator {
            level,
            live,
            rings: Rings::new(live, neighborhood.ring, farthest, account),
            freeze: FreezeCheck::new(level),
            lesson: (engine == Engine::Fast).then(|| cx.lesson()),
            limits: &neighborhood.limits,
            store,
            key: vec![0; live.words()],
            movable: vec![0; live.words()],
            boxes: level.board().no_squares(),
            displaced: Vec::new(),
        };
        let n_states = last + 1 - from;
        let _centers = account.charge((n_states * CENTER_BYTES) as u64)?;
        let mut centers: HashSet<&[u64]> = HashSet::with_capacity(n_states);
        let mut to = from;
        let mut movable = Movable::new(level.board(), live, (spine, from, last), neighborhood.boxes);
        for (at, state) in spine.states().iter().enumerate().take(last + 1).skip(from) {
            let movable = movable.at(at);
            let before = cx.ticks();
            let done = if centers.insert(&state.key) { generator.add_around(&state.key, movable, cx) } else { Ok(()) };
            match done {
                Ok(()) => to = at,
                Err(Stop::Memory) if to > from => break,
                Err(stop) => return Err(stop),
            }
            generator.lesson.as_ref().map_or(Ok(()), |lesson| lesson.go_on(cx.ticks() - before, cx))?;
            cx.advanced((at - from) as f64 / (last - from).max(1) as f64);
        }
        Ok(Self { store: generator.store, from, to })
    }
}

/// The boxes that may be displaced, state by state in the order of the spine.
#[derive(Debug)]
pub(crate) struct Movable<'a> {
    board: &'a Board,
    live: &'a LiveIndex,
    spine: &'a Spine,
    /// Where the boxes that are pushed somewhere in the window stand in state `at`; `None` if all boxes may be moved.
    pushed: Option<Vec<u64>>,
    at: usize,
}

impl<'a> Movable<'a> {
    pub(crate) fn new(
        board: &'a Board,
        live: &'a LiveIndex,
        (spine, from, last): (&'a Spine, usize, usize),
        boxes: Boxes,
    ) -> Self {
        let pushed = (boxes == Boxes::Pushed).then(|| {
            let mut pushed = vec![0; live.words()];
            for &push in spine.pushes()[from..last].iter().rev() {
                let (origin, target) = bits_of_push(board, live, push);
                move_bit(&mut pushed, target, origin);
            }
            pushed
        });
        Self { board, live, spine, pushed, at: from }
    }

    /// Those of state `at`, which must not come before the one asked about last.
    pub(crate) fn at(&mut self, at: usize) -> &[u64] {
        let Some(pushed) = &mut self.pushed else { return &self.spine.states()[at].key };
        for &push in &self.spine.pushes()[self.at..at] {
            let (origin, target) = bits_of_push(self.board, self.live, push);
            move_bit(pushed, origin, target);
        }
        self.at = at;
        pushed
    }
}

/// The bits of the squares that a push of the spine leads from and to.
fn bits_of_push(board: &Board, live: &LiveIndex, push: Push) -> (usize, usize) {
    let target = board.step(push.from, push.dir).expect("invariant: the spine's boxes stay on the board");
    let bit = |sq| live.bit(sq).expect("invariant: the spine's boxes stay on live squares");
    (bit(push.from), bit(target))
}

fn move_bit(key: &mut [u64], from: usize, to: usize) {
    key[from / 64] &= !(1 << (from % 64));
    key[to / 64] |= 1 << (to % 64);
}

struct Generator<'a> {
    level: &'a Level,
    live: &'a LiveIndex,
    rings: Rings,
    freeze: FreezeCheck,
    lesson: Option<Arc<Lesson>>,
    limits: &'a [usize],
    store: HashStore,
    /// The configuration being built, and the same as a set of squares.
    key: Vec<u64>,
    boxes: SquareSet,
    /// Those of its boxes that may be displaced, wherever they are now.
    movable: Vec<u64>,
    /// The displacements that lead to it.
    displaced: Vec<Displacement>,
}

/// One box moved from one live square to another.
#[derive(Clone, Copy)]
struct Displacement {
    origin: usize,
    target: usize,
    limit: usize,
}

impl Generator<'_> {
    fn add_around(&mut self, center: &[u64], movable: &[u64], cx: &mut Context<'_>) -> Result<(), Stop> {
        self.key.copy_from_slice(center);
        self.movable.copy_from_slice(movable);
        self.boxes.clear();
        for bit in LiveIndex::bits_of(center) {
            self.boxes.insert(self.live.square(bit));
        }
        self.displaced.clear();
        self.store.insert(center, cx)?;
        self.displace(0, cx)
    }

    /// Displaces boxes by the limits from `depth` on, and adds what comes of it.
    fn displace(&mut self, depth: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Some(&limit) = self.limits.get(depth) else { return self.add(cx) };
        self.displace(depth + 1, cx)?;
        let origins: Vec<usize> = LiveIndex::bits_of(&self.movable).collect();
        for origin in origins {
            for rank in 1..=limit {
                let ring = self.rings.of(self.level.board(), self.live, origin)?;
                let Some(&target) = ring.get(rank) else { break };
                let target = target as usize;
                if self.has_box(target) || self.is_mirrored(origin, target, rank) {
                    continue;
                }
                self.shift(origin, target);
                self.displaced.push(Displacement { origin, target, limit });
                let done = self.displace(depth + 1, cx);
                self.displaced.pop();
                self.shift(target, origin);
                done?;
            }
        }
        Ok(())
    }

    /// Whether the same pair of displacements is also made the other way round.
    fn is_mirrored(&self, origin: usize, target: usize, rank: usize) -> bool {
        self.displaced.last().is_some_and(|first| {
            origin != first.target && origin < first.origin && rank <= first.limit && target != first.origin
        })
    }

    fn add(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        cx.tick()?;
        if self.displaced.is_empty() || self.store.find(&self.key).is_some() {
            return Ok(());
        }
        let (freeze, boxes, live) = (&mut self.freeze, &self.boxes, self.live);
        let patterns = self.lesson.as_ref().and_then(|lesson| lesson.known());
        let stays = |moved: &Displacement| boxes.contains(live.square(moved.target));
        let is_dead = |moved: &Displacement| {
            patterns.is_some_and(|patterns| patterns.is_dead(&self.key, moved.target))
                || freeze.is_deadlock(boxes, live.square(moved.target))
        };
        if self.displaced.iter().filter(|moved| stays(moved)).any(is_dead) {
            return Ok(());
        }
        self.store.insert(&self.key, cx).map(|_: Inserted| ())
    }

    fn has_box(&self, bit: usize) -> bool {
        self.key[bit / 64] >> (bit % 64) & 1 != 0
    }

    fn shift(&mut self, from: usize, to: usize) {
        for boxes in [&mut self.key, &mut self.movable] {
            boxes[from / 64] ^= 1 << (from % 64);
            boxes[to / 64] ^= 1 << (to % 64);
        }
        self.boxes.remove(self.live.square(from));
        self.boxes.insert(self.live.square(to));
    }
}

#[cfg(test)]
mod tests;
