//! All ways of solving a level that can be asked for by name.

use sokocore::Level;

use crate::fess::{Variant as FessVariant, fess};
use crate::packing::{Variant, packing};
use crate::{Algorithm, Heading, Optimal, Search, Settings, systematic};

/// A way of solving levels: what a portfolio is put together from.
#[derive(Debug)]
pub struct Strategy {
    /// Name for options, reports and logs: lower case, words joined by hyphens.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Makes a search for one level. Settings that it has no use for are ignored.
    pub build: fn(&Level, &Settings) -> Box<dyn Search>,
}

/// Every strategy. The systematic ones take all but what their name says from the settings.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "systematic",
        about: "what the settings say: algorithm, direction, optimal mode, switches",
        build: systematic,
    },
    Strategy {
        name: "greedy",
        about: "greedy from both sides until they meet",
        build: |level, settings| with(level, settings, Algorithm::Greedy, Heading::Both),
    },
    Strategy {
        name: "greedy-forward",
        about: "greedy by pushes from the start",
        build: |level, settings| with(level, settings, Algorithm::Greedy, Heading::Forward),
    },
    Strategy {
        name: "greedy-backward",
        about: "greedy by pulls from the solved positions",
        build: |level, settings| with(level, settings, Algorithm::Greedy, Heading::Backward),
    },
    Strategy {
        name: "a-star",
        about: "fewest pushes, proved, by A* from the start",
        build: |level, settings| optimal(level, settings, Algorithm::AStar, Heading::Forward),
    },
    Strategy {
        name: "a-star-backward",
        about: "fewest pushes, proved, by A* from the solved positions",
        build: |level, settings| optimal(level, settings, Algorithm::AStar, Heading::Backward),
    },
    Strategy {
        name: "a-star-both",
        about: "fewest pushes, proved, by A* from both sides",
        build: |level, settings| optimal(level, settings, Algorithm::AStar, Heading::Both),
    },
    Strategy {
        name: "packing",
        about: "along packing orders with parking, several of them in turns",
        build: |level, settings| packing("packing", level, settings, Variant::ALL),
    },
    Strategy {
        name: "packing-full",
        about: "along the packing order by all rules of the reverse game",
        build: |level, settings| packing("packing-full", level, settings, Variant::FULL),
    },
    Strategy {
        name: "packing-roomy",
        about: "along the packing order that parks no box for want of room",
        build: |level, settings| packing("packing-roomy", level, settings, Variant::ROOMY),
    },
    Strategy {
        name: "packing-early",
        about: "along the packing order that takes boxes away before all start squares are seen",
        build: |level, settings| packing("packing-early", level, settings, Variant::EARLY),
    },
    Strategy {
        name: "packing-peeling",
        about: "along the packing order without parking",
        build: |level, settings| packing("packing-peeling", level, settings, Variant::PEELING),
    },
    Strategy {
        name: "fess",
        about: "by features: macro moves, cells, advisors; several strategies in turns that share what they know",
        build: |level, settings| fess("fess", level, settings, FessVariant::ALL),
    },
    Strategy {
        name: "fess-plan",
        about: "by features, along a packing plan",
        build: |level, settings| fess("fess-plan", level, settings, &[FessVariant::PLAN]),
    },
    Strategy {
        name: "fess-plan-long",
        about: "by features, along a plan from longer pulls",
        build: |level, settings| fess("fess-plan-long", level, settings, &[FessVariant::PLAN_LONG]),
    },
    Strategy {
        name: "fess-plan-short",
        about: "by features, along a plan from shorter pulls",
        build: |level, settings| fess("fess-plan-short", level, settings, &[FessVariant::PLAN_SHORT]),
    },
    Strategy {
        name: "fess-plan-dice",
        about: "by features, along a plan with boxes in an order of chance",
        build: |level, settings| fess("fess-plan-dice", level, settings, &[FessVariant::PLAN_DICE]),
    },
    Strategy {
        name: "fess-open",
        about: "by features, to an open position far from the goals, found by pulls",
        build: |level, settings| fess("fess-open", level, settings, &[FessVariant::OPEN]),
    },
    Strategy {
        name: "fess-open-matched",
        about: "the same, with each box far from a goal of its own",
        build: |level, settings| fess("fess-open-matched", level, settings, &[FessVariant::OPEN_MATCHED]),
    },
    Strategy {
        name: "fess-ring",
        about: "by features, to an open position whose floor is on circles",
        build: |level, settings| fess("fess-ring", level, settings, &[FessVariant::RING]),
    },
    Strategy {
        name: "fess-ring-matched",
        about: "the same, with each box far from a goal of its own",
        build: |level, settings| fess("fess-ring-matched", level, settings, &[FessVariant::RING_MATCHED]),
    },
    Strategy {
        name: "fess-reverse",
        about: "by features, opening by pushes and meeting that by pulls",
        build: |level, settings| fess("fess-reverse", level, settings, &[FessVariant::REVERSE]),
    },
    Strategy {
        name: "fess-worth",
        about: "by the worth of features, down a tree, by pulls and then by pushes",
        build: |level, settings| fess("fess-worth", level, settings, &[FessVariant::WORTH]),
    },
    Strategy {
        name: "fess-near",
        about: "macro pulls toward the nearest start squares, and macro pushes to meet them",
        build: |level, settings| fess("fess-near", level, settings, &[FessVariant::NEAR]),
    },
];

impl Strategy {
    /// Returns the strategy of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        STRATEGIES.iter().find(|strategy| strategy.name == name)
    }
}

fn with(level: &Level, settings: &Settings, algorithm: Algorithm, heading: Heading) -> Box<dyn Search> {
    systematic(level, &Settings { algorithm, heading, ..settings.clone() })
}

/// Proves pushes unless the settings ask for another proof.
fn optimal(level: &Level, settings: &Settings, algorithm: Algorithm, heading: Heading) -> Box<dyn Search> {
    let optimal = if settings.optimal == Optimal::Any { Optimal::Pushes } else { settings.optimal };
    systematic(level, &Settings { algorithm, heading, optimal, ..settings.clone() })
}
