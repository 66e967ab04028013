//! The least number of pushes that a position can need: boxes and goals matched at minimum cost.
//!
//! The cost of a pair is its push distance on a board without other boxes (see [`PushDistances`]), so the sum is a
//! lower bound for the pushes of any solution, and no matching at all proves a deadlock. Assignment by shortest
//! augmenting paths with potentials (Kuhn, 1955; Jonker and Volgenant, 1987), rectangular when there are spare
//! goals: O(boxes^2 x goals) a call.
//!
//! Each call starts from nothing, so it is plain and needs no history. A search that asks about one position after another
//! should keep the prices between calls; whether a matching exists, whatever it costs, is the cheaper question of a
//! [`BipartiteMatching`](crate::BipartiteMatching).

use crate::{Level, PushDistances, Square, SquareSet};

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
    rows: Vec<Square>,
    row_prices: Vec<i64>,
    column_prices: Vec<i64>,
    /// Row that holds each column; rows and columns count from 1, 0 is none.
    row_of: Vec<usize>,
    came_from: Vec<usize>,
    slack: Vec<i64>,
    done: Vec<bool>,
}

/// Dearer than all boxes of any level together, so it is paid only when no matching exists.
const IMPOSSIBLE: i64 = 1 << 40;

impl PushLowerBound {
    /// The largest number of boxes for which bounds are computed. A call with so many boxes and goals took 150 ms
    /// in a hall of 62 x 62 squares, one with 30 boxes 15 microseconds (2026-11-21).
    pub const MAX_BOXES: usize = 1_000;

    /// Prepares the push distances of this level. `None` means not computed: the level has more than
    /// [`PushLowerBound::MAX_BOXES`] boxes or is too large for [`PushDistances`].
    #[must_use]
    pub fn new(level: &Level) -> Option<Self> {
        let distances = (level.n_boxes() <= Self::MAX_BOXES).then(|| PushDistances::new(level))??;
        let n = distances.goals().len() + 1;
        Some(Self {
            distances,
            rows: Vec::with_capacity(level.n_boxes()),
            row_prices: Vec::new(),
            column_prices: vec![0; n],
            row_of: vec![0; n],
            came_from: vec![0; n],
            slack: vec![0; n],
            done: vec![false; n],
        })
    }

    /// Returns the distances that the bound adds up.
    #[must_use]
    pub const fn distances(&self) -> &PushDistances {
        &self.distances
    }

    /// Returns a number of pushes that every solution from here needs, or `None` if the boxes cannot all be sent
    /// to different goals.
    pub fn of(&mut self, boxes: &SquareSet) -> Option<u64> {
        self.rows.clear();
        self.rows.extend(boxes.iter());
        if self.rows.len() > self.distances.goals().len() {
            return None;
        }
        self.row_prices.clear();
        self.row_prices.resize(self.rows.len() + 1, 0);
        self.column_prices.fill(0);
        self.row_of.fill(0);
        for row in 1..=self.rows.len() {
            self.assign(row);
        }
        let pairs = (1..self.row_of.len()).filter(|&column| self.row_of[column] != 0);
        let total: i64 = pairs.map(|column| self.cost(self.row_of[column], column)).sum();
        u64::try_from(total).ok().filter(|_| total < IMPOSSIBLE)
    }

    /// Adds one row to the assignment along a cheapest augmenting path.
    fn assign(&mut self, row: usize) {
        self.slack.fill(i64::MAX);
        self.done.fill(false);
        self.row_of[0] = row;
        let mut column = 0;
        while self.row_of[column] != 0 {
            self.done[column] = true;
            column = self.nearest_column(column);
        }
        while column != 0 {
            let from = self.came_from[column];
            self.row_of[column] = self.row_of[from];
            column = from;
        }
    }

    /// Relaxes the columns over the row of `column`, moves the prices, and returns the next column to settle.
    fn nearest_column(&mut self, column: usize) -> usize {
        let row = self.row_of[column];
        let (mut least, mut nearest) = (i64::MAX, 0);
        for next in (1..self.row_of.len()).filter(|&next| !self.done[next]) {
            let reduced = self.cost(row, next) - self.row_prices[row] - self.column_prices[next];
            if reduced < self.slack[next] {
                self.slack[next] = reduced;
                self.came_from[next] = column;
            }
            if self.slack[next] < least {
                (least, nearest) = (self.slack[next], next);
            }
        }
        for at in 0..self.row_of.len() {
            if self.done[at] {
                self.row_prices[self.row_of[at]] += least;
                self.column_prices[at] -= least;
            } else {
                self.slack[at] = self.slack[at].saturating_sub(least);
            }
        }
        nearest
    }

    fn cost(&self, row: usize, column: usize) -> i64 {
        self.distances.get(self.rows[row - 1], column - 1).map_or(IMPOSSIBLE, i64::from)
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
