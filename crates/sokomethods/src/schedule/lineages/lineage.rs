//! One lineage: a solution that is improved in a pool of its own, apart from the best of the run.

use std::collections::VecDeque;

use sokocore::{Objective, Solution};
use sokosearch::{Context, Stop};

use crate::Knobs;
use crate::schedule::arm::Arm;
use crate::schedule::arm_context::ArmContext;
use crate::schedule::bandit::run_best;
use crate::schedule::basic_arms::basic_arms;
use crate::schedule::pool_forwarder::PoolForwarder;
use crate::schedule::searched_windows::SearchedWindows;

/// Arms above this rank do not take part.
const MAX_RANK: usize = 9;

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) objective: Objective,
    pub(super) arms: ArmFilter,
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

    /// Returns whether other threads hold locks on all that is left to try.
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

    /// Improves the solution by the objective of the stage for so many ticks. Every gain is offered to the run as well.
    pub(super) fn improve(&mut self, ticks: u64, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let own = cx.objective();
        let objective = self.stages.front().map_or(own, |stage| stage.objective);
        let pool = cx.pool().beside(&self.current, &[objective, own]);
        let pool = if cx.kept_end().is_some() { pool.keeping_ends() } else { pool };
        let forwarder = PoolForwarder { from: &pool, to: cx.pool(), progress: cx.progress() };
        let mut part = cx.part(&pool, &forwarder, 1.0).aiming_at(objective);
        let inner = ArmContext { knobs: &self.knobs, searched: &self.searched, ..arm_cx };
        let (before, start) = (cx.best().metrics(), part.ticks());
        let arms = &mut self.arms;
        let end = part.sliced(ticks, |part| {
            while run_best(arms, inner, part)? {}
            Ok(())
        });
        let ticks = part.ticks() - start;
        cx.merge_part(&part);
        let gained = pool.best(objective).metrics() != self.current.metrics();
        self.current = pool.best(objective);
        self.ticks += ticks;
        self.ticks_without_gain = if gained { 0 } else { self.ticks_without_gain + ticks };
        if cx.has_improved_on(&before) {
            cx.note_gain();
        }
        let has_ended = end?.is_some();
        self.is_exhausted = has_ended && self.arms.iter().all(Arm::is_retired);
        self.is_blocked = has_ended && !self.is_exhausted;
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
