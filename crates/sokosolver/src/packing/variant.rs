//! The packing orders that are tried, and how corrals count along them.

/// A way of making a packing order. Levels that resist one often fall to another at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// By all rules of the reverse game.
    Full,
    /// Boxes with hardly any room are not parked for that.
    Roomy,
    /// Boxes are taken away before all start squares have been seen.
    Early,
    /// No parking: boxes are taken away as they can be pulled at all.
    Peeling,
}

/// Which corrals are opened at no cost: a push in one that scores worse than the position before counts as good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorralPolicy {
    /// All corrals.
    All,
    /// Those of at most a third of the boxes, and larger ones are not looked for: it solves XSokoban 61 at once, which
    /// resists the others.
    Few,
    /// Corrals are not looked for at all, so that any box may be pushed.
    Nowhere,
    /// None. Levels with corrals that can wait are quicker so: XSokoban 11 takes a fifth of the work, and 12 and 42
    /// fall in 200,000 ticks; but 31 never does (2026-11-21).
    None,
}

impl CorralPolicy {
    /// Returns whether a corral of so many boxes is opened at no cost.
    pub(crate) const fn exempts(self, n_corral: usize, n_boxes: usize) -> bool {
        match self {
            Self::All => true,
            Self::Few => n_corral * 3 <= n_boxes,
            Self::None | Self::Nowhere => false,
        }
    }

    /// Returns the most boxes that a corral may have.
    pub(crate) const fn max_corral(self, n_boxes: usize) -> usize {
        match self {
            Self::All | Self::None => n_boxes,
            Self::Few => n_boxes / 3,
            Self::Nowhere => 0,
        }
    }
}

/// Which open position is followed up next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picks {
    /// The one of the best score.
    Best,
    /// Now and then one of another score, by turns of all.
    Roving,
}

/// One run: a plan, which corrals are exempt, and how positions are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) plan: Plan,
    pub(crate) exempt: CorralPolicy,
    pub(crate) picks: Picks,
}

impl Variant {
    /// All of them, the most successful first.
    pub(crate) const ALL: &[Self] = &[
        Self::new(Plan::Full, CorralPolicy::All).roving(),
        Self::new(Plan::Roomy, CorralPolicy::All).roving(),
        Self::new(Plan::Peeling, CorralPolicy::All).roving(),
        Self::new(Plan::Full, CorralPolicy::Few).roving(),
        Self::new(Plan::Early, CorralPolicy::All).roving(),
        Self::new(Plan::Roomy, CorralPolicy::Few).roving(),
        Self::new(Plan::Full, CorralPolicy::None).roving(),
        Self::new(Plan::Peeling, CorralPolicy::Few).roving(),
    ];
    /// The order by all rules.
    pub(crate) const FULL: &[Self] =
        &[Self::new(Plan::Full, CorralPolicy::All), Self::new(Plan::Full, CorralPolicy::Few)];
    /// The order without the rule of small areas.
    pub(crate) const ROOMY: &[Self] =
        &[Self::new(Plan::Roomy, CorralPolicy::All), Self::new(Plan::Roomy, CorralPolicy::Few)];
    /// The order without the rule of seeing all.
    pub(crate) const EARLY: &[Self] =
        &[Self::new(Plan::Early, CorralPolicy::All), Self::new(Plan::Early, CorralPolicy::Few)];
    /// The order without parking.
    pub(crate) const PEELING: &[Self] =
        &[Self::new(Plan::Peeling, CorralPolicy::All), Self::new(Plan::Peeling, CorralPolicy::Few)];

    /// The best position first.
    pub(crate) const fn new(plan: Plan, exempt: CorralPolicy) -> Self {
        Self { plan, exempt, picks: Picks::Best }
    }

    /// The same, roving.
    pub(crate) const fn roving(self) -> Self {
        Self { picks: Picks::Roving, ..self }
    }
}
