//! The player's region among boxes: the flood fill of the inner loops.
//!
//! Invariant: a square is stamped `round` if a box stands on it, `round + 1` if the player reaches it, and anything
//! less if neither. Rounds rise by two, so that nothing is cleared. The square past the last one is the wall: its stamp
//! is higher than any round, which saves a test in the loop.
//!
//! [`Reach`](crate::Reach) is its plain twin on the squares of the level; a property test compares the two.

use crate::{FloorGraph, FloorSquare};

/// Scratch space for floods over one [`FloorGraph`], and the region that the last flood reached.
///
/// Boxes are placed once and stay for any number of floods; a flood costs time in proportion to the squares that it
/// reaches, and allocates nothing. Every method takes squares by their numbers in the graph that the space was made
/// for, and panics if one is beyond it.
///
/// # Example
/// ```
/// use sokocore::{Flood, FloorGraph, FloorSquare, Level};
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let graph = FloorGraph::new(&level);
/// let [box_sq, right, _, player] = [0, 1, 2, 3].map(FloorSquare::new);
/// let mut flood = Flood::new(&graph);
/// assert_eq!(flood.run(&graph, [box_sq], player), player, "the least square of a region of one square");
/// assert!(flood.reaches(player) && !flood.reaches(box_sq) && !flood.reaches(right));
/// assert!(flood.is_free(right) && !flood.is_free(box_sq) && !flood.is_free(graph.wall()));
/// assert_eq!(flood.run(&graph, [], player), box_sq, "the least square of them all");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flood {
    round: u32,
    stamps: Vec<u32>,
    queue: Vec<FloorSquare>,
    n_reached: usize,
    distances: Vec<u16>,
}

/// The round of a flood without boxes, before the first boxes are placed.
const FIRST_ROUND: u32 = 2;

impl Flood {
    /// Makes scratch space for a graph, with no boxes placed and nothing reached.
    #[must_use]
    pub fn new(graph: &impl AsRef<FloorGraph>) -> Self {
        let n_squares = graph.as_ref().n_squares();
        let mut stamps = vec![0; n_squares + 1];
        stamps[n_squares] = u32::MAX;
        Self {
            round: FIRST_ROUND,
            stamps,
            queue: vec![FloorSquare::default(); n_squares + 4],
            n_reached: 0,
            distances: Vec::new(),
        }
    }

    /// Places the boxes instead of those before, and forgets the last region.
    #[inline]
    pub fn place(&mut self, boxes: impl IntoIterator<Item = FloorSquare>) {
        if self.round >= u32::MAX - 4 {
            let wall = self.stamps.len() - 1;
            self.stamps[..wall].fill(0);
            self.round = 0;
        }
        self.round += 2;
        self.n_reached = 0;
        for sq in boxes {
            self.stamps[sq.idx()] = self.round;
        }
    }

    /// Floods from `player` around the boxes; returns the region's name, its least square.
    ///
    /// Floods without [`Flood::place`] between them add up: squares that earlier ones reached stay reached, and are not
    /// entered again.
    #[inline]
    pub fn spread(&mut self, graph: &impl AsRef<FloorGraph>, player: FloorSquare) -> FloorSquare {
        self.fill(graph.as_ref(), player, |_, _, _| true)
    }

    /// As [`Flood::spread`], through squares that `enters` admits. It is called for each step to a square that is neither
    /// occupied nor reached yet.
    #[inline]
    pub fn spread_where(
        &mut self,
        graph: &impl AsRef<FloorGraph>,
        player: FloorSquare,
        mut enters: impl FnMut(FloorSquare) -> bool,
    ) -> FloorSquare {
        self.fill(graph.as_ref(), player, |_, _, next| enters(next))
    }

    /// As [`Flood::spread`], and records the steps for [`Flood::distance`].
    #[inline]
    pub fn measure(&mut self, graph: &impl AsRef<FloorGraph>, player: FloorSquare) -> FloorSquare {
        self.distances.resize(self.stamps.len(), 0);
        self.distances[player.idx()] = 0;
        self.fill(graph.as_ref(), player, |distances, from, next| {
            distances[next.idx()] = distances[from.idx()] + 1;
            true
        })
    }

    /// Places the boxes and floods from `player`; returns the region's name, its least square.
    #[inline]
    pub fn run(
        &mut self,
        graph: &impl AsRef<FloorGraph>,
        boxes: impl IntoIterator<Item = FloorSquare>,
        player: FloorSquare,
    ) -> FloorSquare {
        self.place(boxes);
        self.spread(graph, player)
    }

    /// Floods breadth first; `enters` may forbid a step, and gets the table of distances to fill in.
    #[inline]
    fn fill(
        &mut self,
        graph: &FloorGraph,
        player: FloorSquare,
        mut enters: impl FnMut(&mut [u16], FloorSquare, FloorSquare) -> bool,
    ) -> FloorSquare {
        let reached = self.round + 1;
        self.stamps[player.idx()] = reached;
        self.queue[0] = player;
        let (mut head, mut tail, mut least) = (0, 1, player);
        while head < tail {
            let sq = self.queue[head];
            head += 1;
            least = least.min(sq);
            for next in graph.steps(sq) {
                let stamp = &mut self.stamps[next.idx()];
                if *stamp < reached - 1 && enters(&mut self.distances, sq, next) {
                    *stamp = reached;
                    self.queue[tail] = next;
                    tail += 1;
                }
            }
        }
        self.n_reached = tail;
        least
    }

    /// Returns the number of squares that the last flood reached, the player's among them.
    #[inline]
    #[must_use]
    pub const fn n_reached(&self) -> usize {
        self.n_reached
    }

    /// Returns the squares that the last flood reached, nearest first.
    #[inline]
    #[must_use]
    pub fn region(&self) -> &[FloorSquare] {
        &self.queue[..self.n_reached]
    }

    /// Returns the steps from the player to a square that [`Flood::measure`] reached; of other squares it says nothing.
    ///
    /// # Panics
    /// If nothing was ever measured.
    #[inline]
    #[must_use]
    pub fn distance(&self, sq: FloorSquare) -> u16 {
        self.distances[sq.idx()]
    }

    /// Returns whether the player reaches the square; false for the wall.
    #[inline]
    #[must_use]
    pub fn reaches(&self, sq: FloorSquare) -> bool {
        self.stamps[sq.idx()] == self.round + 1
    }

    /// Returns whether the square is free of walls and boxes, reached or not.
    #[inline]
    #[must_use]
    pub fn is_free(&self, sq: FloorSquare) -> bool {
        let stamp = self.stamps[sq.idx()];
        stamp != self.round && stamp <= self.round + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    /// After four billion rounds stamps begin anew, and boxes of long ago are not seen again.
    #[test]
    fn old_stamps_are_cleared_before_rounds_wrap() {
        let level = Level::parse("########\n#.@$   #\n#  #   #\n########").unwrap();
        let graph = FloorGraph::new(&level);
        let mut flood = Flood::new(&graph);
        let [player, box_sq] = [(1, 2), (1, 3)].map(|(row, column)| {
            graph.number(level.board().square_at(row, column).expect("the level has this square"))
        });
        flood.run(&graph, [box_sq], player);
        flood.round = u32::MAX - 5;
        for boxes in [&[box_sq][..], &[], &[box_sq], &[]] {
            flood.run(&graph, boxes.iter().copied(), player);
            assert_eq!(flood.n_reached(), if boxes.is_empty() { 11 } else { 4 });
            assert!(!flood.reaches(graph.wall()) && !flood.is_free(graph.wall()));
        }
        assert!(flood.round < 10);
    }

    #[test]
    fn a_step_may_be_forbidden() {
        let level = Level::parse("########\n#.@$   #\n#  #   #\n########").unwrap();
        let graph = FloorGraph::new(&level);
        let mut flood = Flood::new(&graph);
        let player = graph.number(level.start().player);
        let mut n_asked = 0;
        flood.spread_where(&graph, player, |_| {
            n_asked += 1;
            false
        });
        assert_eq!((flood.region(), n_asked), (&[player][..], 3));
    }
}
