//! Every answer of the solver: solved, unsolvable, proved, each bound, by every strategy, algorithm, direction and
//! optimality mode, with techniques left to chance.

use std::cell::Cell;

use parking_lot::Mutex;
use sokocore::{Metric, Metrics, moves_of, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Stop};
use sokosolver::{
    Algorithm, Answer, AttemptEnd, Fault, Heading, LevelBounds, Optimal, Outcome, STRATEGIES, Settings, SolveEvent,
    SolveKnobs, SolveProgress, Strategy, Technique, Verdict, WorkMeter, solve, systematic,
};

use super::position_graph::Optimum;
use super::trial::Trial;
use crate::dataset::SplitMix64;

/// Work of one answer, in ticks: more than the positions of a level many times over.
const WORK: u64 = 400_000;
/// Memory of one answer.
const MEMORY: u64 = 256 << 20;

const MODES: [Optimal; 5] = [Optimal::Any, Optimal::Pushes, Optimal::Moves, Optimal::PushesMoves, Optimal::MovesPushes];
const HEADINGS: [Heading; 3] = [Heading::Forward, Heading::Backward, Heading::Both];
const ALGORITHMS: [Algorithm; 6] =
    [Algorithm::Greedy, Algorithm::AStar, Algorithm::IdaStar, Algorithm::Bfs, Algorithm::Iddfs, Algorithm::Dfs];

/// Asks for the answers that cost little, and for a few of the others.
pub(super) fn check(trial: &mut Trial<'_>) {
    check_bounds(trial);
    for optimal in [Optimal::Any, Optimal::Pushes, Optimal::Moves] {
        ask(trial, Strategy::named("compact"), &Settings { optimal, ..Settings::default() });
    }
    let any_mode = MODES[trial.dice.below(MODES.len())];
    ask(trial, None, &Settings { optimal: any_mode, ..Settings::default() });
    for _ in 0..3 {
        let settings = any_settings(&mut trial.dice);
        check_search(trial, &settings);
    }
    if trial.dice.below(4) == 0 {
        let strategy = &STRATEGIES[trial.dice.below(STRATEGIES.len())];
        let settings = any_settings(&mut trial.dice);
        ask(trial, Some(strategy), &settings);
    }
}

/// Asks for every answer that there is.
pub(super) fn check_all(trial: &mut Trial<'_>) {
    for strategy in STRATEGIES {
        for optimal in MODES {
            ask(trial, Some(strategy), &Settings { optimal, ..Settings::default() });
        }
    }
    MODES.iter().for_each(|&optimal| ask(trial, None, &Settings { optimal, ..Settings::default() }));
    for (algorithm, heading) in ALGORITHMS.iter().flat_map(|&of| HEADINGS.map(|heading| (of, heading))) {
        for optimal in MODES {
            let techniques = any_settings(&mut trial.dice).techniques;
            for techniques in [techniques, Settings::default().techniques] {
                check_search(trial, &Settings { algorithm, heading, optimal, techniques, ..Settings::default() });
            }
        }
    }
}

/// Settings left to chance.
fn any_settings(dice: &mut SplitMix64) -> Settings {
    let algorithm = ALGORITHMS[dice.below(ALGORITHMS.len())];
    let heading = HEADINGS[dice.below(HEADINGS.len())];
    let mut settings = Settings { algorithm, heading, optimal: MODES[dice.below(MODES.len())], ..Settings::default() };
    let one = Technique::ALL[dice.below(Technique::ALL.len())];
    match dice.below(5) {
        0 => settings = settings.plain(),
        1 => settings = settings.plain().with(one),
        2 => settings = settings.without(one),
        3 => Technique::ALL.iter().for_each(|&technique| settings.switch(technique, dice.below(2) == 0)),
        _ => {}
    }
    settings
}

/// Settings in a few words.
fn named(settings: &Settings) -> String {
    let Settings { algorithm, heading, optimal, techniques, .. } = settings;
    let default = Settings::default();
    let differs = |technique: &&Technique| techniques.contains(**technique) != default.uses(**technique);
    let switched: Vec<_> = Technique::ALL.iter().filter(differs).map(|technique| technique.name()).collect();
    if techniques.iter().count() < Technique::ALL.len() / 2 {
        return format!("{optimal:?} by {algorithm:?} {heading:?} with {techniques:?} alone");
    }
    format!("{optimal:?} by {algorithm:?} {heading:?}, switched {}", switched.join(","))
}

/// What shows without a search.
fn check_bounds(trial: &mut Trial<'_>) {
    let fault = Fault::of(trial.level);
    let is_solvable = trial.best.is_some();
    trial.demand(fault.is_none() || !is_solvable, || format!("Fault::of says {fault:?} of a level with a solution"));
    let bounds = LevelBounds::of(trial.level);
    trial.counts.answers += 2;
    let Some(best) = trial.best else { return };
    trial.demand(bounds.is_some(), || "LevelBounds::of finds no matching in a level with a solution".to_owned());
    let Some(bounds) = bounds else { return };
    for (metric, least) in [(Metric::Pushes, best.pushes), (Metric::Moves, best.moves)] {
        let bound = bounds.at_least(metric);
        trial.demand(bound <= Some(least), || format!("LevelBounds: at least {bound:?} {metric}, {least} are enough"));
    }
}

/// The first metric that a mode minimizes, of these.
const fn first(optimal: Optimal, pushes: u64, moves: u64) -> Option<u64> {
    match optimal {
        Optimal::Any => None,
        Optimal::Pushes | Optimal::PushesMoves => Some(pushes),
        Optimal::Moves | Optimal::MovesPushes => Some(moves),
    }
}

/// Whether these metrics are the best ones by a mode.
const fn is_best(optimal: Optimal, metrics: &Metrics, best: Optimum) -> bool {
    let Metrics { pushes, moves, .. } = *metrics;
    match optimal {
        Optimal::Any => true,
        Optimal::Pushes => pushes == best.pushes,
        Optimal::Moves => moves == best.moves,
        Optimal::PushesMoves => pushes == best.pushes && moves == best.moves_of_fewest_pushes,
        Optimal::MovesPushes => moves == best.moves && pushes == best.pushes_of_fewest_moves,
    }
}

/// Notes the bounds that a run reports.
#[derive(Default)]
struct ReportedBounds(Mutex<u64>);

impl SolveProgress for ReportedBounds {
    fn on(&self, event: SolveEvent<'_>) {
        if let SolveEvent::Bound { bound, .. } = event {
            let mut highest = self.0.lock();
            *highest = bound.max(*highest);
        }
    }
}

/// Runs one strategy, or the portfolio, and judges its outcome.
fn ask(trial: &mut Trial<'_>, strategy: Option<&'static Strategy>, settings: &Settings) {
    let mut knobs = SolveKnobs::default().with_strategy(strategy).with_settings(settings.clone());
    knobs.looks_first = trial.dice.below(4) == 0;
    if trial.dice.below(16) == 0 {
        knobs.n_threads = 3;
    }
    if trial.dice.below(16) == 0 {
        let moves = trial.poor_solution();
        knobs.known = moves.and_then(|moves| replay(trial.level, &moves).ok()).into_iter().collect();
    }
    let reported = ReportedBounds::default();
    let outcome = solve(trial.level, &knobs, &budget(), &reported);
    let optimal = knobs.optimal();
    let who = format!(
        "{} for {}, {} known solutions, {} threads",
        strategy.map_or("portfolio", |strategy| strategy.name),
        named(settings),
        knobs.known.len(),
        knobs.n_threads
    );
    let highest = *reported.0.lock();
    judge(trial, &outcome, optimal, highest, &who);
}

fn judge(trial: &mut Trial<'_>, outcome: &Outcome, optimal: Optimal, reported: u64, who: &str) {
    let best = trial.best;
    trial.counts.answers += 1;
    trial.counts.proofs += u64::from(outcome.is_proved());
    match &outcome.answer {
        Answer::Solved { solution, proved, .. } => {
            trial.check_solution(solution, who);
            let metrics = solution.metrics();
            let is_right = best.is_some_and(|best| !proved || is_best(optimal, &metrics, best));
            trial.demand(is_right, || format!("{who}: {metrics} is called proved, but {best:?}"));
        }
        Answer::Unsolvable { by, .. } => {
            trial.demand(best.is_none(), || format!("{who}: called unsolvable by {by}, but {best:?}"));
        }
        Answer::Unsolved(end) => trial.counts.unanswered += u64::from(*end != sokosearch::End::Exhausted),
    }
    let least = best.and_then(|best| first(optimal, best.pushes, best.moves));
    let attempts = outcome.tried.iter().map(|attempt| (&*attempt.strategy, attempt.lower_bound.unwrap_or(0)));
    for (whose, bound) in attempts.chain([("the run", outcome.lower_bound.unwrap_or(0)), ("an event", reported)]) {
        trial.demand(least.is_none_or(|least| bound <= least), || {
            format!("{who}: the bound {bound} of {whose} is above the best, {best:?}")
        });
    }
    trial.demand(!outcome.has_fault(), || format!("{who}: an attempt failed: {:?}", outcome.tried));
    for attempt in &outcome.tried {
        let is_wrong = attempt.end == AttemptEnd::Unsolvable && best.is_some();
        trial.demand(!is_wrong, || format!("{who}: {} says unsolvable, but {best:?}", attempt.strategy));
    }
}

fn budget() -> Budget {
    Budget::new(None, MemoryAccount::new(MEMORY), Cancel::default()).with_work(Some(WORK))
}

/// Runs one systematic search in slices, without what a run decides before it, and judges its verdict.
fn check_search(trial: &mut Trial<'_>, settings: &Settings) {
    let who = format!("search for {}", named(settings));
    let mut search = systematic(trial.level, settings);
    let mut meter = WorkMeter::new(budget(), Cancel::default());
    let slice = [7, 100, 5_000, WORK][trial.dice.below(4)];
    let n_before = Cell::new(0_u64);
    let verdict = loop {
        meter.start_slice(slice);
        match search.resume(&mut meter) {
            Err(Stop::Work) if meter.ticks() < WORK && n_before.get() < 100_000 => n_before.set(n_before.get() + 1),
            Ok(Verdict::Better(pushes)) => check_pushes(trial, &pushes, settings.optimal, false, &who),
            end => break end,
        }
    };
    trial.counts.answers += 1;
    let best = trial.best;
    match verdict {
        Ok(Verdict::Solved(pushes)) => {
            trial.counts.proofs += u64::from(settings.optimal != Optimal::Any);
            check_pushes(trial, &pushes, settings.optimal, settings.optimal != Optimal::Any, &who);
        }
        Ok(Verdict::Unsolvable) => {
            trial.counts.proofs += 1;
            trial.demand(best.is_none(), || format!("{who}: unsolvable, but {best:?}"));
        }
        Ok(Verdict::GaveUp) => trial.counts.unanswered += 1,
        Err(Stop::Work) => trial.counts.unanswered += 1,
        other => trial.demand(false, || format!("{who}: {other:?}")),
    }
}

fn check_pushes(trial: &mut Trial<'_>, pushes: &[sokocore::Push], optimal: Optimal, is_proof: bool, who: &str) {
    let solution = moves_of(trial.level, pushes).and_then(|moves| replay(trial.level, &moves).ok());
    trial.demand(solution.is_some(), || format!("{who}: the pushes {pushes:?} do not solve the level"));
    let Some(solution) = solution else { return };
    trial.check_solution(&solution, who);
    let (best, metrics) = (trial.best, solution.metrics());
    let is_right = best.is_some_and(|best| !is_proof || is_best(optimal, &metrics, best));
    trial.demand(is_right, || format!("{who}: {metrics} ends a search for the best, but {best:?}"));
}
