//! Which boxes belong to a corral.

use super::*;
use crate::board::Flood;
use crate::deadlock::corral::{CorralFinder, CorralResult, FloodedPosition};

/// Looks for a corral in the start position, and returns its boxes in ascending order.
fn corral(tables: &LevelTables, learner: &mut DeadlockLearner) -> Vec<u16> {
    let state = state(tables, tables.board().starts());
    let mut flood = Flood::new(tables.board());
    flood.place(state.squares());
    flood.spread(tables.board(), tables.board().player());
    let position = FloodedPosition { tables, state: &state, flood: &flood, player: tables.board().player() };
    match CorralFinder::new(tables, 2).find(position, learner) {
        CorralResult::Corral(mut boxes) => {
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
    let mut learner = DeadlockLearner::new(&tables);
    assert_eq!(corral(&tables, &mut learner), [sq(1, 4), sq(4, 4)]);
    assert_eq!(learner.sets().len(), DeadlockLearner::new(&tables).sets().len(), "no deadlock");
}

#[test]
fn boxes_at_the_corners_of_an_area_close_its_fence() {
    // The lower box is below the one in the doorway: it touches the area at a corner only.
    let (level, tables) = tables("##########\n#   #    #\n#.. $    #\n####$  @ #\n###   $ .#\n###      #\n##########");
    let sq = |row, column| at(&level, &tables, row, column);
    assert_eq!(corral(&tables, &mut DeadlockLearner::new(&tables)), [sq(2, 4), sq(3, 4)]);
}
