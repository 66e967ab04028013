//! Which boxes a corral restricts the pushes to, on small boards.

use crate::deadlock::pi_corral::*;
use sokocore::{FloorSquare, Level};

use crate::board::Flood;

fn check(rows: &[&str], expect: impl Fn(&SearchBoard, &Level) -> Prune) {
    check_choice(rows, CorralChoice::FewestPushes, expect);
}

fn check_choice(rows: &[&str], choice: CorralChoice, expect: impl Fn(&SearchBoard, &Level) -> Prune) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let boxes = SearchBoard::set::<2>(board.starts());
    let mut flood = Flood::new(&board);
    flood.run(&board, &boxes, board.player());
    let mut areas = EnclosedAreas::new(&board);
    areas.label(&board, &flood);
    let position = FloodedPosition::new(boxes.view(), board.starts(), board.player(), &flood);
    let found = PiCorrals::new(&board, choice).find(&board, &areas, &position);
    assert_eq!(found, expect(&board, &level), "{level:?}");
}

fn only(board: &SearchBoard, level: &Level, places: &[(usize, usize)]) -> Prune {
    let mut squares: Vec<FloorSquare> =
        places.iter().map(|&(row, column)| board.number(level.board().square_at(row, column).unwrap())).collect();
    squares.sort_unstable();
    Prune::Only(squares)
}

/// The left room is closed by one box that can only go in; the box on the right can wait.
#[test]
fn a_closed_room_is_opened_first() {
    let rows = ["##########", "#  #     #", "#. $@  $ #", "#. #     #", "##########"];
    check(&rows, |board, level| only(board, level, &[(2, 3)]));
}

/// The box in the door between the rooms can be pushed from either one, so neither is a corral without the other.
#[test]
fn two_rooms_are_one_corral() {
    let rows = [
        "##########",
        "#   #    #",
        "#.  $@   #",
        "#   #    #",
        "##$##    #",
        "#   #    #",
        "#.  $    #",
        "#  .#    #",
        "##########",
    ];
    check(&rows, |board, level| only(board, level, &[(2, 4), (4, 2), (6, 4)]));
}

#[test]
fn a_room_that_is_open_restricts_nothing() {
    check(&["##########", "#        #", "#. $@  $.#", "#  #     #", "##########"], |_, _| Prune::All);
}

/// Two boxes at a gap: the upper one could be pushed down the gap's far side, so it is not the corral's own.
#[test]
fn boxes_on_goals_around_nothing_need_not_move() {
    check(&["##########", "#  #     #", "#  *@  $.#", "#  #     #", "##########"], |_, _| Prune::All);
}

/// The room on the left takes one push, the one on the right two of boxes that are on goals.
#[test]
fn the_first_of_two_corrals_is_chosen_by_pushes_or_by_boxes_on_goals() {
    let rows =
        ["###########", "#  #   #  #", "#. $ @ * .#", "#  #   *  #", "#  # $ #  #", "#  #   #  #", "###########"];
    check_choice(&rows, CorralChoice::FewestPushes, |board, level| only(board, level, &[(2, 3)]));
    check_choice(&rows, CorralChoice::MostBoxesOnGoals, |board, level| only(board, level, &[(2, 7), (3, 7)]));
}

/// The boxes between the three rooms can be pushed from either side, so all that is unreachable is one corral.
#[test]
fn all_unreachable_rooms_can_be_one_corral() {
    let rows = [
        "##########",
        "#   #    #",
        "#.  $@   #",
        "##$##    #",
        "#   #    #",
        "#.  #    #",
        "##$##    #",
        "#   #    #",
        "#.  $    #",
        "#  .#    #",
        "##########",
    ];
    check(&rows, |board, level| only(board, level, &[(2, 4), (3, 2), (6, 2), (8, 4)]));
}
