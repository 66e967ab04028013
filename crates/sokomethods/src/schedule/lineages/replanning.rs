//! Replanning: the solver solves a window of the solution anew, and the run improves what follows from it.
//!
//! ```text
//!   best       ──●━━━━━━━━━━━━━━━━━━━━━●──▶       a window: two positions of the best, or the start, or the end
//!                 ╲                   ╱
//!                  ╰─ · ─ · solver ─ · ╯          any plan from one to the other, most likely a longer one
//!   lineage    ──●┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈●──▶       improved round after round, while it is not far above the best
//! ```
//!
//! Neighborhoods and windows of A\* find what is near the best. Another order in which boxes are packed, or another path out of
//! a crowded room, is not: it takes a hundred pushes that are planned anew, and worse before they are improved. A solver finds
//! such plans within milliseconds, since the rest of the solution stays as it is.
//!
//! This is large neighborhood search (Shaw, CP 1998), with the solver as its repair. Windows of a plan that a planner replaces
//! are those of Siddiqui and Haslum (*Continuing plan quality optimisation*, JAIR 2015); unlike
//! [`OptimalWindows`](crate::schedule::optimal_windows::OptimalWindows), the new plan need not be shorter at once.
//!
//! Measured: see `docs/experiments/2026-11-28-replanning.md` and `docs/experiments/2026-11-28-replanning-on-all-levels.md`.

use std::ops::Range;

use sokocore::{Level, Push, Solution, moves_of, pushes_of, replay};
use sokosearch::{Cancel, Context, SourceSlice, Spine, Stop};
use tracing::debug;

use super::TICKS_PER_CHARGE;
use super::lineage::{Lineage, SavedLineage, Stage};
use super::spare_pushes::{SparePushes, ticks_of_pass};
use crate::checkpoint::field::fields;
use crate::fingerprints::mix;
use crate::polish::{self, polish};
use crate::schedule::arm::{ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch};
use crate::schedule::arm_context::ArmContext;
use crate::schedule::draws::Draws;
use crate::schedule::subproblem::subproblem;
use crate::shared_searcher::search_budget;
use crate::{Knobs, SharedOptimalSearcher, Technique, TechniqueSet};

/// Part of all work while the run stagnates and the best has no pushes to spare, and while it has: then the other arms gain
/// more.
const SHARE: f64 = 0.5;
const SHARE_WITH_SPARE_PUSHES: f64 = 0.01;
/// A run stagnates if its first metric is the same at two looks. Ticks of the run before the first look, and between two, as a
/// part of the work so far and at least.
const FIRST_LOOK: u64 = 20_000_000;
const PART_BETWEEN_LOOKS: u64 = 4;
const LEAST_BETWEEN_LOOKS: u64 = 20_000_000;
/// Work of the solver on a window in one slice, and the most slices; ticks that a unit of that work counts.
const SOLVER_SLICE: u64 = 12_500;
const MAX_SOLVER_SLICES: u64 = 16;
const TICKS_OF_SOLVER: u64 = 4;
/// Pushes of the shortest windows, and the least part of the solution.
const LEAST_LENGTH: usize = 8;
const LEAST_PART: usize = 5;
/// The rounds of a lineage: how many passes over the best it is improved for, and how far above the best it may be then, in
/// percent of the first metric.
const ROUNDS: [(u64, u64); 3] = [(2, 4), (10, 1), (10, 0)];
/// Windows in a row without a gain after which nothing is left to try.
const MAX_WINDOWS: u64 = 256;

/// Windows of the best that are solved anew, one after the other.
#[derive(Debug)]
pub(crate) struct Replanning {
    searcher: SharedOptimalSearcher,
    seed: u64,
    spare: SparePushes,
    /// Whether the best had pushes to spare in the last slice.
    has_spare_pushes: bool,
    /// Ticks of the run from which work is reserved, unless a look finds a gain.
    due: u64,
    /// First metric of the best at the last look.
    seen: Option<u64>,
    /// What the last window has led to.
    lineage: Option<Lineage>,
    /// Rounds of the lineage that are over.
    n_rounds: usize,
    /// Windows so far; with the seed it decides which one is next.
    n_windows: u64,
    /// Windows since the last gain of the run.
    n_gainless: u64,
}

/// The state of the search as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedReplanning {
    due: u64,
    seen: Option<u64>,
    lineage: Option<SavedLineage>,
    n_rounds: usize,
    n_windows: u64,
    n_gainless: u64,
}

fields!(SavedReplanning { due, seen, lineage, n_rounds, n_windows, n_gainless });

impl SavedReplanning {
    /// Visits the arms of the lineage.
    pub(crate) fn arms_mut(&mut self) -> impl Iterator<Item = &mut [SavedArm]> {
        self.lineage.iter_mut().map(SavedLineage::arms_mut)
    }
}

impl Replanning {
    /// Makes the search for a run; `None` if the run does not use it or has no solver, or as for [`SparePushes::of`].
    pub(crate) fn within(spare: Option<SparePushes>, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        let searcher = arm_cx.knobs.searcher.clone().filter(|_| arm_cx.uses(Technique::Replanning, cx))?;
        let spare = spare?;
        Some(Self {
            searcher,
            seed: mix(arm_cx.knobs.seed, 0),
            spare,
            has_spare_pushes: spare.are_in(&cx.best()),
            due: FIRST_LOOK,
            seen: None,
            lineage: None,
            n_rounds: 0,
            n_windows: 0,
            n_gainless: 0,
        })
    }

    /// Looks at the best of the run: after a gain the other arms have the work for a while.
    fn look(&mut self, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let best = cx.best();
        self.has_spare_pushes = self.spare.are_in(&best);
        let (now, first) = (arm_cx.run_ticks(cx), cx.objective().order()[0].of(&best.metrics()));
        if now >= self.due && self.seen.replace(first) != Some(first) {
            self.due = now + (now / PART_BETWEEN_LOOKS).max(LEAST_BETWEEN_LOOKS);
        }
    }

    /// Solves the next window anew, and offers the whole solution with it. Returns that if it is not as good as the best yet;
    /// `None` as well if the solver finds no plan in time, the player ends on another side of a box, or the run does not
    /// admit it.
    fn replan(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<Option<Solution>, Stop> {
        let draws = Draws::new(mix(self.seed, self.n_windows));
        self.n_windows += 1;
        self.n_gainless += 1;
        let spine = Spine::new(cx.level(), arm_cx.live, &cx.best(), cx.budget().memory())?;
        let Some(window) = draw_window(spine.end(), draws) else { return Ok(None) };
        let Some((level, _)) = subproblem(&spine, &window, arm_cx.live, cx.level()) else { return Ok(None) };
        let Some(middle) = self.solve(&level, cx)? else { return Ok(None) };
        let moves = moves_of(cx.level(), &spine.spliced(window.start, window.end, &middle));
        let solution = moves.and_then(|moves| replay(cx.level(), &moves).ok());
        let Some(solution) = solution.filter(|solution| cx.pool().admits(cx.objective(), solution)) else {
            return Ok(None);
        };
        let polished = polish(cx.level(), &solution, cx.objective(), cx.budget().memory(), &Cancel::default());
        cx.tick_by(polish::WORK)?;
        debug!(?window, pushes = middle.len(), metrics = %polished.metrics(), "replanned");
        let is_best = cx.found(polished.lurd()) || polished.metrics() == cx.best().metrics();
        Ok((!is_best).then_some(polished))
    }

    /// Returns the pushes of a plan for a window; `None` if the solver finds none in time.
    fn solve(&self, window: &Level, cx: &mut Context<'_>) -> Result<Option<Vec<Push>>, Stop> {
        let source = self.searcher.get().begin_replanning(window, self.n_windows, &search_budget(cx));
        let Some(mut source) = source else { return Ok(None) };
        for _ in 0..MAX_SOLVER_SLICES {
            let slice = source.run_slice(SOLVER_SLICE);
            cx.tick_by(SOLVER_SLICE * TICKS_OF_SOLVER)?;
            match slice {
                Ok(SourceSlice::Solution { solution, .. }) => return Ok(Some(pushes_of(window, solution.lurd()))),
                Ok(SourceSlice::Pending) => {}
                Ok(SourceSlice::Exhausted) | Err(Stop::Memory) => break,
                Err(stop) => return Err(stop),
            }
        }
        Ok(None)
    }

    /// Improves the lineage for a slice, and drops it after a round at whose end it is the best or far above it.
    fn improve(
        &mut self,
        mut lineage: Lineage,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<ArmSliceEnd, Stop> {
        let Some(&(n_passes, percent)) = ROUNDS.get(self.n_rounds) else { return Ok(ArmSliceEnd::Finished) };
        let pass = ticks_of_pass(&cx.best(), arm_cx, cx);
        let end = lineage.improve(pass, arm_cx, cx);
        let is_blocked = lineage.is_blocked();
        let is_round_over = end.is_ok() && (lineage.ticks() >= n_passes * pass || lineage.is_exhausted());
        let mut is_over = false;
        if is_round_over {
            lineage.begin_round();
            self.n_rounds += 1;
            is_over = self.n_rounds == ROUNDS.len() || !is_near(lineage.current(), percent, cx);
        }
        // A run that was stopped continues with it.
        self.lineage = (!is_over).then_some(lineage);
        end?;
        Ok(match (is_blocked, is_over) {
            (true, _) => ArmSliceEnd::Blocked,
            (false, true) => ArmSliceEnd::Finished,
            (false, false) => ArmSliceEnd::CutShort,
        })
    }
}

/// Returns whether a solution is not the best and at most so many percent of the first metric above it.
fn is_near(solution: &Solution, percent: u64, cx: &Context<'_>) -> bool {
    let (mine, best) = (solution.metrics(), cx.best().metrics());
    let first = cx.objective().order()[0];
    mine != best && first.of(&mine).saturating_mul(100) <= first.of(&best).saturating_mul(100 + percent)
}

/// Draws a window of a solution of so many pushes: at its start, at its end, or anywhere. `None` if the solution is shorter
/// than the shortest.
fn draw_window(n_pushes: usize, mut draws: Draws) -> Option<Range<usize>> {
    let least = LEAST_LENGTH.max(n_pushes / LEAST_PART);
    let length = least + draws.below((n_pushes + 1).checked_sub(least).filter(|&n| n > 0)?);
    let start = match draws.below(3) {
        0 => 0,
        1 => n_pushes - length,
        _ => draws.below(n_pushes - length + 1),
    };
    Some(start..start + length)
}

impl SlicedSearch for Replanning {
    fn name(&self) -> &str {
        Technique::Replanning.name()
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::Replanning)
    }

    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        cx.working(self.name(), "solving windows anew");
        self.look(arm_cx, cx);
        if let Some(lineage) = self.lineage.take() {
            return self.improve(lineage, arm_cx, cx);
        }
        let Some(start) = self.replan(arm_cx, cx)? else { return Ok(ArmSliceEnd::CutShort) };
        let knobs = Knobs { seed: mix(self.seed, self.n_windows), ..arm_cx.knobs.clone() };
        self.n_rounds = 0;
        self.lineage = Some(Lineage::new(start, vec![Stage::by(cx.objective())], knobs, arm_cx));
        Ok(ArmSliceEnd::CutShort)
    }

    fn is_done(&self) -> bool {
        self.lineage.is_none() && self.n_gainless >= MAX_WINDOWS
    }

    /// Windows of another solution can be solved in other ways.
    fn revive(&mut self) {
        self.n_gainless = 0;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::Replanning(SavedReplanning {
            due: self.due,
            seen: self.seen,
            lineage: self.lineage.as_ref().map(Lineage::save),
            n_rounds: self.n_rounds,
            n_windows: self.n_windows,
            n_gainless: self.n_gainless,
        })
    }

    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::Replanning(saved) = saved else { return };
        self.lineage = saved.lineage.as_ref().and_then(|lineage| Lineage::restored(lineage, arm_cx, cx));
        (self.due, self.seen) = (saved.due, saved.seen);
        (self.n_rounds, self.n_windows, self.n_gainless) = (saved.n_rounds, saved.n_windows, saved.n_gainless);
    }

    fn reserved_share(&self, all_ticks: u64) -> f64 {
        match self.has_spare_pushes {
            _ if all_ticks < self.due => 0.0,
            true => SHARE_WITH_SPARE_PUSHES,
            false => SHARE,
        }
    }

    fn ticks_per_charge(&self) -> u64 {
        TICKS_PER_CHARGE
    }
}

#[cfg(test)]
mod tests;
