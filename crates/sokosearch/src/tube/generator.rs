//! Generates a tube by displacing boxes of one spine state after another.
//!
//! ```text
//!  state 6      . . q . .     its neighborhood is generated
//!  state 7      . . . q .     box q was pushed: displacing it to a square that was near in state 6 as well gives what was
//!                             generated around state 6; so it is displaced to the other squares only
//! ```
//!
//! Three prunings, which lose no configuration:
//! * two displacements of different boxes are tried in one order: a pair that moves the lower box second is skipped,
//!   unless the first box had to leave the square that the second one takes (trap 9);
//! * displacements that the neighborhood of the previous spine state has as well are skipped (above);
//! * the last displacement of a dead configuration is tried with its culprits only (see `deadlock_check`).

use sokocore::Level;

use crate::deadlock::deadlock_check::DeadlockCheck;
use crate::store::bits::{BoxShift, toggle_both};
use crate::{ConfigStore, Context, HashStore, Inserted, LiveIndex, MemoryAccount, Neighborhood, Rings, Stop};

/// Generates the neighborhoods of spine states, in the order of the spine.
pub(super) struct Generator<'a> {
    level: &'a Level,
    live: &'a LiveIndex,
    rings: Rings,
    dead: DeadlockCheck<'a>,
    limits: &'a [usize],
    store: HashStore,
    /// The configuration being generated.
    key: Vec<u64>,
    /// Its boxes that may be displaced, on their current squares.
    movable: Vec<u64>,
    /// The displacements that lead to it.
    displaced: Vec<Displacement>,
    /// For each limit, the boxes to displace by it.
    origins: Vec<Vec<u64>>,
    last_push: Option<LastPush>,
}

/// One box moved from one live square to another.
#[derive(Clone, Copy)]
struct Displacement {
    origin: usize,
    target: usize,
    limit: usize,
}

/// The push from the previous spine state, whose neighborhood was generated last, to the current one.
struct LastPush {
    push: BoxShift,
    /// For each limit, the squares that the box could be displaced to before the push, with its own.
    near: Vec<Vec<u64>>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        level: &'a Level,
        live: &'a LiveIndex,
        neighborhood: &'a Neighborhood,
        dead: DeadlockCheck<'a>,
        store: HashStore,
        account: &MemoryAccount,
    ) -> Self {
        let limits = &neighborhood.limits;
        let farthest = limits.last().copied().unwrap_or(0);
        let nothing = vec![0; live.words()];
        Self {
            level,
            live,
            rings: Rings::new(live, neighborhood.ring, farthest, account),
            dead,
            limits,
            store,
            key: nothing.clone(),
            movable: nothing.clone(),
            displaced: Vec::with_capacity(limits.len()),
            origins: vec![nothing; limits.len()],
            last_push: None,
        }
    }

    /// Returns the configurations generated.
    pub(super) fn into_store(self) -> HashStore {
        self.store
    }

    /// Adds the neighborhood of a state. `last_push` is the push that leads to the state, if the neighborhood of the
    /// previous state was generated last.
    pub(super) fn add_around(
        &mut self,
        center: &[u64],
        movable: &[u64],
        last_push: Option<BoxShift>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        self.key.copy_from_slice(center);
        self.movable.copy_from_slice(movable);
        self.last_push = last_push.map(|push| self.last_push(push)).transpose()?;
        self.displaced.clear();
        self.store.insert(center, cx)?;
        self.displace(0, false, cx)
    }

    fn last_push(&mut self, push: BoxShift) -> Result<LastPush, Stop> {
        let ring = self.rings.of(self.level.board(), self.live, push.from)?;
        let near = |&limit: &usize| {
            let mut near = vec![0; self.live.words()];
            ring.iter().take(limit + 1).for_each(|&bit| near[bit as usize / 64] |= 1 << (bit % 64));
            near
        };
        Ok(LastPush { push, near: self.limits.iter().map(near).collect() })
    }

    /// Displaces boxes by the limits from `depth` on, and adds the results. The configuration itself may be dead.
    fn displace(&mut self, depth: usize, is_dead: bool, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Some(&limit) = self.limits.get(depth) else { return self.add(is_dead, cx) };
        self.displace(depth + 1, is_dead, cx)?;
        let is_last = depth + 1 == self.limits.len();
        for (origins, (movable, culprits)) in
            self.origins[depth].iter_mut().zip(self.movable.iter().zip(self.dead.culprits()))
        {
            *origins = if is_dead && is_last { movable & culprits } else { *movable };
        }
        for word in 0..self.key.len() {
            let mut rest = self.origins[depth][word];
            while rest != 0 {
                let origin = 64 * word + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                self.displace_box(origin, depth, limit, cx)?;
            }
        }
        Ok(())
    }

    /// Displaces one box to each of its nearest squares, then others by the remaining limits.
    fn displace_box(&mut self, origin: usize, depth: usize, limit: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
        for rank in 1..=limit {
            let ring = self.rings.of(self.level.board(), self.live, origin)?;
            let Some(&target) = ring.get(rank) else { break };
            let target = target as usize;
            let is_taken = self.key[target / 64] >> (target % 64) & 1 != 0;
            if is_taken || self.is_mirrored(origin, target, rank) || self.is_of_previous_state(origin, target, depth) {
                continue;
            }
            self.shift(origin, target);
            self.displaced.push(Displacement { origin, target, limit });
            let done = self.displace_more(depth + 1, cx);
            self.displaced.pop();
            self.shift(target, origin);
            done?;
        }
        Ok(())
    }

    /// Displaces more boxes of the configuration, or adds it.
    fn displace_more(&mut self, depth: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
        if depth == self.limits.len() && self.store.find(&self.key).is_some() {
            return self.dead.count(cx);
        }
        let is_dead = self.dead.is_dead(&self.key, self.displaced.iter().map(|moved| moved.target));
        self.displace(depth, is_dead, cx)
    }

    fn add(&mut self, is_dead: bool, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.dead.count(cx)?;
        if is_dead { Ok(()) } else { self.store.insert(&self.key, cx).map(|_: Inserted| ()) }
    }

    /// Whether the same pair of displacements is also tried in the other order.
    fn is_mirrored(&self, origin: usize, target: usize, rank: usize) -> bool {
        self.displaced.last().is_some_and(|first| {
            origin != first.target && origin < first.origin && rank <= first.limit && target != first.origin
        })
    }

    /// Whether all results of a displacement belong to the neighborhood of the previous state.
    fn is_of_previous_state(&self, origin: usize, target: usize, depth: usize) -> bool {
        self.last_push.as_ref().is_some_and(|LastPush { push, near }| {
            let is_apart =
                |moved: &Displacement| moved.origin != push.to && ![push.from, push.to].contains(&moved.target);
            origin == push.to
                && near[depth][target / 64] >> (target % 64) & 1 != 0
                && self.displaced.iter().all(is_apart)
        })
    }

    fn shift(&mut self, from: usize, to: usize) {
        for boxes in [&mut self.key, &mut self.movable] {
            toggle_both(boxes, from, to);
        }
    }
}
