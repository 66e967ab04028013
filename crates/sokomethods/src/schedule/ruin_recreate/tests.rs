//! Insertions agree with a search of all states, steps keep solutions, and the chain gains, ends and continues from checkpoints.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashSet;
use proptest::prelude::*;
use sokocore::{Direction, Level, Objective, PlantSpec, Push, Solution, Square, moves_of, planted, pushes_of, replay};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

use super::box_insertion::BoxInsertion;
use super::ruined_window::{RuinedWindow, unwalked};
use super::segment_exchange::SegmentExchange;
use super::*;
use crate::push_order::{Link, WalkedBoard};
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;
use crate::{Knobs, Optimizer};

/// Runs something with a context whose pool begins with a solution. Returns what it returns, and the best solution.
fn within<T>(
    level: &Level,
    start: &Solution,
    objective: Objective,
    keeps_end: bool,
    run: impl FnOnce(ArmContext<'_>, &mut Context<'_>) -> T,
) -> (T, Solution) {
    let pool = Pool::new(level, start, &[objective]);
    let pool = if keeps_end { pool.keeping_ends() } else { pool };
    let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default());
    let mut cx = Context::new(&pool, objective, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(level));
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let result = run(arm_cx, &mut cx);
    (result, pool.best(objective))
}

fn objective(by_pushes: bool) -> Objective {
    if by_pushes { Objective::PUSHES } else { Objective::MOVES }
}

/// Returns moves and pushes in the order of the objective.
fn first(by_pushes: bool, Metrics { moves, pushes, .. }: Metrics) -> (u64, u64) {
    if by_pushes { (pushes, moves) } else { (moves, pushes) }
}

/// The cost of the cheapest insertion, which may interrupt box lines or not: Dijkstra over the pushes made, the square of the box
/// and that of the player, step by step.
fn cheapest_insertion(
    level: &Level,
    window: &RuinedWindow<'_>,
    home: Square,
    targets: &[Square],
    interrupts_box_lines: bool,
) -> Option<u64> {
    let (board, links) = (level.board(), window.links());
    let mut positions = vec![window.beginning()];
    for link in links {
        let mut next = positions[positions.len() - 1].clone();
        next.boxes.remove(link.push.from);
        next.boxes.insert(link.to);
        positions.push(next);
    }
    let (mut open, mut closed) = (BinaryHeap::new(), HashSet::new());
    open.push(Reverse((0, 0, home, window.beginning().player)));
    while let Some(Reverse((cost, at, sq, player))) = open.pop() {
        if !closed.insert((at, sq, player)) {
            continue;
        }
        let is_at_exit = window.exit().is_none_or(|exit| exit.sq == player);
        if at == links.len() && is_at_exit && targets.contains(&sq) {
            return Some(cost);
        }
        for dir in Direction::ALL {
            let Some(to) = board.step(player, dir) else { continue };
            let beyond = board.step(to, dir);
            let is_free = |sq: &Square| !positions[at].boxes.contains(*sq);
            if to == sq {
                let continues_box_line = |link: &Link| at > 0 && link.continues_box_line(&links[at - 1]);
                if !interrupts_box_lines && links.get(at).is_some_and(continues_box_line) {
                    continue;
                }
                let Some(beyond) = beyond.filter(is_free) else { continue };
                open.push(Reverse((cost + window.weights.cost_of_push(0), at, beyond, to)));
            } else if is_free(&to) {
                open.push(Reverse((cost + window.weights.cost_of_walk(1), at, sq, to)));
            } else if links.get(at).is_some_and(|link| link.push == Push { from: to, dir } && link.to != sq) {
                open.push(Reverse((cost + window.weights.cost_of_push(0), at + 1, sq, to)));
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn insertions_are_the_cheapest((level, moves) in planted(PlantSpec::default()), seed: u64, by_pushes: bool) {
        let weights = ChainSettings::of(objective(by_pushes)).weights;
        let start = replay(&level, &moves).unwrap();
        let pushes = pushes_of(&level, start.lurd());
        let mut draws = Draws::new(seed);
        let from = draws.below(pushes.len());
        let to = from + 1 + draws.below(pushes.len() - from);
        let mut position = level.start().clone();
        pushes[..from].iter().for_each(|&push| assert!(position.push(level.board(), push)));
        let mut window = RuinedWindow::new(&level, weights);
        let links: Vec<Link> = pushes.iter().map(|&push| unwalked(level.board(), push).unwrap()).collect();
        window.open(&position, &links[from..to], links.get(to));
        prop_assert!(window.compute_walks());
        let old = window.cost();
        let n = u16::try_from(draws.below(window.homes().len())).unwrap();
        let mut targets = vec![window.ends()[usize::from(n)]];
        // Another target, on which no box ends.
        targets.extend(level.board().squares().find(|sq| !window.ends().contains(sq)).filter(|_| draws.chance(50)));
        prop_assert!(window.take_out(&[n]));
        let interrupts = draws.chance(50);
        let expect = cheapest_insertion(&level, &window, window.homes()[usize::from(n)], &targets, interrupts);
        prop_assert!(expect.is_some_and(|cost| cost <= old), "the box can return to where it was");
        let ruined = window.cost();
        let mut insertion = BoxInsertion::new(level.board(), weights.least_cost_of_push());
        insertion.interrupts_box_lines = interrupts;
        let (found, _) = within(&level, &start, Objective::MOVES, false, |_, cx| {
            let mut cheapest = None;
            for limit in [expect.unwrap_or(0).saturating_sub(1), old] {
                cheapest = insertion.insert(&mut window, n, &targets, limit, cx).unwrap();
                if limit < old.min(expect.unwrap_or(0)) {
                    assert_eq!((cheapest, window.cost()), (None, ruined), "a failed insertion changes nothing");
                }
                if cheapest.is_some() {
                    break;
                }
            }
            cheapest
        });
        prop_assert!(found.is_some_and(|target| targets.contains(&target)));
        prop_assert_eq!(Some(window.cost()), expect);
        // The walks of the states are the shortest ones.
        prop_assert!(window.compute_walks());
        prop_assert_eq!(Some(window.cost()), expect);
    }

    #[test]
    fn exchanges_are_those_of_a_replay((level, moves) in planted(PlantSpec::default()), seed: u64) {
        let mut window = RuinedWindow::new(&level, CostWeights::BY_MOVES);
        let links: Vec<Link> =
            pushes_of(&level, &moves).iter().map(|&push| unwalked(level.board(), push).unwrap()).collect();
        window.open(level.start(), &links, None);
        prop_assert!(window.compute_walks());
        let links = window.links();
        let n_moves = |links: &[Link]| {
            let pushes: Vec<Push> = links.iter().map(|link| link.push).collect();
            moves_of(&level, &pushes).map(|moves| Metrics::count(moves.steps()).moves)
        };
        let old = n_moves(links).unwrap();
        let (mut exchange, mut draws, mut board) =
            (SegmentExchange::default(), Draws::new(seed), WalkedBoard::new(&level));
        exchange.find_heads(links, links.len());
        for segments in std::iter::repeat_with(|| exchange.draw(&mut draws)).take(40).flatten().collect::<Vec<_>>() {
            prop_assert!(segments.first < segments.second && segments.second < segments.end);
            let mut exchanged = links.to_vec();
            exchanged[segments.first..segments.end].rotate_left(segments.second - segments.first);
            let expect = n_moves(&exchanged);
            for slack in [0, 3, 1_000] {
                let found = exchange.try_exchange(links, segments, slack, &level, &mut board);
                let new = found.map(|found| old + u64::from(found.new_steps) - u64::from(found.old_steps));
                prop_assert_eq!(new, expect.filter(|&new| new <= old + u64::from(slack)));
            }
        }
    }

    #[test]
    fn steps_keep_solutions(
        (level, moves) in planted(PlantSpec::default()), seed: u64, by_pushes: bool, keeps_end: bool,
    ) {
        let ChainSettings { weights, hot, .. } = ChainSettings::of(objective(by_pushes));
        let start = replay(&level, &moves).unwrap();
        let (metrics, best) = within(&level, &start, objective(by_pushes), keeps_end, |_, cx| {
            let Some(mut chain) = AnnealingChain::from_best(weights, true, cx) else { return Vec::new() };
            (0..40).map(|n| {
                chain.step(hot, Draws::new(mix(seed, n)), cx).unwrap();
                let moves = moves_of(&level, &chain.current()).unwrap();
                assert!(replay(&level, &moves).is_ok());
                if let Some(end) = cx.kept_end() {
                    assert_eq!(chain.current().last().map(|push| push.from), Some(end));
                }
                let metrics = Metrics::count(moves.steps());
                (chain.metrics(), first(by_pushes, metrics))
            }).collect()
        });
        for (counted, replayed) in metrics {
            prop_assert_eq!(counted, replayed);
        }
        prop_assert!(first(by_pushes, best.metrics()) <= first(by_pushes, start.metrics()));
    }
}

/// Three boxes that would best go straight down, each of which goes to the goal of the next one.
const THREE_IN_A_ROW: &str = "\
############
#          #
# $  $  $  #
#          #
#          #
# .  .  .  #
#@         #
############";

/// Brings each box of [`THREE_IN_A_ROW`] to another goal.
fn rotated(level: &Level) -> Solution {
    use Direction::{Down, Left, Right};
    let board = level.board();
    let rows = [
        ((2, 2), Down, 1),
        ((3, 2), Right, 3),
        ((2, 5), Right, 1),
        ((3, 5), Down, 2),
        ((2, 6), Down, 1),
        ((3, 6), Right, 2),
        ((2, 8), Right, 1),
        ((3, 8), Down, 2),
        ((2, 9), Down, 2),
        ((4, 9), Left, 7),
        ((4, 2), Down, 1),
    ];
    let mut pushes = Vec::new();
    for ((row, column), dir, n) in rows {
        let mut from = board.square_at(row, column).unwrap();
        for _ in 0..n {
            pushes.push(Push { from, dir });
            from = board.step(from, dir).unwrap();
        }
    }
    replay(level, &moves_of(level, &pushes).unwrap()).unwrap()
}

#[test]
fn three_boxes_exchange_their_goals() {
    let level = Level::parse(THREE_IN_A_ROW).unwrap();
    let start = rotated(&level);
    assert_eq!(start.metrics().pushes, 23);
    for by_pushes in [false, true] {
        let objective = objective(by_pushes);
        let (end, best) = within(&level, &start, objective, false, |arm_cx, cx| {
            RuinRecreate::new(objective, &Knobs::default(), false).run_slice(arm_cx, cx)
        });
        assert!(end.is_ok());
        let proved = Optimizer::new(&level).objective(objective).run(&start).unwrap();
        let optimum = proved.solution().metrics();
        assert!(proved.is_proved() && optimum.pushes == 9);
        assert_eq!(first(by_pushes, best.metrics()), first(by_pushes, optimum));
    }
}

#[test]
fn a_chain_that_gains_nothing_more_ends() {
    let level = Level::parse(THREE_IN_A_ROW).unwrap();
    let ((), best) = within(&level, &rotated(&level), Objective::MOVES, false, |arm_cx, cx| {
        let mut arm = RuinRecreate::new(Objective::MOVES, &Knobs::default().with_seed(1), false);
        let mut n_slices = 0;
        while !arm.is_done() {
            arm.run_slice(arm_cx, cx).unwrap();
            n_slices += 1;
        }
        assert!((2..1_000).contains(&n_slices), "all coolings are {n_slices} slices");
        assert!(arm.is_done());
        arm.revive();
        assert!(!arm.is_done());
    });
    assert_eq!(best.metrics().pushes, 9);
}

#[test]
fn a_level_without_pushes_to_change_ends_the_chain() {
    let level = Level::parse("######\n#@ $.#\n######").unwrap();
    let start = replay(&level, &"rR".parse().unwrap()).unwrap();
    within(&level, &start, Objective::MOVES, true, |arm_cx, cx| {
        let mut arm = RuinRecreate::new(Objective::MOVES, &Knobs::default(), false);
        arm.run_slice(arm_cx, cx).unwrap();
        assert!(arm.is_done());
    });
}

/// Trap 6: a level that starts solved still needs a push.
#[test]
fn trap_06_the_last_push_of_a_solved_level_stays() {
    let level = Level::parse("######\n# *@ #\n#    #\n######").unwrap();
    let start = replay(&level, &"dlluRdrruL".parse().unwrap()).unwrap();
    let (end, best) = within(&level, &start, Objective::MOVES, false, |arm_cx, cx| {
        RuinRecreate::new(Objective::MOVES, &Knobs::default(), false).run_slice(arm_cx, cx)
    });
    assert!(end.is_ok());
    assert_eq!(best.metrics().pushes, 2);
}

#[test]
fn a_chain_continues_from_its_checkpoint() {
    let level = Level::parse(THREE_IN_A_ROW).unwrap();
    within(&level, &rotated(&level), Objective::MOVES, false, |arm_cx, cx| {
        let mut arm = RuinRecreate::new(Objective::MOVES, &Knobs::default().with_seed(3), false);
        let end = cx.sliced(20_000, |cx| arm.anneal(cx)).unwrap();
        assert!(end.is_none() && arm.cooling.n_steps > 0, "the slice ends first");
        let mut restored = RuinRecreate::new(Objective::MOVES, &Knobs::default().with_seed(3), false);
        restored.restore(&arm.save(), arm_cx, cx);
        assert_eq!(restored.save(), arm.save());
        assert_eq!(restored.cooling, arm.cooling);
    });
}

#[test]
fn a_share_is_reserved_where_pushes_are_to_spare() {
    let shares = |objective, has_spare_pushes| {
        [RESERVED_FROM - 1, RESERVED_FROM]
            .map(|ticks| RuinRecreate::new(objective, &Knobs::default(), has_spare_pushes).reserved_share(ticks))
    };
    for (objective, share) in [(Objective::MOVES, 0.5), (Objective::PUSHES, 0.3)] {
        assert_eq!((shares(objective, true), shares(objective, false)), ([0.0, share], [0.0, 0.0]));
    }
}

#[test]
fn walks_with_a_limit_end_at_it() {
    let level = Level::parse(THREE_IN_A_ROW).unwrap();
    let mut board = WalkedBoard::new(&level);
    let at = |row, column| level.board().square_at(row, column).unwrap();
    // Around the box at (2, 2): four steps, where two would do without it.
    let steps = [3, 4, 5].map(|limit| board.steps(at(2, 1), at(2, 3), limit));
    assert_eq!(steps, [None, Some(4), Some(4)]);
}
