//! Bipartite deadlocks: boxes that cannot all have goals of their own, where frozen boxes are walls.
//!
//! Junghanns and Schaeffer's bipartite analysis asks whether a matching of boxes and goals exists. Systematic searches
//! know it from the lower bound; this test is for searches that compute none.

use hashbrown::HashMap;
use sokocore::{BipartiteMatching, FloorSquare};
use sokosearch::Charge;

use crate::board::bit_set::BitView;
use crate::board::{Distances, SearchBoard, SearchDirection};
use crate::deadlock::deadlock_test::{DeadlockTest, FloodedPosition, TestContext};
use crate::deadlock::freeze::Freeze;
use crate::deadlock::library_parts::LibraryParts;

/// Makes the test for feature space search by pushes.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    let is_wanted = parts.is_fess() && parts.is_by_pushes();
    is_wanted.then(|| Box::new(Bipartite::new(parts.meter.memory().nothing())) as _)
}

/// The test, with the distances around sets of frozen boxes that it has met.
#[derive(Debug)]
struct Bipartite {
    freeze: Freeze,
    /// By the frozen boxes, in ascending order.
    distances_around: HashMap<Box<[FloorSquare]>, Distances>,
    /// For the tables.
    charge: Charge,
}

impl Bipartite {
    /// Tables that are kept; when there are more, all are dropped.
    const MAX_TABLES: usize = 256;

    fn new(charge: Charge) -> Self {
        Self { freeze: Freeze::default(), distances_around: HashMap::new(), charge }
    }

    fn is_matched(&mut self, board: &SearchBoard, boxes: BitView<'_>) -> bool {
        let frozen: Box<[FloorSquare]> = boxes.iter().filter(|&sq| self.freeze.is_frozen(board, boxes, sq)).collect();
        if frozen.is_empty() {
            return can_match(boxes, board.to_goals());
        }
        if let Some(distances) = self.distances_around.get(&frozen) {
            return can_match(boxes, distances);
        }
        let distances = Distances::new(board.sides(), SearchDirection::Forward, board.goals(), |sq| {
            frozen.binary_search(&sq).is_ok()
        });
        let is_matched = can_match(boxes, &distances);
        let bytes = distances.bytes();
        if self.distances_around.len() >= Self::MAX_TABLES || !self.has_room(bytes) {
            self.distances_around.clear();
        }
        if self.has_room(bytes) {
            self.distances_around.insert(frozen, distances);
        }
        is_matched
    }

    /// Charges another table; false if there is no memory for it.
    fn has_room(&mut self, bytes: u64) -> bool {
        let needed = (self.distances_around.len() as u64 + 1) * bytes;
        needed <= self.charge.bytes() || self.charge.add(needed - self.charge.bytes()).is_ok()
    }
}

impl DeadlockTest for Bipartite {
    fn proves_dead(&mut self, position: &FloodedPosition<'_>, cx: &mut TestContext<'_>) -> bool {
        !self.is_matched(cx.board, position.boxes)
    }
}

fn can_match(boxes: BitView<'_>, distances: &Distances) -> bool {
    let rows: Vec<&[u16]> = boxes.iter().map(|sq| distances.row(sq)).collect();
    rows.len() <= distances.n_targets()
        && BipartiteMatching::is_perfect(rows.len(), |row, column| rows[row][column] != Distances::NONE)
}

#[cfg(test)]
mod tests;
