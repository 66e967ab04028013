//! The counts of an order against replay, and its walks against a flood.

use proptest::prelude::*;
use sokocore::{Objective, PlantSpec, Reach, planted, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn counts_what_a_replay_counts(
        (level, moves) in planted(PlantSpec { boxes: 2..=5, pulls: 10..=60, ..PlantSpec::default() }),
        swaps in prop::collection::vec(any::<prop::sample::Index>(), 30),
    ) {
        let start = replay(&level, &moves).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let mut order = PushOrder::new(&mut cx).unwrap();
        let worst = Metrics { moves: u64::MAX, ..Metrics::default() };
        for swap in swaps {
            let at = swap.index(order.links().len());
            order.seek(at);
            let mut trial: Vec<Link> = order.links()[at..].iter().take(3).copied().collect();
            if trial.len() < 2 || trial[0].n == trial[1].n {
                continue;
            }
            trial.swap(0, 1);
            let old = (at..at + trial.len()).map(|at| order.cost(at)).sum();
            if let Trial::Better(metrics) = order.try_order(&mut trial, old, &worst, &mut cx).unwrap() {
                order.take(&trial);
                prop_assert_eq!(order.metrics(), metrics);
            }
        }
        let pushes: Vec<Push> = order.links().iter().map(|link| link.push).collect();
        let moves = sokocore::moves_of(&level, &pushes).unwrap();
        let counted = Metrics::count(moves.steps());
        prop_assert_eq!(order.metrics(), Metrics { player_lines: 0, ..counted });
    }

    #[test]
    fn walks_are_as_short_as_a_flood_finds_them(
        (level, moves) in planted(PlantSpec { boxes: 2..=6, ..PlantSpec::default() }),
    ) {
        let mut state = WalkedBoard::new(&level);
        let mut reach = Reach::new(level.board());
        let mut position = level.start().clone();
        for push in pushes_of(&level, &moves) {
            let region = position.region(level.board(), &mut reach);
            for stand in level.board().squares() {
                let link = Link { push, to: push.from, stand, n: 0, walk: 0 };
                prop_assert_eq!(state.walk(&link), region.distance(stand));
            }
            let (to, stand) = (push.to(level.board()).unwrap(), push.stand(level.board()).unwrap());
            let fits = state.push(&Link { push, to, stand, n: 0, walk: 0 });
            prop_assert!(fits);
            prop_assert!(position.push(level.board(), push));
        }
    }
}
