//! Multi-start search: other lineages of solutions, improved from the root apart from the best.
//!
//! Early choices decide which solutions can be reached: improved by pushes first and then by moves, a solution may
//! end far from where it ends by moves alone, and no neighborhood leads from one to the other. Even the order in
//! which squares are tried decides. So a run that gains little starts other lineages, each in a pool of its own.
//!
//! A generation has four of them. None is worth its full work, so successive halving (Jamieson and Talwalkar 2016)
//! schedules them: after each round the better half continues with a larger share of the work, until one is left, which
//! is improved until it stagnates and then relinked with the best. After each round every lineage is crossed with the
//! best and with the archive of all lineages' solutions, and continues from its best child.
//!
//! ```text
//!   root ──moves─────────▶ best                 the other arms
//!     ├──moves, other rings ───▶ ∙ ─╳─▶ ∙ ─╳──────▶ ∙  relink
//!     ├──pushes──▶ ∙ ──moves───▶ ∙ ─╳─▶ ∙ ─╳─▶ dropped
//!     ├──several boxes first ──▶ ∙ ─╳─▶ dropped
//!   best ──box lines─▶ ∙ ─moves▶ ∙ ─╳─▶ dropped      ╳ crossover
//! ```
//!
//! If the caller has a solver ([`sokosearch::SolutionSource`]), one lineage of every other generation starts from a solution
//! that it finds, most likely of another shape. Before all that [`MultiStart`] compares many such solutions. Where there are
//! many pushes to spare, [`PushesFirst`] improves the start by pushes, and [`Reformulation`] the best of a run that stagnates;
//! where there are none, [`Replanning`] lets the solver plan windows of the best anew.
//!
//! The search ends: each generation gets twice the work of the one before, and a number of generations without a gain
//! is the last.

mod archive;
mod lineage;
mod multi_start;
pub(crate) mod pushes_first;
mod reformulation;
mod replanning;
mod spare_pushes;
mod start_shares;
mod successive_halving;

use sokocore::{Lurd, Metric, Objective, Solution, replay};
use sokosearch::{Context, SourceSlice, Stop};

use super::announce::announced;
use super::arm::{ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use crate::checkpoint::field::fields;
use crate::fingerprints::mix;
use crate::shared_source::SourceReader;
use crate::{Knobs, Technique, TechniqueSet};
use archive::Archive;
use lineage::{ArmFilter, Lineage, Stage};
pub(crate) use multi_start::{MultiStart, SavedMultiStart};
pub(crate) use pushes_first::{PushesFirst, SavedPushesFirst};
pub(crate) use reformulation::{Reformulation, SavedReformulation};
pub(crate) use replanning::{Replanning, SavedReplanning};
pub(crate) use spare_pushes::{SparePushes, ticks_of_pass};
use successive_halving::{SavedHalving, SuccessiveHalving};

/// Its rank among the arms.
pub(crate) const RANK: usize = 4;
/// Ticks that count as one: a lineage cannot gain before it has been improved for long.
const TICKS_PER_CHARGE: u64 = 16;
/// Consecutive generations without a gain that end the search.
const MAX_GENERATIONS: u64 = 8;
/// Lineages of a generation.
const N_LINEAGES: usize = 4;
/// The kinds of lineages. Each generation takes the kinds after those of the generation before.
const KINDS: [LineageKind; 8] = [
    LineageKind::FromRoot,
    LineageKind::OtherFirst(0),
    LineageKind::FromRoot,
    LineageKind::SeveralFirst,
    LineageKind::FromSource,
    LineageKind::OtherFirst(1),
    LineageKind::FromBest,
    LineageKind::SeveralByOtherFirst,
];
/// The first share of a lineage is this part of the work done before, and at least so many ticks.
const SHARE_OF_PAST: u64 = 2;
const MIN_SHARE: u64 = 4_000_000;
/// The seeds of the lineages of a run begin below this number.
const MAX_SEED: u64 = 1 << 40;
/// Most ticks by moves before another objective.
const MAX_LEAD_IN: u64 = 128_000_000;
/// Work of a source in one slice.
const SOURCE_SLICE: u64 = 500_000;
/// Ticks for crossing one lineage with the archive.
const CROSSING: u64 = 8_000_000;
/// Ticks that a unit of a source's work counts here.
const TICKS_OF_SOURCE: u64 = 8;
/// Slices of the source before a generation starts without it.
const MAX_SOURCE_SLICES: u64 = 8;

/// The lineages of one generation after the other.
#[derive(Debug)]
pub(crate) struct Lineages {
    root: Solution,
    seed: u64,
    generation: u64,
    /// Consecutive generations without a gain of the best.
    generations_without_gain: u64,
    /// Ticks of each lineage's first share in the first generation.
    share: u64,
    /// The present generation.
    halving: Option<SuccessiveHalving>,
    archive: Archive,
    /// The run's own best before a better one came from outside; a lineage of the next generation continues from it.
    former: Option<Solution>,
    /// Slices of the source in this generation.
    n_source_slices: u64,
    is_source_exhausted: bool,
    /// Made when it is first asked.
    source: Option<SourceReader>,
}

/// The state of the search as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedLineages {
    root: Lurd,
    generation: u64,
    generations_without_gain: u64,
    share: u64,
    halving: Option<SavedHalving>,
    archive: Vec<Lurd>,
    n_source_slices: u64,
}

fields!(SavedLineages { root, generation, generations_without_gain, share, halving, archive, n_source_slices });

impl SavedLineages {
    /// Visits the arms of each lineage.
    pub(crate) fn arms_mut(&mut self) -> impl Iterator<Item = &mut [SavedArm]> {
        self.halving.iter_mut().flat_map(SavedHalving::arms_mut)
    }
}

/// The start and the stages of a lineage. The last stage is by the run's own objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineageKind {
    /// From the root, in another ring order or with other limits.
    FromRoot,
    /// From the root, first by another objective.
    OtherFirst(u64),
    /// From the root, first by the arms that displace several boxes.
    SeveralFirst,
    /// From the root, first by another objective and the arms that displace several boxes.
    SeveralByOtherFirst,
    /// From a solution of the source, or else from the root.
    FromSource,
    /// From the best, first by another objective.
    FromBest,
}

/// Improves the incumbent by moves first if the objective starts with player lines: no search counts them, and fewer
/// moves mostly mean fewer lines. Every solution found is judged by the objective.
///
/// # Errors
/// Why it was stopped.
pub(crate) fn lead_in_by_moves(arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
    let own = cx.objective();
    if own.order()[0] != Metric::PlayerLines || !arm_cx.knobs.techniques.contains(Technique::MovesFirst) {
        return Ok(());
    }
    if let Some(first) = PushesFirst::within(arm_cx, cx) {
        first.run(arm_cx, cx)?;
    }
    announced(TechniqueSet::EMPTY.with(Technique::MovesFirst), cx, |cx| improve_by_moves(arm_cx, cx))
}

/// Improves a lineage by moves, then by the run's own objective.
fn improve_by_moves(arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
    let own = cx.objective();
    let stages = vec![Stage::by(Objective::MOVES), Stage::by(own)];
    let mut lineage = Lineage::new(cx.incumbent(), stages, arm_cx.knobs.clone(), arm_cx);
    while !lineage.is_in_final_stage() {
        lineage.improve(MIN_SHARE, arm_cx, cx)?;
        if lineage.is_at_rest() || lineage.is_stagnant(MIN_SHARE) || lineage.ticks() >= MAX_LEAD_IN {
            lineage.enter_final_stage(arm_cx);
        }
    }
    while !lineage.is_at_rest() && !lineage.is_stagnant(MIN_SHARE) && lineage.ticks() < 2 * MAX_LEAD_IN {
        lineage.improve(MIN_SHARE, arm_cx, cx)?;
    }
    Ok(())
}

impl Lineages {
    pub(crate) fn new(root: Solution, seed: u64) -> Self {
        // The seeds of lineages follow each other: those of runs with seeds that do so as well should not meet.
        let seed = if seed == 0 { 0 } else { mix(seed, 0) % MAX_SEED };
        Self {
            root,
            seed,
            generation: 0,
            generations_without_gain: 0,
            share: 0,
            halving: None,
            archive: Archive::default(),
            former: None,
            n_source_slices: 0,
            is_source_exhausted: false,
            source: None,
        }
    }

    /// Runs a slice of the run's source, if it has one and this generation starts a lineage from it. A source that
    /// finds nothing for long counts as exhausted for this generation.
    fn run_source(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<SourceSlice, Stop> {
        let is_wanted = !self.is_source_exhausted && self.kinds().any(|(_, kind)| kind == LineageKind::FromSource);
        let shared = arm_cx.knobs.source.as_ref().filter(|_| is_wanted && self.n_source_slices < MAX_SOURCE_SLICES);
        let Some(shared) = shared else { return Ok(SourceSlice::Exhausted) };
        let source = self.source.get_or_insert_with(|| shared.reader());
        self.n_source_slices += 1;
        cx.working("lineages", "solving the level anew");
        let slice = source.run_slice(SOURCE_SLICE).unwrap_or(SourceSlice::Pending);
        if let SourceSlice::Solution { solution, .. } = &slice {
            cx.found(solution.lurd());
        }
        cx.tick_by(SOURCE_SLICE * TICKS_OF_SOURCE)?;
        self.is_source_exhausted = slice == SourceSlice::Exhausted;
        Ok(slice)
    }

    /// Improves a generation for one slice. It is finished when its last lineage stagnates.
    fn advance(
        &mut self,
        halving: &mut SuccessiveHalving,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<ArmSliceEnd, Stop> {
        let end = halving.advance(&mut self.archive, CROSSING, arm_cx, cx)?;
        if end != ArmSliceEnd::Finished {
            return Ok(end);
        }
        self.generation += 1;
        self.generations_without_gain += 1;
        self.n_source_slices = 0;
        Ok(ArmSliceEnd::Finished)
    }

    /// Starts a generation, one of its lineages from the source's solution if there is one.
    fn start_generation(
        &mut self,
        sourced: Option<Solution>,
        arm_cx: ArmContext<'_>,
        cx: &Context<'_>,
    ) -> SuccessiveHalving {
        if self.share == 0 {
            self.share = (arm_cx.run_ticks(cx) / SHARE_OF_PAST).max(MIN_SHARE);
        }
        let share = self.share << self.generation.min(20);
        let lineage = |kind| self.start_lineage(kind, sourced.as_ref(), arm_cx, cx);
        let mut lineages: Vec<_> = self.kinds().map(lineage).collect();
        if let Some(former) = self.former.take() {
            lineages.push(Lineage::new(former, vec![Stage::by(cx.objective())], arm_cx.knobs.clone(), arm_cx));
        }
        SuccessiveHalving::new(lineages, share)
    }

    /// The kinds of lineages in the present generation, with their numbers.
    fn kinds(&self) -> impl Iterator<Item = (u64, LineageKind)> + use<> {
        let first = (self.generation + self.seed) * N_LINEAGES as u64 % KINDS.len() as u64;
        (0..).zip(KINDS).cycle().skip_while(move |&(number, _)| number != first).take(N_LINEAGES)
    }

    fn start_lineage(
        &self,
        (number, kind): (u64, LineageKind),
        sourced: Option<&Solution>,
        arm_cx: ArmContext<'_>,
        cx: &Context<'_>,
    ) -> Lineage {
        let (own, generation) = (cx.objective(), self.generation);
        let others = other_objectives(own);
        let other = |after| others[usize::try_from((generation + after) % 3).expect("invariant: below 3")];
        let (by_own, several) = (Stage::by(own), |objective| Stage { objective, arms: ArmFilter::SeveralBoxes });
        let root = &self.root;
        let (start, stages) = match kind {
            LineageKind::FromRoot => (root, vec![by_own]),
            LineageKind::OtherFirst(after) => (root, vec![Stage::by(other(after)), by_own]),
            LineageKind::SeveralFirst => (root, vec![several(own), by_own]),
            LineageKind::SeveralByOtherFirst => (root, vec![several(other(0)), by_own]),
            LineageKind::FromSource => (sourced.unwrap_or(root), vec![by_own]),
            LineageKind::FromBest => (&cx.best(), vec![Stage::by(other(0)), by_own]),
        };
        let wider = |limit: usize| match (number + generation) % 3 {
            _ if stages.len() == 1 && generation == 0 => limit,
            0 => limit,
            1 => limit.saturating_mul(2),
            _ => limit.div_ceil(2).saturating_add(limit),
        };
        let vicinity = arm_cx.knobs.vicinity.iter().map(|&limit| wider(limit).min(999)).collect();
        let seed = self.seed + 1 + (KINDS.len() as u64 + 1) * generation + number;
        Lineage::new(start.clone(), stages, Knobs { vicinity, seed, ..arm_cx.knobs.clone() }, arm_cx)
    }
}

impl SlicedSearch for Lineages {
    fn name(&self) -> &'static str {
        "lineages"
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::Lineages)
    }

    /// Improves the present generation for one slice. The winner is relinked with the best.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        let mut halving = match self.halving.take() {
            Some(halving) => halving,
            None => match self.run_source(arm_cx, cx)? {
                SourceSlice::Pending => return Ok(ArmSliceEnd::CutShort),
                SourceSlice::Solution { solution, .. } => self.start_generation(Some(solution), arm_cx, cx),
                SourceSlice::Exhausted => self.start_generation(None, arm_cx, cx),
            },
        };
        let end = self.advance(&mut halving, arm_cx, cx);
        // A run that was stopped continues with it.
        if end != Ok(ArmSliceEnd::Finished) {
            self.halving = Some(halving);
        }
        end
    }

    fn keep_former(&mut self, former: &Solution, cx: &Context<'_>) {
        self.archive.add(former, cx.budget().memory());
        self.former = Some(former.clone());
    }

    fn is_done(&self) -> bool {
        self.generations_without_gain >= MAX_GENERATIONS
    }

    fn revive(&mut self) {
        self.generations_without_gain = 0;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::Lineages(SavedLineages {
            root: self.root.lurd().clone(),
            generation: self.generation,
            generations_without_gain: self.generations_without_gain,
            share: self.share,
            halving: self.halving.as_ref().map(SuccessiveHalving::save),
            archive: self.archive.save(),
            n_source_slices: self.n_source_slices,
        })
    }

    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::Lineages(saved) = saved else { return };
        if let Ok(root) = replay(cx.level(), &saved.root) {
            self.root = root;
        }
        (self.generation, self.generations_without_gain) = (saved.generation, saved.generations_without_gain);
        (self.share, self.n_source_slices) = (saved.share, saved.n_source_slices);
        self.halving = saved.halving.as_ref().map(|halving| SuccessiveHalving::restored(halving, arm_cx, cx));
        self.archive.restore(&saved.archive, cx);
    }

    fn ticks_per_charge(&self) -> u64 {
        TICKS_PER_CHARGE
    }
}

/// Objectives for a stage before the last. Fewer moves mostly mean fewer lines, changes and sessions as well.
fn other_objectives(own: Objective) -> [Objective; 3] {
    use Metric::{BoxLines, Moves, Pushes};
    let lines = |next| Objective::starting_with(&[BoxLines, next]);
    match own.order()[0] {
        Moves => [Objective::PUSHES, lines(Pushes), lines(Moves)],
        Pushes => [Objective::MOVES, lines(Moves), lines(Pushes)],
        BoxLines => [Objective::MOVES, Objective::PUSHES, lines(Pushes)],
        _ => [Objective::MOVES, lines(Moves), Objective::PUSHES],
    }
}

#[cfg(test)]
mod tests;
