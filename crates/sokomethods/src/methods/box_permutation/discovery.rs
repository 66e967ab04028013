//! The configurations that paths through a window may contain: A* over the free boxes alone.
//!
//! The player is assumed to reach every square, a relaxation: paths have at most as many pushes as in the game. A
//! configuration `g` pushes from the window's start and at least `h` from its end lies on no path with fewer than
//! `g + h` pushes. Configurations are expanded in the order of `g + h` until the bound exceeds the pushes of any better
//! path, or there are enough of them.
//!
//! Invariant: `h` is consistent, so a configuration is expanded once, with its least `g`.

use std::ops::Range;

use sokocore::{Direction, Level, Metric, Square};
use sokosearch::{ConfigSet, ConfigStore, Context, Engine, HashStore, Inserted, LiveIndex, Order, Spine, Stop};

use super::open_list::OpenList;
use super::push_bound::PushBound;

/// The configurations of a window.
#[derive(Debug)]
pub(super) struct Discovery<'a> {
    level: &'a Level,
    live: &'a LiveIndex,
    pushes: Range<usize>,
    /// The boxes that are walls.
    fixed: Vec<u64>,
    bound: PushBound,
    /// No better path makes more pushes.
    most_pushes: u32,
    set: ConfigSet<'a>,
    /// The open list, by `g + h`.
    open: OpenList,
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
        let fixed = fixed_boxes(level, live, spine, pushes, n_free);
        let is_end = pushes.end == spine.end();
        let targets: Vec<usize> = if is_end {
            let goals = level.board().goals().iter().filter_map(|sq| live.bit(sq));
            goals.filter(|bit| fixed[bit / 64] >> (bit % 64) & 1 == 0).collect()
        } else {
            let end = &spine.states()[pushes.end].key;
            let free: Vec<u64> = end.iter().zip(&fixed).map(|(end, fixed)| end & !fixed).collect();
            LiveIndex::bits_of(&free).collect()
        };
        let account = cx.budget().memory();
        Ok(Self {
            level,
            live,
            pushes: pushes.clone(),
            bound: PushBound::new(level, live, &fixed, &targets),
            fixed,
            most_pushes: most_pushes(spine, pushes, cx),
            set: ConfigSet::new(live, engine, cx)?,
            open: OpenList::new(live.words(), account.clone()),
        })
    }

    /// Generates configurations until there are no more, or `enough`, or `ticks` are used up; adds those of the spine.
    /// Returns whether there are no more.
    pub(super) fn run(&mut self, spine: &Spine, enough: u64, ticks: u64, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let start = &spine.states()[self.pushes.start].key;
        let is_whole = match cx.sliced(ticks, |cx| self.discover(start, enough, cx)) {
            Ok(end) => end == Some(true),
            Err(Stop::Memory) => false,
            Err(stop) => return Err(stop),
        };
        self.open = OpenList::new(self.live.words(), cx.budget().memory().clone());
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
        self.insert(start, &free, 0)?;
        let mut key = vec![0; start.len()];
        while let Some(g) = self.open.pop(&mut key) {
            if self.set.add(&key, cx)? == Inserted::Known {
                continue;
            }
            if self.set.store().n_configs() as u64 >= enough {
                return Ok(false);
            }
            self.list_free(&key, &mut free);
            for n in 0..free.len() {
                for dir in Direction::ALL {
                    self.push(&mut key, &mut free, (n, dir), g, cx)?;
                }
            }
        }
        Ok(true)
    }

    /// Inserts the configuration after a push of free box number `n`, unless it is closed, dead or pruned.
    fn push(
        &mut self,
        key: &mut [u64],
        free: &mut [usize],
        (n, dir): (usize, Direction),
        g: u32,
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
            self.insert(key, free, g + 1)?;
        }
        free[n] = from;
        toggle(key, from, to);
        Ok(())
    }

    /// Inserts a configuration into the open list if a better path may contain it.
    fn insert(&mut self, key: &[u64], free: &[usize], g: u32) -> Result<(), Stop> {
        let Some(sum) = self.bound.of(free).map(|h| g + h).filter(|&sum| sum <= self.most_pushes) else {
            return Ok(());
        };
        self.open.push(sum, key, g)
    }

    fn list_free(&self, key: &[u64], free: &mut Vec<usize>) {
        free.clear();
        free.extend(LiveIndex::bits_of(key).filter(|bit| self.fixed[bit / 64] >> (bit % 64) & 1 == 0));
    }
}

/// The boxes of a window that are walls: all but the pushed ones and, up to `n_free`, those nearest to the pushes.
fn fixed_boxes(level: &Level, live: &LiveIndex, spine: &Spine, pushes: &Range<usize>, n_free: usize) -> Vec<u64> {
    let start = &spine.states()[pushes.start].key;
    let mut fixed = start.to_vec();
    // The first push of a box leaves its start square; no fixed box is ever pushed from its square.
    let from: Vec<usize> = spine.pushes()[pushes.clone()].iter().filter_map(|push| live.bit(push.from)).collect();
    from.iter().for_each(|&bit| fixed[bit / 64] &= !(1 << (bit % 64)));
    let n_boxes = LiveIndex::bits_of(start).count();
    let n_pushed = n_boxes - LiveIndex::bits_of(&fixed).count();
    let mut left = n_free.min(n_boxes).saturating_sub(n_pushed);
    let mut seen = vec![false; level.board().n_squares()];
    let mut queue: Vec<Square> = from.iter().map(|&bit| live.square(bit)).collect();
    let mut head = 0;
    while let Some(&sq) = queue.get(head).filter(|_| left > 0) {
        head += 1;
        if live.has_box(&fixed, sq)
            && let Some(bit) = live.bit(sq)
        {
            fixed[bit / 64] &= !(1 << (bit % 64));
            left -= 1;
        }
        for next in Direction::ALL.iter().filter_map(|&dir| level.board().step(sq, dir)) {
            if !std::mem::replace(&mut seen[next.idx()], true) {
                queue.push(next);
            }
        }
    }
    fixed
}

fn toggle(key: &mut [u64], one: usize, other: usize) {
    key[one / 64] ^= 1 << (one % 64);
    key[other / 64] ^= 1 << (other % 64);
}

/// Returns an upper bound on the pushes of a better path through the window: each push is a move, and counts itself
/// if the order starts with pushes. Orders that start with lines, and objectives whose first metric no engine counts,
/// have no such bound.
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

    /// Generates all configurations of a room with three boxes within so much memory. Returns their number, whether
    /// they are all, and the peak memory; `None` if the memory does not suffice to begin.
    fn discover(memory: u64) -> Option<(usize, bool, u64)> {
        let level = Level::parse("########\n#      #\n#@$  . #\n# $  . #\n# $  . #\n#      #\n########").unwrap();
        let solution = replay(&level, &"RRRllldRRRllldRRR".parse().unwrap()).unwrap();
        let live = LiveIndex::new(&level);
        let spine = Spine::new(&level, &live, &solution, &MemoryAccount::new(1 << 20)).unwrap();
        // An objective without a bound prunes nothing.
        let objective: Objective = "boxlines/moves".parse().unwrap();
        let pool = Pool::new(&level, &solution, &[objective]);
        let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
        let mut cx = Context::new(&pool, objective, &budget, &());
        let mut discovery = Discovery::new(&live, &spine, &(0..spine.end()), (3, Engine::Fast), &cx).ok()?;
        let is_all = discovery.run(&spine, u64::MAX, u64::MAX, &mut cx).ok()?;
        let has_state = |state: &sokosearch::SpineState| discovery.store().find(&state.key).is_some();
        assert!(spine.states().iter().all(has_state), "the states of the solution are among them");
        Some((discovery.store().n_configs(), is_all, budget.memory().peak()))
    }

    #[test]
    fn the_open_list_is_charged_and_discovery_ends_where_memory_does() {
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
        assert!(fewer > 0, "some discoveries are incomplete");
    }
}
