//! The table of all strategies, by name.

use sokocore::Level;
use sokosearch::Stop;

use crate::compact::{COMPACT, compact};
use crate::fess::{FessVariant, fess};
use crate::packing::{PackingVariant, packing};
use crate::search_kind::SearchKind;
use crate::systematic::systematic_within;
use crate::{Algorithm, Heading, Optimal, Search, Settings, Technique, WorkMeter};

/// A strategy: a search with its settings, by name. A portfolio consists of them.
///
/// ```
/// use sokocore::Level;
/// use sokosolver::{STRATEGIES, Solver, Strategy};
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// for strategy in STRATEGIES {
///     println!("{:20} {}", strategy.name, strategy.about);
/// }
/// let greedy = Strategy::named("greedy").expect("it is in the list");
/// assert_eq!(Solver::new(&level).strategy(greedy).run().by(), Some("greedy"));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Debug)]
pub struct Strategy {
    /// Name for options, reports and logs: lower case, words joined by hyphens.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    kind: StrategyKind,
}

/// The search that a strategy runs, and what its name fixes.
#[derive(Debug)]
enum StrategyKind {
    /// Systematic, as the settings say.
    Settings,
    /// Systematic, for any solution.
    Any(Algorithm, Heading),
    /// Systematic, for a proof: of fewest pushes unless the settings ask for another one.
    Proof(Algorithm, Heading),
    /// Along packing orders.
    Packing(&'static [PackingVariant]),
    /// Feature space search.
    Fess(&'static [&'static FessVariant]),
    /// On boards of at most 64 cells, for any solution, fewest pushes or fewest moves.
    Compact,
}

/// Every strategy. The systematic ones take from the settings all that their name does not fix.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "systematic",
        about: "what the settings say: algorithm, direction, optimal mode, switches",
        kind: StrategyKind::Settings,
    },
    Strategy {
        name: "greedy",
        about: "greedy from both sides until they meet",
        kind: StrategyKind::Any(Algorithm::Greedy, Heading::Both),
    },
    Strategy {
        name: "greedy-forward",
        about: "greedy by pushes from the start",
        kind: StrategyKind::Any(Algorithm::Greedy, Heading::Forward),
    },
    Strategy {
        name: "greedy-backward",
        about: "greedy by pulls from the solved positions",
        kind: StrategyKind::Any(Algorithm::Greedy, Heading::Backward),
    },
    Strategy {
        name: "a-star",
        about: "fewest pushes, proved, by A* from the start",
        kind: StrategyKind::Proof(Algorithm::AStar, Heading::Forward),
    },
    Strategy {
        name: "a-star-backward",
        about: "fewest pushes, proved, by A* from the solved positions",
        kind: StrategyKind::Proof(Algorithm::AStar, Heading::Backward),
    },
    Strategy {
        name: "a-star-both",
        about: "fewest pushes, proved, by A* from both sides",
        kind: StrategyKind::Proof(Algorithm::AStar, Heading::Both),
    },
    Strategy {
        name: COMPACT,
        about: "on boards of at most 64 cells: any solution, fewest pushes or fewest moves, without tables",
        kind: StrategyKind::Compact,
    },
    Strategy {
        name: "packing",
        about: "along packing orders with parking, several of them in turns",
        kind: StrategyKind::Packing(PackingVariant::ALL),
    },
    Strategy {
        name: "packing-full",
        about: "along the packing order by all rules of the reverse game",
        kind: StrategyKind::Packing(PackingVariant::FULL),
    },
    Strategy {
        name: "packing-roomy",
        about: "along the packing order that parks no box for want of room",
        kind: StrategyKind::Packing(PackingVariant::ROOMY),
    },
    Strategy {
        name: "packing-early",
        about: "along the packing order that takes boxes away before all start squares are seen",
        kind: StrategyKind::Packing(PackingVariant::EARLY),
    },
    Strategy {
        name: "packing-peeling",
        about: "along the packing order without parking",
        kind: StrategyKind::Packing(PackingVariant::PEELING),
    },
    Strategy {
        name: "fess",
        about: "by features: macro moves, cells, advisors; several strategies in turns that share what they know",
        kind: StrategyKind::Fess(FessVariant::ALL),
    },
    Strategy {
        name: "fess-plan",
        about: "by features, along a packing plan",
        kind: StrategyKind::Fess(&[FessVariant::PLAN]),
    },
    Strategy {
        name: "fess-plan-long",
        about: "by features, along a plan from longer pulls",
        kind: StrategyKind::Fess(&[FessVariant::PLAN_LONG]),
    },
    Strategy {
        name: "fess-plan-short",
        about: "by features, along a plan from shorter pulls",
        kind: StrategyKind::Fess(&[FessVariant::PLAN_SHORT]),
    },
    Strategy {
        name: "fess-plan-dice",
        about: "by features, along a plan with boxes in an order of chance",
        kind: StrategyKind::Fess(&[FessVariant::PLAN_DICE]),
    },
    Strategy {
        name: "fess-excess",
        about: "by features, along a packing plan, with few pushes beyond the lower bound",
        kind: StrategyKind::Fess(&[FessVariant::EXCESS]),
    },
    Strategy {
        name: "fess-excess-dice",
        about: "the same, along a plan with boxes in an order of chance",
        kind: StrategyKind::Fess(&[FessVariant::EXCESS_DICE]),
    },
    Strategy {
        name: "fess-open",
        about: "by features, to an open position far from the goals, found by pulls",
        kind: StrategyKind::Fess(&[FessVariant::OPEN]),
    },
    Strategy {
        name: "fess-open-matched",
        about: "the same, with each box far from a goal of its own",
        kind: StrategyKind::Fess(&[FessVariant::OPEN_MATCHED]),
    },
    Strategy {
        name: "fess-ring",
        about: "by features, to an open position whose floor is on circles",
        kind: StrategyKind::Fess(&[FessVariant::RING]),
    },
    Strategy {
        name: "fess-ring-matched",
        about: "the same, with each box far from a goal of its own",
        kind: StrategyKind::Fess(&[FessVariant::RING_MATCHED]),
    },
    Strategy {
        name: "fess-reverse",
        about: "by features, opening by pushes and meeting that by pulls",
        kind: StrategyKind::Fess(&[FessVariant::REVERSE]),
    },
    Strategy {
        name: "fess-worth",
        about: "by the worth of features, down a tree, by pulls and then by pushes",
        kind: StrategyKind::Fess(&[FessVariant::WORTH]),
    },
    Strategy {
        name: "fess-near",
        about: "macro pulls toward the nearest start squares, and macro pushes to meet them",
        kind: StrategyKind::Fess(&[FessVariant::NEAR]),
    },
];

impl Strategy {
    /// Returns the strategy of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        STRATEGIES.iter().find(|strategy| strategy.name == name)
    }

    /// Builds the search for one level within the budget. Settings that do not concern it are ignored.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn build(
        &self,
        level: &Level,
        settings: &Settings,
        meter: &mut WorkMeter,
    ) -> Result<Box<dyn Search>, Stop> {
        match self.kind {
            StrategyKind::Settings | StrategyKind::Any(..) | StrategyKind::Proof(..) => {
                systematic_within(level, None, &self.systematic_settings(settings), meter)
            }
            StrategyKind::Packing(variants) => Ok(packing(self.name, level, settings, variants)),
            StrategyKind::Fess(variants) => fess(self.name, level, settings, variants, meter),
            StrategyKind::Compact => {
                meter.tick_unpausable(1)?;
                Ok(compact(level, settings.optimal))
            }
        }
    }

    /// Returns whether switching a technique can change what this strategy does with these settings.
    #[must_use]
    pub fn affects(&self, technique: Technique, settings: &Settings) -> bool {
        let search = match self.kind {
            StrategyKind::Settings | StrategyKind::Any(..) | StrategyKind::Proof(..) => {
                SearchKind::of(&self.systematic_settings(settings))
            }
            StrategyKind::Packing(_) => SearchKind::Packing,
            StrategyKind::Fess(_) => SearchKind::Fess,
            StrategyKind::Compact => SearchKind::Compact,
        };
        search.affects(technique)
    }

    /// Returns what its solutions are optimal in; [`Optimal::Any`] if it finds any solution.
    #[must_use]
    pub fn optimal(&self, settings: &Settings) -> Optimal {
        self.systematic_settings(settings).optimal
    }

    /// Returns whether it proves its solutions optimal.
    #[must_use]
    pub fn proves(&self, settings: &Settings) -> bool {
        let can_prove = match self.kind {
            StrategyKind::Any(..) => true,
            _ => self.can_prove(settings.optimal),
        };
        can_prove && self.optimal(settings) != Optimal::Any
    }

    /// Returns whether it can be asked to prove that solutions are optimal in this. A systematic one can if its algorithm
    /// counts costs.
    ///
    /// ```
    /// use sokosolver::{Optimal, Strategy};
    ///
    /// let compact = Strategy::named("compact").expect("it is in the list");
    /// assert!(compact.can_prove(Optimal::Moves) && !compact.can_prove(Optimal::PushesMoves));
    /// ```
    #[must_use]
    pub const fn can_prove(&self, optimal: Optimal) -> bool {
        match self.kind {
            StrategyKind::Settings | StrategyKind::Proof(..) => true,
            StrategyKind::Compact => !matches!(optimal, Optimal::PushesMoves | Optimal::MovesPushes),
            StrategyKind::Any(..) | StrategyKind::Packing(_) | StrategyKind::Fess(_) => false,
        }
    }

    /// The settings with what the name of a systematic strategy fixes.
    fn systematic_settings(&self, settings: &Settings) -> Settings {
        let optimal = settings.optimal;
        match self.kind {
            StrategyKind::Any(algorithm, heading) => Settings { algorithm, heading, ..settings.clone() },
            StrategyKind::Proof(algorithm, heading) => {
                let optimal = if optimal == Optimal::Any { Optimal::Pushes } else { optimal };
                Settings { algorithm, heading, optimal, ..settings.clone() }
            }
            StrategyKind::Settings | StrategyKind::Packing(_) | StrategyKind::Fess(_) | StrategyKind::Compact => {
                settings.clone()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokosearch::{Budget, Cancel, MemoryAccount};

    /// The tables of a hall of 44 by 44 squares with 60 boxes take a fifth of a second: none are made once the run is
    /// over.
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
            let mut meter = WorkMeter::new(budget, done.clone());
            let search = strategy.build(&level, &Settings::default(), &mut meter);
            let end = search.and_then(|mut search| search.resume(&mut meter));
            assert!(matches!(end, Err(Stop::Cancelled)), "{}: {end:?}", strategy.name);
            assert!(meter.ticks() < 2000, "{}", strategy.name);
        }
    }
}
