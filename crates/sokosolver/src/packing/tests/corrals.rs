//! Which boxes belong to a corral.

use super::*;
use crate::board::Flood;
use crate::deadlock::corral::{CorralFinder, Finding, Scene};

/// FeatureMask for a corral in the start position, and returns its boxes in ascending order.
fn corral(yard: &LevelTables, lessons: &mut DeadlockLearner) -> Vec<u16> {
    let field = field(yard, yard.ground().starts());
    let mut flood = Flood::new(yard.ground());
    flood.place(field.squares());
    flood.spread(yard.ground(), yard.ground().player());
    let scene = Scene { yard, field: &field, flood: &flood, player: yard.ground().player() };
    match CorralFinder::new(yard, 2).find(scene, lessons) {
        Finding::Corral(mut boxes) => {
            boxes.sort_unstable();
            boxes
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_corral_is_found_where_all_pushes_lead_in() {
    let (level, yard) = yard("##########\n#.  $    #\n#   #  @ #\n#   #    #\n#.  $    #\n#####  $.#\n    ######");
    let sq = |row, column| at(&level, &yard, row, column);
    let mut lessons = DeadlockLearner::new(&yard);
    assert_eq!(corral(&yard, &mut lessons), [sq(1, 4), sq(4, 4)]);
    assert_eq!(lessons.sets().len(), DeadlockLearner::new(&yard).sets().len(), "no deadlock");
}

#[test]
fn boxes_at_the_corners_of_a_room_close_its_fence() {
    // The lower box is below the one in the doorway: it touches the room at a corner only.
    let (level, yard) = yard("##########\n#   #    #\n#.. $    #\n####$  @ #\n###   $ .#\n###      #\n##########");
    let sq = |row, column| at(&level, &yard, row, column);
    assert_eq!(corral(&yard, &mut DeadlockLearner::new(&yard)), [sq(2, 4), sq(3, 4)]);
}
