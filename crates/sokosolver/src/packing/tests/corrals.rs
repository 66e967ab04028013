//! Which boxes belong to a corral.

use sokocore::FloorSquare;

use super::*;
use crate::board::Flood;
use crate::deadlock::deadlock_test::{DeadlockTest, FloodedPosition, Prune, TestContext};
use crate::deadlock::enclosed_areas::EnclosedAreas;
use crate::deadlock::packing_corral::CorralFinder;

/// Looks for a corral in the start position, and returns its boxes in ascending order.
fn corral(tables: &LevelTables, learner: &mut DeadlockLearner) -> Vec<FloorSquare> {
    let state = state(tables, tables.board().starts());
    let mut flood = Flood::new(tables.board());
    flood.place(state.squares());
    flood.spread(tables.board(), tables.board().player());
    let board = tables.board();
    let position = FloodedPosition {
        boxes: state.view(),
        squares: state.boxes(),
        player: board.player(),
        flood: &flood,
        max_corral: 2,
    };
    let mut cx = TestContext { board, learner: Some(learner), areas: &EnclosedAreas::new(board) };
    match CorralFinder::new(board).restrict(&position, &mut cx) {
        Prune::Only(mut boxes) => {
            boxes.sort_unstable();
            boxes
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_corral_is_found_where_all_pushes_lead_in() {
    let (level, tables) = tables("##########\n#.  $    #\n#   #  @ #\n#   #    #\n#.  $    #\n#####  $.#\n    ######");
    let sq = |row, column| at(&level, &tables, row, column);
    let mut learner = learner(&tables);
    assert_eq!(corral(&tables, &mut learner), [sq(1, 4), sq(4, 4)]);
    assert_eq!(learner.sets().len(), self::learner(&tables).sets().len(), "no deadlock");
}

#[test]
fn boxes_at_the_corners_of_an_area_close_its_fence() {
    // The lower box is below the one in the doorway: it touches the area at a corner only.
    let (level, tables) = tables("##########\n#   #    #\n#.. $    #\n####$  @ #\n###   $ .#\n###      #\n##########");
    let sq = |row, column| at(&level, &tables, row, column);
    assert_eq!(corral(&tables, &mut learner(&tables)), [sq(2, 4), sq(3, 4)]);
}
