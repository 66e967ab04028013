//! Successive halving (Jamieson and Talwalkar 2016): after each round the better half of a generation continues.

use sokosearch::{Context, Stop};
use tracing::debug;

use super::archive::Archive;
use super::lineage::{Lineage, SavedLineage};
use crate::checkpoint::field::fields;
use crate::schedule::arm::{ArmSliceEnd, SavedArm};
use crate::schedule::arm_context::ArmContext;

/// Most ticks of one slice.
const SLICE: u64 = 8_000_000;
/// No generation has so many rounds.
const MAX_ROUNDS: u32 = 20;

/// The lineages that are left, and the one whose slice is next.
#[derive(Debug)]
pub(super) struct SuccessiveHalving {
    lineages: Vec<Lineage>,
    next: usize,
    round: u32,
    /// Ticks of each lineage in the first round.
    share: u64,
}

/// A generation as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedHalving {
    lineages: Vec<SavedLineage>,
    next: usize,
    round: u32,
    share: u64,
}

fields!(SavedHalving { lineages, next, round, share });

impl SavedHalving {
    /// Visits the arms of each lineage.
    pub(super) fn arms_mut(&mut self) -> impl Iterator<Item = &mut [SavedArm]> {
        self.lineages.iter_mut().map(SavedLineage::arms_mut)
    }
}

/// The state of a generation after a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HalvingState {
    /// Some lineage has not used up its share.
    Running,
    /// Other threads hold locks on all that is left to try in the lineage whose slice is next.
    Blocked,
    /// Each has used up its share: the next round begins with [`SuccessiveHalving::halve`].
    RoundOver,
    /// The last lineage stagnates.
    Over,
}

impl SuccessiveHalving {
    pub(super) const fn new(lineages: Vec<Lineage>, share: u64) -> Self {
        Self { lineages, next: 0, round: 0, share }
    }

    #[cfg(test)]
    pub(super) const fn n_lineages(&self) -> usize {
        self.lineages.len()
    }

    pub(super) fn save(&self) -> SavedHalving {
        let lineages = self.lineages.iter().map(Lineage::save).collect();
        SavedHalving { lineages, next: self.next, round: self.round, share: self.share }
    }

    /// Takes up a generation of an earlier run, without the lineages whose moves do not solve the level.
    pub(super) fn restored(saved: &SavedHalving, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Self {
        let lineages = saved.lineages.iter().filter_map(|saved| Lineage::restored(saved, arm_cx, cx)).collect();
        Self { lineages, next: saved.next, round: saved.round.min(MAX_ROUNDS), share: saved.share }
    }

    /// Improves the next lineage for one slice. A round that is over stays so until [`Self::halve`]: a run may be stopped
    /// between the two.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<HalvingState, Stop> {
        let is_alone = self.lineages.len() == 1;
        let share = self.round_share();
        let over = if is_alone { HalvingState::Over } else { HalvingState::RoundOver };
        let Some(lineage) = self.lineages.get_mut(self.next) else { return Ok(over) };
        // A stage before the last takes half of the first share.
        let stage = if lineage.is_in_final_stage() { share } else { share / 2 };
        let ticks = if is_alone { SLICE } else { SLICE.min(stage.saturating_sub(lineage.ticks())).max(1) };
        lineage.improve(ticks, arm_cx, cx)?;
        if lineage.is_blocked() {
            return Ok(HalvingState::Blocked);
        }
        if !lineage.is_in_final_stage() && (lineage.ticks() >= share / 2 || lineage.is_exhausted()) {
            lineage.enter_final_stage(arm_cx);
        }
        let is_over = if is_alone { lineage.is_stagnant(self.share) } else { lineage.ticks() >= share };
        if is_over || lineage.is_exhausted() {
            self.next += 1;
        }
        Ok(if self.next < self.lineages.len() { HalvingState::Running } else { over })
    }

    /// Improves the next lineage for one slice. At the end of a round each lineage is crossed with the archive for so many
    /// ticks, and the worse half is dropped. The generation is finished when the last lineage stagnates.
    pub(super) fn advance(
        &mut self,
        archive: &mut Archive,
        crossing_ticks: u64,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<ArmSliceEnd, Stop> {
        let state = self.run_slice(arm_cx, cx)?;
        match state {
            HalvingState::Blocked => return Ok(ArmSliceEnd::Blocked),
            HalvingState::Running => {}
            HalvingState::RoundOver | HalvingState::Over => {
                archive.cross_all(&mut self.lineages, crossing_ticks, arm_cx, cx)?;
            }
        }
        if state == HalvingState::RoundOver {
            self.halve(cx);
        }
        if state != HalvingState::Over && !self.lineages.is_empty() {
            return Ok(ArmSliceEnd::CutShort);
        }
        archive.relink(arm_cx, cx)?;
        Ok(ArmSliceEnd::Finished)
    }

    /// Ticks of each lineage in this round. All rounds cost the same, except for the first, which has twice as many
    /// lineages.
    pub(super) const fn round_share(&self) -> u64 {
        self.share << self.round.saturating_sub(1)
    }

    /// Drops the worse half, the lineages that have reached the best, which all other arms improve, and all but one of
    /// equally good ones. Begins the next round.
    fn halve(&mut self, cx: &Context<'_>) {
        let score = |lineage: &Lineage| cx.objective().score(&lineage.current().metrics());
        let n_left = self.lineages.len().div_ceil(2);
        let best = cx.objective().score(&cx.best().metrics());
        self.lineages.sort_by_key(score);
        self.lineages.dedup_by_key(|lineage| score(lineage));
        self.lineages.retain(|lineage| score(lineage) != best);
        self.lineages.truncate(n_left);
        let left: Vec<_> = self.lineages.iter().map(|lineage| lineage.current().metrics().to_string()).collect();
        debug!(round = self.round, share = self.round_share(), left = left.join(" "), "lineages");
        self.lineages.iter_mut().for_each(Lineage::begin_round);
        self.next = 0;
        self.round += 1;
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

    use super::*;
    use crate::Knobs;
    use crate::schedule::lineages::lineage::Stage;
    use crate::schedule::searched_windows::SearchedWindows;
    use crate::schedule::window_locks::WindowLocks;

    const ROWS: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
    const WASTEFUL: &str = "RurrDLulDrdL";

    /// Runs a generation of `n` equal lineages to its end, and returns how many are left after each round.
    fn lineages_left(n: usize) -> Vec<usize> {
        let level = Level::parse(ROWS).unwrap();
        let start = replay(&level, &WASTEFUL.parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
        let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
        let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
        let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
        let arm_cx = ArmContext {
            knobs: &knobs,
            live: &live,
            searched: &SearchedWindows::default(),
            locks: &WindowLocks::default(),
            ticks_elsewhere: 0,
        };
        let lineage = || Lineage::new(start.clone(), vec![Stage::by(Objective::PUSHES)], knobs.clone(), arm_cx);
        let mut halving = SuccessiveHalving::new((0..n).map(|_| lineage()).collect(), 1_000_000);
        let mut left = vec![n];
        loop {
            match halving.run_slice(arm_cx, &mut cx).unwrap() {
                HalvingState::Running | HalvingState::Blocked => {}
                HalvingState::RoundOver => halving.halve(&cx),
                HalvingState::Over => break,
            }
            if left.last() != Some(&halving.lineages.len()) {
                left.push(halving.lineages.len());
            }
            if halving.lineages.is_empty() {
                break;
            }
        }
        assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
        left
    }

    #[test]
    fn lineages_that_have_reached_the_best_are_dropped() {
        assert_eq!(lineages_left(8), [8, 0]);
    }

    #[test]
    fn one_alone_is_improved_until_it_stagnates() {
        assert_eq!(lineages_left(1), [1]);
    }
}
