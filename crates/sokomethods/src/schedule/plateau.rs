//! Hops along the plateau: when nothing gains any more, on to another solution of equal worth.
//!
//! A hop searches a window of the incumbent with one box displaced and takes a random one of the best ways through
//! it. Where that is a solution not seen before, cheap arms try from there. What they find counts when it is better
//! than the best; otherwise the walk goes on, and after some hops it starts again from the best.
//!
//! It ends (trap 19): solutions seen are not visited again as long as they are remembered, and hops in a row without a
//! gain are counted.

use sokocore::{Push, pushes_of};
use sokosearch::{
    Boxes, Context, Neighborhood, Order, RingOrder, Spine, Stop, StoreKind, Stretch, Tube, wander, wander_near,
};

use super::arm::{Arm, Slice};
use super::field::Field;
use super::play_best;
use crate::fingerprints::{Fingerprints, fingerprint, mix};

/// Its rank among the arms.
pub(crate) const RANK: usize = 5;
/// Arms above this rank do not take part.
pub(crate) const MAX_RANK: usize = 2;
/// Hops in a row without a gain before the walk is over.
const MAX_HOPS: u64 = 512;
/// Hops away from the best before the walk starts from it again.
const STRIDE: u64 = 8;
/// Tries for one hop to find a solution that was not seen.
const MAX_TRIES: u64 = 16;
/// Longest window of a hop, in pushes.
const LENGTH: usize = 200;
/// Ticks of one hop and what the cheap arms make of it.
const SLICE: u64 = 8_000_000;

/// A walk along solutions of equal worth.
#[derive(Debug)]
pub(crate) struct Plateau {
    arms: Vec<Arm>,
    seed: u64,
    /// Hops since the best got better.
    hops: u64,
    seen: Fingerprints,
    /// Where the walk is; `None` at the best.
    place: Option<Vec<Push>>,
    is_done: bool,
}

impl Plateau {
    pub(crate) fn new(arms: Vec<Arm>, seed: u64) -> Self {
        Self { arms, seed, hops: 0, seen: Fingerprints::default(), place: None, is_done: false }
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Starts again: the best has changed.
    pub(crate) fn revive(&mut self) {
        self.place = None;
        self.hops = 0;
        self.is_done = false;
    }

    /// Makes one hop and lets the cheap arms try from there.
    pub(crate) fn run_slice(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        if self.hops.is_multiple_of(STRIDE) {
            self.place = None;
        }
        if let Some(place) = &self.place {
            cx.wander_to(place);
        }
        let best = cx.best().metrics();
        let slice = cx.sliced(SLICE, |cx| {
            if self.hop(field, cx)? {
                self.arms.iter_mut().for_each(Arm::revive);
                while cx.best().metrics() == best && play_best(&mut self.arms, field, cx)? {}
            }
            Ok(())
        });
        self.hops += 1;
        self.is_done = self.hops >= MAX_HOPS;
        self.place = Some(pushes_of(cx.level(), cx.incumbent().lurd()));
        cx.come_back();
        Ok(if slice?.is_some() { Slice::Finished } else { Slice::CutShort })
    }

    /// Goes on to a solution not seen before, if one is found.
    fn hop(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        for attempt in 0..MAX_TRIES {
            if self.step(mix(mix(self.seed, self.hops), attempt), field, cx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes one random way; returns whether it leads to a solution not seen before.
    fn step(&mut self, seed: u64, field: Field<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let (live, engine) = (field.live, field.knobs.engine);
        cx.working("plateau", "looking for another solution of equal worth");
        let spine = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        self.seen.insert(fingerprint(&spine, 0, spine.end(), 0), cx.budget().memory());
        let below = |n: usize, salt| usize::try_from(mix(seed, salt) % n.max(1) as u64).unwrap_or(0);
        let length = LENGTH.min(spine.end());
        let from = below(spine.end() - length + 1, 1);
        let limit = [10, 20, 40][below(3, 2)].min(live.n_live());
        let ring = RingOrder::ALL[below(RingOrder::ALL.len(), 3)];
        let neighborhood = Neighborhood { limits: vec![limit], ring, boxes: Boxes::All };
        let order = Order::of(&cx.objective());
        let (to, directions) = (from + length, ring.directions());
        let stretch = Stretch { live, spine: &spine, from, to, order, directions, engine };
        let has_wandered = match wander_near(stretch, &neighborhood, seed, cx)? {
            Some(has_wandered) => has_wandered,
            None => {
                let tube = Tube::around(live, &spine, (from, to), &neighborhood, (engine, order, StoreKind::Hash), cx)?;
                wander(Stretch { to: tube.to, ..stretch }, &tube.store, seed, cx)?
            }
        };
        if !has_wandered {
            return Ok(false);
        }
        let there = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        Ok(self.seen.insert(fingerprint(&there, 0, there.end(), 0), cx.budget().memory()))
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

    use super::*;
    use crate::Knobs;
    use crate::schedule::searched_windows::SearchedWindows;
    use crate::schedule::windows_in_hand::WindowsInHand;

    /// The last hops of a walk.
    const N_HOPS: u64 = 160;

    /// Walks among the many equal solutions of a level until it ends. Returns how many solutions it remembers.
    fn walk(memory: u64) -> usize {
        let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######").unwrap();
        let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
        let (searched, in_hand) = (SearchedWindows::default(), WindowsInHand::default());
        let field = Field { knobs: &knobs, live: &live, searched: &searched, in_hand: &in_hand };
        let mut plateau = Plateau::new(Vec::new(), 0);
        plateau.hops = MAX_HOPS - N_HOPS;
        for _ in 0..N_HOPS {
            assert!(!plateau.is_done());
            plateau.run_slice(field, &mut cx).unwrap();
        }
        assert!(plateau.is_done(), "it ends, whatever it remembers");
        let best = pool.best(Objective::MOVES).metrics().moves;
        assert!(best <= start.metrics().moves && budget.memory().peak() <= memory);
        plateau.seen.n_known()
    }

    #[test]
    fn trap_19_a_walk_ends_even_if_it_cannot_remember_where_it_was() {
        assert!(walk(64 << 20) > 28, "there are many solutions as good");
        let n_known = walk(36 << 10);
        assert!((1..=28).contains(&n_known), "{n_known}");
        assert_eq!(walk(18 << 10), 0);
    }
}
