//! One lineage: a solution that grows better in a pool of its own, apart from the run's best.

use std::collections::VecDeque;

use sokocore::{Objective, Solution};
use sokosearch::{Context, Stop};

use crate::Knobs;
use crate::schedule::arm::Arm;
use crate::schedule::arms::arms;
use crate::schedule::field::Field;
use crate::schedule::heralds::Heralds;
use crate::schedule::play_best;
use crate::schedule::searched_windows::SearchedWindows;

/// Arms above this rank do not take part.
const MAX_RANK: usize = 9;

/// One lineage, and how far it has grown.
#[derive(Debug)]
pub(super) struct Lineage {
    knobs: Knobs,
    arms: Vec<Arm>,
    searched: SearchedWindows,
    /// What it is improved by: the first of these now. The last is the run's own objective, by all arms.
    stages: VecDeque<Stage>,
    current: Solution,
    /// Ticks of work in this round, and in all since the last gain.
    ticks: u64,
    in_vain: u64,
    /// Whether no arm of the stage has anything left to try, or what they have to try is in other hands.
    is_exhausted: bool,
    waits: bool,
}

/// A part of a lineage's growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) aim: Objective,
    pub(super) arms: Which,
}

/// Which arms take part in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// Those that displace several boxes: a long step of theirs leads past the small steps of the others.
    Several,
}

impl Lineage {
    pub(super) fn new(start: Solution, stages: Vec<Stage>, knobs: Knobs, field: Field<'_>) -> Self {
        let arms = stages.first().map_or_else(Vec::new, |stage| stage.arms(&knobs, field));
        Self {
            knobs,
            arms,
            searched: SearchedWindows::default(),
            stages: stages.into(),
            current: start,
            ticks: 0,
            in_vain: 0,
            is_exhausted: false,
            waits: false,
        }
    }

    /// Returns the best of it by its present stage.
    pub(super) const fn current(&self) -> &Solution {
        &self.current
    }

    /// Returns the ticks of work in this round.
    pub(super) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns whether no arm has anything left to try.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Returns whether other threads are at all that it has left to try.
    pub(super) const fn waits(&self) -> bool {
        self.waits
    }

    /// Returns whether it is in a stage before the last.
    pub(super) fn is_on_detour(&self) -> bool {
        self.stages.len() > 1
    }

    /// Returns whether it has gained nothing for so many ticks, and for a third of its round.
    pub(super) fn is_grown(&self, patience: u64) -> bool {
        self.in_vain >= patience.max(self.ticks / 3)
    }

    /// Goes on from a better solution.
    pub(super) fn adopt(&mut self, better: Solution) {
        self.current = better;
        self.in_vain = 0;
        self.is_exhausted = false;
        self.arms.iter_mut().for_each(Arm::revive);
    }

    pub(super) const fn begin_round(&mut self) {
        self.ticks = 0;
    }

    /// Goes on to the next stage.
    pub(super) fn turn_home(&mut self, field: Field<'_>) {
        self.stages.pop_front();
        self.in_vain = 0;
        self.is_exhausted = false;
        self.searched = SearchedWindows::default();
        self.arms = self.stages.front().map_or_else(Vec::new, |stage| stage.arms(&self.knobs, field));
    }

    /// Improves it for so many ticks, by its present objective. What it finds is offered to the run.
    pub(super) fn grow(&mut self, ticks: u64, field: Field<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let own = cx.objective();
        let aim = self.stages.front().map_or(own, |stage| stage.aim);
        let pool = cx.pool().beside(&self.current, &[aim, own]);
        let pool = if cx.kept_end().is_some() { pool.keeping_ends() } else { pool };
        let heralds = Heralds { from: &pool, to: cx.pool(), progress: cx.progress() };
        let mut part = cx.part(&pool, &heralds, 1.0).aiming_at(aim);
        let inner = Field { knobs: &self.knobs, searched: &self.searched, ..field };
        let (before, start) = (cx.best().metrics(), part.ticks());
        let arms = &mut self.arms;
        let end = part.sliced(ticks, |part| {
            while play_best(arms, inner, part)? {}
            Ok(())
        });
        let ticks = part.ticks() - start;
        cx.take_back(&part);
        let gained = pool.best(aim).metrics() != self.current.metrics();
        self.current = pool.best(aim);
        self.ticks += ticks;
        self.in_vain = if gained { 0 } else { self.in_vain + ticks };
        if cx.has_improved_on(&before) {
            cx.note_gain();
        }
        let has_ended = end?.is_some();
        self.is_exhausted = has_ended && self.arms.iter().all(Arm::is_retired);
        self.waits = has_ended && !self.is_exhausted;
        Ok(())
    }
}

impl Stage {
    pub(super) const fn of(aim: Objective) -> Self {
        Self { aim, arms: Which::All }
    }

    fn arms(self, knobs: &Knobs, field: Field<'_>) -> Vec<Arm> {
        let mut arms = arms(knobs, field.live.n_live());
        arms.retain(|arm| arm.rank() <= MAX_RANK && (self.arms == Which::All || arm.displaces_several()));
        arms
    }
}
