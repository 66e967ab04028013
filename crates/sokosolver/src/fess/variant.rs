//! The strategies that search by features: one code, and a table of what tells them apart.
//!
//! Festival's eight, by Yaron Shoham, A to H, and A with other plans. A strategy has two phases that go back and
//! forth: one looks from one end for something to aim at, a plan or a position; the other goes for it from the other
//! end.

/// How far away boxes are, for a search that wants them far from the goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Far {
    /// From all goals together.
    Sum,
    /// From goals of their own.
    Matched,
}

/// How a plan is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    /// A box that walks so far has changed place, and may leave the board.
    pub(crate) far: u16,
    /// Sink moves are tried in this order of the dice; 0 if by the rules alone.
    pub(crate) dice: u64,
}

/// What a strategy does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariantKind {
    /// Takes boxes off the board by pulls, and follows the plan that this makes.
    Plan(Packing),
    /// Opens the position by pulls, and aims at the best position found.
    Open {
        far: Far,
        /// Wants free floor to be on circles.
        ring: bool,
    },
    /// Opens the position by pushes, and aims at the best position found by pulls.
    Reverse,
    /// Goes down trees of values, first by pulls, then by pushes along the order that these found.
    Worth,
    /// Pulls boxes to the nearest start squares, nothing else.
    Near,
}

/// A strategy.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    /// How much of the work it gets beside the others.
    pub(crate) weight: u64,
    pub(crate) course: VariantKind,
}

impl Variant {
    /// A: the plan by all rules.
    pub(crate) const PLAN: &'static Self = &plan("fess-plan", 5, 6, 0);
    /// A, with boxes that leave the board only after a longer walk.
    pub(crate) const PLAN_LONG: &'static Self = &plan("fess-plan-long", 1, 12, 0);
    /// A, with boxes that leave the board after any walk.
    pub(crate) const PLAN_SHORT: &'static Self = &plan("fess-plan-short", 1, 2, 0);
    /// A, with sink moves in another order.
    pub(crate) const PLAN_DICE: &'static Self = &plan("fess-plan-dice", 8, 6, 0x9e37_79b9_7f4a_7c15);
    /// B.
    pub(crate) const OPEN_MATCHED: &'static Self = &open("fess-open-matched", 1, Far::Matched, false);
    /// C.
    pub(crate) const WORTH: &'static Self = &Self { name: "fess-worth", weight: 6, course: VariantKind::Worth };
    /// D.
    pub(crate) const OPEN: &'static Self = &open("fess-open", 5, Far::Sum, false);
    /// E.
    pub(crate) const RING: &'static Self = &open("fess-ring", 2, Far::Sum, true);
    /// F.
    pub(crate) const RING_MATCHED: &'static Self = &open("fess-ring-matched", 1, Far::Matched, true);
    /// G.
    pub(crate) const REVERSE: &'static Self = &Self { name: "fess-reverse", weight: 2, course: VariantKind::Reverse };
    /// H.
    pub(crate) const NEAR: &'static Self = &Self { name: "fess-near", weight: 1, course: VariantKind::Near };

    /// All of them, in the order of their first turns.
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

const fn plan(name: &'static str, weight: u64, far: u16, dice: u64) -> Variant {
    Variant { name, weight, course: VariantKind::Plan(Packing { far, dice }) }
}

const fn open(name: &'static str, weight: u64, far: Far, ring: bool) -> Variant {
    Variant { name, weight, course: VariantKind::Open { far, ring } }
}
