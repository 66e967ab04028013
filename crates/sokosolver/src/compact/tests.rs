//! The compact searches and their bits against plain twins.

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use sokocore::{Direction, PlantSpec, Position, Push, Reach, Solution, Square, moves_of, n_cases, planted, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use super::bit_board::each;
use super::*;
use crate::WorkMeter;
use crate::systematic::tests::small_levels;
use crate::upper_bound::UpperBound;

const MODES: [Optimal; 3] = [Optimal::Any, Optimal::Pushes, Optimal::Moves];

fn meter(memory: u64) -> WorkMeter {
    WorkMeter::new(Budget::new(None, MemoryAccount::new(memory), Cancel::default()), Cancel::default())
}

fn replayed(level: &Level, pushes: &[Push]) -> Solution {
    let moves = moves_of(level, pushes).unwrap_or_else(|| panic!("an illegal push: {level:?}"));
    replay(level, &moves).unwrap()
}

/// Hundreds of levels, most of them unsolvable, against a breadth-first search without any technique.
#[test]
fn answers_are_those_of_a_plain_search() {
    let (mut n_solved, mut n_generated) = (0, [0; 2]);
    for level in (0..n_cases(400, 8_000)).filter_map(|number| small_levels::level(number as u64, 5)) {
        let expect = small_levels::reference(&level);
        n_solved += usize::from(expect.is_some());
        for optimal in MODES {
            let mut search = compact(&level, optimal);
            let verdict = search.resume(&mut meter(1 << 26)).unwrap();
            let Some((pushes, moves)) = expect else {
                assert_eq!(verdict, Verdict::Unsolvable, "{optimal:?} {level:?}");
                n_generated[1] += search.stats().generated.unwrap();
                continue;
            };
            n_generated[0] += search.stats().generated.unwrap();
            let Verdict::Solved(found) = verdict else { panic!("{verdict:?} {optimal:?} {level:?}") };
            let metrics = replayed(&level, &found).metrics();
            match optimal {
                Optimal::Pushes => assert_eq!([metrics.pushes, search.proved_cost()], [pushes; 2], "{level:?}"),
                Optimal::Moves => assert_eq!([metrics.moves, search.proved_cost()], [moves; 2], "{level:?}"),
                _ => assert_eq!(search.proved_cost(), 0),
            }
        }
    }
    assert!(n_solved > 20 && n_generated.iter().all(|&n| n > 0), "{n_solved} {n_generated:?}");
}

/// Short slices change nothing, nor does the cost of a solution that is known already.
#[test]
fn a_search_can_be_paused_and_pruned_by_what_is_known() {
    let level = Level::parse("########\n#   .  #\n# $$ # #\n# .  $ #\n#  @ . #\n########").unwrap();
    for optimal in MODES {
        let mut whole = compact(&level, optimal);
        let verdict = whole.resume(&mut meter(1 << 20)).unwrap();
        let mut sliced = compact(&level, optimal);
        let mut slices = meter(1 << 20);
        let in_slices = loop {
            slices.start_slice(2);
            match sliced.resume(&mut slices) {
                Err(Stop::Work) => {}
                other => break other.unwrap(),
            }
        };
        assert_eq!((&in_slices, sliced.stats()), (&verdict, whole.stats()), "{optimal:?}");
        if optimal == Optimal::Any {
            continue;
        }
        let (cost, mut pruned) = (whole.proved_cost(), meter(1 << 20));
        let upper_bound = UpperBound::new();
        upper_bound.lower(cost);
        pruned.watch_upper_bound(upper_bound);
        let mut search = compact(&level, optimal);
        assert_eq!((search.resume(&mut pruned), search.proved_cost()), (Ok(Verdict::NoneBetter), cost));
        assert_eq!(compact(&level, optimal).resume(&mut meter(100)), Err(Stop::Memory));
    }
}

#[test]
fn a_board_that_does_not_fit_is_left_to_others() {
    let level = |width: usize, n_boxes: usize| {
        let rows = [
            "#".repeat(width + 2),
            format!("#@{}#", " ".repeat(width - 1)),
            format!("# {}{}#", "$".repeat(n_boxes), " ".repeat(width - 1 - n_boxes)),
            format!("# {}{}#", ".".repeat(n_boxes), " ".repeat(width - 1 - n_boxes)),
            "#".repeat(width + 2),
        ];
        Level::parse(&rows.join("\n")).unwrap()
    };
    assert!(is_compact(&level(21, 8), Optimal::Any) && !is_compact(&level(21, 8), Optimal::PushesMoves));
    for large in [level(22, 4), level(21, 9)] {
        assert!(!is_compact(&large, Optimal::Any));
        assert_eq!(compact(&large, Optimal::Any).resume(&mut meter(1 << 20)), Ok(Verdict::GaveUp));
    }
}

/// The cheapest way to give each of these boxes a goal of its own, by trying all.
fn cheapest(distances: &[Vec<Option<u16>>], taken: u32) -> Option<u16> {
    let Some((first, rest)) = distances.split_first() else { return Some(0) };
    let goals = first.iter().enumerate().filter(|(goal, _)| taken & 1 << goal == 0);
    goals.filter_map(|(goal, distance)| Some((*distance)? + cheapest(rest, taken | 1 << goal)?)).min()
}

/// The pushes that a box alone on the board needs, if the player may stand anywhere behind it.
fn distance(level: &Level, from: Square, goal: Square) -> Option<u16> {
    let board = level.board();
    let (mut layer, mut seen) = (vec![from], vec![from]);
    for distance in 0.. {
        if layer.contains(&goal) {
            return Some(distance);
        }
        let to = |&sq: &Square| Direction::ALL.map(|dir| board.step(sq, dir.opposite()).and(board.step(sq, dir)));
        let next: Vec<Square> = layer.iter().flat_map(to).flatten().collect();
        layer = next.into_iter().filter(|sq| level.live().contains(*sq) && !seen.contains(sq)).collect();
        layer.sort_unstable();
        layer.dedup();
        seen.extend(&layer);
        if layer.is_empty() {
            break;
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Bits of positions on the way of a random game against the squares of the board.
    #[test]
    fn bits_say_what_squares_say(
        (level, _) in planted(PlantSpec { boxes: 1..=4, ..PlantSpec::default() }),
        choices in proptest::collection::vec(any::<u16>(), 12),
    ) {
        let (board, bits) = (level.board(), BitBoard::new(&level).unwrap());
        let distances = bits.goal_distances();
        let goals: Vec<Square> = board.goals().iter().collect();
        let bit = |sq: Square| each(bits.floor()).nth(sq.idx()).unwrap();
        let set = |squares: &[Square]| squares.iter().fold(0, |set, &sq| set | bit(sq));
        let mut reach = Reach::new(board);
        let mut position: Position = level.start().clone();
        for choice in choices {
            let squares: Vec<Square> = position.boxes.iter().collect();
            let boxes = set(&squares);
            let region = position.region(board, &mut reach);
            let flooded = bits.flood(bit(position.player), bits.floor() & !boxes);
            prop_assert_eq!(flooded, set(region.squares()));
            let all: Vec<Push> = region.pushes().collect();
            let to = |push: &Push| push.to(board).unwrap();
            let mut pushes: Vec<_> = all.iter().filter(|push| level.live().contains(to(push))).copied().collect();
            let own = |dir| each(bits.pushable(boxes, flooded, dir)).map(move |from| (from, dir));
            let mut found: Vec<Push> =
                Direction::ALL.into_iter().flat_map(own).map(|(from, dir)| bits.push(from, dir)).collect();
            let key = |push: &Push| (push.from, push.dir.idx());
            pushes.sort_by_key(key);
            found.sort_by_key(key);
            prop_assert_eq!(&found, &pushes);
            let row = |&sq: &Square| goals.iter().map(|&goal| distance(&level, sq, goal)).collect();
            let rows: Vec<Vec<_>> = squares.iter().map(row).collect();
            prop_assert_eq!(distances.bound(boxes), cheapest(&rows, 0));
            if bits.is_frozen_off_goal(boxes) {
                let rest = level.subproblem(&position, level.board().goals());
                prop_assert!(rest.is_none_or(|rest| small_levels::reference(&rest).is_none()));
            }
            let Some(&push) = pushes.get(usize::from(choice) % pushes.len().max(1)) else { break };
            position.player = push.stand(board).unwrap();
            position.push(board, push);
        }
    }
}
