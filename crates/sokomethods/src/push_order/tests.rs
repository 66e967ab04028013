//! The counts of an order against replay, and its walks against a flood.

use hashbrown::HashSet;
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
            let link = Link::of(level.board(), push, 0).unwrap();
            for stand in level.board().squares() {
                prop_assert_eq!(state.walk(&Link { stand, ..link }), region.distance(stand));
            }
            let fits = state.push(&link);
            prop_assert!(fits);
            prop_assert!(position.push(level.board(), push));
        }
    }

    /// A* over squares and sides against a flood of all positions of box and player.
    #[test]
    fn box_paths_have_as_few_moves_as_a_flood_says(
        (level, moves) in planted(PlantSpec { boxes: 2..=5, pulls: 10..=60, ..PlantSpec::default() }),
        places in prop::collection::vec(any::<[prop::sample::Index; 3]>(), 10),
    ) {
        let start = replay(&level, &moves).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let mut order = PushOrder::new(&mut cx).unwrap();
        let mut search = BoxPathSearch::new(&order);
        let mut path = Vec::new();
        for [at, from, to] in places {
            order.seek(at.index(order.links().len()));
            let squares: Vec<Square> = level.board().squares().collect();
            let (boxes, free): (Vec<_>, Vec<_>) = squares.into_iter().partition(|&sq| order.has_box(sq));
            let (from, to) = (boxes[from.index(boxes.len())], free[to.index(free.len())]);
            let fewest = flooded_moves(&order, from, to);
            prop_assert_eq!(search.find(&mut order, (from, to), 0, u32::MAX, &mut path), fewest.is_some());
            let Some(fewest) = fewest else { continue };
            let played: Option<OrderCost> = path.iter().map(|&link| order.play(link)).sum();
            order.unplay(0);
            prop_assert_eq!(played.map(|cost| cost.moves), Some(fewest));
            prop_assert!(!search.find(&mut order, (from, to), 0, fewest, &mut path), "not fewer than the fewest");
            prop_assert!(search.take_expanded() > 0);
        }
    }
}

/// The fewest moves until the box has come from one square to another.
fn flooded_moves(order: &PushOrder<'_>, from: Square, to: Square) -> Option<u32> {
    let board = order.level.board();
    let mut seen: HashSet<_> = [(from, order.state.player())].into();
    let mut layer: Vec<_> = seen.iter().copied().collect();
    for moves in 1.. {
        let mut next = Vec::new();
        for (at, player) in layer {
            for dir in sokocore::Direction::ALL {
                let is_free = |sq: Square| sq == from || !order.has_box(sq);
                let Some(step) = board.step(player, dir).filter(|&sq| is_free(sq)) else { continue };
                let pushed = if step == at { board.step(at, dir) } else { Some(at) };
                let Some(pushed) = pushed.filter(|&sq| is_free(sq)) else { continue };
                if pushed == to {
                    return Some(moves);
                }
                if seen.insert((pushed, step)) {
                    next.push((pushed, step));
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}
