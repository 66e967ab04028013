//! What searches count, and how they say where their time goes.

use sokocore::Level;
use sokosolver::{Algorithm, Attempt, Heading, Optimal, Outcome, STRATEGIES, SearchStats, Settings, Solver, Strategy};

/// Four boxes on a compact board, with corners that are dead and boxes that can freeze.
const LEVEL: &str = "##########\n##     ###\n#  $    ##\n#  #$#   #\n#   $  ###\n## #$  ###\n#   @.. ##\n#    .  ##\n####. ####\n##########";

/// The strategies, and what `systematic` can be told to do.
fn algorithms() -> Vec<(String, &'static Strategy, Settings)> {
    let systematic = Strategy::named("systematic").unwrap();
    let named = STRATEGIES.iter().map(|strategy| (strategy.name.to_owned(), strategy, Settings::default()));
    let others = [
        (Algorithm::Greedy, Heading::Forward),
        (Algorithm::AStar, Heading::Both),
        (Algorithm::IdaStar, Heading::Forward),
        (Algorithm::IdaStar, Heading::Both),
        (Algorithm::Bfs, Heading::Backward),
        (Algorithm::Iddfs, Heading::Forward),
        (Algorithm::Dfs, Heading::Forward),
    ];
    let told = others.map(|(algorithm, heading)| {
        let settings = Settings { algorithm, heading, ..Settings::default() };
        (format!("{algorithm:?} {heading:?}"), systematic, settings)
    });
    named.chain(told).collect()
}

fn run(level: &Level, strategy: &'static Strategy, settings: Settings) -> Outcome {
    let settings = Settings { optimal: strategy.optimal(&settings), ..settings };
    Solver::new(level).settings(settings).strategy(strategy).work(50_000).run()
}

/// What each algorithm does alone.
fn attempts(level: &Level) -> Vec<(String, Attempt)> {
    let run = |(name, strategy, settings)| (name, run(level, strategy, settings).tried.remove(0));
    algorithms().into_iter().map(run).collect()
}

#[test]
fn every_strategy_counts_everything() {
    let level = Level::parse(LEVEL).unwrap();
    let attempts = attempts(&level);
    for (strategy, Attempt { stats, .. }) in &attempts {
        let counts = [stats.generated, stats.duplicates, stats.reopened, stats.pruned, stats.max_depth];
        let [generated, duplicates, reopened, pruned, depth] = counts.map(|count| count.expect(strategy));
        assert!(stats.expanded > 0 && depth > 0, "{strategy}: {stats:?}");
        assert!(reopened <= duplicates && duplicates < generated, "{strategy}: {stats:?}");
        assert!(
            pruned > 0 && Some(pruned) == stats.deadlocks.map(|deadlocks| deadlocks.sum()),
            "{strategy}: {stats:?}"
        );
        assert!(stats.branching().unwrap() > 1.0, "{strategy}: {stats:?}");
    }
}

/// Each kind of deadlock is counted by the searches that have a test of that kind.
#[test]
fn deadlocks_are_counted_where_they_are_tested() {
    let level = Level::parse(LEVEL).unwrap();
    for (strategy, Attempt { stats, .. }) in attempts(&level) {
        let deadlocks = stats.deadlocks.unwrap();
        // A macro move of a feature space search stops on squares only from which a goal can be reached.
        assert_eq!(deadlocks.dead_squares > 0, !strategy.starts_with("fess"), "{strategy}: {deadlocks:?}");
        assert!(deadlocks.frozen > 0 || strategy.ends_with("backward"), "{strategy}: {deadlocks:?}");
    }
}

#[test]
fn one_thread_counts_the_same_every_time() {
    let level = Level::parse(LEVEL).unwrap();
    let stats = || attempts(&level).into_iter().map(|(_, attempt)| (attempt.ticks, attempt.stats)).collect::<Vec<_>>();
    assert_eq!(stats(), stats());
}

/// Searches for fewest moves know the pushes on their ways.
#[test]
fn depth_is_in_pushes() {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let systematic = |algorithm| ("systematic", Settings { algorithm, ..Settings::default() });
    let searches = [systematic(Algorithm::AStar), systematic(Algorithm::IdaStar), ("compact", Settings::default())];
    for (name, settings) in searches {
        for optimal in [Optimal::Pushes, Optimal::Moves] {
            let settings = Settings { optimal, heading: Heading::Forward, ..settings.clone() };
            let outcome = run(&level, Strategy::named(name).unwrap(), settings);
            let (stats, pushes): (SearchStats, u64) = (outcome.stats(), outcome.metrics().unwrap().pushes);
            let depth = stats.max_depth.unwrap();
            assert!((pushes - 1..=pushes + 4).contains(&depth), "{name} {optimal:?}: {depth} of {pushes}");
        }
    }
}

/// The parts of a strategy's time are those of its search, and what finds take is told beside them.
#[test]
fn times_add_up() {
    let level = Level::parse(LEVEL).unwrap();
    for (name, strategy, settings) in algorithms() {
        let outcome = run(&level, strategy, settings);
        for attempt in &outcome.tried {
            let search = attempt.elapsed.saturating_sub(attempt.set_up);
            match attempt.parts {
                Some(parts) => {
                    let difference = parts.total().abs_diff(search);
                    assert!(difference.as_micros() <= 1, "{name}: {parts:?} of {search:?}");
                    // Fewer expansions have hardly a sample.
                    let has_all = !parts.deadlock_tests.is_zero() && !parts.evaluation.is_zero();
                    assert!(has_all || attempt.stats.expanded < 1_000, "{name}: {parts:?}");
                }
                None => assert_eq!(name, "compact", "an expansion takes less than a look at the clock"),
            }
        }
        assert_eq!(outcome.solution().is_some(), !outcome.find_times.replay.is_zero(), "{name}");
        assert!(outcome.find_times.replay <= outcome.elapsed);
    }
}
