//! One lineage: a solution that is improved in a pool of its own, apart from the best of the run.

use std::collections::VecDeque;

use sokocore::{Lurd, Objective, Solution, replay};
use sokosearch::{Context, Stop};

use crate::Knobs;
use crate::checkpoint::field::{Bits, Field, FieldReader, fields};
use crate::schedule::arm::{Arm, SavedArm, restore_arms, save_arms};
use crate::schedule::arm_context::ArmContext;
use crate::schedule::bandit::run_best;
use crate::schedule::basic_arms::basic_arms;
use crate::schedule::pool_forwarder::PoolForwarder;
use crate::schedule::searched_windows::SearchedWindows;

/// Arms above this rank do not take part.
const MAX_RANK: usize = 9;
/// Most windows without a gain in a checkpoint.
const MOST_SAVED: usize = 1 << 12;

/// A solution, its arms, and the stages of its improvement.
#[derive(Debug)]
pub(super) struct Lineage {
    knobs: Knobs,
    arms: Vec<Arm>,
    searched: SearchedWindows,
    /// The present stage and those after it. The last is by the run's own objective, with all arms.
    stages: VecDeque<Stage>,
    current: Solution,
    /// Ticks in this round.
    ticks: u64,
    /// Ticks since the last gain.
    ticks_without_gain: u64,
    is_exhausted: bool,
    is_blocked: bool,
}

/// A stage of a lineage: an objective, and the arms that take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) objective: Objective,
    pub(super) arms: ArmFilter,
}

fields!(Stage { objective, arms });

/// A lineage as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedLineage {
    vicinity: Vec<usize>,
    seed: Bits,
    arms: Vec<SavedArm>,
    searched: Vec<Bits>,
    stages: Vec<Stage>,
    pub(super) current: Lurd,
    ticks: u64,
    ticks_without_gain: u64,
    is_exhausted: bool,
}

fields!(SavedLineage { vicinity, seed, arms, searched, stages, current, ticks, ticks_without_gain, is_exhausted });

impl SavedLineage {
    pub(super) fn arms_mut(&mut self) -> &mut [SavedArm] {
        &mut self.arms
    }
}

/// Which arms take part in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArmFilter {
    All,
    /// Those that displace several boxes: one long step of theirs leads past the small steps of the others.
    SeveralBoxes,
}

impl Lineage {
    pub(super) fn new(start: Solution, stages: Vec<Stage>, knobs: Knobs, arm_cx: ArmContext<'_>) -> Self {
        let arms = stages.first().map_or_else(Vec::new, |stage| stage.arms(&knobs, arm_cx));
        Self {
            knobs,
            arms,
            searched: SearchedWindows::default(),
            stages: stages.into(),
            current: start,
            ticks: 0,
            ticks_without_gain: 0,
            is_exhausted: false,
            is_blocked: false,
        }
    }

    pub(super) fn save(&self) -> SavedLineage {
        SavedLineage {
            vicinity: self.knobs.vicinity.clone(),
            seed: Bits(self.knobs.seed),
            arms: save_arms(&self.arms),
            searched: self.searched.save(MOST_SAVED),
            stages: self.stages.iter().copied().collect(),
            current: self.current.lurd().clone(),
            ticks: self.ticks,
            ticks_without_gain: self.ticks_without_gain,
            is_exhausted: self.is_exhausted,
        }
    }

    /// Takes up a lineage of an earlier run; `None` if its moves do not solve the level.
    pub(super) fn restored(saved: &SavedLineage, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        let current = replay(cx.level(), &saved.current).ok()?;
        let knobs = Knobs { vicinity: saved.vicinity.clone(), seed: saved.seed.0, ..arm_cx.knobs.clone() };
        let mut lineage = Self::new(current, saved.stages.clone(), knobs, arm_cx);
        restore_arms(&mut lineage.arms, &saved.arms, arm_cx, cx);
        lineage.searched.restore(&saved.searched, cx.budget().memory());
        (lineage.ticks, lineage.ticks_without_gain) = (saved.ticks, saved.ticks_without_gain);
        lineage.is_exhausted = saved.is_exhausted;
        Some(lineage)
    }

    /// Returns its best solution by the objective of the present stage.
    pub(super) const fn current(&self) -> &Solution {
        &self.current
    }

    /// Returns the ticks in this round.
    pub(super) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns whether all arms of the stage are retired.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Returns whether nothing is left to try now: all arms of the stage are retired or blocked.
    pub(super) const fn is_at_rest(&self) -> bool {
        self.is_exhausted || self.is_blocked
    }

    /// Returns whether other threads, or other islands, hold locks on all that is left to try.
    pub(super) const fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    pub(super) fn is_in_final_stage(&self) -> bool {
        self.stages.len() <= 1
    }

    /// Returns whether it has gained nothing for so many ticks, and for a third of its round.
    pub(super) fn is_stagnant(&self, patience: u64) -> bool {
        self.ticks_without_gain >= patience.max(self.ticks / 3)
    }

    /// Replaces the solution by a better one.
    pub(super) fn replace_current(&mut self, better: Solution) {
        self.current = better;
        self.ticks_without_gain = 0;
        self.is_exhausted = false;
        self.arms.iter_mut().for_each(Arm::revive);
    }

    pub(super) const fn begin_round(&mut self) {
        self.ticks = 0;
    }

    /// Ends the stage before the last.
    pub(super) fn enter_final_stage(&mut self, arm_cx: ArmContext<'_>) {
        self.stages.pop_front();
        self.ticks_without_gain = 0;
        self.is_exhausted = false;
        self.searched = SearchedWindows::default();
        self.arms = self.stages.front().map_or_else(Vec::new, |stage| stage.arms(&self.knobs, arm_cx));
    }

    /// Improves the solution by the objective of the stage until an arm's slice ends after so many ticks. A window that was cut
    /// short at that time would be searched from its beginning again and again. Every gain is offered to the run as well.
    pub(super) fn improve(&mut self, ticks: u64, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let own = cx.objective();
        let objective = self.stages.front().map_or(own, |stage| stage.objective);
        let pool = cx.pool().beside(&self.current, &[objective, own]);
        let pool = if cx.kept_end().is_some() { pool.keeping_ends() } else { pool };
        let forwarder = PoolForwarder { from: &pool, to: cx.pool(), progress: cx.progress(), own: None };
        let mut part = cx.part(&pool, &forwarder, 1.0).aiming_at(objective);
        let inner = ArmContext { knobs: &self.knobs, searched: &self.searched, ..arm_cx };
        let (before, start) = (cx.best().metrics(), part.ticks());
        let mut has_run = Ok(true);
        while has_run == Ok(true) && part.ticks() - start < ticks {
            has_run = run_best(&mut self.arms, inner, &mut part);
        }
        let ticks = part.ticks() - start;
        cx.merge_part(&part);
        let gained = pool.best(objective).metrics() != self.current.metrics();
        self.current = pool.best(objective);
        self.ticks += ticks;
        self.ticks_without_gain = if gained { 0 } else { self.ticks_without_gain + ticks };
        if cx.has_improved_on(&before) {
            cx.note_gain();
        }
        let is_at_rest = !has_run?;
        self.is_exhausted = is_at_rest && self.arms.iter().all(Arm::is_retired);
        self.is_blocked = is_at_rest && !self.is_exhausted;
        Ok(())
    }
}

impl Stage {
    /// Makes a stage with all arms.
    pub(super) const fn by(objective: Objective) -> Self {
        Self { objective, arms: ArmFilter::All }
    }

    fn arms(self, knobs: &Knobs, arm_cx: ArmContext<'_>) -> Vec<Arm> {
        let mut arms = basic_arms(knobs, self.objective, arm_cx.live.n_live());
        arms.retain(|arm| arm.rank() <= MAX_RANK && (self.arms == ArmFilter::All || arm.n_displaced() > 1));
        arms
    }
}

impl Field for ArmFilter {
    fn write(&self, out: &mut Vec<u8>) {
        (*self == Self::SeveralBoxes).write(out);
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        bool::read(input).map(|is_for_several| if is_for_several { Self::SeveralBoxes } else { Self::All })
    }
}
