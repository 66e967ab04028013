//! Which strategies take part in a run, in which order, and how much of the work each gets.

use std::sync::Arc;

use sokocore::Level;
use sokosearch::MemoryAccount;
use tracing::info;

use super::SolveKnobs;
use super::ceiling::Ceiling;
use super::entrant::{Entrant, Start};
use super::profile::Profile;
use super::shares::Weights;
use crate::exchange::Exchange;
use crate::techniques::Realm;
use crate::{Algorithm, Effort, Heading, Optimal, STRATEGIES, Settings, Strategy};

/// A place in the portfolio: a strategy, and how much it is worth on a level of this kind.
type Place = (&'static str, fn(&Profile) -> Weights);

/// The portfolio for a first solution, in the order of the first turns.
///
/// Of 63 levels of six sets, with 2,000,000 ticks each (`docs/solver.md`, strategies), feature space search and packing
/// solve what is large, greedy forward what is crowded. Greedy from both sides solves nothing there that neither of its
/// halves does, so it has no place.
///
/// The first weights count work, with one thread or a limit of work. Feature space search is eleven strategies that share
/// what it has, so it has most of them on large boards: of 17 levels of Sasquatch I and XSokoban that the portfolio had
/// not solved in ten seconds when it was one, 6 are solved with 14 to 20 million ticks.
///
/// What is not large goes to greedy backward more often than to all others together: of 56 such levels that take half
/// a second or more, it is the first on 34, greedy forward on 18. By the seconds that each strategy had on them, these
/// weights come to 115 seconds in all, and 4, 4, 3, 2 to 153.
///
/// The other weights share out time: in the opening, early, and late. Of 125 levels of five sets whose best strategy takes
/// 0.15 seconds or more (each alone, one thread, 2026-11-22), 88 are not large: greedy backward is the best on 55 of them,
/// greedy forward on 28, feature space search on 4, packing on 1. Of the 37 large ones feature space search is the best on
/// 29, packing on 5, greedy forward on 2, backward on 1. So packing has a small part on the former, after the opening, and
/// greedy backward on the latter, where promise brings it up to the others.
///
/// Later on, feature space search has most on large boards: of 24 of them from four sets that take more than two seconds it
/// solves all but one (those it did not solve, nobody has). What of two threads it had more than one, others waited for up
/// to eleven times as long.
const PORTFOLIO: &[Place] = &[
    ("fess", |profile| if profile.is_large() { weights(12, [12, 12, 18]) } else { weights(3, [12, 10, 10]) }),
    ("greedy-backward", |profile| if profile.is_large() { weights(4, [5, 5, 3]) } else { weights(6, [12, 12, 12]) }),
    ("greedy-forward", |profile| if profile.is_large() { weights(1, [12, 12, 8]) } else { weights(2, [12, 12, 12]) }),
    ("packing", |profile| if profile.is_large() { weights(4, [12, 12, 8]) } else { weights(2, [12, 4, 4]) }),
];

/// Live squares beyond which a strategy has no tables; it would only spend time on finding that out.
const TOO_LARGE: &[(&str, usize)] = &[("fess", 1 << 10), ("greedy-backward", 1 << 11), ("greedy-forward", 1 << 11)];

/// The strategy whose hands always tell each other what they have proved, and nobody else: it looks up what is known of
/// each box of each position, and the thousands of proofs that packing makes cost it more than they save. Grigr2001 84 on
/// two threads, 2026-11-21: 1.2 million ticks a second without them, 0.6 with them.
const APART: &str = "fess";

/// Weights of work, and of time in the opening, early and late.
const fn weights(work: u32, time: [u32; 3]) -> Weights {
    Weights { work, time }
}

/// Places in the portfolio.
#[cfg(test)]
pub(crate) const N_PLACES: usize = PORTFOLIO.len();

/// The portfolio for proofs. On two threads a proof takes at most 1.75 times as long as with the
/// best of them alone, however long that is.
const PROVERS: &[(Algorithm, Heading, Weights)] = &[
    (Algorithm::AStar, Heading::Forward, weights(3, [1, 1, 3])),
    (Algorithm::AStar, Heading::Both, weights(2, [1, 1, 2])),
    (Algorithm::IdaStar, Heading::Forward, weights(1, [1, 1, 2])),
];

/// The strategy that does what the settings say.
const SYSTEMATIC: &str = "systematic";

/// Chooses who takes part; what they share is charged to the account. A run for the best solution knows what the best one
/// costs so far, its `ceiling`; while it knows none, the portfolio for a first solution takes part as well.
pub(crate) fn entrants(
    level: &Level,
    knobs: &SolveKnobs,
    account: &MemoryAccount,
    ceiling: Option<&Ceiling>,
) -> Vec<Entrant> {
    let level = &Arc::new(level.clone());
    let of_hands = Exchange::new(account);
    let of_all = knobs.settings.shared_proofs.then(|| Exchange::new(account));
    let entrant = |name: &str, weights, strategy: &'static Strategy, settings: Settings| {
        let exchange = if strategy.name == APART { Some(of_hands.clone()) } else { of_all.clone() };
        let proves = strategy.proves(&settings);
        let ceiling = ceiling.filter(|_| proves).cloned();
        let start = start(level, strategy, settings, (exchange, ceiling));
        Entrant { name: name.to_owned(), weights, proves, start }
    };
    let settings = &knobs.settings;
    if let Some(strategy) = knobs.strategy {
        let name = if strategy.name == SYSTEMATIC { own_name(settings) } else { strategy.name.to_owned() };
        return vec![entrant(&name, Weights::all(1), strategy, settings.clone())];
    }
    let mut entrants = Vec::new();
    if settings.optimal != Optimal::Any {
        let systematic = Strategy::named(SYSTEMATIC).unwrap_or(&STRATEGIES[0]);
        let prover = |&(algorithm, heading, weights): &(Algorithm, Heading, Weights)| {
            let settings = Settings { algorithm, heading, ..settings.clone() };
            entrant(&own_name(&settings), weights, systematic, settings)
        };
        // Where moves count, two sides take as long as one: 12 of 15 levels of Microban II with a million ticks either
        // way, 3.5 and 3.4 million in all, 2026-11-21.
        let by_moves = settings.optimal != Optimal::Pushes;
        let is_worth = |(_, heading, _): &&(Algorithm, Heading, Weights)| !(by_moves && *heading == Heading::Both);
        entrants.extend(PROVERS.iter().filter(is_worth).map(prover));
        if ceiling.is_none_or(|ceiling| ceiling.cost() < u64::MAX) {
            return entrants;
        }
    }
    let settings = Settings { optimal: Optimal::Any, ..settings.clone() };
    let profile = Profile::of(level);
    let chosen = PORTFOLIO.iter().filter_map(|(name, weight)| Some((Strategy::named(name)?, weight(&profile))));
    let fits = |name: &str| TOO_LARGE.iter().all(|&(large, most)| large != name || profile.n_live <= most);
    let mut finders: Vec<_> = chosen
        .filter(|(strategy, _)| fits(strategy.name))
        .map(|(strategy, weights)| entrant(strategy.name, weights, strategy, settings.clone()))
        .collect();
    finders.sort_by_key(|entrant| std::cmp::Reverse(entrant.weights.work));
    entrants.extend(finders);
    let order: Vec<_> = entrants.iter().map(|entrant| (&*entrant.name, entrant.weights)).collect();
    info!(?profile, ?order, "portfolio");
    entrants
}

/// Whether a technique has a say in one of the strategies that may take part.
pub(crate) fn heeds(technique: &str, settings: &Settings) -> bool {
    let any = Settings { optimal: Optimal::Any, ..settings.clone() };
    let mut places = PORTFOLIO.iter().filter_map(|(name, _)| Strategy::named(name));
    let own = |&(algorithm, heading, _): &_| Settings { algorithm, heading, ..settings.clone() };
    let is_for_proofs = || PROVERS.iter().map(own).any(|settings| Realm::of(&settings).heeds(technique));
    places.any(|strategy| strategy.heeds(technique, &any)) || (settings.optimal != Optimal::Any && is_for_proofs())
}

/// What a systematic search is called: `a-star-forward`.
fn own_name(settings: &Settings) -> String {
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

/// How a strategy begins its search.
fn start(
    level: &Arc<Level>,
    strategy: &'static Strategy,
    settings: Settings,
    (exchange, ceiling): (Option<Exchange>, Option<Ceiling>),
) -> Start {
    let level = Arc::clone(level);
    Box::new(move |effort: &mut Effort| {
        // Whoever was before may have used up the time.
        effort.press_on(1)?;
        if let Some(exchange) = &exchange {
            effort.share(exchange.clone());
        }
        if let Some(ceiling) = &ceiling {
            effort.watch(ceiling.clone());
        }
        strategy.build(&level, &settings, effort)
    })
}
