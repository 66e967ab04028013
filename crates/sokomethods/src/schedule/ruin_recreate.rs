//! Ruin and recreate: takes a few boxes out of a window of the solution, and inserts them again, one after the other.
//!
//! ```text
//!   solution    a₁ b₁ c₁ a₂ d₁ c₂ b₂ e₁         pushes of the boxes a to e
//!   ruined      a₁    c₁ a₂    c₂    e₁         without b and d, which are not on the board; all walks are as short or shorter
//!   inserted    a₁ d₁ c₁ a₂    c₂    e₁         d by the cheapest pushes between the others, to any target that is free
//!   recreated   a₁ d₁ c₁ b₁ a₂ c₂ b₂ e₁         then b; the targets are where b and d stood at the end of the window
//! ```
//!
//! The boxes are near each other, at the beginning of the window or where they are pushed. They may exchange targets and turns,
//! and any of them may stay where it is, which no step of a neighborhood with one or two displaced boxes leads to. Each insertion
//! is a search of its own (`box_insertion.rs`); the order of the boxes is random, and now and then a target is left out.
//!
//! Insertions change the turns of a few boxes, and not the tour of the player among all others. So each step exchanges neighboring
//! segments of the solution, too (`segment_exchange.rs`).
//!
//! The solutions are a chain of simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983): a solution that costs
//! more than the current one is accepted with a probability that falls with its cost and with the temperature. The acceptance
//! threshold is drawn before the insertions and is their limit, so most of them are cut off early. Each cooling starts
//! from the current solution and has twice as many steps as the one before, until several coolings in a row gain nothing. A gain
//! of another arm resets the chain to the best solution and to the shortest cooling. The final temperature accepts small losses.
//!
//! Ruin and recreate is of Schrimpf, Schneider, Stamm-Wilbrandt and Dueck, *Record breaking optimization results using the ruin
//! and recreate principle*, Journal of Computational Physics 159, 2000, and the large neighborhood search of Shaw, CP 1998; that
//! few adjacent requests, greedy insertion with omissions, and annealing are enough is of Christiaens and Vanden Berghe, *Slack
//! induction by string removals for vehicle routing problems*, Transportation Science 54, 2020. Measured: see
//! `docs/experiments/2026-11-27-ruin-and-recreate.md` and the records of the same day, among them
//! `docs/experiments/2026-11-27-temperatures.md` and `docs/experiments/2026-11-27-ruin-and-recreate-by-pushes.md`, and for the
//! exchanges `docs/experiments/2026-11-28-segment-exchange.md`.

mod annealing_chain;
mod box_insertion;
mod cost_weights;
mod ruined_window;
mod segment_exchange;

use sokocore::{Lurd, Metric, Metrics, Objective, moves_of, pushes_of, replay};
use sokosearch::{Context, Stop};

use super::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use super::draws::Draws;
use super::lineages::ticks_of_pass;
use crate::checkpoint::field::fields;
use crate::fingerprints::mix;
use crate::{Knobs, Technique, TechniqueSet};
use annealing_chain::AnnealingChain;
use cost_weights::CostWeights;

/// Its rank among the arms.
pub(crate) const RANK: usize = 3;
/// Ticks of the run from which a part of the work is reserved.
const RESERVED_FROM: u64 = 40_000_000;
/// Steps of the first cooling. Each one has twice as many as the one before.
const FIRST_COOLING: u64 = 200;
/// Coolings in a row without a gain that end the chain; more where the start has many pushes to spare.
const MAX_COOLINGS: u32 = 6;
const MAX_COOLINGS_WITH_SPARE_PUSHES: u32 = 10;

/// What a chain does differently by moves and by pushes.
#[derive(Clone, Copy, Debug)]
struct ChainSettings {
    weights: CostWeights,
    /// Temperature at the beginning of a cooling and at its end, in moves or in pushes.
    hot: f64,
    cold: f64,
    /// Reserved part of all work, where the start has many pushes to spare.
    share: f64,
}

impl ChainSettings {
    const BY_MOVES: Self = Self { weights: CostWeights::BY_MOVES, hot: 10.0, cold: 1.5, share: 0.5 };
    const BY_PUSHES: Self = Self { weights: CostWeights::BY_PUSHES, hot: 4.0, cold: 0.6, share: 0.3 };

    const fn of(objective: Objective) -> Self {
        match objective.order()[0] {
            Metric::Pushes => Self::BY_PUSHES,
            _ => Self::BY_MOVES,
        }
    }
}

/// A chain of simulated annealing, whose steps are exchanges of segments, ruins and recreations.
#[derive(Debug)]
pub(crate) struct RuinRecreate {
    seed: u64,
    settings: ChainSettings,
    exchanges_segments: bool,
    /// Whether the start has far more pushes than its boxes need.
    has_spare_pushes: bool,
    cooling: Cooling,
    /// The best solution of the run when it was last looked at.
    best: Option<Metrics>,
    /// The current solution of the chain; `None` if it is the best.
    current: Option<Lurd>,
}

/// How far the chain has cooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cooling {
    /// Steps of all coolings; with the seed it decides what the next one draws.
    n_steps: u64,
    /// Steps of this cooling, done and in all.
    n_done: u64,
    length: u64,
    /// Coolings in a row without a gain.
    n_gainless: u32,
    has_gained: bool,
}

fields!(Cooling { n_steps, n_done, length, n_gainless, has_gained });

/// The chain as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedRuinRecreate {
    cooling: Cooling,
    current: Option<Lurd>,
}

fields!(SavedRuinRecreate { cooling, current });

impl Cooling {
    const FIRST: Self = Self { n_steps: 0, n_done: 0, length: FIRST_COOLING, n_gainless: 0, has_gained: false };

    /// Begins with the short coolings again: the best has changed.
    const fn restart(&mut self) {
        *self = Self { n_steps: self.n_steps, ..Self::FIRST };
    }

    fn temperature(&self, ChainSettings { hot, cold, .. }: ChainSettings) -> f64 {
        hot * (cold / hot).powf(self.n_done as f64 / self.length as f64)
    }

    /// Counts a step. After the last one of a cooling the next one begins.
    const fn advance(&mut self) {
        self.n_steps += 1;
        self.n_done += 1;
        if self.n_done >= self.length {
            self.n_gainless = if self.has_gained { 0 } else { self.n_gainless + 1 };
            self.n_done = 0;
            self.length = self.length.saturating_mul(2);
            self.has_gained = false;
        }
    }
}

impl RuinRecreate {
    pub(crate) fn new(objective: Objective, knobs: &Knobs, has_spare_pushes: bool) -> Self {
        Self {
            // Unmixed, seeds that follow each other would draw the same steps in another order.
            seed: mix(knobs.seed, 0),
            settings: ChainSettings::of(objective),
            exchanges_segments: knobs.techniques.contains(Technique::SegmentExchange),
            has_spare_pushes,
            cooling: Cooling::FIRST,
            best: None,
            current: None,
        }
    }

    /// Returns how many coolings in a row without a gain end the chain.
    const fn max_coolings(&self) -> u32 {
        if self.has_spare_pushes { MAX_COOLINGS_WITH_SPARE_PUSHES } else { MAX_COOLINGS }
    }

    /// Makes steps until the slice ends or nothing is left to try.
    fn anneal(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Some(mut chain) = AnnealingChain::from_best(self.settings.weights, self.exchanges_segments, cx) else {
            self.cooling.n_gainless = self.max_coolings();
            return Ok(());
        };
        if let Some(current) = self.current.take() {
            chain.move_to(&pushes_of(cx.level(), &current));
        }
        let mut end = Ok(());
        while end.is_ok() && !self.is_done() {
            let draws = Draws::new(mix(self.seed, self.cooling.n_steps));
            let step = chain.step(self.cooling.temperature(self.settings), draws, cx);
            end = step.map(|gains| {
                self.cooling.has_gained |= gains;
                self.cooling.advance();
            });
        }
        self.current = moves_of(cx.level(), &chain.current());
        end
    }
}

impl SlicedSearch for RuinRecreate {
    fn name(&self) -> &'static str {
        Technique::RuinRecreate.name()
    }

    fn techniques(&self) -> TechniqueSet {
        let chain = TechniqueSet::EMPTY.with(Technique::RuinRecreate);
        if self.exchanges_segments { chain.with(Technique::SegmentExchange) } else { chain }
    }

    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        cx.working(self.name(), "taking boxes out and inserting them");
        if self.best.is_some_and(|best| best != cx.incumbent().metrics()) {
            self.current = None;
            self.cooling.restart();
        }
        let slice = ticks_of_pass(&cx.incumbent(), arm_cx, cx);
        let end = cx.sliced(slice, |cx| self.anneal(cx));
        self.best = Some(cx.incumbent().metrics());
        let end = end?;
        Ok(if end.is_some() { ArmSliceEnd::Finished } else { ArmSliceEnd::CutShort })
    }

    fn is_done(&self) -> bool {
        self.cooling.n_gainless >= self.max_coolings()
    }

    /// Lets the chain continue: the best may have changed, which its next slice finds out.
    fn revive(&mut self) {
        self.cooling.n_gainless = 0;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::RuinRecreate(SavedRuinRecreate { cooling: self.cooling, current: self.current.clone() })
    }

    fn restore(&mut self, saved: &SavedSearch, _: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::RuinRecreate(saved) = saved else { return };
        self.cooling = Cooling { length: saved.cooling.length.max(FIRST_COOLING), ..saved.cooling };
        self.current = saved.current.clone().filter(|moves| replay(cx.level(), moves).is_ok());
    }

    /// Reserves a part once other arms have made the best a local optimum.
    fn reserved_share(&self, all_ticks: u64) -> f64 {
        if self.has_spare_pushes && all_ticks >= RESERVED_FROM { self.settings.share } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
