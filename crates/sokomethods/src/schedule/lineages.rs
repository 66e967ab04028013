//! Other lineages: the start improved anew, by another objective first, with other neighborhoods, in another order.
//!
//! Where a solution can go is decided early: improved by pushes first, then by moves, it may end in quite another place
//! than improved by moves all along, and no neighborhood leads from one to the other. Even the order in which squares
//! are tried decides. So a run that gains little raises other lineages, each in a pool of its own.
//!
//! Four of them begin together. None is worth its full work: when each has had its share of work, the better half goes
//! on with a larger share, until one is left, which is raised to its end and relinked with the best (successive halving:
//! Jamieson and Talwalkar 2016). Before that each is crossed with all that lineages have come to so far, and goes on from
//! its best child.
//!
//! ```text
//!   root ──moves─────────▶ best                 what the other arms do
//!     ├──moves, other rings ───▶ ∙ ─╳─▶ ∙ ─╳──────▶ ∙  relink
//!     ├──pushes──▶ ∙ ──moves───▶ ∙ ─╳─▶ ∙ ─╳─▶ out
//!     ├──several boxes first ──▶ ∙ ─╳─▶ out
//!   best ──box lines─▶ ∙ ─moves▶ ∙ ─╳─▶ out     ╳ crossing
//! ```
//!
//! Where the caller has a solver ([`crate::Source`]), one lineage of every other generation starts from a
//! solution that it finds anew, most likely of another shape.
//!
//! It ends: each generation gets twice the work of the one before, and a number of them without a gain is enough.

mod contest;
mod kin;
mod lineage;

use sokocore::{Metric, Objective, Solution};
use sokosearch::{Context, Stop};

use super::arm::Slice;
use super::field::Field;
use super::step;
use crate::crossover::cross;
use crate::{Knobs, Relink, Sourced};
use contest::{Contest, Turn};
use kin::Kin;
use lineage::{Lineage, Stage, Which};

/// Its rank among the arms.
pub(crate) const RANK: usize = 4;
/// How many times the work of another arm it may do for the same worth.
pub(crate) const WEIGHT: u64 = 16;
/// Generations in a row without a gain before it is over.
const MAX_GENERATIONS: u64 = 8;
/// Lineages of a generation, and kinds of them: each generation goes on in the list of kinds where the last one ended.
const N_LINEAGES: u64 = 4;
const N_KINDS: u64 = 8;
/// The kind that starts from a solution that the source finds.
const SOURCED: u64 = 4;
/// The first share of a lineage is this part of the work done before, and at least so many ticks.
const SHARE_OF_PAST: u64 = 2;
const MIN_SHARE: u64 = 4_000_000;
/// Most ticks by moves first, where the objective is another.
const MAX_LEAD_IN: u64 = 128_000_000;
/// Ticks for joining a grown lineage with the best.
const RELINKING: u64 = 32_000_000;
/// Work of a source in one slice, what a unit of it counts here, and slices before a generation begins without it.
const SOURCE_SLICE: u64 = 500_000;
const TICKS_OF_SOURCE: u64 = 8;
const MAX_ASKED: u64 = 8;
/// Ticks for crossing one lineage with all kin.
const CROSSING: u64 = 8_000_000;
/// Solutions of lineages that are relinked at the end of a generation.
const MAX_RELINKED: usize = 8;

/// Lineages raised generation by generation.
#[derive(Debug)]
pub(crate) struct Lineages {
    root: Solution,
    seed: u64,
    generation: u64,
    /// Generations since the best got better.
    in_vain: u64,
    /// Ticks of each lineage's first share in the first generation.
    share: u64,
    /// The present generation.
    contest: Option<Contest>,
    kin: Kin,
    /// Slices for which the source was asked in this generation.
    n_asked: u64,
    /// Whether there is no source of fresh solutions, or nothing more in it.
    source_is_dry: bool,
}

/// Improves the context's incumbent by moves first where it is about player lines, which no search counts, and which get
/// fewer with the moves. What is found on the way is judged by the objective.
///
/// # Errors
/// Why it was stopped.
pub(crate) fn lead_in(field: Field<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
    let own = cx.objective();
    if own.order()[0] != Metric::PlayerLines {
        return Ok(());
    }
    let stages = vec![Stage::of(Objective::MOVES), Stage::of(own)];
    let mut lineage = Lineage::new(cx.incumbent(), stages, field.knobs.clone(), field);
    while lineage.is_on_detour() {
        lineage.grow(MIN_SHARE, field, cx)?;
        if lineage.is_exhausted() || lineage.is_grown(MIN_SHARE) || lineage.ticks() >= MAX_LEAD_IN {
            lineage.turn_home(field);
        }
    }
    while !lineage.is_exhausted() && !lineage.is_grown(MIN_SHARE) && lineage.ticks() < 2 * MAX_LEAD_IN {
        lineage.grow(MIN_SHARE, field, cx)?;
    }
    Ok(())
}

impl Lineages {
    pub(crate) fn new(root: Solution, seed: u64) -> Self {
        Self {
            root,
            seed,
            generation: 0,
            in_vain: 0,
            share: 0,
            contest: None,
            kin: Kin::default(),
            n_asked: 0,
            source_is_dry: false,
        }
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.in_vain >= MAX_GENERATIONS
    }

    /// Goes on with it: the best has changed.
    pub(crate) const fn revive(&mut self) {
        self.in_vain = 0;
    }

    /// Lets the present generation grow for one slice; its winner is relinked with the best.
    pub(crate) fn run_slice(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        let mut contest = match self.contest.take() {
            Some(contest) => contest,
            None => match self.fresh(field, cx)? {
                Sourced::Nothing => return Ok(Slice::CutShort),
                Sourced::Solution(solution) => self.found(Some(solution), field, cx),
                Sourced::Exhausted => self.found(None, field, cx),
            },
        };
        let turn = contest.go_on(field, cx)?;
        if turn == Turn::Waiting {
            self.contest = Some(contest);
            return Ok(Slice::Taken);
        }
        if turn != Turn::Growing {
            self.mingle(&mut contest, cx)?;
        }
        if turn == Turn::RoundOver {
            contest.halve(cx);
        }
        if turn == Turn::Over || contest.is_empty() {
            self.generation += 1;
            self.in_vain += 1;
            self.n_asked = 0;
            self.relink(field, cx)?;
            return Ok(Slice::Finished);
        }
        self.contest = Some(contest);
        Ok(Slice::CutShort)
    }

    /// Crosses each lineage with the best and with all kin, and lets it go on from its best child. What the lineages
    /// have come to is kin from then on.
    fn mingle(&mut self, contest: &mut Contest, cx: &mut Context<'_>) -> Result<(), Stop> {
        let account = cx.budget().memory();
        for lineage in contest.lineages_mut() {
            self.kin.add(lineage.current(), account);
            let best = cx.best();
            let crossed = cx.sliced(CROSSING, |cx| {
                std::iter::once(&best).chain(self.kin.iter()).try_for_each(|partner| {
                    if let Some(child) = cross(lineage.current(), partner, cx)? {
                        lineage.adopt(child);
                    }
                    Ok(())
                })
            });
            match crossed {
                Ok(_) => self.kin.add(lineage.current(), account),
                Err(Stop::Memory) => cx.note_short_of_memory(),
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Joins the youngest kin with the best.
    fn relink(&self, field: Field<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Ok((others, _charge)) = self.kin.youngest(MAX_RELINKED, cx.budget().memory()) else {
            cx.note_short_of_memory();
            return Ok(());
        };
        let relink = Relink::new(others, field.knobs.relink_ring, field.knobs.engine);
        cx.sliced(RELINKING, |cx| step(&relink, cx)).map(|_: Option<bool>| ())
    }

    /// Asks the run's source, if it has one and its turn has come, to go on for a slice. One that finds nothing for
    /// long counts as exhausted for this generation.
    fn fresh(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Sourced, Stop> {
        let source =
            field.knobs.source.as_ref().filter(|_| !self.source_is_dry && self.kinds().any(|kind| kind == SOURCED));
        let Some(source) = source.filter(|_| self.n_asked < MAX_ASKED) else { return Ok(Sourced::Exhausted) };
        self.n_asked += 1;
        cx.working("lineages", "solving the level anew");
        let sourced = source.go_on(SOURCE_SLICE)?;
        if let Sourced::Solution(solution) = &sourced {
            cx.found(solution.lurd());
        }
        cx.tick_by(SOURCE_SLICE * TICKS_OF_SOURCE)?;
        self.source_is_dry = sourced == Sourced::Exhausted;
        Ok(sourced)
    }

    /// Founds a generation.
    fn found(&mut self, fresh: Option<Solution>, field: Field<'_>, cx: &Context<'_>) -> Contest {
        if self.share == 0 {
            self.share = (cx.ticks() / SHARE_OF_PAST).max(MIN_SHARE);
        }
        let share = self.share << self.generation.min(20);
        let founder = |kind| self.found_lineage(kind, fresh.as_ref(), field, cx);
        Contest::new(self.kinds().map(founder).collect(), share)
    }

    /// The kinds of lineages in the present generation.
    fn kinds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.generation * N_LINEAGES;
        (first..first + N_LINEAGES).map(|number| number % N_KINDS)
    }

    fn found_lineage(&self, kind: u64, fresh: Option<&Solution>, field: Field<'_>, cx: &Context<'_>) -> Lineage {
        let (own, generation) = (cx.objective(), self.generation);
        let detours = detours(own);
        let other = |after: u64| detours[usize::try_from((generation + after) % 3).unwrap_or(0)];
        let (by_own, several) = (Stage::of(own), |aim| Stage { aim, arms: Which::Several });
        let root = &self.root;
        let (start, stages) = match kind {
            1 => (root, vec![Stage::of(other(0)), by_own]),
            3 => (root, vec![several(own), by_own]),
            SOURCED => (fresh.unwrap_or(root), vec![by_own]),
            5 => (root, vec![Stage::of(other(1)), by_own]),
            6 => (&cx.best(), vec![Stage::of(other(0)), by_own]),
            7 => (root, vec![several(other(0)), by_own]),
            _ => (root, vec![by_own]),
        };
        let wider = |limit: usize| match (kind + generation) % 3 {
            _ if stages.len() == 1 && generation == 0 => limit,
            0 => limit,
            1 => limit * 2,
            _ => limit.div_ceil(2) + limit,
        };
        let vicinity = field.knobs.vicinity.iter().map(|&limit| wider(limit).min(999)).collect();
        let seed = self.seed + 1 + (N_KINDS + 1) * generation + kind;
        Lineage::new(start.clone(), stages, Knobs { vicinity, seed, ..field.knobs.clone() }, field)
    }
}

/// Objectives to take a detour by. Fewer moves mostly mean fewer lines, changes and sessions as well.
fn detours(own: Objective) -> [Objective; 3] {
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
