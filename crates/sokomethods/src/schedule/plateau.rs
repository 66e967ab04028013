//! A walk along the plateau: hops to other solutions of equal worth, from which cheap arms search.
//!
//! A hop searches a window of the incumbent with one box displaced and takes a random one of the best paths through
//! it. If the solution was not seen before, the cheap arms search from there. A solution that is better than the best
//! counts as a gain; otherwise the walk continues, and restarts from the best after some hops.
//!
//! The walk ends (trap 19): solutions that are remembered are not visited again, and consecutive hops without a gain
//! are counted.

use sokocore::{Lurd, pushes_of, replay};
use sokosearch::{
    Boxes, Context, Neighborhood, Order, RingOrder, SearchWindow, Spine, Stop, StoreKind, Tube, TubeOptions,
    plateau_walk, plateau_walk_near,
};

use super::arm::{Arm, ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch, restore_arms, save_arms};
use super::arm_context::ArmContext;
use super::bandit::run_best;
use crate::checkpoint::field::{Bits, fields};
use crate::fingerprints::{WindowSet, fingerprint, mix};
use crate::{Technique, TechniqueSet};

/// Its rank among the arms.
pub(crate) const RANK: usize = 5;
/// Arms above this rank do not take part.
pub(crate) const MAX_RANK: usize = 2;
/// Consecutive hops without a gain that end the walk.
const MAX_HOPS: u64 = 512;
/// Hops between two restarts from the best.
const RESTART_PERIOD: u64 = 8;
/// Tries for one hop to find a solution that was not seen.
const MAX_TRIES: u64 = 16;
/// Longest window of a hop, in pushes.
const LENGTH: usize = 200;
/// Ticks of one hop and the search of the cheap arms after it.
const SLICE: u64 = 8_000_000;
/// Most solutions seen in a checkpoint.
const MOST_SAVED: usize = 1 << 14;

/// A walk along solutions of equal worth.
#[derive(Debug)]
pub(crate) struct Plateau {
    arms: Vec<Arm>,
    seed: u64,
    /// Hops since the best was improved.
    hops: u64,
    seen: WindowSet,
    /// The current solution of the walk; `None` if it is the best.
    current: Option<Lurd>,
    is_done: bool,
}

/// The state of a walk as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedPlateau {
    arms: Vec<SavedArm>,
    hops: u64,
    seen: Vec<Bits>,
    current: Option<Lurd>,
    is_done: bool,
}

fields!(SavedPlateau { arms, hops, seen, current, is_done });

impl SavedPlateau {
    pub(crate) fn arms_mut(&mut self) -> &mut [SavedArm] {
        &mut self.arms
    }
}

impl Plateau {
    pub(crate) fn new(arms: Vec<Arm>, seed: u64) -> Self {
        Self { arms, seed, hops: 0, seen: WindowSet::default(), current: None, is_done: false }
    }

    /// Moves to a solution not seen before. Returns whether one was found.
    fn hop(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        for attempt in 0..MAX_TRIES {
            if self.try_hop(mix(mix(self.seed, self.hops), attempt), arm_cx, cx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes one random path. Returns whether the solution was not seen before.
    fn try_hop(&mut self, seed: u64, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let (live, engine) = (arm_cx.live, arm_cx.knobs.engine);
        cx.working("plateau", "looking for another solution of equal worth");
        let spine = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        self.seen.insert(fingerprint(&spine, 0, spine.end(), 0), cx.budget().memory());
        let below = |n: usize, salt| {
            usize::try_from(mix(seed, salt) % n.max(1) as u64).expect("invariant: below a number that fits")
        };
        let length = LENGTH.min(spine.end());
        let from = below(spine.end() - length + 1, 1);
        let limit = [10, 20, 40][below(3, 2)].min(live.n_live());
        let varies_ring = arm_cx.knobs.techniques.contains(Technique::RingOrders);
        let ring = RingOrder::ALL[if varies_ring { below(RingOrder::ALL.len(), 3) } else { 0 }];
        let neighborhood = Neighborhood { limits: vec![limit], ring, boxes: Boxes::All };
        let order = Order::of(&cx.objective());
        let (to, directions) = (from + length, ring.directions());
        let search_window = SearchWindow { live, spine: &spine, from, to, order, directions, engine };
        let has_wandered = match plateau_walk_near(search_window, &neighborhood, seed, cx)? {
            Some(has_wandered) => has_wandered,
            None => {
                let tube = Tube::around(
                    live,
                    &spine,
                    from..=to,
                    &neighborhood,
                    TubeOptions { engine, order, store: StoreKind::Hash },
                    cx,
                )?;
                plateau_walk(SearchWindow { to: tube.to, ..search_window }, &tube.store, seed, cx)?
            }
        };
        if !has_wandered {
            return Ok(false);
        }
        let there = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        Ok(self.seen.insert(fingerprint(&there, 0, there.end(), 0), cx.budget().memory()))
    }
}

impl SlicedSearch for Plateau {
    fn name(&self) -> &'static str {
        "plateau"
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::Plateau)
    }

    /// Makes one hop and runs the cheap arms from there.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        if self.hops.is_multiple_of(RESTART_PERIOD) {
            self.current = None;
        }
        if let Some(current) = &self.current {
            cx.focus_on(&pushes_of(cx.level(), current));
        }
        let best = cx.best().metrics();
        let end = cx.sliced(SLICE, |cx| {
            if self.hop(arm_cx, cx)? {
                self.arms.iter_mut().for_each(Arm::revive);
                while cx.best().metrics() == best && run_best(&mut self.arms, arm_cx, cx)? {}
            }
            Ok(())
        });
        self.hops += 1;
        self.is_done = self.hops >= MAX_HOPS;
        self.current = Some(cx.incumbent().lurd().clone());
        cx.focus_on_best();
        Ok(if end?.is_some() { ArmSliceEnd::Finished } else { ArmSliceEnd::CutShort })
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    /// Restarts the walk: the best has changed.
    fn revive(&mut self) {
        self.current = None;
        self.hops = 0;
        self.is_done = false;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::Plateau(SavedPlateau {
            arms: save_arms(&self.arms),
            hops: self.hops,
            seen: self.seen.save(MOST_SAVED),
            current: self.current.clone(),
            is_done: self.is_done,
        })
    }

    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::Plateau(saved) = saved else { return };
        restore_arms(&mut self.arms, &saved.arms, arm_cx, cx);
        self.seen.restore(&saved.seen, cx.budget().memory());
        (self.hops, self.is_done) = (saved.hops, saved.is_done);
        self.current = saved.current.clone().filter(|moves| replay(cx.level(), moves).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

    use super::*;
    use crate::Knobs;
    use crate::schedule::searched_windows::SearchedWindows;
    use crate::schedule::window_locks::WindowLocks;

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
        let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
        let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
        let mut plateau = Plateau::new(Vec::new(), 0);
        plateau.hops = MAX_HOPS - N_HOPS;
        for _ in 0..N_HOPS {
            assert!(!plateau.is_done());
            plateau.run_slice(arm_cx, &mut cx).unwrap();
        }
        assert!(plateau.is_done(), "the walk ends, whatever it remembers");
        let best = pool.best(Objective::MOVES).metrics().moves;
        assert!(best <= start.metrics().moves && budget.memory().peak() <= memory);
        plateau.seen.n_known()
    }

    #[test]
    fn trap_19_a_walk_ends_even_without_memory_for_what_it_has_seen() {
        assert!(walk(64 << 20) > 28, "there are many solutions as good");
        let n_known = walk(36 << 10);
        assert!((1..=28).contains(&n_known), "{n_known}");
        assert_eq!(walk(18 << 10), 0);
    }
}
