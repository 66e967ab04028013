//! The trace of a solution: its positions, the trip of each box, and the squares that are entered.

use sokocore::{Level, Position, Push, Reach, Solution, Square, SquareSet, pushes_of};

/// The trace of a solution.
#[derive(Debug)]
pub(super) struct SolutionTrace {
    pub(super) pushes: Vec<Push>,
    /// The positions before each push, and the last one.
    pub(super) positions: Vec<Position>,
    pub(super) boxes: Vec<BoxTrip>,
    /// Squares that a box or the player ever stands on.
    pub(super) entered: SquareSet,
}

/// The trip of one box in a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoxTrip {
    /// Where the box starts.
    pub(super) from: Square,
    /// Where it ends.
    pub(super) to: Square,
    /// How often it is pushed.
    pub(super) pushes: u64,
}

impl SolutionTrace {
    /// Traces a solution of this level.
    pub(super) fn of(level: &Level, solution: &Solution) -> Self {
        let board = level.board();
        let pushes = pushes_of(level, solution.lurd());
        let mut position = level.start().clone();
        let mut entered = position.boxes.clone();
        entered.insert(position.player);
        let mut player = position.player;
        for step in solution.lurd().steps() {
            let Some(next) = board.step(player, step.dir()) else { break };
            player = next;
            entered.insert(player);
        }
        let mut boxes: Vec<_> = position.boxes.iter().map(|sq| BoxTrip { from: sq, to: sq, pushes: 0 }).collect();
        let mut positions = vec![position.clone()];
        for &push in &pushes {
            let Some(to) = push.to(board) else { break };
            entered.insert(to);
            if let Some(trip) = boxes.iter_mut().find(|trip| trip.to == push.from) {
                (trip.to, trip.pushes) = (to, trip.pushes + 1);
            }
            position.push(board, push);
            positions.push(position.clone());
        }
        Self { pushes, positions, boxes, entered }
    }
}

/// Returns a position with the player on the least square of its region, which is the same for all walks.
pub(super) fn canonical(level: &Level, mut position: Position, reach: &mut Reach) -> Position {
    position.player = position.region(level.board(), reach).zone();
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::replay;

    #[test]
    fn trips_and_squares_are_those_of_the_moves() {
        let level = Level::parse("########\n#@$ .  #\n#. $   #\n#      #\n########").unwrap();
        let solution = replay(&level, &"RRlddrruLL".parse().unwrap()).unwrap();
        let trace = SolutionTrace::of(&level, &solution);
        let trips: Vec<_> = trace.boxes.iter().map(|trip| (level.board().place(trip.to), trip.pushes)).collect();
        assert_eq!(trips, [((1, 4), 2), ((2, 1), 2)]);
        assert_eq!(trace.positions.len(), 5);
        assert!(level.is_solved(&trace.positions[4].boxes));
        let is_entered = |row, column| trace.entered.contains(level.board().square_at(row, column).unwrap());
        assert!(is_entered(2, 1) && is_entered(1, 4) && is_entered(3, 3) && !is_entered(1, 5) && !is_entered(3, 1));
    }
}
