//! Which sides of a box the player can walk between when only that box stands on the board.
//!
//! Two neighbors of a square stay connected without it exactly if their edges to it lie in the same biconnected
//! component of the floor graph (a *block*; Hopcroft and Tarjan, 1973). One depth-first pass labels all edges,
//! so a question costs one comparison and the preparation is linear in the board.

use crate::{Board, Direction, Square};

/// The blocks (biconnected components) of a board's floor graph: which sides of a lone box the player can walk between.
///
/// They are computed in time linear in the board by one depth-first search (Hopcroft and Tarjan, 1973); a question is
/// one comparison.
///
/// ```
/// use sokocore::{Blocks, Direction, Level};
///
/// let level = Level::parse("########\n#      #\n# $ ####\n#   @ .#\n########")?;
/// let board = level.board();
/// let blocks = Blocks::of(board);
/// let in_hall = board.square_at(2, 2).expect("the square is floor");
/// assert!(blocks.joins(in_hall, Direction::Left, Direction::Right));
/// let in_corridor = board.square_at(3, 5).expect("the square is floor");
/// assert!(!blocks.joins(in_corridor, Direction::Left, Direction::Right));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Block of the edge from a square in a direction; `NONE` where a wall is.
    edges: Vec<[u32; 4]>,
}

const NONE: u32 = u32::MAX;

impl Blocks {
    /// Labels every edge of the board with its block.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut search = BlockSearch {
            board,
            order: vec![0; board.n_squares()],
            low: vec![0; board.n_squares()],
            clock: 0,
            edges: vec![[NONE; 4]; board.n_squares()],
            open: Vec::new(),
            n_blocks: 0,
        };
        for root in board.squares() {
            if search.order[root.idx()] == 0 {
                search.visit_from(root);
            }
        }
        Self { edges: search.edges }
    }

    /// Returns whether the player can walk from one side of a box to another, no other box being on the board.
    #[must_use]
    pub fn joins(&self, box_sq: Square, one: Direction, other: Direction) -> bool {
        let sides = &self.edges[box_sq.idx()];
        sides[one.idx()] != NONE && sides[one.idx()] == sides[other.idx()]
    }
}

struct BlockSearch<'a> {
    board: &'a Board,
    order: Vec<u32>,
    low: Vec<u32>,
    clock: u32,
    edges: Vec<[u32; 4]>,
    /// Edges seen whose block is not closed yet.
    open: Vec<(Square, Direction)>,
    n_blocks: u32,
}

/// One level of the depth-first descent, kept on a heap stack: boards may have 65,534 squares in a row.
struct BlockFrame {
    sq: Square,
    came_by: Option<Direction>,
    next_dir: usize,
}

impl BlockSearch<'_> {
    fn visit_from(&mut self, root: Square) {
        let mut stack = vec![self.enter(root, None)];
        while let Some(frame) = stack.last_mut() {
            let sq = frame.sq;
            if let Some(&dir) = Direction::ALL.get(frame.next_dir) {
                frame.next_dir += 1;
                let came_by = frame.came_by;
                if let Some(next) = self.follow(sq, dir, came_by) {
                    stack.push(self.enter(next, Some(dir)));
                }
            } else {
                let came_by = frame.came_by;
                stack.pop();
                if let (Some(parent), Some(dir)) = (stack.last(), came_by) {
                    self.leave(parent.sq, dir, sq);
                }
            }
        }
    }

    fn enter(&mut self, sq: Square, came_by: Option<Direction>) -> BlockFrame {
        self.clock += 1;
        self.order[sq.idx()] = self.clock;
        self.low[sq.idx()] = self.clock;
        BlockFrame { sq, came_by, next_dir: 0 }
    }

    /// Looks along one edge; returns the square to descend to if it is new.
    fn follow(&mut self, sq: Square, dir: Direction, came_by: Option<Direction>) -> Option<Square> {
        let next = self.board.step(sq, dir)?;
        if came_by == Some(dir.opposite()) {
            return None;
        }
        let seen = self.order[next.idx()];
        if seen == 0 {
            self.open.push((sq, dir));
            return Some(next);
        }
        if seen < self.order[sq.idx()] {
            self.open.push((sq, dir));
            self.low[sq.idx()] = self.low[sq.idx()].min(seen);
        }
        None
    }

    /// Returns from `child`, reached from `parent` by `dir`; closes the block if the child cannot reach above.
    fn leave(&mut self, parent: Square, dir: Direction, child: Square) {
        self.low[parent.idx()] = self.low[parent.idx()].min(self.low[child.idx()]);
        if self.low[child.idx()] < self.order[parent.idx()] {
            return;
        }
        while let Some((from, step)) = self.open.pop() {
            self.edges[from.idx()][step.idx()] = self.n_blocks;
            if let Some(to) = self.board.step(from, step) {
                self.edges[to.idx()][step.opposite().idx()] = self.n_blocks;
            }
            if (from, step) == (parent, dir) {
                break;
            }
        }
        self.n_blocks += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Reach};

    /// Compares every answer with a flood around the box.
    fn check(rows: &[&str]) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let board = level.board();
        let blocks = Blocks::of(board);
        let mut reach = Reach::new(board);
        for sq in board.squares() {
            let mut boxes = board.no_squares();
            boxes.insert(sq);
            for one in Direction::ALL {
                let Some(from) = board.step(sq, one) else { continue };
                let region = reach.flood(board, &boxes, from);
                for other in Direction::ALL {
                    let reached = board.step(sq, other).is_some_and(|to| region.contains(to));
                    assert_eq!(blocks.joins(sq, one, other), reached, "{sq:?} {one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn agrees_with_floods() {
        check(&["#####", "#@$.#", "#####"]);
        check(&["#########", "#@ #   ##", "# $    .#", "# ## #  #", "#    #  #", "####   ##", "#########"]);
        check(&["########", "#  #   #", "#  $ # #", "## ### #", "#@   .##", "# #  # #", "#      #", "########"]);
    }
}
