//! A player enters a configuration: all walks from there, and the pulls on the way.
//!
//! ```text
//!  moves to go   m    m+1   m+2   ...           the players of each step are the neighbors of those of the step before,
//!              ┌───┐ ┌───┐ ┌───┐                less boxes, less what was reached with no more moves
//!              │ . │ │...│ │. .│
//!              └───┘ └─┬─┘ └─┬─┘
//!                      ▼     ▼  pull            into configurations that are entered when the layers have come so far
//! ```
//!
//! Nearly every configuration is entered once or twice, and then read and written once or twice, where going through
//! it layer by layer would have it read and written a dozen times. What it costs: another player who enters later may
//! be sooner at some squares. These are walked anew; the pulls made from there, too late, find in time that the states
//! that they lead to were reached sooner.

use std::cmp::Reverse;

use super::agenda::Entry;
use super::batch::Pulled;
use super::bits::{for_bits, has, is_empty, join, leave_out, only};
use super::entered::SlotId;
use super::shard::{Shard, Step};
use super::terrain::Terrain;
use crate::ground::Pull;
use crate::reached::Reached;
use crate::{ConfigId, Context, Stop};

/// Moves that a slot should have room for when its configuration is entered again.
const ROOM: u32 = 100;
/// Which of the states are counted as work: one of six.
const COUNTED: u64 = 0x1041_0410_4104_1041;

/// A configuration that is being entered.
#[derive(Clone, Copy)]
struct Entering<const K: usize, const W: usize> {
    config: ConfigId,
    key: [u64; K],
    /// Squares without boxes.
    free: [u64; W],
    /// Players that were there before.
    known: [u64; W],
    slot: Option<SlotId>,
}

/// The players who a walk leads to.
struct Walk<const W: usize> {
    players: [u64; W],
    /// By their moves to go modulo 3.
    by_remainder: [[u64; W]; 3],
    /// Where their moves to go are noted, but for the one that the walk begins with.
    slot: Option<SlotId>,
}

impl<const K: usize, const W: usize> Shard<K, W> {
    /// Enters a state, unless it was reached with no more moves since it was put down.
    #[inline]
    pub(super) fn enter(
        &mut self,
        Entry { config, player }: Entry,
        step: Step,
        terrain: &Terrain<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let (moves, player) = (terrain.moves_in(step.cost), usize::from(player));
        let known = self.reached.players(config);
        // Most configurations are entered for the first time: no need to look for what is not there.
        let slot = if is_empty(&known) { None } else { self.entered.find(config) };
        if has(&known, player) && slot.and_then(|slot| self.entered.moves(slot, player)) <= Some(moves) {
            return Ok(());
        }
        let key = self.reached.key(config);
        let free = std::array::from_fn(|at| !key.get(at).copied().unwrap_or(0));
        let entering = Entering { config, key, free, known, slot };
        let walk = self.walk_on(entering, (player, moves), terrain)?;
        self.note_walk(entering, moves, &walk, terrain);
        self.count(std::array::from_fn(|at| walk.players[at] & !known[at]), cx)?;
        if terrain.passes(&key) {
            self.pull_all(entering, moves, &walk, step, (terrain, cx))?;
        }
        Ok(())
    }

    /// Walks from the player as far as nobody has come with as few moves.
    #[inline]
    fn walk_on(
        &mut self,
        entering: Entering<K, W>,
        (player, now): (usize, u32),
        terrain: &Terrain<'_, K, W>,
    ) -> Result<Walk<W>, Stop> {
        let Entering { config, free, known, slot: before, .. } = entering;
        let mut walk = Walk { players: only(player), by_remainder: [[0; W]; 3], slot: before };
        let mut remainder = now as usize % 3;
        walk.by_remainder[remainder] = walk.players;
        if let Some(slot) = before {
            if self.entered.open(slot).farthest() < now + ROOM {
                self.entered.rebase(slot, now);
            }
            self.entered.pass(slot, player);
        }
        // Where there is a slot, it tells which of those can be reached sooner.
        let closed = if before.is_some() { [0; W] } else { known };
        let mut open: [u64; W] = std::array::from_fn(|at| free[at] & !closed[at] & !walk.players[at]);
        let mut around = terrain.neighbors[player];
        let most = terrain.most_moves(self.layer).unwrap_or(0);
        if now >= most || is_empty::<W>(&std::array::from_fn(|at| around[at] & open[at])) {
            return Ok(walk);
        }
        let slot = before.map_or_else(|| self.entered.insert(config, now), Ok)?;
        walk.slot = Some(slot);
        let mut noted = self.entered.open(slot);
        let last = most.min(noted.farthest());
        let mut moves = now;
        let mut next: [u64; W];
        loop {
            next = std::array::from_fn(|at| around[at] & open[at]);
            if before.is_some() {
                leave_out(&mut next, &known, |bit| noted.is_later(bit, moves + 1));
            }
            if is_empty(&next) || moves == last {
                break;
            }
            moves += 1;
            remainder = if remainder == 2 { 0 } else { remainder + 1 };
            join(&mut walk.by_remainder[remainder], &next);
            // Whoever comes to one of these later is not sooner.
            (0..W).for_each(|at| open[at] &= !around[at]);
            around = [0; W];
            noted.note(&next, moves, |bit| join(&mut around, &terrain.neighbors[bit]));
        }
        noted.reach(moves);
        let [zero, one, two] = &walk.by_remainder;
        walk.players = std::array::from_fn(|at| zero[at] | one[at] | two[at]);
        if moves < most && !is_empty(&next) {
            self.go_on_later(config, next, moves + 1)?;
        }
        Ok(walk)
    }

    /// Puts down players who have come too far for one slot.
    #[cold]
    fn go_on_later(&mut self, config: ConfigId, players: [u64; W], moves: u32) -> Result<(), Stop> {
        for_bits(players, |bit| {
            let player = u16::try_from(bit).map_err(|_| Stop::Memory)?;
            self.agenda.push(false, moves, Entry { config, player })
        })
    }

    /// Notes the moves to go of a walk, and the states of the spine on it.
    #[inline]
    fn note_walk(
        &mut self,
        Entering { config, known, .. }: Entering<K, W>,
        now: u32,
        walk: &Walk<W>,
        terrain: &Terrain<'_, K, W>,
    ) {
        if is_empty(&known) {
            self.reached.note_first(config, now);
        }
        self.reached.note(config, &walk.by_remainder);
        if config.idx() < self.spine.n_configs() {
            for (state, player) in self.spine.states_of(config) {
                if has(&walk.players, player) {
                    let moves = self.moves_of(walk, player, now);
                    self.spine_states.push(Reverse((terrain.cost(self.layer, moves), state)));
                }
            }
        }
    }

    /// The moves to go of a player on a walk that began with `now`.
    #[inline]
    fn moves_of(&self, walk: &Walk<W>, player: usize, now: u32) -> u32 {
        walk.slot.and_then(|slot| self.entered.moves(slot, player)).unwrap_or(now)
    }

    /// Counts states that are new.
    #[inline]
    fn count(&mut self, new: [u64; W], cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut n_counted = 0;
        for word in new {
            self.n_states += u64::from(word.count_ones());
            n_counted += u64::from((word & COUNTED).count_ones());
        }
        if n_counted > 0 { cx.tick_by(n_counted) } else { Ok(()) }
    }

    /// Undoes the pushes that may have left the player at the squares of a walk.
    #[inline]
    fn pull_all(
        &mut self,
        entering: Entering<K, W>,
        now: u32,
        walk: &Walk<W>,
        step: Step,
        (terrain, cx): (&Terrain<'_, K, W>, &mut Context<'_>),
    ) -> Result<(), Stop> {
        let Entering { key, known, .. } = entering;
        if self.most_moves_after_pull(terrain).is_none() {
            return Ok(());
        }
        let mut beside = [0; W];
        for_bits(key, |bit| {
            join(&mut beside, &terrain.neighbors[bit]);
            Ok(())
        })?;
        let players: [u64; W] = std::array::from_fn(|at| walk.players[at] & beside[at]);
        if is_empty(&players) {
            return Ok(());
        }
        self.look_around(&key, step, terrain);
        for_bits(players, |player| {
            let moves = self.moves_of(walk, player, now);
            self.pull((&key, player), (moves, !has(&known, player)), (terrain, cx))
        })
    }

    /// Looks for the spine states near a configuration that will be pulled from.
    #[inline]
    pub(super) fn look_around(&mut self, key: &[u64; K], step: Step, terrain: &Terrain<'_, K, W>) {
        terrain.look_around(key, step.guess, &mut self.vicinity);
    }

    /// Undoes every push that may have left the player on this bit with so many moves to go.
    #[inline]
    pub(super) fn pull(
        &mut self,
        (boxes, player): (&[u64; K], usize),
        (moves, is_new): (u32, bool),
        (terrain, cx): (&Terrain<'_, K, W>, &mut Context<'_>),
    ) -> Result<(), Stop> {
        for &Pull { ahead, stand } in terrain.ground.pulls(player) {
            if has(boxes, ahead.into()) && !has(boxes, stand.into()) {
                let mut key = *boxes;
                key[usize::from(ahead) / 64] ^= 1 << (ahead % 64);
                key[player / 64] ^= 1 << (player % 64);
                if is_new {
                    terrain.count_scan(cx)?;
                }
                if let Some(candidates) = terrain.candidates(&self.vicinity, (ahead.into(), player)) {
                    let hash = Reached::<K, W>::hash(&key);
                    let pulled = Pulled { key, hash, stand, moves: moves + 1, is_new, candidates };
                    let owner = terrain.owner(hash);
                    if owner == self.number {
                        self.batch.push(pulled);
                    } else {
                        self.letters[owner].push(pulled)?;
                    }
                }
            }
        }
        if self.batch.is_full() { self.look_up_batch(terrain, cx) } else { Ok(()) }
    }
}
