//! The least number of pushes that a position can need: boxes and goals matched at minimum cost.
//!
//! The cost of a pair is its push distance on a board without other boxes (see [`PushDistances`]), so the sum is a
//! lower bound for the pushes of any solution, and no matching at all proves a deadlock. The matching is a
//! [`MinCostMatching`]: O(boxes^2 x goals) a call.
//!
//! Each call starts from nothing, so it is plain and needs no history. A search that asks about one position after another
//! should keep the prices between calls; whether a matching exists, whatever it costs, is the cheaper question of a
//! [`BipartiteMatching`](crate::BipartiteMatching).

use crate::{Level, MinCostMatching, PushDistances, Square, SquareSet};

/// Scratch space for lower bounds of the pushes in one level: boxes and goals matched at the least sum of push
/// distances (Kuhn 1955; Jonker and Volgenant 1987).
///
/// A call costs O(boxes^2 x goals).
///
/// ```
/// use sokocore::{Level, PushLowerBound};
///
/// let level = Level::parse("########\n#@$  . #\n########")?;
/// let mut bound = PushLowerBound::new(&level).expect("the level is small");
/// assert_eq!(bound.of(&level.start().boxes), Some(3));
/// let behind = level.board().set_of(level.board().square_at(1, 6));
/// assert_eq!(bound.of(&behind), None);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PushLowerBound {
    distances: PushDistances,
    boxes: Vec<Square>,
    matching: MinCostMatching,
}

impl PushLowerBound {
    /// The largest number of boxes for which bounds are computed. A call with so many boxes and goals took 150 ms
    /// in a hall of 62 x 62 squares, one with 30 boxes 15 microseconds (2026-11-21).
    pub const MAX_BOXES: usize = 1_000;

    /// Prepares the push distances of this level. `None` means not computed: the level has more than
    /// [`PushLowerBound::MAX_BOXES`] boxes or is too large for [`PushDistances`].
    #[must_use]
    pub fn new(level: &Level) -> Option<Self> {
        let distances = (level.n_boxes() <= Self::MAX_BOXES).then(|| PushDistances::new(level))??;
        Some(Self { distances, boxes: Vec::with_capacity(level.n_boxes()), matching: MinCostMatching::default() })
    }

    /// Returns the distances that the bound adds up.
    #[must_use]
    pub const fn distances(&self) -> &PushDistances {
        &self.distances
    }

    /// Returns a number of pushes that every solution from here needs, or `None` if the boxes cannot all be sent
    /// to different goals.
    pub fn of(&mut self, boxes: &SquareSet) -> Option<u64> {
        self.boxes.clear();
        self.boxes.extend(boxes.iter());
        let (boxes, distances) = (&self.boxes, &self.distances);
        let pushes = |n: usize, goal: usize| distances.get(boxes[n], goal).map(u32::from);
        self.matching.least_cost(boxes.len(), distances.goals().len(), pushes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least sum over all ways to give the boxes different goals.
    fn by_trying(distances: &PushDistances, boxes: &[Square], taken: &mut Vec<usize>) -> Option<u64> {
        let Some((&sq, rest)) = boxes.split_first() else { return Some(0) };
        let mut best: Option<u64> = None;
        for goal in 0..distances.goals().len() {
            let Some(pushes) = distances.get(sq, goal).filter(|_| !taken.contains(&goal)) else { continue };
            taken.push(goal);
            if let Some(others) = by_trying(distances, rest, taken) {
                let sum = others + u64::from(pushes);
                best = Some(best.map_or(sum, |best| best.min(sum)));
            }
            taken.pop();
        }
        best
    }

    fn check(rows: &[&str]) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let mut bound = PushLowerBound::new(&level).unwrap();
        let squares: Vec<Square> = level.board().squares().collect();
        for start in 0..squares.len() {
            for stride in 1..squares.len() {
                let mut boxes = level.board().no_squares();
                for n in 0..level.n_boxes() {
                    boxes.insert(squares[(start + n * stride) % squares.len()]);
                }
                let chosen: Vec<Square> = boxes.iter().collect();
                let expect = by_trying(bound.distances(), &chosen, &mut Vec::new());
                assert_eq!(bound.of(&boxes), expect, "{boxes:?} {level:?}");
            }
        }
    }

    #[test]
    fn agrees_with_trying_all_matchings() {
        check(&["########", "#.    .#", "# $$   #", "#   @$ #", "# .    #", "########"]);
        check(&["########", "#.   . #", "#  #$ .#", "# $ @  #", "#.   . #", "########"]);
        check(&["#########", "#. # .  #", "#  $ #. #", "## $  @ #", "#.   $ .#", "#########"]);
    }

    #[test]
    fn one_goal_for_two_boxes_is_infeasible() {
        let level = Level::parse("########\n#. $ $ #\n#      #\n#   @  #\n# .    #\n########").unwrap();
        assert_eq!(PushLowerBound::new(&level).unwrap().of(&level.start().boxes), None);
    }

    #[test]
    fn more_than_a_thousand_boxes_are_not_computed() {
        let width = 1_003;
        let rows = ["#".repeat(width), format!("#@{}#", "*".repeat(width - 3)), "#".repeat(width)];
        assert!(PushLowerBound::new(&Level::parse(&rows.join("\n")).unwrap()).is_some());
        let rows = ["#".repeat(width + 1), format!("#@{}#", "*".repeat(width - 2)), "#".repeat(width + 1)];
        assert!(PushLowerBound::new(&Level::parse(&rows.join("\n")).unwrap()).is_none());
    }
}
