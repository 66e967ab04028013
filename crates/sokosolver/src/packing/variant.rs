//! The variants of packing-order search: how the order is made, how corrals count, and which node is expanded next.

/// Which rules of the reverse game hold. Levels that resist one order often fall to another at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderRules {
    /// All rules.
    All,
    /// Boxes that can reach few squares are not parked for that.
    NoSmallArea,
    /// Boxes are taken away before all start squares have been seen.
    NoSeeAll,
    /// No parking: boxes are taken away as soon as they can be pulled at all.
    NoParking,
}

/// Which corrals are exempt: a push in one that scores worse than its parent gets the parent's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorralPolicy {
    /// All corrals.
    ExemptAll,
    /// Those of at most a third of the boxes, and larger ones are not searched for: it solves XSokoban 61 at once,
    /// which resists the others.
    ExemptSmall,
    /// Corrals are not searched for, so that any box may be pushed.
    Off,
    /// No corral. Levels with corrals that can wait are solved sooner: XSokoban 11 takes a fifth of the work, and 12
    /// and 42 are solved in 200,000 ticks; but 31 never is (2026-11-21).
    ExemptNone,
}

impl CorralPolicy {
    /// Returns whether a corral of so many boxes is exempt.
    pub(crate) const fn exempts(self, n_corral: usize, n_boxes: usize) -> bool {
        match self {
            Self::ExemptAll => true,
            Self::ExemptSmall => n_corral * 3 <= n_boxes,
            Self::ExemptNone | Self::Off => false,
        }
    }

    /// Returns the most boxes that a corral may have.
    pub(crate) const fn max_corral(self, n_boxes: usize) -> usize {
        match self {
            Self::ExemptAll | Self::ExemptNone => n_boxes,
            Self::ExemptSmall => n_boxes / 3,
            Self::Off => 0,
        }
    }
}

/// Which open node is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// The one with the best score.
    Best,
    /// From time to time one with another score, each score by turns.
    Rotating,
}

/// One order search: rules, corrals and selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackingVariant {
    pub(crate) rules: OrderRules,
    pub(crate) corrals: CorralPolicy,
    pub(crate) selection: Selection,
}

impl PackingVariant {
    /// All of them, the most successful first.
    pub(crate) const ALL: &[Self] = &[
        Self::new(OrderRules::All, CorralPolicy::ExemptAll).rotating(),
        Self::new(OrderRules::NoSmallArea, CorralPolicy::ExemptAll).rotating(),
        Self::new(OrderRules::NoParking, CorralPolicy::ExemptAll).rotating(),
        Self::new(OrderRules::All, CorralPolicy::ExemptSmall).rotating(),
        Self::new(OrderRules::NoSeeAll, CorralPolicy::ExemptAll).rotating(),
        Self::new(OrderRules::NoSmallArea, CorralPolicy::ExemptSmall).rotating(),
        Self::new(OrderRules::All, CorralPolicy::ExemptNone).rotating(),
        Self::new(OrderRules::NoParking, CorralPolicy::ExemptSmall).rotating(),
    ];
    /// The order by all rules: `packing-full`.
    pub(crate) const FULL: &[Self] =
        &[Self::new(OrderRules::All, CorralPolicy::ExemptAll), Self::new(OrderRules::All, CorralPolicy::ExemptSmall)];
    /// The order without the rule of small areas: `packing-roomy`.
    pub(crate) const ROOMY: &[Self] = &[
        Self::new(OrderRules::NoSmallArea, CorralPolicy::ExemptAll),
        Self::new(OrderRules::NoSmallArea, CorralPolicy::ExemptSmall),
    ];
    /// The order without the rule of seeing all: `packing-early`.
    pub(crate) const EARLY: &[Self] = &[
        Self::new(OrderRules::NoSeeAll, CorralPolicy::ExemptAll),
        Self::new(OrderRules::NoSeeAll, CorralPolicy::ExemptSmall),
    ];
    /// The order without parking: `packing-peeling`.
    pub(crate) const PEELING: &[Self] = &[
        Self::new(OrderRules::NoParking, CorralPolicy::ExemptAll),
        Self::new(OrderRules::NoParking, CorralPolicy::ExemptSmall),
    ];

    /// Makes a variant that expands the best node first.
    pub(crate) const fn new(rules: OrderRules, corrals: CorralPolicy) -> Self {
        Self { rules, corrals, selection: Selection::Best }
    }

    /// Returns the variant with rotating selection.
    pub(crate) const fn rotating(self) -> Self {
        Self { selection: Selection::Rotating, ..self }
    }
}
