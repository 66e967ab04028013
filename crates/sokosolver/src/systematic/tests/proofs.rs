//! The lower bound that a search has proved whenever it pauses, against brute force: never above the optimum.

use super::*;
use crate::upper_bound::UpperBound;
use sokocore::n_cases;

/// The optimality modes, and the objectives of brute force.
pub(crate) const ORDERS: [(Optimal, &str); 4] = [
    (Optimal::Pushes, "pushes"),
    (Optimal::Moves, "moves"),
    (Optimal::PushesMoves, "pushes"),
    (Optimal::MovesPushes, "moves"),
];

/// Small levels, not solved at the start, with what the best solution costs in each order.
pub(crate) fn levels() -> impl Iterator<Item = (Level, [Solution; 4])> {
    (0..).filter_map(|number| small_levels::level(number, 6)).filter_map(|level| {
        let best = ORDERS.map(|(_, objective)| optimum(&level, objective.parse::<Objective>().unwrap()));
        let [Some(a), Some(b), Some(c), Some(d)] = best else { return None };
        Some((level, [a, b, c, d]))
    })
}

/// Searches in slices of so many ticks, where solutions of this cost are known; `best` is the true cost.
fn check(level: &Level, settings: &Settings, slice: u64, (upper_bound, best): (Option<u64>, u64)) {
    let rule = CostRule::of(settings);
    let message = |what: &str| format!("{what} {upper_bound:?} {best} {settings:?} {level:?}");
    let mut meter = meter();
    if let Some(cost) = upper_bound {
        let shared = UpperBound::new();
        shared.lower(cost);
        meter.watch_upper_bound(shared);
    }
    let mut search = systematic(level, settings);
    loop {
        meter.start_slice(slice);
        let paused = search.resume(&mut meter);
        let proved = search.proved_cost();
        assert!(proved <= best, "{}", message("too much"));
        match paused {
            Err(Stop::Work) => {}
            Ok(verdict @ Verdict::Better(_)) => {
                let Verdict::Better(pushes) = &verdict else { continue };
                let cost = rule.of_solution(&replayed(level, &Verdict::Solved(pushes.clone())).metrics());
                // A path may have become shorter since it was found: then the next solution may be longer than this
                // one.
                assert!(cost >= best, "{}", message("better than the best"));
            }
            Ok(verdict @ Verdict::Solved(_)) => {
                let cost = rule.of_solution(&replayed(level, &verdict).metrics());
                assert_eq!((cost, proved), (best, best), "{}", message("not the best"));
                return;
            }
            Ok(Verdict::NoneBetter) => {
                assert_eq!((upper_bound, proved), (Some(best), best), "{}", message("there is a better one"));
                return;
            }
            other => panic!("{}", message(&format!("{other:?}"))),
        }
    }
}

#[test]
fn no_search_proves_more_than_the_optimum() {
    for (at, (level, best)) in levels().take(n_cases(3, 40)).enumerate() {
        for ((optimal, _), best) in ORDERS.into_iter().zip(&best) {
            for (algorithm, heading) in PROOFS.iter().flat_map(|&of| HEADINGS.map(|heading| (of, heading))) {
                let base = if at % 4 == 3 { Settings::default().plain() } else { Settings::default() };
                let settings = Settings { algorithm, heading, optimal, ..base };
                let cost = CostRule::of(&settings).of_solution(&best.metrics());
                let slice = [2, 3, 5, 31][at % 4];
                for upper_bound in [None, Some(cost), Some(cost + 1), Some(cost + (3 << 16))] {
                    check(&level, &settings, slice, (upper_bound, cost));
                }
            }
        }
    }
}

/// When memory runs out, the bound is what was proved before.
#[test]
fn no_search_proves_more_when_its_memory_is_used_up() {
    let rows = ["#########", "#   #   #", "# $ $ $ #", "#. .#. .#", "# $ $ $ #", "#. .@   #", "#########"];
    let level = Level::parse(&rows.join("\n")).unwrap();
    let run = |algorithm, heading, bytes| {
        let budget = Budget::new(None, MemoryAccount::new(bytes), Cancel::default()).with_work(Some(400_000));
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let settings = Settings { algorithm, optimal: Optimal::Pushes, heading, ..Settings::default() };
        let mut search = systematic(&level, &settings);
        (search.resume(&mut meter), search.proved_cost())
    };
    let (verdict, best) = run(Algorithm::AStar, Heading::Forward, 1 << 28);
    assert_eq!(replayed(&level, &verdict.unwrap()).metrics().pushes, best);
    let mut n_out = 0;
    for (algorithm, heading) in PROOFS.iter().flat_map(|&of| HEADINGS.map(|heading| (of, heading))) {
        for bytes in [100, 500, 200, 300, 800, 1_600].into_iter().take(n_cases(2, 6)).map(|n| n << 10) {
            let (end, proved) = run(algorithm, heading, bytes);
            assert!(proved <= best, "{algorithm:?} {heading:?} {bytes}: {proved}, {best} is enough");
            n_out += usize::from(end == Err(Stop::Memory) && proved > 0);
        }
    }
    assert!(n_out >= n_cases(2, 10), "{n_out}");
}

#[test]
fn counters_are_right() {
    let level =
        Level::parse("###########\n#    #    #\n# $  #  . #\n# @$    . #\n#  $ #  . #\n#    #    #\n###########")
            .unwrap();
    for (algorithm, heading) in PROOFS.iter().flat_map(|&of| HEADINGS.map(|heading| (of, heading))) {
        let settings = Settings { algorithm, heading, optimal: Optimal::Pushes, ..Settings::default() };
        let mut search = systematic(&level, &settings);
        let solution = replayed(&level, &search.resume(&mut meter()).unwrap());
        let stats = search.stats();
        assert_eq!((stats.expanded, search.proved_cost()), (search.n_nodes(), solution.metrics().pushes));
        let [generated, duplicates, pruned] = [stats.generated, stats.duplicates, stats.pruned].map(Option::unwrap);
        assert!(generated > duplicates && generated >= stats.expanded.min(100) && pruned > 0, "{settings:?} {stats:?}");
        assert!((1..=solution.metrics().pushes).contains(&stats.max_depth.unwrap()), "{settings:?} {stats:?}");
    }
}
