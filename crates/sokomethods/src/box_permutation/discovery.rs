//! Which configurations a window can pass through: a best-first search over the free boxes alone.
//!
//! The player is taken to be everywhere, so pushes are only fewer than in the game, never more. A configuration that is
//! `f` pushes from the window's start and at least `h` from its end lies on no path with fewer than `f + h` pushes.
//! Configurations are taken in the order of `f + h`, those on direct ways first, until none is left below what any
//! better path could have, or there are enough of them.
//!
//! Invariant: bounds are consistent, so a configuration is taken with its least `f`, once.

use std::ops::Range;

use sokocore::{Direction, Level, Metric, Square};
use sokosearch::{ConfigSet, ConfigStore, Context, Engine, HashStore, Inserted, LiveIndex, Order, Spine, Stop};

use super::push_bound::PushBound;
use super::waiting::Waiting;

/// The configurations of a window.
#[derive(Debug)]
pub(super) struct Discovery<'a> {
    level: &'a Level,
    live: &'a LiveIndex,
    pushes: Range<usize>,
    /// The boxes that stay where they are.
    stays: Vec<u64>,
    bound: PushBound,
    /// No better path makes more pushes.
    most_pushes: u32,
    set: ConfigSet<'a>,
    /// By `f + h`, with their `f`.
    waiting: Waiting,
}

impl<'a> Discovery<'a> {
    /// Prepares the discovery of a window: the boxes that its pushes move are free, and up to `n_free` in all.
    pub(super) fn new(
        live: &'a LiveIndex,
        spine: &Spine,
        pushes: &Range<usize>,
        (n_free, engine): (usize, Engine),
        cx: &Context<'a>,
    ) -> Result<Self, Stop> {
        let level = cx.level();
        let stays = boxes_that_stay(level, live, spine, pushes, n_free);
        let is_end = pushes.end == spine.end();
        let targets: Vec<usize> = if is_end {
            let goals = level.board().goals().iter().filter_map(|sq| live.bit(sq));
            goals.filter(|bit| stays[bit / 64] >> (bit % 64) & 1 == 0).collect()
        } else {
            let end = &spine.states()[pushes.end].key;
            let free: Vec<u64> = end.iter().zip(&stays).map(|(end, stays)| end & !stays).collect();
            LiveIndex::bits_of(&free).collect()
        };
        let account = cx.budget().memory();
        Ok(Self {
            level,
            live,
            pushes: pushes.clone(),
            bound: PushBound::new(level, live, &stays, &targets),
            stays,
            most_pushes: most_pushes(spine, pushes, cx),
            set: ConfigSet::new(live, engine, cx)?,
            waiting: Waiting::new(live.words(), account.clone()),
        })
    }

    /// Discovers configurations until these are all, or `enough`, or `ticks` are used up; adds those of the spine.
    /// Returns whether these are all.
    pub(super) fn run(&mut self, spine: &Spine, enough: u64, ticks: u64, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let start = &spine.states()[self.pushes.start].key;
        let is_whole = match cx.sliced(ticks, |cx| self.discover(start, enough, cx)) {
            Ok(end) => end == Some(true),
            Err(Stop::Memory) => false,
            Err(stop) => return Err(stop),
        };
        self.waiting = Waiting::new(self.live.words(), cx.budget().memory().clone());
        for state in &spine.states()[self.pushes.start..=self.pushes.end] {
            self.set.add(&state.key, cx).map(|_: Inserted| ())?;
        }
        Ok(is_whole)
    }

    /// Returns the configurations.
    pub(super) const fn store(&self) -> &HashStore {
        self.set.store()
    }

    fn discover(&mut self, start: &[u64], enough: u64, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let mut free: Vec<usize> = Vec::new();
        self.list_free(start, &mut free);
        self.wait(start, &free, 0)?;
        let mut key = vec![0; start.len()];
        while let Some(f) = self.waiting.take(&mut key) {
            if self.set.add(&key, cx)? == Inserted::Known {
                continue;
            }
            if self.set.store().n_configs() as u64 >= enough {
                return Ok(false);
            }
            self.list_free(&key, &mut free);
            for n in 0..free.len() {
                for dir in Direction::ALL {
                    self.push(&mut key, &mut free, (n, dir), f, cx)?;
                }
            }
        }
        Ok(true)
    }

    /// Lets what comes of pushing free box number `n` wait, unless it is known, frozen or too far off.
    fn push(
        &mut self,
        key: &mut [u64],
        free: &mut [usize],
        (n, dir): (usize, Direction),
        f: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let (board, from) = (self.level.board(), free[n]);
        let sq = self.live.square(from);
        let is_free = |sq: &Square| !self.live.has_box(key, *sq);
        let Some(to) = board.step(sq, dir).filter(is_free).and_then(|to| self.live.bit(to)) else { return Ok(()) };
        if board.step(sq, dir.opposite()).filter(is_free).is_none() {
            return Ok(());
        }
        cx.tick()?;
        toggle(key, from, to);
        free[n] = to;
        if self.set.store().find(key).is_none() && !self.set.is_dead(key, &[to]) {
            self.wait(key, free, f + 1)?;
        }
        free[n] = from;
        toggle(key, from, to);
        Ok(())
    }

    /// Puts a configuration among those waiting if some better path might pass it.
    fn wait(&mut self, key: &[u64], free: &[usize], f: u32) -> Result<(), Stop> {
        let Some(sum) = self.bound.of(free).map(|h| f + h).filter(|&sum| sum <= self.most_pushes) else {
            return Ok(());
        };
        self.waiting.add(sum, key, f)
    }

    fn list_free(&self, key: &[u64], free: &mut Vec<usize>) {
        free.clear();
        free.extend(LiveIndex::bits_of(key).filter(|bit| self.stays[bit / 64] >> (bit % 64) & 1 == 0));
    }
}

/// The boxes of a window that are walls. Pushed boxes are not, nor are those nearest to the pushes, up to `n_free`.
fn boxes_that_stay(level: &Level, live: &LiveIndex, spine: &Spine, pushes: &Range<usize>, n_free: usize) -> Vec<u64> {
    let start = &spine.states()[pushes.start].key;
    let mut stays = start.to_vec();
    // A box that is pushed leaves the square of its start by a push; no box that stays is ever pushed from its square.
    let from: Vec<usize> = spine.pushes()[pushes.clone()].iter().filter_map(|push| live.bit(push.from)).collect();
    from.iter().for_each(|&bit| stays[bit / 64] &= !(1 << (bit % 64)));
    let n_boxes = LiveIndex::bits_of(start).count();
    let n_pushed = n_boxes - LiveIndex::bits_of(&stays).count();
    let mut left = n_free.min(n_boxes).saturating_sub(n_pushed);
    let mut seen = vec![false; level.board().n_squares()];
    let mut queue: Vec<Square> = from.iter().map(|&bit| live.square(bit)).collect();
    let mut head = 0;
    while let Some(&sq) = queue.get(head).filter(|_| left > 0) {
        head += 1;
        if live.has_box(&stays, sq)
            && let Some(bit) = live.bit(sq)
        {
            stays[bit / 64] &= !(1 << (bit % 64));
            left -= 1;
        }
        for next in Direction::ALL.iter().filter_map(|&dir| level.board().step(sq, dir)) {
            if !std::mem::replace(&mut seen[next.idx()], true) {
                queue.push(next);
            }
        }
    }
    stays
}

fn toggle(key: &mut [u64], one: usize, other: usize) {
    key[one / 64] ^= 1 << (one % 64);
    key[other / 64] ^= 1 << (other % 64);
}

/// No path through the window with more pushes than this is better: each push is a move, and a push of its own kind
/// where the order counts pushes. In the orders that count lines first, and where no engine counts what comes first,
/// there is no such bound.
fn most_pushes(spine: &Spine, pushes: &Range<usize>, cx: &Context<'_>) -> u32 {
    let (first, last) = (&spine.states()[pushes.start].metrics, &spine.states()[pushes.end].metrics);
    if !Engine::counts(&cx.objective()) {
        return u32::MAX;
    }
    let bound = match Order::of(&cx.objective()) {
        Order::PushesMoves | Order::PushesOnly => Metric::Pushes.of(last) - Metric::Pushes.of(first),
        Order::MovesPushes => Metric::Moves.of(last) - Metric::Moves.of(first),
        Order::LinesMoves | Order::LinesPushes => u64::from(u32::MAX),
    };
    u32::try_from(bound).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use sokocore::{Objective, replay};
    use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

    use super::*;

    /// Discovers all of a room with three boxes within so much memory. Returns the configurations and whether they
    /// are all, and what was used at most; `None` if nothing could be begun.
    fn discover(memory: u64) -> Option<(usize, bool, u64)> {
        let level = Level::parse("########\n#      #\n#@$  . #\n# $  . #\n# $  . #\n#      #\n########").unwrap();
        let solution = replay(&level, &"RRRllldRRRllldRRR".parse().unwrap()).unwrap();
        let live = LiveIndex::new(&level);
        let spine = Spine::new(&level, &live, &solution, &MemoryAccount::new(1 << 20)).unwrap();
        // By an objective without a bound everything is looked at.
        let objective: Objective = "boxlines/moves".parse().unwrap();
        let pool = Pool::new(&level, &solution, &[objective]);
        let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
        let mut cx = Context::new(&pool, objective, &budget, &());
        let mut discovery = Discovery::new(&live, &spine, &(0..spine.end()), (3, Engine::Fast), &cx).ok()?;
        let is_all = discovery.run(&spine, u64::MAX, u64::MAX, &mut cx).ok()?;
        let has_state = |state: &sokosearch::SpineState| discovery.store().find(&state.key).is_some();
        assert!(spine.states().iter().all(has_state), "the way there is is among them");
        Some((discovery.store().n_configs(), is_all, budget.memory().peak()))
    }

    #[test]
    fn what_waits_counts_as_memory_and_the_rest_goes_without() {
        let (all, is_all, most) = discover(64 << 20).unwrap();
        assert!(is_all && all > 200);
        let (some, is_all, used) = discover(most - 1).unwrap();
        assert!(!is_all && some < all && used < most, "{some} of {all}");
        let mut fewer = 0;
        for memory in (10..20).map(|bits| 1 << bits) {
            if let Some((some, is_all, used)) = discover(memory) {
                assert!(used <= memory && is_all == (some == all));
                fewer += u32::from(!is_all);
            }
        }
        assert!(fewer > 0, "some went without the rest");
    }
}
