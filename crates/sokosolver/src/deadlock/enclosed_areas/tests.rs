//! The areas of small positions, against regions of the floor, and the boxes around them.

use crate::board::tests::TestBoard;
use crate::deadlock::enclosed_areas::*;
use sokocore::Level;

#[test]
fn an_area_has_its_squares_and_the_boxes_around_it() {
    let rows = ["##########", "#  #     #", "#. $@  $ #", "#. #  #  #", "##########"];
    let level = Level::parse(&rows.join("\n")).unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let sq = |row, column| board.number(level.board().square_at(row, column).unwrap());
    let boxes = SearchBoard::set::<2>(board.starts());
    let mut flood = Flood::new(&board);
    flood.run(&board, &boxes, board.player());
    let mut areas = EnclosedAreas::new(&board);
    areas.label(&board, &flood);
    assert_eq!((areas.len(), areas.of(sq(1, 1)), areas.of(sq(1, 5))), (1, Some(AreaIndex(0)), None));
    assert_eq!((areas.squares(AreaIndex(0)).len(), areas.fence(AreaIndex(0))), (6, &[sq(2, 3)][..]));
    let mut touching = Vec::new();
    areas.touching(&board, AreaIndex(0), boxes.view(), &mut touching);
    assert_eq!(touching, [sq(2, 3)]);
    areas.clear();
    assert_eq!((areas.len(), areas.of(sq(1, 1))), (0, None));
}

/// The areas of all positions of three boxes, among them some on dead squares, by rows and columns.
#[test]
fn the_areas_of_every_position_are_the_regions_without_the_player() {
    let rows = ["########", "#   #  #", "# $   .#", "## @#  #", "#   #  #", "########"];
    let test = TestBoard::new(&rows);
    let (board, player) = (&test.board, test.board.player());
    let place = |sq: FloorSquare| test.level.board().place(board.square(sq));
    let is_floor = |row: usize, column: usize| test.level.board().square_at(row, column).is_some();
    let touches = |sq: FloorSquare, inside: FloorSquare| {
        let ((row, column), (inside_row, inside_column)) = (place(sq), place(inside));
        match (row.abs_diff(inside_row), column.abs_diff(inside_column)) {
            (0, 1) | (1, 0) => true,
            (1, 1) => is_floor(row, inside_column) || is_floor(inside_row, column),
            _ => false,
        }
    };
    let floor: Vec<FloorSquare> = board.squares().filter(|&sq| sq != player).collect();
    let (mut areas, mut flood, mut n_touching) = (EnclosedAreas::new(board), Flood::new(board), 0);
    for three in (0..floor.len()).flat_map(|c| (0..c).flat_map(move |b| (0..b).map(move |a| [a, b, c]))) {
        let boxes = SearchBoard::set::<2>(&three.map(|at| floor[at]));
        flood.run(board, &boxes, player);
        areas.label(board, &flood);
        let mut expect: Vec<Vec<FloorSquare>> = Vec::new();
        for &sq in floor.iter().filter(|&&sq| !flood.reaches(sq) && !boxes.has(sq)) {
            if !expect.iter().any(|area| area.contains(&sq)) {
                let mut around = Flood::new(board);
                around.run(board, &boxes, sq);
                expect.push(board.squares().filter(|&sq| around.reaches(sq)).collect());
            }
        }
        assert_eq!(areas.indices().map(AreaIndex::idx).collect::<Vec<_>>(), (0..expect.len()).collect::<Vec<_>>());
        for (area, expect) in areas.indices().zip(&expect) {
            let mut squares = areas.squares(area).to_vec();
            squares.sort_unstable();
            assert_eq!(&squares, expect, "{boxes:?}");
            assert!(squares.iter().all(|&sq| areas.of(sq) == Some(area)));
            let mut touching = Vec::new();
            areas.touching(board, area, boxes.view(), &mut touching);
            let around = |&sq: &FloorSquare| squares.iter().any(|&inside| touches(sq, inside));
            assert_eq!(touching, boxes.iter().filter(around).collect::<Vec<_>>(), "{boxes:?} {squares:?}");
            n_touching += touching.len();
        }
        assert!(board.squares().filter(|&sq| flood.reaches(sq)).all(|sq| areas.of(sq).is_none()));
    }
    assert!(n_touching > 1_000, "{n_touching}");
}

/// 65 dead ends above a corridor, each closed by a box: the last two are ignored.
#[test]
fn only_so_many_areas_are_labeled() {
    let (wall, ends) = ("#".repeat(131), format!("#{}", " #".repeat(65)));
    let test = TestBoard::new(&[&wall, &ends, &ends, &format!("#@$.{}#", " ".repeat(126)), &wall]);
    let mut flood = Flood::new(&test.board);
    flood.run(&test.board, (0..65).map(|end| test.sq(2, 2 * end + 1)), test.board.player());
    let mut areas = EnclosedAreas::new(&test.board);
    areas.label(&test.board, &flood);
    assert_eq!((areas.len(), areas.indices().count()), (63, 63));
    let labeled = [61, 62, 63, 64].map(|end| areas.of(test.sq(1, 2 * end + 1)).map(AreaIndex::idx));
    assert_eq!(labeled, [Some(61), Some(62), None, None]);
}
