//! The number of boxes that are shifted, and the extent of windows.

use sokocore::{Direction, Level, Objective, Push, Solution, moves_of, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

use super::*;

#[test]
fn boxes_are_shifted_as_long_as_their_vectors_are_few() {
    assert_eq!([1, 2, 3, 4, 5].map(n_active_boxes), [64, 64, 19, 10, 7]);
    assert_eq!(n_active_boxes(0), 64);
}

/// A box in a long passage, another before the door to it, and a third one that has to be pushed before the others.
const ROWS: &str = "\
###################################################################
#@$                              .#################################
################################ ##################################
#################                                                 #
#################                                                 #
#.  $            $                                                #
#################                                                 #
##############                                                    #
##############                                                    #
##############   .                                                #
##############                                                    #
###################################################################";

/// Pushes of the third box, and of the second one after those in the passage.
const FIRST: usize = 31;
const AWAY: usize = 46;
/// Steps to the box in the passage and back.
const TRIP: u64 = 2 * 12;

/// The third box is pushed, then the door is opened. The box in the passage is pushed, then the one from the door, far
/// away and back, and then the one in the passage again: one trip instead of its two would be best.
fn two_trips() -> (Level, Solution) {
    use Direction::{Down, Left, Right};
    let level = Level::parse(ROWS).unwrap();
    let mut pushes = Vec::new();
    let mut push = |row, column, dir, n| {
        let mut from = level.board().square_at(row, column).expect("a floor square");
        for _ in 0..n {
            pushes.push(Push { from, dir });
            from = level.board().step(from, dir).expect("a floor square");
        }
    };
    push(1, 2, Right, FIRST);
    push(5, 17, Down, 1);
    push(5, 4, Left, 1);
    push(6, 17, Down, 1);
    push(7, 17, Right, AWAY);
    push(7, 17 + AWAY, Down, 2);
    push(9, 17 + AWAY, Left, AWAY);
    push(5, 3, Left, 2);
    let solution = replay(&level, &moves_of(&level, &pushes).expect("they can be made")).unwrap();
    (level, solution)
}

/// Runs `work`, and returns the moves that it saves.
fn saved(work: impl FnOnce(&mut Context<'_>)) -> u64 {
    let (level, start) = two_trips();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    work(&mut cx);
    start.metrics().moves - pool.best(Objective::MOVES).metrics().moves
}

#[test]
fn pieces_contain_the_whole_path_of_a_box() {
    let lattice = PhaseLattice::new(1, Engine::Fast);
    let saved = saved(|cx| {
        let pieces = lattice.pieces(cx).unwrap();
        let ends: Vec<_> = pieces.iter().map(|piece| piece.pushes.clone()).collect();
        assert_eq!(ends, [0..100, 31..130], "fixed halves would begin at 50");
        for piece in pieces {
            lattice.run_piece(&piece, cx).unwrap();
        }
    });
    assert!(saved >= TRIP, "saved {saved}");
}

#[test]
fn windows_contain_the_whole_path_of_a_box() {
    let mut lattice = PhaseLattice::new(1, Engine::Fast);
    let saved = saved(|cx| {
        // Windows a bit longer than the pieces are.
        let live = LiveIndex::new(cx.level());
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory()).unwrap();
        let end = |most, cx: &mut Context<'_>| lattice.configs(&live, &spine, (0, spine.end()), most, cx).unwrap().1;
        lattice.max_configs = (1..).find(|&most| end(most, cx) >= 112).expect("there is such a number");
        assert!(lattice.run(cx).unwrap());
    });
    assert!(saved >= TRIP, "saved {saved}");
}
