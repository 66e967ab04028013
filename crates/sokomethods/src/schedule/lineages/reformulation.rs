//! Reformulation descent: a run that stagnates with pushes to spare improves its best by pushes, and then by its own
//! objective.
//!
//! ```text
//!   best ──pushes──▶ ∙ ──pushes──▶ ∙ ──moves──▶ ∙ ──moves──▶ ∙     one cycle; rounds of a stage until one saves little
//!                                       ╲           ╲
//!                                        ▼           ▼
//!                                       pool of the run: once it is reached, the arms continue from there
//!                                        ▲           ▲
//!                                       ╱           ╱
//!   best of a search by pushes ───moves──▶ ∙ ──moves──▶ ∙          another cycle; the first stage is done
//! ```
//!
//! A run by several objectives has a search for each. Where one of them has found fewer pushes, it has done the first stage
//! for longer than a cycle would, and its best is where the cycle begins.
//!
//! A local optimum by one formulation of a problem is seldom one by another, so a local search that alternates between
//! two leads out of both (Mladenović, Plastria and Urošević, *Reformulation descent applied to circle packing problems*,
//! Computers & Operations Research 32, 2005). Windows by pushes are longer than those by moves, since all squares that
//! the player can reach are one state; the walks are polished afterwards.
//!
//! [`PushesFirst`](super::PushesFirst) is the same for the start of a run. Measured: see
//! `docs/experiments/2026-11-26-reformulation.md`.

use sokocore::{Metrics, Objective, Solution};
use sokosearch::{Context, Stop};
use tracing::debug;

use super::TICKS_PER_CHARGE;
use super::lineage::{Lineage, SavedLineage, Stage};
use super::spare_pushes::{LITTLE, SparePushes, saves, ticks_of_pass};
use crate::checkpoint::field::fields;
use crate::schedule::arm::{ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch};
use crate::schedule::arm_context::ArmContext;
use crate::{Knobs, Technique, TechniqueSet};

/// Part of all work while a cycle runs or is due.
const SHARE: f64 = 0.5;
/// Ticks of the run before the first cycle.
const FIRST_CYCLE: u64 = 40_000_000;
/// A run stagnates if it has gained no more than this share of the first metric since it was last looked at.
const LEAST_GAIN_OF_RUN: f64 = 0.03;
/// Rounds without a gain by the run's objective that end a cycle.
const PATIENCE: u32 = 2;
/// Cycles from the same solution; each has rounds four times as long as the one before.
const MAX_CYCLES: u32 = 4;
/// Most ticks of one slice.
const MAX_SLICE: u64 = 8_000_000;
/// How long the run goes without a cycle, as a part of the work so far, and the least such ticks: after a look that found gains,
/// after a cycle or a look that found nothing to begin from, and after a cycle that found no fewer pushes.
const AFTER_GAINS: Wait = Wait { part: 8, least: 10_000_000 };
const AFTER_CYCLE: Wait = Wait { part: 16, least: 10_000_000 };
const AFTER_NO_FEWER_PUSHES: Wait = Wait { part: 2, least: 20_000_000 };

/// Ticks between two cycles.
#[derive(Clone, Copy, Debug)]
struct Wait {
    part: u64,
    least: u64,
}

/// Cycles of reformulation, one after the other.
#[derive(Debug)]
pub(crate) struct Reformulation {
    /// `None` if the level is too large for a lower bound.
    spare: Option<SparePushes>,
    cycle: Option<Cycle>,
    timetable: Timetable,
}

/// When the next cycle begins, and how long its rounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timetable {
    /// Ticks of the run when the next cycle is due.
    due: u64,
    /// First metric of the run's best when it was last looked at.
    seen: Option<u64>,
    /// The cycles from the run's best, and from the best of a search by another objective.
    from_best: Series,
    from_other: Series,
    n_cycles: u64,
    /// Whether nothing is left to begin from until another search of the run has found fewer pushes.
    is_waiting: bool,
    is_done: bool,
}

/// The cycles from one solution so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Series {
    /// Metrics of the solution.
    start: Option<Metrics>,
    n_cycles: u32,
}

/// The state of the search as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedReformulation {
    cycle: Option<SavedCycle>,
    timetable: Timetable,
}

fields!(SavedReformulation { cycle, timetable });
fields!(Timetable { due, seen, from_best, from_other, n_cycles, is_waiting, is_done });
fields!(Series { start, n_cycles });

impl SavedReformulation {
    /// Visits the arms of the lineage.
    pub(crate) fn arms_mut(&mut self) -> impl Iterator<Item = &mut [SavedArm]> {
        self.cycle.iter_mut().map(|cycle| cycle.lineage.arms_mut())
    }
}

/// A lineage by the run's own objective, and by pushes before that, unless it began with few.
#[derive(Debug)]
struct Cycle {
    lineage: Lineage,
    rounds: Rounds,
}

/// The rounds of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rounds {
    /// Ticks of each.
    length: u64,
    /// The lineage's metrics when the cycle began, and when the round began.
    start: Metrics,
    before: Metrics,
    /// Consecutive rounds by the run's objective without a gain.
    n_without_gain: u32,
}

/// As [`Cycle`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct SavedCycle {
    lineage: SavedLineage,
    rounds: Rounds,
}

fields!(SavedCycle { lineage, rounds });
fields!(Rounds { length, start, before, n_without_gain });

/// The state of a cycle after a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CycleState {
    Running,
    /// Other threads, or other islands, hold locks on all that is left to try.
    Blocked,
    /// The stage by pushes saved too little to continue.
    NoFewerPushes,
    Over,
}

impl Timetable {
    const FIRST: Self = Self {
        due: FIRST_CYCLE,
        seen: None,
        from_best: Series::NONE,
        from_other: Series::NONE,
        n_cycles: 0,
        is_waiting: false,
        is_done: false,
    };
}

impl Series {
    const NONE: Self = Self { start: None, n_cycles: 0 };

    /// Returns whether another cycle may begin from a solution.
    fn admits(&self, start: &Solution) -> bool {
        self.start != Some(start.metrics()) || self.n_cycles < MAX_CYCLES
    }

    /// Counts a cycle from a solution. Returns the ticks of its rounds.
    fn begin(&mut self, start: &Solution, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> u64 {
        if self.start != Some(start.metrics()) {
            *self = Self { start: Some(start.metrics()), n_cycles: 0 };
        }
        let length = ticks_of_pass(start, arm_cx, cx) << (2 * self.n_cycles);
        self.n_cycles += 1;
        length
    }

    /// Lets no other cycle begin from its solution.
    const fn close(&mut self) {
        self.n_cycles = MAX_CYCLES;
    }

    fn restored(self) -> Self {
        Self { n_cycles: self.n_cycles.min(MAX_CYCLES), ..self }
    }
}

impl Reformulation {
    /// Makes the search for a run; `None` if the run does not use it.
    pub(crate) fn within(spare: Option<SparePushes>, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        let uses = arm_cx.uses(Technique::Reformulation, cx);
        uses.then_some(Self { spare, cycle: None, timetable: Timetable::FIRST })
    }

    /// Returns whether the level is searched by other objectives, too.
    fn has_others(cx: &Context<'_>) -> bool {
        !cx.pool().bests_by_others(cx.objective()).is_empty()
    }

    /// Returns the best solution of a search by another objective if it has fewer pushes than the run's best, and another cycle
    /// may begin from it.
    pub(super) fn other_start(&self, best: &Solution, cx: &Context<'_>) -> Option<Solution> {
        let pushes = |solution: &Solution| solution.metrics().pushes;
        let others = cx.pool().bests_by_others(cx.objective()).into_iter();
        let usable = others.filter(|other| {
            pushes(other) < pushes(best)
                && self.timetable.from_other.admits(other)
                && cx.pool().admits(cx.objective(), other)
        });
        usable.min_by_key(pushes)
    }

    /// Begins a cycle if the run has gained little since the last look, from the best of another search, or else from the run's
    /// own best if that has pushes to spare.
    fn begin(&mut self, now: u64, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Cycle> {
        let best = cx.best();
        let other = self.other_start(&best, cx);
        let is_own_start =
            self.spare.is_some_and(|spare| spare.are_in(&best)) && self.timetable.from_best.admits(&best);
        let timetable = &mut self.timetable;
        if other.is_none() && !is_own_start {
            timetable.is_waiting = Self::has_others(cx);
            timetable.is_done = !timetable.is_waiting;
            timetable.due = AFTER_CYCLE.until(now);
            return None;
        }
        timetable.is_waiting = false;
        let first = cx.objective().score(&best.metrics()).primary();
        let seen = timetable.seen.replace(first);
        if seen.is_none_or(|seen| saves(seen, first, LEAST_GAIN_OF_RUN)) {
            timetable.due = AFTER_GAINS.until(now);
            return None;
        }
        timetable.n_cycles += 1;
        let knobs = Knobs { seed: arm_cx.knobs.seed.wrapping_add(timetable.n_cycles), ..arm_cx.knobs.clone() };
        let own = Stage::by(cx.objective());
        let (start, length, stages) = match other {
            Some(other) => {
                let length = timetable.from_other.begin(&other, arm_cx, cx);
                (other, length, vec![own])
            }
            None => {
                let length = timetable.from_best.begin(&best, arm_cx, cx);
                (best, length, vec![Stage::by(Objective::PUSHES), own])
            }
        };
        let metrics = start.metrics();
        debug!(start = %metrics, length, n_stages = stages.len(), "cycle of reformulation");
        let lineage = Lineage::new(start, stages, knobs, arm_cx);
        Some(Cycle { lineage, rounds: Rounds { length, start: metrics, before: metrics, n_without_gain: 0 } })
    }
}

impl SlicedSearch for Reformulation {
    fn name(&self) -> &str {
        Technique::Reformulation.name()
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::Reformulation)
    }

    /// Runs a slice of the present cycle, or of a new one.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        let now = arm_cx.run_ticks(cx);
        let Some(mut cycle) = self.cycle.take().or_else(|| self.begin(now, arm_cx, cx)) else {
            return Ok(ArmSliceEnd::Skipped);
        };
        let state = cycle.run_slice(arm_cx, cx);
        match state {
            Ok(CycleState::Over) => self.timetable.due = AFTER_CYCLE.until(now),
            Ok(CycleState::NoFewerPushes) => {
                self.timetable.due = AFTER_NO_FEWER_PUSHES.until(now);
                // With all arms retired, longer rounds find nothing, either.
                if cycle.lineage.is_exhausted() {
                    self.timetable.from_best.close();
                }
            }
            // A run that was stopped continues with it.
            Ok(CycleState::Running | CycleState::Blocked) | Err(_) => self.cycle = Some(cycle),
        }
        Ok(match state? {
            CycleState::Running => ArmSliceEnd::CutShort,
            CycleState::Blocked => ArmSliceEnd::Blocked,
            CycleState::NoFewerPushes | CycleState::Over => ArmSliceEnd::Finished,
        })
    }

    fn is_done(&self) -> bool {
        self.timetable.is_done
    }

    fn is_waiting(&self, all_ticks: u64) -> bool {
        self.timetable.is_waiting && all_ticks < self.timetable.due
    }

    fn revive(&mut self) {
        (self.timetable.is_waiting, self.timetable.is_done) = (false, false);
    }

    fn save(&self) -> SavedSearch {
        let cycle = self.cycle.as_ref().map(Cycle::save);
        SavedSearch::Reformulation(Box::new(SavedReformulation { cycle, timetable: self.timetable }))
    }

    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::Reformulation(saved) = saved else { return };
        self.cycle = saved.cycle.as_ref().and_then(|cycle| Cycle::restored(cycle, arm_cx, cx));
        let Timetable { from_best, from_other, .. } = saved.timetable;
        let (from_best, from_other) = (from_best.restored(), from_other.restored());
        // The searches of this run may be others than those of the earlier one.
        let has_others = Self::has_others(cx);
        let is_waiting = saved.timetable.is_waiting && has_others;
        let is_done = saved.timetable.is_done && !has_others;
        self.timetable = Timetable { from_best, from_other, is_waiting, is_done, ..saved.timetable };
    }

    fn reserved_share(&self, all_ticks: u64) -> f64 {
        if self.cycle.is_some() || all_ticks >= self.timetable.due { SHARE } else { 0.0 }
    }

    fn ticks_per_charge(&self) -> u64 {
        TICKS_PER_CHARGE
    }
}

impl Cycle {
    /// Improves the lineage for one slice, and ends the round, the stage or the cycle with it if it is over.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<CycleState, Stop> {
        let left = self.rounds.length.saturating_sub(self.lineage.ticks());
        self.lineage.improve(left.clamp(1, MAX_SLICE), arm_cx, cx)?;
        if self.lineage.is_blocked() {
            return Ok(CycleState::Blocked);
        }
        if self.lineage.ticks() < self.rounds.length && !self.lineage.is_exhausted() {
            return Ok(CycleState::Running);
        }
        self.lineage.begin_round();
        let after = self.lineage.current().metrics();
        let before = std::mem::replace(&mut self.rounds.before, after);
        let is_by_pushes = !self.lineage.is_in_final_stage();
        debug!(is_by_pushes, %before, %after, best = %cx.best().metrics(), self.rounds.length, "round of reformulation");
        Ok(if is_by_pushes { self.end_round_by_pushes(&before, arm_cx) } else { self.end_round(&before, cx) })
    }

    /// Begins the second stage after a round by pushes that has saved little.
    fn end_round_by_pushes(&mut self, before: &Metrics, arm_cx: ArmContext<'_>) -> CycleState {
        let after = self.rounds.before.pushes;
        if saves(before.pushes, after, LITTLE) && !self.lineage.is_exhausted() {
            return CycleState::Running;
        }
        if !saves(self.rounds.start.pushes, after, LITTLE) {
            return CycleState::NoFewerPushes;
        }
        self.lineage.enter_final_stage(arm_cx);
        CycleState::Running
    }

    /// Ends the cycle after a round by the run's objective that has reached the best, or the last of several without a
    /// gain.
    fn end_round(&mut self, before: &Metrics, cx: &Context<'_>) -> CycleState {
        let score = |metrics: &Metrics| cx.objective().score(metrics);
        let after = score(&self.rounds.before);
        let has_gained = saves(score(before).primary(), after.primary(), LITTLE);
        let rounds = &mut self.rounds;
        rounds.n_without_gain = if has_gained { 0 } else { rounds.n_without_gain + 1 };
        let is_over =
            after <= score(&cx.best().metrics()) || rounds.n_without_gain >= PATIENCE || self.lineage.is_exhausted();
        if is_over { CycleState::Over } else { CycleState::Running }
    }

    fn save(&self) -> SavedCycle {
        SavedCycle { lineage: self.lineage.save(), rounds: self.rounds }
    }

    /// Takes up a cycle of an earlier run; `None` if its moves do not solve the level.
    fn restored(saved: &SavedCycle, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        let rounds = Rounds { n_without_gain: saved.rounds.n_without_gain.min(PATIENCE), ..saved.rounds };
        Some(Self { lineage: Lineage::restored(&saved.lineage, arm_cx, cx)?, rounds })
    }
}

impl Wait {
    /// Returns the ticks of the run at its end.
    fn until(self, now: u64) -> u64 {
        now + (now / self.part).max(self.least)
    }
}
