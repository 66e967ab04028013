//! Algorithm selection: the strategies of a run, their order and their weights, by the features of the level.

use std::sync::Arc;

use sokocore::{Level, Square};
use sokosearch::MemoryAccount;
use tracing::info;

use super::profile::Profile;
use super::shares::Weights;
use crate::compact::{COMPACT, is_compact};
use crate::deadlock::shared::SharedDeadlocks;
use crate::portfolio::knobs::SolveKnobs;
use crate::portfolio::strategy_spec::{Role, StartSearch, StrategySpec};
use crate::search_kind::SearchKind;
use crate::systematic::systematic_within;
use crate::upper_bound::UpperBound;
use crate::{
    Algorithm, BoundWeight, CustomStrategy, Heading, Optimal, STRATEGIES, Settings, Strategy, Technique, WorkMeter,
};

/// A strategy of the portfolio, and its weights on a level with these features.
type WeightedStrategy = (&'static str, fn(&Profile) -> Weights);

/// The portfolio for a first solution, in the order of the first slices.
///
/// Feature space search and packing solve large levels, greedy forward crowded ones. Greedy from both sides solves
/// nothing that neither of its halves does, so it has no place here.
///
/// The first weights share out work, with one thread or a limit of work. Feature space search consists of eleven
/// strategies that share their tables, so it has the largest weight on large boards. On others greedy backward has the
/// largest.
///
/// The other weights share out time, in the three stages of [`FairShare`](super::shares::FairShare). Packing is rarely
/// the best on small boards, so it has a small weight there after the opening; greedy backward has one on large boards,
/// unless its progress estimate is high. Late, feature space search has the largest weight on large boards, but no more
/// than one of two threads: others waited up to eleven times as long otherwise. Measured: see
/// `docs/experiments/2026-11-22-portfolio-line-up.md`.
const PORTFOLIO: &[WeightedStrategy] = &[
    ("fess", |profile| if profile.is_large() { weights(12, [12, 12, 18]) } else { weights(3, [12, 10, 10]) }),
    ("greedy-backward", |profile| if profile.is_large() { weights(4, [5, 5, 3]) } else { weights(6, [12, 12, 12]) }),
    ("greedy-forward", |profile| if profile.is_large() { weights(1, [12, 12, 8]) } else { weights(2, [12, 12, 12]) }),
    ("packing", |profile| if profile.is_large() { weights(4, [12, 12, 8]) } else { weights(2, [12, 4, 4]) }),
];

/// Live squares beyond which a strategy has no tables and would give up.
const TOO_LARGE: &[(&str, usize)] = &[("fess", 1 << 10), ("greedy-backward", 1 << 11), ("greedy-forward", 1 << 11)];

/// The strategy whose workers always share proofs of deadlocks, but only with each other: it looks up every box of
/// every position, and the thousands of proofs of packing cost it more than they save. Grigr2001 84 on two threads,
/// 2026-11-21: 1.2 million ticks a second without them, 0.6 with them.
const SHARES_WITHIN: &str = "fess";

/// Weights of work, and of time in the opening, early and late.
const fn weights(work: u32, time: [u32; 3]) -> Weights {
    Weights { work, time }
}

/// Weights of a strategy that is as good early as late. In the portfolio those of time are four times those of work.
fn ordinary(weight: u8) -> Weights {
    let work = u32::from(weight);
    weights(work, [4 * work; 3])
}

/// Strategies in the portfolio.
#[cfg(test)]
pub(crate) const N_STRATEGIES: usize = PORTFOLIO.len();

/// The portfolio for proofs. On two threads a proof takes at most 1.75 times as long as with the best of them alone.
const PROVERS: &[(Algorithm, Heading, Weights)] = &[
    (Algorithm::AStar, Heading::Forward, weights(3, [1, 1, 3])),
    (Algorithm::AStar, Heading::Both, weights(2, [1, 1, 2])),
    (Algorithm::IdaStar, Heading::Forward, weights(1, [1, 1, 2])),
];

/// The name of the strategy that follows the settings.
const SYSTEMATIC: &str = "systematic";

/// Returns the strategy that follows the settings.
fn systematic() -> &'static Strategy {
    Strategy::named(SYSTEMATIC).unwrap_or(&STRATEGIES[0])
}

/// Selects the strategies of a run; the memory that they share is charged to the account. A run for the best solution
/// has an `upper_bound`; while it knows no solution, strategies for a first solution take part as well.
pub(crate) fn select(
    level: &Level,
    knobs: &SolveKnobs,
    account: &MemoryAccount,
    upper_bound: Option<&UpperBound>,
) -> Vec<StrategySpec> {
    let level = &Arc::new(level.clone());
    let mut specs = if knobs.runs_built_in { select_built_in(level, knobs, account, upper_bound) } else { Vec::new() };
    if needs_first_solution(upper_bound) {
        specs.extend(knobs.custom.iter().map(|strategy| custom_spec(level, strategy)));
    }
    specs
}

/// The quick strategies of a source of solutions: most find one within a quarter of a second, if they find one at all.
pub(crate) const QUICK: &[&str] = &["fess-excess-dice", "packing-full", "fess-excess"];

/// Its other strategies, whose solutions have other shapes: half a second.
pub(crate) const THOROUGH: &[&str] = &["fess-open", "fess-reverse", "fess-ring-matched", "fess-ring", "fess-worth"];

/// Those whose solutions are others with each seed.
pub(crate) const SEEDED: &[&str] = &["fess-excess-dice", "fess-plan-dice"];

/// Selects those of these strategies that can handle the level, all of the same weight.
pub(crate) fn select_named(level: &Level, names: &[&str], settings: &Settings) -> Vec<StrategySpec> {
    let level = &Arc::new(level.clone());
    let n_live = Profile::of(level).n_live;
    let fits = |name: &&&str| TOO_LARGE.iter().all(|&(large, most)| !name.starts_with(large) || n_live <= most);
    let spec = |name: &&str| {
        let strategy = Strategy::named(name)?;
        let start = start(level, strategy, settings.clone(), SharedState { deadlocks: None, upper_bound: None });
        let weights = ordinary(CustomStrategy::ORDINARY_WEIGHT);
        Some(StrategySpec { name: (*name).to_owned(), weights, role: Role::Finder, start })
    };
    names.iter().filter(fits).filter_map(spec).collect()
}

/// Makes the configuration of the compact search; `None` if the board is not compact, or for another kind of proof.
pub(super) fn compact_spec(
    level: &Level,
    settings: &Settings,
    upper_bound: Option<&UpperBound>,
) -> Option<StrategySpec> {
    let strategy = Strategy::named(COMPACT).filter(|_| is_compact(level, settings.optimal))?;
    let role = if strategy.proves(settings) { Role::Prover } else { Role::Finder };
    let shared = SharedState { deadlocks: None, upper_bound: upper_bound.cloned() };
    let start = start(&Arc::new(level.clone()), strategy, settings.clone(), shared);
    let weights = ordinary(CustomStrategy::ORDINARY_WEIGHT);
    Some(StrategySpec { name: COMPACT.to_owned(), weights, role, start })
}

/// Makes the configuration of the search that proves soonest if it is the only one: the compact search where the board is
/// compact, otherwise A* from the start.
pub(super) fn sole_prover(level: &Level, optimal: Optimal, upper_bound: &UpperBound) -> StrategySpec {
    let settings = Settings { optimal, ..Settings::default() };
    compact_spec(level, &settings, Some(upper_bound)).unwrap_or_else(|| a_star_spec(level, optimal, upper_bound))
}

/// Makes the configuration of A* from the start.
pub(super) fn a_star_spec(level: &Level, optimal: Optimal, upper_bound: &UpperBound) -> StrategySpec {
    let settings = Settings { algorithm: Algorithm::AStar, heading: Heading::Forward, optimal, ..Settings::default() };
    let shared = SharedState { deadlocks: None, upper_bound: Some(upper_bound.clone()) };
    let (name, weights) = (systematic_name(&settings), ordinary(CustomStrategy::ORDINARY_WEIGHT));
    StrategySpec {
        name,
        weights,
        role: Role::Prover,
        start: start(&Arc::new(level.clone()), systematic(), settings, shared),
    }
}

/// What A* on a window goes without: these tables take 20 to 110 milliseconds, as long as most windows.
const WITHOUT_TABLES: &[Technique] = &[Technique::Pairs, Technique::Triples, Technique::Penalties];

/// The weight of the bound on a window, which is pruned by its own pushes. Measured: see
/// `docs/experiments/2026-11-26-weighted-windows.md`.
const SUBPROBLEM_WEIGHT: BoundWeight = BoundWeight::from_percent(125);

/// Makes the configuration of anytime weighted A* by pushes from the start of a subproblem to its goals, with the player
/// where it can walk to a square.
pub(super) fn subproblem_spec(window: &Level, end: Square, upper_bound: &UpperBound) -> StrategySpec {
    let (algorithm, optimal, bound_weight) = (Algorithm::AStar, Optimal::Pushes, SUBPROBLEM_WEIGHT);
    let settings = Settings { algorithm, optimal, bound_weight, ..Settings::default() };
    let settings = WITHOUT_TABLES.iter().fold(settings, |settings, &technique| settings.without(technique));
    let (name, weights) = (systematic_name(&settings), ordinary(CustomStrategy::ORDINARY_WEIGHT));
    let (window, upper_bound) = (window.clone(), upper_bound.clone());
    let start = Box::new(move |meter: &mut WorkMeter| {
        meter.tick_unpausable(1)?;
        meter.watch_upper_bound(upper_bound.clone());
        systematic_within(&window, Some(end), &settings, meter)
    });
    StrategySpec { name, weights, role: Role::Prover, start }
}

/// The strategies that replan windows of a solution, and their ticks: what one of them solves at all, it solves within a
/// fraction of a second. Measured: see `docs/experiments/2026-11-28-replanning.md`.
const REPLANNING: [(&str, u64); 2] = [("packing-full", 50_000), ("fess-excess-dice", 200_000)];

/// Makes the configuration of a search for any solution of a subproblem, with its ticks. The seed chooses the strategy, too.
/// `None` if the level is too large for it.
pub(super) fn replanning_spec(window: &Level, seed: u64) -> Option<(StrategySpec, u64)> {
    let (name, max_ticks) = REPLANNING[usize::from(seed % 2 == 1)];
    let spec = select_named(window, &[name], &Settings { seed, ..Settings::default() }).pop()?;
    Some((spec, max_ticks))
}

/// Makes the configurations of the strategies from outside this crate.
pub(crate) fn custom_specs(level: &Level, knobs: &SolveKnobs) -> Vec<StrategySpec> {
    let level = &Arc::new(level.clone());
    knobs.custom.iter().map(|strategy| custom_spec(level, strategy)).collect()
}

/// Returns whether the run searches for any solution, or knows none yet.
fn needs_first_solution(upper_bound: Option<&UpperBound>) -> bool {
    upper_bound.is_none_or(|upper_bound| upper_bound.cost() == u64::MAX)
}

/// Makes the configuration of a strategy from outside this crate.
fn custom_spec(level: &Arc<Level>, strategy: &CustomStrategy) -> StrategySpec {
    let weights = ordinary(strategy.weight().max(1));
    let (level, strategy) = (Arc::clone(level), strategy.clone());
    let name = strategy.name().to_owned();
    let start = Box::new(move |meter: &mut WorkMeter| {
        meter.tick_unpausable(1)?;
        strategy.build(&level, meter)
    });
    StrategySpec { name, weights, role: Role::Finder, start }
}

/// Selects among the strategies of this crate.
fn select_built_in(
    level: &Arc<Level>,
    knobs: &SolveKnobs,
    account: &MemoryAccount,
    upper_bound: Option<&UpperBound>,
) -> Vec<StrategySpec> {
    let within_strategy = SharedDeadlocks::new(account);
    let of_all = knobs.settings.uses(Technique::SharedProofs).then(|| SharedDeadlocks::new(account));
    let spec = |name: &str, weights, strategy: &'static Strategy, settings: Settings| {
        let deadlocks = if strategy.name == SHARES_WITHIN { Some(within_strategy.clone()) } else { of_all.clone() };
        let role = if strategy.proves(&settings) { Role::Prover } else { Role::Finder };
        let upper_bound = upper_bound.filter(|_| role == Role::Prover).cloned();
        let start = start(level, strategy, settings, SharedState { deadlocks, upper_bound });
        StrategySpec { name: name.to_owned(), weights, role, start }
    };
    let settings = &knobs.settings;
    if let Some(strategy) = knobs.strategy {
        let name = if strategy.name == SYSTEMATIC { systematic_name(settings) } else { strategy.name.to_owned() };
        return vec![spec(&name, ordinary(CustomStrategy::ORDINARY_WEIGHT), strategy, settings.clone())];
    }
    let mut specs = Vec::new();
    if settings.optimal != Optimal::Any {
        let systematic = systematic();
        let prover = |&(algorithm, heading, weights): &(Algorithm, Heading, Weights)| {
            let settings = Settings { algorithm, heading, ..settings.clone() };
            spec(&systematic_name(&settings), weights, systematic, settings)
        };
        // Where moves count, A* from both sides proves no more than from one (`docs/solver.md`).
        let by_moves = settings.optimal != Optimal::Pushes;
        let is_worth = |(_, heading, _): &&(Algorithm, Heading, Weights)| !(by_moves && *heading == Heading::Both);
        specs.extend(PROVERS.iter().filter(is_worth).map(prover));
        if upper_bound.is_none() || !needs_first_solution(upper_bound) {
            return specs;
        }
    }
    let settings = Settings { optimal: Optimal::Any, ..settings.clone() };
    let profile = Profile::of(level);
    let chosen = PORTFOLIO.iter().filter_map(|(name, weight)| Some((Strategy::named(name)?, weight(&profile))));
    let fits = |name: &str| TOO_LARGE.iter().all(|&(large, most)| large != name || profile.n_live <= most);
    let mut finders: Vec<_> = chosen
        .filter(|(strategy, _)| fits(strategy.name))
        .map(|(strategy, weights)| spec(strategy.name, weights, strategy, settings.clone()))
        .collect();
    finders.sort_by_key(|spec| std::cmp::Reverse(spec.weights.work));
    specs.extend(finders);
    let order: Vec<_> = specs.iter().map(|spec| (&*spec.name, spec.weights)).collect();
    info!(?profile, ?order, "portfolio");
    specs
}

impl SolveKnobs {
    /// Returns whether switching a technique can change what such a run does.
    #[must_use]
    pub fn affects(&self, technique: Technique) -> bool {
        match self.strategy {
            Some(strategy) => strategy.affects(technique, &self.settings),
            None => technique == Technique::SharedProofs || portfolio_affected_by(technique, &self.settings),
        }
    }
}

/// Returns whether a technique affects one of the strategies that may take part.
fn portfolio_affected_by(technique: Technique, settings: &Settings) -> bool {
    let any = Settings { optimal: Optimal::Any, ..settings.clone() };
    let mut strategies = PORTFOLIO.iter().filter_map(|(name, _)| Strategy::named(name));
    let own = |&(algorithm, heading, _): &_| Settings { algorithm, heading, ..settings.clone() };
    let is_for_proofs = || PROVERS.iter().map(own).any(|settings| SearchKind::of(&settings).affects(technique));
    strategies.any(|strategy| strategy.affects(technique, &any))
        || (settings.optimal != Optimal::Any && is_for_proofs())
}

/// The name of a systematic search, such as `a-star-forward`.
fn systematic_name(settings: &Settings) -> String {
    let algorithm = match settings.algorithm {
        Algorithm::Greedy => "greedy",
        Algorithm::AStar => "a-star",
        Algorithm::IdaStar => "ida-star",
        Algorithm::Bfs => "bfs",
        Algorithm::Iddfs => "iddfs",
        Algorithm::Dfs => "dfs",
    };
    let heading = match settings.heading {
        Heading::Forward => "forward",
        Heading::Backward => "backward",
        Heading::Both => "both",
    };
    format!("{algorithm}-{heading}")
}

/// What the searches of a run share with one of them.
struct SharedState {
    deadlocks: Option<SharedDeadlocks>,
    upper_bound: Option<UpperBound>,
}

/// Returns the function that starts the search of a strategy.
fn start(level: &Arc<Level>, strategy: &'static Strategy, settings: Settings, shared: SharedState) -> StartSearch {
    let level = Arc::clone(level);
    Box::new(move |meter: &mut WorkMeter| {
        // Earlier slices may have used up the time.
        meter.tick_unpausable(1)?;
        if let Some(deadlocks) = &shared.deadlocks {
            meter.share_deadlocks(deadlocks.clone());
        }
        if let Some(upper_bound) = &shared.upper_bound {
            meter.watch_upper_bound(upper_bound.clone());
        }
        strategy.build(&level, &settings, meter)
    })
}
