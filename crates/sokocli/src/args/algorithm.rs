//! Which algorithm was asked for: a strategy by its name, or one of the systematic algorithms with a direction.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sokosolver::{Algorithm, Heading, Optimal, STRATEGIES, Settings, SolveKnobs, Strategy, Technique};

use super::values::Switch;
use crate::exit::UsageError;

/// What runs everything.
pub(crate) const PORTFOLIO: &str = "portfolio";

/// The strategy for small boards.
const COMPACT: &str = "compact";

/// A systematic algorithm as it is asked for.
#[derive(Clone, Copy, Debug)]
struct NamedAlgorithm {
    name: &'static str,
    about: &'static str,
    algorithm: Algorithm,
    proves: bool,
}

/// The systematic algorithms.
const ALGORITHMS: [NamedAlgorithm; 6] = [
    named("bfs", "breadth-first: fewest pushes, proved", Algorithm::Bfs, true),
    named("iddfs", "depth-first with a growing limit of depth: fewest pushes, proved", Algorithm::Iddfs, true),
    named("a-star", "A*, by pushes made and a lower bound of the rest: fewest pushes, proved", Algorithm::AStar, true),
    named("ida-star", "depth-first with a growing lower bound: fewest pushes, proved", Algorithm::IdaStar, true),
    named("greedy", "best-first, the position that seems nearest to a solution first", Algorithm::Greedy, false),
    named("dfs", "depth-first", Algorithm::Dfs, false),
];

const fn named(name: &'static str, about: &'static str, algorithm: Algorithm, proves: bool) -> NamedAlgorithm {
    NamedAlgorithm { name, about, algorithm, proves }
}

/// The side that a search starts from, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectionChoice {
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
    /// Returns the name as typed.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pushes => "pushes",
            Self::Moves => "moves",
            Self::PushesMoves => "pushes/moves",
            Self::MovesPushes => "moves/pushes",
        }
    }

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
    let algorithms = ALGORITHMS.iter().map(|known| (known.name, known.about));
    let is_new = |name| ALGORITHMS.iter().all(|known| known.name != name) && name != "systematic";
    let strategies = STRATEGIES.iter().filter(|strategy| is_new(strategy.name));
    let strategies = strategies.map(|strategy| (strategy.name, strategy.about));
    let all = std::iter::once((PORTFOLIO, "several strategies in turns")).chain(algorithms).chain(strategies);
    PossibleValuesParser::new(all.map(|(name, about)| PossibleValue::new(name).help(about)))
}

/// The techniques that `--with` and `--without` take. Help shows those that the option changes.
pub(crate) fn techniques(switch: Switch) -> impl TypedValueParser<Value = Technique> {
    let value = |technique: Technique| {
        let changes = technique.is_on_by_default() == (switch == Switch::Off);
        PossibleValue::new(technique.name()).help(technique.about().trim_end_matches('.')).hide(!changes)
    };
    PossibleValuesParser::new(Technique::ALL.into_iter().map(value)).try_map(|name| name.parse::<Technique>())
}

/// Switches techniques on or off.
pub(crate) fn switch(settings: &mut Settings, techniques: &[Technique], is_on: bool) {
    techniques.iter().for_each(|&technique| settings.switch(technique, is_on));
}

/// Makes the solver's settings of the three options. Algorithms that prove do so: fewest pushes, unless told.
pub(crate) fn knobs(
    name: &str,
    direction: Option<DirectionChoice>,
    best: Option<Best>,
    n_threads: usize,
) -> Result<SolveKnobs, UsageError> {
    let knobs = SolveKnobs::default().with_threads(n_threads);
    let settings = Settings { optimal: best.map_or(Optimal::Any, Best::optimal), ..Settings::default() };
    let Some(&NamedAlgorithm { algorithm, proves, .. }) = ALGORITHMS.iter().find(|known| known.name == name) else {
        let strategy = STRATEGIES.iter().find(|strategy| strategy.name == name);
        return match (strategy, direction, best) {
            (_, Some(_), _) => Err(UsageError(format!("--direction goes with --algorithm {}", listed(|_| true)))),
            (Some(strategy), _, Some(best)) if !strategy.can_prove(best.optimal()) => Err(no_proof(name, best)),
            (strategy, None, _) => Ok(knobs.with_strategy(strategy).with_settings(settings)),
        };
    };
    if let Some(best) = best.filter(|_| !proves) {
        return Err(no_proof(name, best));
    }
    let heading = match direction {
        Some(DirectionChoice::Forward) => Heading::Forward,
        Some(DirectionChoice::Backward) => Heading::Backward,
        Some(DirectionChoice::Both) => Heading::Both,
        None if algorithm == Algorithm::Greedy => Heading::Both,
        None => Heading::Forward,
    };
    let optimal = if proves && best.is_none() { Optimal::Pushes } else { settings.optimal };
    let settings = Settings { algorithm, heading, optimal, ..settings };
    Ok(knobs.with_strategy(Strategy::named("systematic")).with_settings(settings))
}

/// Says which algorithms prove what this one does not.
fn no_proof(name: &str, best: Best) -> UsageError {
    let can_prove = |strategy: &&Strategy| strategy.name == COMPACT && strategy.can_prove(best.optimal());
    let compact = STRATEGIES.iter().find(can_prove).map(|strategy| strategy.name);
    let all: Vec<_> = std::iter::once(listed(|proves| proves)).chain(compact.map(str::to_owned)).collect();
    let (best, all) = (best.name(), all.join(", "));
    UsageError(format!("{name} does not prove {best}; leave --algorithm out, or use one of {all}"))
}

fn listed(is_meant: impl Fn(bool) -> bool) -> String {
    let names: Vec<_> = ALGORITHMS.iter().filter(|known| is_meant(known.proves)).map(|known| known.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn techniques_are_switched() {
        let mut settings = Settings::default();
        switch(&mut settings, &[Technique::Triples, Technique::Pairs], false);
        switch(&mut settings, &[Technique::GoalCuts], true);
        let are_on = [Technique::Triples, Technique::Pairs, Technique::GoalCuts, Technique::Freeze];
        assert_eq!(are_on.map(|technique| settings.uses(technique)), [false, false, true, true]);
    }

    #[test]
    fn algorithms_that_prove_do() {
        let knobs = |name, direction, best| knobs(name, direction, best, 1);
        let a_star = knobs("a-star", None, None).unwrap().settings;
        assert_eq!((a_star.optimal, a_star.heading), (Optimal::Pushes, Heading::Forward));
        let greedy = knobs("greedy", Some(DirectionChoice::Backward), None).unwrap().settings;
        assert_eq!((greedy.optimal, greedy.heading), (Optimal::Any, Heading::Backward));
        let portfolio = knobs(PORTFOLIO, None, Some(Best::Moves)).unwrap();
        assert!(portfolio.strategy.is_none() && portfolio.settings.optimal == Optimal::Moves);
        let refused = |name, best| knobs(name, None, Some(best)).unwrap_err().to_string();
        let end = "leave --algorithm out, or use one of bfs, iddfs, a-star, ida-star";
        assert_eq!(refused("greedy", Best::Moves), format!("greedy does not prove moves; {end}, compact"));
        assert_eq!(refused("compact", Best::MovesPushes), format!("compact does not prove moves/pushes; {end}"));
        assert!(refused("fess", Best::Pushes).starts_with("fess does not prove pushes; "));
        for (name, best) in [("compact", Best::Pushes), ("compact", Best::Moves), ("a-star-both", Best::MovesPushes)] {
            let knobs = knobs(name, None, Some(best)).unwrap();
            assert_eq!((knobs.strategy.map(|of| of.name), knobs.settings.optimal), (Some(name), best.optimal()));
        }
        assert_eq!(knobs("ida-star", Some(DirectionChoice::Both), None).unwrap().settings.heading, Heading::Both);
        assert!(knobs("ida-star", Some(DirectionChoice::Backward), None).is_ok());
        assert!(knobs(PORTFOLIO, Some(DirectionChoice::Forward), None).is_err());
        assert!(knobs("greedy-forward", None, None).unwrap().strategy.is_some());
    }
}
