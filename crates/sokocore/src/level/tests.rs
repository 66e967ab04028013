//! One test per row of the table of what is supported and what is refused.

use super::*;

fn check(rows: &[&str], expect: ParseLevelError) {
    assert_eq!(Level::parse(&rows.join("\n")).unwrap_err(), expect);
}

#[test]
fn numbers_only_the_floor_that_the_player_can_reach() {
    let level = Level::parse("#######\n#@$.# #\n#######").unwrap();
    assert_eq!(level.board().n_squares(), 3);
    assert_eq!(level.n_boxes(), 1);
    assert_eq!(level.board().square_at(1, 5), None);
    assert_eq!(level.board().place(level.start().player), (1, 1));
}

/// Trap 12: a box on a goal in a sealed room is a wall to the search and stays in the picture.
#[test]
fn trap_12_sealed_boxes_on_goals_are_walls() {
    let level = Level::parse("######\n#@$.#\n######\n# *  #\n######").unwrap();
    assert_eq!((level.n_boxes(), level.board().goals().len()), (1, 1));
    assert_eq!(level.grid().at(3, 2), Cell::BoxOnGoal);
    assert_eq!(level.play_grid().at(3, 2), Cell::Wall);
}

#[test]
fn conversions_read_as_parse_does() {
    let text = "######\n#@$ .#\n######";
    let level = Level::parse(text);
    assert_eq!(text.parse(), level);
    assert_eq!(Level::try_from(text), level);
    assert_eq!(Level::try_from(Grid::parse(text).unwrap()), level);
    assert_eq!("####".parse::<Level>(), Err(ParseLevelError::NoPlayer));
}

#[test]
fn refuses_a_sealed_box_off_goal() {
    let rows = ["######", "#@$.##", "######", "# $  #", "######"];
    check(&rows, ParseLevelError::SealedBox { row: 4, column: 3 });
}

#[test]
fn refuses_levels_that_are_not_closed() {
    check(&["#####", "#@$. ", "#####"], ParseLevelError::OpenBorder { row: 2, column: 5 });
    check(&["#####", "#@$.#", "# ###"], ParseLevelError::OpenBorder { row: 3, column: 2 });
    check(&["# ###", "#@$.#", "#####"], ParseLevelError::OpenBorder { row: 1, column: 2 });
    check(&["  @  ", "#####", "# $.#", "#####"], ParseLevelError::PlayerOutside { row: 1, column: 3 });
}

#[test]
fn refuses_levels_without_player_or_boxes() {
    check(&["####", "#$.#", "####"], ParseLevelError::NoPlayer);
    check(&["#####", "#@$.#", "#@  #", "#####"], ParseLevelError::SeveralPlayers { count: 2, row: 3, column: 2 });
    check(&["######", "#@$.@#", "#@@  #", "######"], ParseLevelError::SeveralPlayers { count: 4, row: 2, column: 5 });
    check(&["####", "#@.#", "####"], ParseLevelError::NoBoxes);
}

/// Each floor square has a number, and there are no more numbers.
#[test]
fn refuses_more_floor_than_there_are_numbers() {
    let level = |n_squares: usize| {
        let mut grid = Grid::filled(n_squares + 2, 3, Cell::Wall);
        (1..=n_squares).for_each(|column| grid.set(1, column, Cell::Floor));
        [Cell::Player, Cell::Box, Cell::Goal].into_iter().zip(1..).for_each(|(cell, column)| grid.set(1, column, cell));
        Level::from_grid(grid)
    };
    assert_eq!(level(Square::MAX_COUNT).unwrap().board().n_squares(), Square::MAX_COUNT);
    for count in [1, 2].map(|more| Square::MAX_COUNT + more) {
        assert_eq!(level(count), Err(ParseLevelError::TooManySquares { count }));
    }
}

/// Trap 13: an extra box, in a corner or elsewhere, is refused rather than half supported.
#[test]
fn trap_13_more_boxes_than_goals_is_refused() {
    check(&["######", "#$   #", "# $@.#", "######"], ParseLevelError::MoreBoxesThanGoals { boxes: 2, goals: 1 });
}

#[test]
fn supports_fewer_boxes_than_goals_and_a_solved_start() {
    let level = Level::parse("######\n#.@$.#\n######").unwrap();
    assert_eq!((level.n_boxes(), level.board().goals().len()), (1, 2));
    let circular = Level::parse("######\n# *@ #\n#    #\n######").unwrap();
    assert!(circular.is_solved(&circular.start().boxes));
}
