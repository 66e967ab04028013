//! Other lineages: the same start improved by another objective first, with other neighborhoods, in another order.
//!
//! Where a solution can go is decided early: improved by pushes first, then by moves, it may end in quite another place
//! than improved by moves all along, and no neighborhood leads from one to the other. So a run that gains nothing any
//! more raises other lineages, each in a pool of its own, and at the end relinks each with the best.
//!
//! ```text
//!   root ──moves──────────────▶ best                      generation 0: what the other arms do
//!     ├────pushes──▶ ∙ ──moves──▶ ∙ ─┐                    1: by another objective first
//!     ├────moves, wider rings──────▶ ∙ ─┤ relink           2: by other neighborhoods
//!   best ──box lines──▶ ∙ ──moves──▶ ∙ ─┘                    3: away from the best and back
//! ```
//!
//! Where the caller has a solver ([`crate::Source`]), every other lineage starts from a solution that it finds anew,
//! most likely of another shape.
//!
//! It ends: a number of generations in a row without a gain is enough.

use std::collections::VecDeque;

use sokocore::{Metric, Objective, Solution};
use sokosearch::{Context, Pool, Stop};

use super::arm::{Arm, Slice};
use super::arms::arms;
use super::field::Field;
use super::heralds::Heralds;
use super::searched_windows::SearchedWindows;
use super::{play_best, step};
use crate::{Knobs, Relink, Sourced};

/// Its rank among the arms.
pub(crate) const RANK: usize = 4;
/// How many times the work of another arm it may do for the same worth.
pub(crate) const WEIGHT: u64 = 3;
/// Generations in a row without a gain before it is over.
const MAX_GENERATIONS: u64 = 48;
/// Ticks of one slice.
const SLICE: u64 = 8_000_000;
/// Ticks without a gain after which a lineage of the first generations goes on to its next objective, at least.
const PATIENCE: u64 = 6_000_000;
/// Generations in vain before the level is solved anew.
const BEFORE_SOURCE: u64 = 4;
/// Work of a source in one slice, and what a unit of it counts here.
const SOURCE_SLICE: u64 = 500_000;
const TICKS_OF_SOURCE: u64 = 8;
/// After so many generations the patience is twice as long.
const DOUBLING: u64 = 6;
/// Lineages that are remembered for relinking.
const MAX_KIN: usize = 8;
/// Arms above this rank do not take part.
const MAX_RANK: usize = 9;

/// Lineages raised one after the other.
#[derive(Debug)]
pub(crate) struct Lineages {
    root: Solution,
    seed: u64,
    generation: u64,
    /// Generations since the best got better.
    in_vain: u64,
    growing: Option<Lineage>,
    /// The last ones that were grown.
    grown: VecDeque<Solution>,
    /// Whether there is no source of fresh solutions, or nothing more in it.
    source_is_dry: bool,
}

/// One lineage, and how far it has grown.
#[derive(Debug)]
struct Lineage {
    knobs: Knobs,
    arms: Vec<Arm>,
    searched: SearchedWindows,
    /// What it is improved by: the first of these now. The last is the run's own objective, by all arms.
    stages: VecDeque<Stage>,
    current: Solution,
    /// Ticks without a gain that are enough, at least.
    patience: u64,
    /// Ticks of work towards the present aim, in all and since the last gain.
    ticks: u64,
    in_vain: u64,
}

/// A part of a lineage's growth.
#[derive(Clone, Copy, Debug)]
struct Stage {
    aim: Objective,
    arms: Which,
}

/// Which arms take part in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    All,
    /// Those that displace several boxes: a long step of theirs leads past the small steps of the others.
    Several,
}

impl Lineages {
    pub(crate) fn new(root: Solution, seed: u64) -> Self {
        Self { root, seed, generation: 0, in_vain: 0, growing: None, grown: VecDeque::new(), source_is_dry: false }
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.in_vain >= MAX_GENERATIONS
    }

    /// Goes on with it: the best has changed.
    pub(crate) const fn revive(&mut self) {
        self.in_vain = 0;
    }

    /// Lets the present lineage grow for one slice; one that is grown is relinked with the best.
    pub(crate) fn run_slice(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        let mut lineage = match self.growing.take() {
            Some(lineage) => lineage,
            None if self.is_for_the_source() => match self.ask(field, cx)? {
                Sourced::Solution(solution) => self.new_lineage(solution, vec![Stage::of(cx.objective())], field),
                Sourced::Nothing => return Ok(Slice::CutShort),
                Sourced::Exhausted => self.found_lineage(field, cx),
            },
            None => self.found_lineage(field, cx),
        };
        let end = lineage.grow(field, cx);
        if end? {
            self.generation += 1;
            self.in_vain += 1;
            self.relink(lineage.current, field, cx)?;
            return Ok(Slice::Finished);
        }
        self.growing = Some(lineage);
        Ok(Slice::CutShort)
    }

    /// Joins a lineage that is grown with the best and the ones before it.
    fn relink(&mut self, grown: Solution, field: Field<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        if self.grown.iter().all(|other| other.lurd() != grown.lurd()) {
            self.grown.push_back(grown);
        }
        if self.grown.len() > MAX_KIN {
            self.grown.pop_front();
        }
        let others = self.grown.iter().cloned().collect();
        let relink = Relink::new(others, field.knobs.relink_ring, field.knobs.engine);
        cx.sliced(4 * SLICE, |cx| step(&relink, cx)).map(|_: Option<bool>| ())
    }

    /// Whether the next lineage is to come from a solution that somebody finds anew.
    const fn is_for_the_source(&self) -> bool {
        !self.source_is_dry && self.in_vain >= BEFORE_SOURCE && self.generation % 2 == 1
    }

    /// Asks the run's source, if it has one, to go on for a slice.
    fn ask(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Sourced, Stop> {
        let Some(source) = &field.knobs.source else {
            self.source_is_dry = true;
            return Ok(Sourced::Exhausted);
        };
        cx.working("lineages", "solving the level anew");
        let sourced = source.go_on(SOURCE_SLICE)?;
        if let Sourced::Solution(solution) = &sourced {
            cx.found(solution.lurd());
        }
        cx.tick_by(SOURCE_SLICE * TICKS_OF_SOURCE)?;
        self.source_is_dry = sourced == Sourced::Exhausted;
        Ok(sourced)
    }

    fn found_lineage(&self, field: Field<'_>, cx: &Context<'_>) -> Lineage {
        let number = self.generation;
        let own = cx.objective();
        let other = detours(own)[usize::try_from(number / 4).unwrap_or(0) % 3];
        let (by_other, by_own) = (Stage::of(other), Stage::of(own));
        let (current, stages) = match number % 4 {
            0 => (self.root.clone(), vec![by_other, by_own]),
            1 => (self.root.clone(), vec![Stage { arms: Which::Several, ..by_own }, by_own]),
            2 => (cx.best(), vec![by_other, by_own]),
            _ => (self.root.clone(), vec![Stage { arms: Which::Several, ..by_other }, by_own]),
        };
        self.new_lineage(current, stages, field)
    }

    /// Starts a lineage with neighborhoods and patience as its number has it.
    fn new_lineage(&self, current: Solution, stages: Vec<Stage>, field: Field<'_>) -> Lineage {
        let number = self.generation;
        let wider = |limit: usize| match (number / 4 + number) % 3 {
            0 => limit,
            1 => limit * 2,
            _ => limit.div_ceil(2) + limit,
        };
        let vicinity = field.knobs.vicinity.iter().map(|&limit| wider(limit).min(999)).collect();
        let knobs = Knobs { vicinity, seed: self.seed + 1 + number, ..field.knobs.clone() };
        let patience = PATIENCE << (number / DOUBLING).min(20);
        let arms = stages[0].arms(&knobs, field);
        let searched = SearchedWindows::default();
        Lineage { knobs, arms, searched, stages: stages.into(), current, patience, ticks: 0, in_vain: 0 }
    }
}

impl Lineage {
    /// Improves it for one slice, by its present objective. Returns whether it is fully grown.
    fn grow(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let own = cx.objective();
        let aim = self.stages.front().map_or(own, |stage| stage.aim);
        let pool = Pool::new(cx.level(), &self.current, &[aim, own]);
        let pool = if cx.kept_end().is_some() { pool.keeping_ends() } else { pool };
        let heralds = Heralds { from: &pool, to: cx.pool(), progress: cx.progress() };
        let mut part = cx.part(&pool, &heralds, 1.0).aiming_at(aim);
        let inner = Field { knobs: &self.knobs, searched: &self.searched, ..field };
        let (before, start) = (cx.best().metrics(), part.ticks());
        let arms = &mut self.arms;
        let grown = part.sliced(SLICE.min(self.patience / 2), |part| {
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
        if grown?.is_some() || self.in_vain >= self.patience.max(self.ticks / 3) {
            self.stages.pop_front();
            (self.ticks, self.in_vain) = (0, 0);
            self.searched = SearchedWindows::default();
            self.arms = self.stages.front().map_or_else(Vec::new, |stage| stage.arms(&self.knobs, field));
        }
        Ok(self.stages.is_empty())
    }
}

impl Stage {
    const fn of(aim: Objective) -> Self {
        Self { aim, arms: Which::All }
    }

    fn arms(self, knobs: &Knobs, field: Field<'_>) -> Vec<Arm> {
        let mut arms = arms(knobs, field.live.n_live());
        arms.retain(|arm| arm.rank() <= MAX_RANK && (self.arms == Which::All || arm.displaces_several()));
        arms
    }
}

/// Objectives to take a detour by.
fn detours(own: Objective) -> [Objective; 3] {
    let by_pushes = own.order()[0] == Metric::Pushes;
    let first = if by_pushes { Objective::MOVES } else { Objective::PUSHES };
    let second = if by_pushes { Metric::Moves } else { Metric::Pushes };
    [
        first,
        Objective::starting_with(&[Metric::BoxLines, second]),
        Objective::starting_with(&[Metric::BoxLines, own.order()[0]]),
    ]
}

#[cfg(test)]
mod tests;
