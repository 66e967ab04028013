//! All ways of solving a level that can be asked for by name.

use sokocore::Level;
use sokosearch::Stop;

use crate::fess::{Variant as FessVariant, fess};
use crate::packing::{Variant, packing};
use crate::systematic::systematic_within;
use crate::techniques::Realm;
use crate::{Algorithm, Effort, Heading, Optimal, Search, Settings};

/// A way of solving levels: what a portfolio is put together from.
#[derive(Debug)]
pub struct Strategy {
    /// Name for options, reports and logs: lower case, words joined by hyphens.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    kind: Kind,
}

/// Whose search a strategy is.
#[derive(Debug)]
enum Kind {
    /// Systematic, all by the settings.
    Settings,
    /// Systematic, for any solution.
    Any(Algorithm, Heading),
    /// Systematic, for a proof: of fewest pushes unless the settings ask for another one.
    Proof(Algorithm, Heading),
    /// By packing orders.
    Packing(&'static [Variant]),
    /// By features.
    Fess(&'static [&'static FessVariant]),
}

/// Every strategy. The systematic ones take all but what their name says from the settings.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "systematic",
        about: "what the settings say: algorithm, direction, optimal mode, switches",
        kind: Kind::Settings,
    },
    Strategy {
        name: "greedy",
        about: "greedy from both sides until they meet",
        kind: Kind::Any(Algorithm::Greedy, Heading::Both),
    },
    Strategy {
        name: "greedy-forward",
        about: "greedy by pushes from the start",
        kind: Kind::Any(Algorithm::Greedy, Heading::Forward),
    },
    Strategy {
        name: "greedy-backward",
        about: "greedy by pulls from the solved positions",
        kind: Kind::Any(Algorithm::Greedy, Heading::Backward),
    },
    Strategy {
        name: "a-star",
        about: "fewest pushes, proved, by A* from the start",
        kind: Kind::Proof(Algorithm::AStar, Heading::Forward),
    },
    Strategy {
        name: "a-star-backward",
        about: "fewest pushes, proved, by A* from the solved positions",
        kind: Kind::Proof(Algorithm::AStar, Heading::Backward),
    },
    Strategy {
        name: "a-star-both",
        about: "fewest pushes, proved, by A* from both sides",
        kind: Kind::Proof(Algorithm::AStar, Heading::Both),
    },
    Strategy {
        name: "packing",
        about: "along packing orders with parking, several of them in turns",
        kind: Kind::Packing(Variant::ALL),
    },
    Strategy {
        name: "packing-full",
        about: "along the packing order by all rules of the reverse game",
        kind: Kind::Packing(Variant::FULL),
    },
    Strategy {
        name: "packing-roomy",
        about: "along the packing order that parks no box for want of room",
        kind: Kind::Packing(Variant::ROOMY),
    },
    Strategy {
        name: "packing-early",
        about: "along the packing order that takes boxes away before all start squares are seen",
        kind: Kind::Packing(Variant::EARLY),
    },
    Strategy {
        name: "packing-peeling",
        about: "along the packing order without parking",
        kind: Kind::Packing(Variant::PEELING),
    },
    Strategy {
        name: "fess",
        about: "by features: macro moves, cells, advisors; several strategies in turns that share what they know",
        kind: Kind::Fess(FessVariant::ALL),
    },
    Strategy { name: "fess-plan", about: "by features, along a packing plan", kind: Kind::Fess(&[FessVariant::PLAN]) },
    Strategy {
        name: "fess-plan-long",
        about: "by features, along a plan from longer pulls",
        kind: Kind::Fess(&[FessVariant::PLAN_LONG]),
    },
    Strategy {
        name: "fess-plan-short",
        about: "by features, along a plan from shorter pulls",
        kind: Kind::Fess(&[FessVariant::PLAN_SHORT]),
    },
    Strategy {
        name: "fess-plan-dice",
        about: "by features, along a plan with boxes in an order of chance",
        kind: Kind::Fess(&[FessVariant::PLAN_DICE]),
    },
    Strategy {
        name: "fess-open",
        about: "by features, to an open position far from the goals, found by pulls",
        kind: Kind::Fess(&[FessVariant::OPEN]),
    },
    Strategy {
        name: "fess-open-matched",
        about: "the same, with each box far from a goal of its own",
        kind: Kind::Fess(&[FessVariant::OPEN_MATCHED]),
    },
    Strategy {
        name: "fess-ring",
        about: "by features, to an open position whose floor is on circles",
        kind: Kind::Fess(&[FessVariant::RING]),
    },
    Strategy {
        name: "fess-ring-matched",
        about: "the same, with each box far from a goal of its own",
        kind: Kind::Fess(&[FessVariant::RING_MATCHED]),
    },
    Strategy {
        name: "fess-reverse",
        about: "by features, opening by pushes and meeting that by pulls",
        kind: Kind::Fess(&[FessVariant::REVERSE]),
    },
    Strategy {
        name: "fess-worth",
        about: "by the worth of features, down a tree, by pulls and then by pushes",
        kind: Kind::Fess(&[FessVariant::WORTH]),
    },
    Strategy {
        name: "fess-near",
        about: "macro pulls toward the nearest start squares, and macro pushes to meet them",
        kind: Kind::Fess(&[FessVariant::NEAR]),
    },
];

impl Strategy {
    /// Returns the strategy of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        STRATEGIES.iter().find(|strategy| strategy.name == name)
    }

    /// Makes a search for one level, with an eye on the clock. Settings that it has no use for are ignored.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn build(
        &self,
        level: &Level,
        settings: &Settings,
        effort: &mut Effort,
    ) -> Result<Box<dyn Search>, Stop> {
        match self.kind {
            Kind::Settings | Kind::Any(..) | Kind::Proof(..) => {
                systematic_within(level, &self.systematic_settings(settings), effort)
            }
            Kind::Packing(variants) => Ok(packing(self.name, level, settings, variants)),
            Kind::Fess(variants) => fess(self.name, level, settings, variants, effort),
        }
    }

    /// Returns whether switching a technique, by its name, can change what this strategy does with these settings.
    #[must_use]
    pub fn heeds(&self, technique: &str, settings: &Settings) -> bool {
        let realm = match self.kind {
            Kind::Settings | Kind::Any(..) | Kind::Proof(..) => Realm::of(&self.systematic_settings(settings)),
            Kind::Packing(_) => Realm::Packing,
            Kind::Fess(_) => Realm::Fess,
        };
        realm.heeds(technique)
    }

    /// Returns what it looks for a best solution in; any solution will do for [`Optimal::Any`].
    #[must_use]
    pub fn optimal(&self, settings: &Settings) -> Optimal {
        self.systematic_settings(settings).optimal
    }

    /// Returns whether it proves that what it finds is the best there is.
    #[must_use]
    pub fn proves(&self, settings: &Settings) -> bool {
        let is_systematic = matches!(self.kind, Kind::Settings | Kind::Any(..) | Kind::Proof(..));
        is_systematic && self.optimal(settings) != Optimal::Any
    }

    /// The settings with what the name of a systematic strategy says.
    fn systematic_settings(&self, settings: &Settings) -> Settings {
        let optimal = settings.optimal;
        match self.kind {
            Kind::Any(algorithm, heading) => Settings { algorithm, heading, ..settings.clone() },
            Kind::Proof(algorithm, heading) => {
                let optimal = if optimal == Optimal::Any { Optimal::Pushes } else { optimal };
                Settings { algorithm, heading, optimal, ..settings.clone() }
            }
            Kind::Settings | Kind::Packing(_) | Kind::Fess(_) => settings.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokosearch::{Budget, Cancel, MemoryAccount};

    /// A hall of 44 by 44 squares with 60 boxes takes a fifth of a second to measure: nobody does so once the run is over.
    #[test]
    fn searches_are_not_set_up_after_the_end() {
        let row = |at: usize| match at {
            10 | 12 | 14 => format!("#{}#", "$ ".repeat(20) + "    "),
            20 | 22 | 24 => format!("#{}#", "  ..  ..".repeat(5) + "    "),
            30 => format!("#@{}#", " ".repeat(43)),
            _ => format!("#{}#", " ".repeat(44)),
        };
        let rows: Vec<_> =
            std::iter::once("#".repeat(46)).chain((0..44).map(row)).chain(std::iter::once("#".repeat(46))).collect();
        let level = Level::parse(&rows.join("\n")).unwrap();
        let done = Cancel::default();
        done.cancel();
        for strategy in STRATEGIES {
            let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
            let mut effort = Effort::new(budget, done.clone());
            let search = strategy.build(&level, &Settings::default(), &mut effort);
            let end = search.and_then(|mut search| search.go_on(&mut effort));
            assert!(matches!(end, Err(Stop::Cancelled)), "{}: {end:?}", strategy.name);
            assert!(effort.ticks() < 2000, "{}", strategy.name);
        }
    }
}
