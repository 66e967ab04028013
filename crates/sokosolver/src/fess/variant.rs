//! The variants of feature space search: one code, and a table of what differs.
//!
//! Festival's eight strategies, by Yaron Shoham, A to H, and A with other plans and other weights. A variant alternates
//! between two phases: the first searches from one side for a target, a plan or a position; the second searches from the
//! other side and aims at it.

use sokocore::mix64;

use crate::fess::move_weights::MoveWeights;

/// The seed of shuffled sink moves.
const DICE_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Pushes that an advisor takes off the weight of a macro move. With 2 some levels of XSokoban take seconds, with 16
/// solutions are longer (2026-11-25).
const PER_ADVISOR: u8 = 6;

/// How the distance of the boxes from the goals is measured, where a large one is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalDistance {
    /// Sum over all goals.
    Sum,
    /// By an assignment of boxes to goals.
    Matched,
}

/// How a search for a plan takes boxes off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SinkRules {
    /// A box whose square is so many steps away has changed place, and may leave the board.
    pub(crate) min_walk: u16,
    /// Sink moves are shuffled by this seed; 0 if sorted by the rules alone.
    pub(crate) shuffle_seed: u64,
}

impl SinkRules {
    /// Returns these rules with other shuffles, one for each seed; those that do not shuffle as they are.
    pub(crate) const fn with_seed(self, seed: u64) -> Self {
        let shuffle_seed = match (self.shuffle_seed, seed) {
            (0, _) | (_, 0) => self.shuffle_seed,
            // It is a factor, and an odd one loses no bits.
            (shuffle_seed, seed) => mix64(shuffle_seed ^ seed) | 1,
        };
        Self { shuffle_seed, ..self }
    }
}

/// The kind of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariantKind {
    /// Takes boxes off the board by pulls, and follows the plan that results.
    Plan { sinks: SinkRules, weights: MoveWeights },
    /// Opens the position by pulls, and aims at the best position found.
    Open {
        measure: GoalDistance,
        /// Prefers free floor on cycles.
        ring: bool,
    },
    /// Opens the position by pushes, and aims at the best position found by pulls.
    Reverse,
    /// Searches value trees, first by pulls, then by pushes along the order found by pulls.
    Value,
    /// Pulls boxes to the nearest start squares, nothing else.
    Near,
}

/// A variant.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FessVariant {
    pub(crate) name: &'static str,
    /// Its share of the work beside the others.
    pub(crate) weight: u64,
    pub(crate) kind: VariantKind,
}

impl FessVariant {
    /// Festival's A: the plan by all rules.
    pub(crate) const PLAN: &'static Self = &plan("fess-plan", 5, 6, 0);
    /// A, with boxes that leave the board only after a longer walk.
    pub(crate) const PLAN_LONG: &'static Self = &plan("fess-plan-long", 1, 12, 0);
    /// A, with boxes that leave the board after any walk.
    pub(crate) const PLAN_SHORT: &'static Self = &plan("fess-plan-short", 1, 2, 0);
    /// A, with sink moves shuffled.
    pub(crate) const PLAN_DICE: &'static Self = &plan("fess-plan-dice", 8, 6, DICE_SEED);
    /// A, with macro moves that weigh the pushes that they waste.
    pub(crate) const EXCESS: &'static Self = &excess("fess-excess", 0);
    /// The same, with sink moves shuffled.
    pub(crate) const EXCESS_DICE: &'static Self = &excess("fess-excess-dice", DICE_SEED);
    /// B.
    pub(crate) const OPEN_MATCHED: &'static Self = &open("fess-open-matched", 1, GoalDistance::Matched, false);
    /// C.
    pub(crate) const WORTH: &'static Self = &Self { name: "fess-worth", weight: 6, kind: VariantKind::Value };
    /// D.
    pub(crate) const OPEN: &'static Self = &open("fess-open", 5, GoalDistance::Sum, false);
    /// E.
    pub(crate) const RING: &'static Self = &open("fess-ring", 2, GoalDistance::Sum, true);
    /// F.
    pub(crate) const RING_MATCHED: &'static Self = &open("fess-ring-matched", 1, GoalDistance::Matched, true);
    /// G.
    pub(crate) const REVERSE: &'static Self = &Self { name: "fess-reverse", weight: 2, kind: VariantKind::Reverse };
    /// H.
    pub(crate) const NEAR: &'static Self = &Self { name: "fess-near", weight: 1, kind: VariantKind::Near };

    /// Those of a search for any solution, in the order of their first slices.
    pub(crate) const ALL: &'static [&'static Self] = &[
        Self::PLAN,
        Self::OPEN,
        Self::REVERSE,
        Self::PLAN_DICE,
        Self::WORTH,
        Self::RING,
        Self::OPEN_MATCHED,
        Self::PLAN_SHORT,
        Self::PLAN_LONG,
        Self::RING_MATCHED,
        Self::NEAR,
    ];
}

const fn plan(name: &'static str, weight: u64, min_walk: u16, shuffle_seed: u64) -> FessVariant {
    let sinks = SinkRules { min_walk, shuffle_seed };
    FessVariant { name, weight, kind: VariantKind::Plan { sinks, weights: MoveWeights::Advised } }
}

const fn excess(name: &'static str, shuffle_seed: u64) -> FessVariant {
    let kind = VariantKind::Plan {
        sinks: SinkRules { min_walk: 6, shuffle_seed },
        weights: MoveWeights::Excess { per_advisor: PER_ADVISOR },
    };
    FessVariant { name, weight: 1, kind }
}

const fn open(name: &'static str, weight: u64, measure: GoalDistance, ring: bool) -> FessVariant {
    FessVariant { name, weight, kind: VariantKind::Open { measure, ring } }
}
