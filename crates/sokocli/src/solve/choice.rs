//! Which algorithm was asked for: a strategy by its name, or one of the systematic algorithms with a direction.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sokosolver::{Algorithm, Heading, Optimal, STRATEGIES, Settings, SolveKnobs, Strategy};

use crate::exit::UsageError;

/// What runs everything.
pub(crate) const PORTFOLIO: &str = "portfolio";

/// The systematic algorithms. Those that prove come with `true`.
const ALGORITHMS: &[(&str, Algorithm, bool)] = &[
    ("bfs", Algorithm::Bfs, true),
    ("iddfs", Algorithm::Iddfs, true),
    ("a-star", Algorithm::AStar, true),
    ("ida-star", Algorithm::IdaStar, true),
    ("greedy", Algorithm::Greedy, false),
    ("dfs", Algorithm::Dfs, false),
];

/// The side that a search starts from, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    /// By pushes, from the start
    Forward,
    /// By pulls, from the solved positions
    Backward,
    /// From both sides, until they meet
    Both,
}

/// What a solution must be best in, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Best {
    /// Fewest pushes
    Pushes,
    /// Fewest moves
    Moves,
    /// Fewest pushes, and among those fewest moves
    #[value(name = "pushes/moves")]
    PushesMoves,
    /// Fewest moves, and among those fewest pushes
    #[value(name = "moves/pushes")]
    MovesPushes,
}

impl Best {
    const fn optimal(self) -> Optimal {
        match self {
            Self::Pushes => Optimal::Pushes,
            Self::Moves => Optimal::Moves,
            Self::PushesMoves => Optimal::PushesMoves,
            Self::MovesPushes => Optimal::MovesPushes,
        }
    }
}

/// All names that `--algorithm` takes.
pub(crate) fn names() -> impl TypedValueParser<Value = String> {
    let algorithms = ALGORITHMS.iter().map(|(name, ..)| *name);
    let strategies = STRATEGIES.iter().map(|strategy| strategy.name);
    let is_new = |name: &&str| ALGORITHMS.iter().all(|(other, ..)| other != name) && *name != "systematic";
    PossibleValuesParser::new(std::iter::once(PORTFOLIO).chain(algorithms).chain(strategies.filter(is_new)))
}

/// All names that `--with` and `--without` take.
pub(crate) fn techniques() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(Settings::TECHNIQUES)
}

/// Switches techniques on or off.
pub(crate) fn switch(settings: &mut Settings, names: &[String], is_on: bool) {
    for name in names {
        if let Some(technique) = settings.technique(name) {
            *technique = is_on;
        }
    }
}

/// Makes the solver's settings of the three options. Algorithms that prove do so: fewest pushes, unless told.
pub(crate) fn knobs(
    name: &str,
    direction: Option<Direction>,
    best: Option<Best>,
    n_threads: usize,
) -> Result<SolveKnobs, UsageError> {
    let settings = Settings { optimal: best.map_or(Optimal::Any, Best::optimal), ..Settings::default() };
    let Some(&(_, algorithm, proves)) = ALGORITHMS.iter().find(|(other, ..)| *other == name) else {
        let strategy = STRATEGIES.iter().find(|strategy| strategy.name == name);
        return match (strategy, direction, best) {
            (_, Some(_), _) => Err(UsageError(format!("--direction goes with --algorithm {}", listed(|_| true)))),
            (Some(_), _, Some(_)) => {
                Err(UsageError(format!("--optimal goes with --algorithm {}", listed(|proves| proves))))
            }
            (strategy, None, _) => Ok(SolveKnobs { strategy, settings, n_threads, ..SolveKnobs::default() }),
        };
    };
    if best.is_some() && !proves {
        return Err(UsageError(format!("--optimal goes with --algorithm {}", listed(|proves| proves))));
    }
    let heading = match direction {
        Some(Direction::Forward) => Heading::Forward,
        Some(Direction::Backward) => Heading::Backward,
        Some(Direction::Both) => Heading::Both,
        None if algorithm == Algorithm::Greedy => Heading::Both,
        None => Heading::Forward,
    };
    let optimal = if proves && best.is_none() { Optimal::Pushes } else { settings.optimal };
    let settings = Settings { algorithm, heading, optimal, ..settings };
    Ok(SolveKnobs { strategy: Strategy::named("systematic"), settings, n_threads, ..SolveKnobs::default() })
}

fn listed(is_meant: impl Fn(bool) -> bool) -> String {
    let names: Vec<_> = ALGORITHMS.iter().filter(|(_, _, proves)| is_meant(*proves)).map(|(name, ..)| *name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn techniques_are_switched() {
        let mut settings = Settings::default();
        switch(&mut settings, &["triples".to_owned(), "pairs".to_owned()], false);
        switch(&mut settings, &["goal-cuts".to_owned()], true);
        assert_eq!((settings.triples, settings.pairs, settings.goal_cuts, settings.freeze), (false, false, true, true));
    }

    #[test]
    fn algorithms_that_prove_do() {
        let knobs = |name, direction, best| knobs(name, direction, best, 1);
        let a_star = knobs("a-star", None, None).unwrap().settings;
        assert_eq!((a_star.optimal, a_star.heading), (Optimal::Pushes, Heading::Forward));
        let greedy = knobs("greedy", Some(Direction::Backward), None).unwrap().settings;
        assert_eq!((greedy.optimal, greedy.heading), (Optimal::Any, Heading::Backward));
        let portfolio = knobs(PORTFOLIO, None, Some(Best::Moves)).unwrap();
        assert!(portfolio.strategy.is_none() && portfolio.settings.optimal == Optimal::Moves);
        assert!(knobs("greedy", None, Some(Best::Moves)).is_err());
        assert_eq!(knobs("ida-star", Some(Direction::Both), None).unwrap().settings.heading, Heading::Both);
        assert!(knobs("ida-star", Some(Direction::Backward), None).is_ok());
        assert!(knobs(PORTFOLIO, Some(Direction::Forward), None).is_err());
        assert!(knobs("greedy-forward", None, None).unwrap().strategy.is_some());
    }
}
