//! Matchings of costs that are known, against all permutations, and against the plain matching of the core.

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, prop_assert_eq, prop_assume, proptest};
use sokocore::{FloorSquare, PlantSpec, PushLowerBound, planted};

use crate::board::tests::TestBoard;
use crate::bound::matching::*;

const FAR: i32 = UNREACHABLE;

/// Makes a table of these rows.
fn table<const N: usize>(rows: &[[i32; N]]) -> CostTable {
    let nearest = rows.iter().map(|row| row.iter().min().unwrap().unsigned_abs()).collect();
    CostTable { n: N, n_rows: rows.len(), costs: rows.concat(), zeros: vec![0; N], nearest }
}

fn row(number: u16) -> DistanceRow {
    FloorSquare::new(number).into()
}

/// The least sum over all ways to give each box a target of its own.
fn by_trying(costs: &CostTable, boxes: &[DistanceRow], taken: u32) -> Option<i32> {
    let Some((&first, rest)) = boxes.split_first() else { return Some(0) };
    let of_first = costs.row(first);
    let sums = (0..costs.n).filter(|&target| taken >> target & 1 == 0 && of_first[target] < FAR);
    sums.filter_map(|target| Some(of_first[target] + by_trying(costs, rest, taken | 1 << target)?)).min()
}

#[test]
fn a_row_has_the_place_of_its_box() {
    assert_eq!([0, 1, 7].map(|place| MatrixRow::new(place).idx()), [0, 1, 7]);
}

/// A sum that includes a row without a target is as large as such a row; a smaller one saturates.
#[test]
fn a_sum_of_least_costs_is_a_bound_unless_a_row_reaches_nothing() {
    let costs = table(&[[4, 9], [FAR, 3], [FAR, FAR]]);
    assert_eq!([0, 1, 2].map(|number| costs.nearest(row(number))), [4, 3, 1 << 20]);
    assert_eq!([0, 7, 65_535].map(CostTable::as_bound), [Some(0), Some(7), Some(65_535)]);
    assert_eq!([65_536, (1 << 20) - 1].map(CostTable::as_bound), [Some(u16::MAX); 2]);
    assert_eq!([1 << 20, (1 << 20) + 7].map(CostTable::as_bound), [None; 2]);
}

/// Four bytes for each cost, and for the least one of each row.
#[test]
fn the_bytes_of_a_table_are_those_of_its_rows() {
    assert_eq!([CostTable::bytes_of(10, 3), CostTable::bytes_of(7, 0)], [160, 28]);
    assert_eq!(table(&[[1, 2], [3, 4], [5, 6]]).bytes(), 36);
    let TestBoard { board, .. } = TestBoard::new(&["######", "#@$ .#", "#.$  #", "######"]);
    assert_eq!(CostTable::new(&board, board.to_goals()).bytes(), board.n_live() * 12);
}

/// Both boxes want the first target. The dual bound leaves the other box what it has; the exact one does not.
#[test]
fn the_dual_bound_keeps_the_prices() {
    let costs = table(&[[1, 5], [1, 9], [2, 10], [FAR, 7], [FAR, FAR]]);
    let mut matching = Matching::new(2);
    assert_eq!(matching.solve(&costs, [row(0), row(1)].into_iter()), Some(6));
    assert_eq!(matching.column_prices, [-4, 0]);
    let first = MatrixRow::new(0);
    assert_eq!([1, 2, 3, 4].map(|to| matching.after(&costs, first, row(to))), [Some(6), Some(7), Some(8), None]);
    let exact = [1, 2, 3, 4].map(|to| matching.exact_after(&costs, first, row(to)));
    assert_eq!(exact, [Some(10), Some(11), Some(8), None]);
}

#[test]
fn boxes_that_reach_too_few_targets_have_no_matching() {
    let costs = table(&[[FAR, 2, FAR], [FAR, 3, FAR], [8, 4, 6], [FAR, FAR, 0]]);
    let mut matching = Matching::new(3);
    let mut solve = |boxes: &[u16]| matching.solve(&costs, boxes.iter().map(|&number| row(number)));
    assert_eq!(solve(&[0, 1]), None);
    assert_eq!(solve(&[0, 2]), Some(8), "prices of a failure are forgotten");
    assert_eq!([solve(&[0, 2, 3]), solve(&[]), solve(&[1])], [Some(10), Some(0), Some(3)]);
}

proptest! {
    /// After any earlier calls, the exact costs are the least of all permutations, and the dual bound is not above them.
    #[test]
    fn matchings_are_the_least_of_all_permutations(
        costs in vec([0..12, 0..12, 0..12, 0..12], 4..9),
        calls in vec((vec(0..8_u16, 1..=4), 0..8_u16), 1..8),
    ) {
        let far: Vec<[i32; 4]> = costs.iter().map(|row| row.map(|cost| if cost > 8 { FAR } else { cost })).collect();
        let n_rows = u16::try_from(far.len()).unwrap();
        let costs = table(&far);
        let mut matching = Matching::new(4);
        for (boxes, to) in calls {
            let boxes: Vec<DistanceRow> = boxes.iter().map(|number| row(number % n_rows)).collect();
            let bound = |sum: Option<i32>| sum.map(|sum| u16::try_from(sum).unwrap());
            let found = matching.solve(&costs, boxes.iter().copied());
            prop_assert_eq!(found, bound(by_trying(&costs, &boxes, 0)));
            if found.is_none() {
                continue;
            }
            for at in 0..boxes.len() {
                let (moved, to) = (MatrixRow::new(at), row(to % n_rows));
                let mut after = boxes.clone();
                after[at] = to;
                let exact = bound(by_trying(&costs, &after, 0));
                let dual = matching.after(&costs, moved, to);
                prop_assert!(exact.is_none_or(|exact| dual.is_some_and(|dual| dual <= exact)), "{dual:?} {exact:?}");
                prop_assert_eq!(matching.exact_after(&costs, moved, to), exact);
            }
        }
    }
}

proptest! {
    /// After any earlier calls, the exact bound is that of the core, and the dual bound is not above it.
    #[test]
    fn warm_starts_agree_with_the_core_and_dual_bounds_stay_below(
        (level, _) in planted(PlantSpec { boxes: 2..=4, ..PlantSpec::default() }),
        hints in vec(any::<[u16; 4]>(), 1..30),
    ) {
        let Some(board) = SearchBoard::new(&level) else { return Ok(()) };
        // The core counts goals that no box of the level gets to, since boxes stand anywhere here.
        prop_assume!(board.goals().len() == level.board().goals().len());
        let costs = CostTable::new(&board, board.to_goals());
        let mut matching = Matching::new(costs.n);
        let mut core = PushLowerBound::new(&level).unwrap();
        let live: Vec<FloorSquare> = board.live_squares().collect();
        for hints in hints {
            let hinted = hints.iter().take(level.n_boxes()).map(|&hint| live[usize::from(hint) % live.len()]);
            let mut squares: Vec<FloorSquare> = hinted.collect();
            squares.sort_unstable();
            squares.dedup();
            let mut boxes = level.board().no_squares();
            squares.iter().for_each(|&sq| _ = boxes.insert(board.square(sq)));
            let found = matching.solve(&costs, squares.iter().map(|&sq| sq.into()));
            prop_assert_eq!(found.map(u64::from), core.of(&boxes));
            for sq in board.live_squares().filter(|sq| found.is_some() && !squares.contains(sq)) {
                let dual = matching.after(&costs, MatrixRow(0), sq.into());
                let moved = squares[1..].iter().copied().chain([sq]).map(DistanceRow::from);
                let exact = Matching::new(costs.n).solve(&costs, moved);
                prop_assert!(exact.is_none_or(|exact| dual.is_some_and(|dual| dual <= exact)), "{squares:?} {sq}");
                prop_assert_eq!(matching.exact_after(&costs, MatrixRow(0), sq.into()), exact, "{:?} {}", squares, sq);
            }
        }
    }
}
