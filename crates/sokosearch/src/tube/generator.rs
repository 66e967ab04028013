//! Displaces boxes of one spine state after another.
//!
//! ```text
//!  state 6      . . q . .     its neighborhood is made
//!  state 7      . . . q .     box q was pushed: moved from here to a square that is near for it in state 6 as well, what
//!                             comes of it was made there; so it is moved to the others only
//! ```
//!
//! Three things are not tried, since they bring nothing that is not in the set:
//! * two displacements of different boxes in both orders: a pair that moves the lower box second is left to its mirror
//!   image, unless the first box had to leave the square that the second one takes (trap 9);
//! * what the spine state before has in its neighborhood as well (above);
//! * of a configuration that is dead, a last displacement of another box than the culprits (see `dead_check`).

use sokocore::Level;

use crate::dead_check::DeadCheck;
use crate::{ConfigStore, Context, HashStore, Inserted, LiveIndex, MemoryAccount, Neighborhood, Rings, Stop};

/// Makes the neighborhoods of spine states, in the order of the spine.
pub(super) struct Generator<'a> {
    level: &'a Level,
    live: &'a LiveIndex,
    rings: Rings,
    dead: DeadCheck<'a>,
    limits: &'a [usize],
    store: HashStore,
    /// The configuration being made.
    key: Vec<u64>,
    /// Those of its boxes that may be displaced, wherever they are now.
    movable: Vec<u64>,
    /// The displacements that lead to it.
    displaced: Vec<Displacement>,
    /// For each limit, the boxes to displace by it next.
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

/// The push that leads from the state whose neighborhood was made last to the one whose neighborhood is made now.
struct LastPush {
    from: usize,
    to: usize,
    /// For each limit, the squares that the box could be displaced to before it, with that where it stood.
    near: Vec<Vec<u64>>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        (level, live, neighborhood): (&'a Level, &'a LiveIndex, &'a Neighborhood),
        (dead, store): (DeadCheck<'a>, HashStore),
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

    /// Returns what was made.
    pub(super) fn into_store(self) -> HashStore {
        self.store
    }

    /// Adds the neighborhood of a state. `last_push` is what the state comes from, from and to which bit, if the
    /// neighborhood before it was made last.
    pub(super) fn add_around(
        &mut self,
        (center, movable): (&[u64], &[u64]),
        last_push: Option<(usize, usize)>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        self.key.copy_from_slice(center);
        self.movable.copy_from_slice(movable);
        self.last_push = last_push.map(|push| self.last_push(push)).transpose()?;
        self.displaced.clear();
        self.store.insert(center, cx)?;
        self.displace(0, false, cx)
    }

    fn last_push(&mut self, (from, to): (usize, usize)) -> Result<LastPush, Stop> {
        let ring = self.rings.of(self.level.board(), self.live, from)?;
        let near = |&limit: &usize| {
            let mut near = vec![0; self.live.words()];
            ring.iter().take(limit + 1).for_each(|&bit| near[bit as usize / 64] |= 1 << (bit % 64));
            near
        };
        Ok(LastPush { from, to, near: self.limits.iter().map(near).collect() })
    }

    /// Displaces boxes by the limits from `depth` on, and adds what comes of it. The configuration itself may be dead.
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
                self.displace_box(origin, (depth, limit), cx)?;
            }
        }
        Ok(())
    }

    /// Moves one box to each of its nearest squares, and goes on from there.
    fn displace_box(
        &mut self,
        origin: usize,
        (depth, limit): (usize, usize),
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        for rank in 1..=limit {
            let ring = self.rings.of(self.level.board(), self.live, origin)?;
            let Some(&target) = ring.get(rank) else { break };
            let target = target as usize;
            let is_taken = self.key[target / 64] >> (target % 64) & 1 != 0;
            if is_taken || self.is_mirrored(origin, target, rank) || self.is_of_state_before(origin, target, depth) {
                continue;
            }
            self.shift(origin, target);
            self.displaced.push(Displacement { origin, target, limit });
            let done = self.go_on(depth + 1, cx);
            self.displaced.pop();
            self.shift(target, origin);
            done?;
        }
        Ok(())
    }

    /// Displaces more boxes of the configuration, or adds it.
    fn go_on(&mut self, depth: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
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

    /// Whether the same pair of displacements is also made the other way round.
    fn is_mirrored(&self, origin: usize, target: usize, rank: usize) -> bool {
        self.displaced.last().is_some_and(|first| {
            origin != first.target && origin < first.origin && rank <= first.limit && target != first.origin
        })
    }

    /// Whether all that comes of a displacement belongs to the neighborhood of the state before.
    fn is_of_state_before(&self, origin: usize, target: usize, depth: usize) -> bool {
        self.last_push.as_ref().is_some_and(|push| {
            let is_apart =
                |moved: &Displacement| moved.origin != push.to && ![push.from, push.to].contains(&moved.target);
            origin == push.to
                && push.near[depth][target / 64] >> (target % 64) & 1 != 0
                && self.displaced.iter().all(is_apart)
        })
    }

    fn shift(&mut self, from: usize, to: usize) {
        for boxes in [&mut self.key, &mut self.movable] {
            boxes[from / 64] ^= 1 << (from % 64);
            boxes[to / 64] ^= 1 << (to % 64);
        }
    }
}
