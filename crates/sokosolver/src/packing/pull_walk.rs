//! Where one box can be pulled while all others stand still: the move generator of the reverse game.
//!
//! Invariant: a side of a box is marked when some flood has found the player there, so no region of the player is
//! visited twice for one square of the box. On large boards a walk ends early: squares far away are left out.

use sokocore::FloorSquare;

use crate::board::Flood;
use crate::board::level_tables::LevelTables;

/// Scratch space for pulling one box about.
#[derive(Debug)]
pub(super) struct PullWalk {
    flood: Flood,
    marks: Vec<[u32; 4]>,
    round: u32,
    queue: Vec<(FloorSquare, FloorSquare)>,
    /// Squares flooded by the last walk.
    n_flooded: usize,
}

/// A walk ends when it has flooded so many squares: some ten milliseconds, which takes a thousand squares of floor.
const MOST_FLOODED: usize = 1 << 22;

impl PullWalk {
    pub(super) fn new(tables: &LevelTables) -> Self {
        let n = tables.board().n_squares();
        Self { flood: Flood::new(tables.board()), marks: vec![[0; 4]; n], round: 0, queue: Vec::new(), n_flooded: 0 }
    }

    /// Returns the ticks of the last walk.
    pub(super) const fn ticks(&self) -> u64 {
        1 + (self.n_flooded / LevelTables::FLOODED_PER_TICK) as u64
    }

    /// Pulls the box on `from` to every square it can reach among `others`. `visit` gets each square once for each
    /// region of the player: the square, the player's square, and the flood. Returns the number of squares.
    pub(super) fn pull(
        &mut self,
        tables: &LevelTables,
        others: &[FloorSquare],
        from: FloorSquare,
        player: FloorSquare,
        mut visit: impl FnMut(FloorSquare, FloorSquare, &Flood),
    ) -> usize {
        let board = tables.board();
        self.round += 1;
        self.queue.clear();
        self.queue.push((from, player));
        let (mut head, mut n_visited) = (0, 0);
        self.n_flooded = 0;
        while let Some(&(sq, player)) = self.queue.get(head).filter(|_| self.n_flooded < MOST_FLOODED) {
            head += 1;
            let marks = &mut self.marks[sq.idx()];
            let first_visit = marks.iter().all(|&mark| mark != self.round);
            let behind = (0..4).find(|&dir| board.step(sq, dir) == player);
            if head > 1 && behind.is_some_and(|dir| marks[dir] == self.round) {
                continue;
            }
            self.flood.place(others.iter().copied().filter(|&other| other != from).chain(std::iter::once(sq)));
            self.flood.spread(board, player);
            self.n_flooded += self.flood.n_reached();
            n_visited += usize::from(first_visit);
            visit(sq, player, &self.flood);
            for dir in 0..4 {
                let to = board.step(sq, dir);
                if !self.flood.reaches(to) {
                    continue;
                }
                self.marks[sq.idx()][dir] = self.round;
                let stand = board.step(to, dir);
                if board.is_live(to) && self.flood.is_free(stand) && !is_trap(tables, stand) {
                    self.queue.push((to, stand));
                }
            }
        }
        n_visited
    }
}

/// Returns whether the player, having pulled a box to this square, could only push it back.
fn is_trap(tables: &LevelTables, stand: FloorSquare) -> bool {
    let board = tables.board();
    stand != board.player() && board.steps(stand).iter().filter(|&&next| next == board.wall()).count() >= 3
}
