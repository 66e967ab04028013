//! A minimum-cost matching in a bipartite graph: the cheapest assignment of rows to columns.
//!
//! Shortest augmenting paths with potentials (Kuhn, 1955; Jonker and Volgenant, 1987), rectangular when there are spare
//! columns: O(rows^2 x columns) a call. Each call starts from nothing. Whether a matching exists, whatever it costs, is the
//! cheaper question of a [`BipartiteMatching`](crate::BipartiteMatching).

/// Scratch space for matchings of any size.
///
/// ```
/// use sokocore::MinCostMatching;
///
/// let costs = [[4, 1], [2, 0]];
/// let mut matching = MinCostMatching::default();
/// assert_eq!(matching.least_cost(2, 2, |row, column| Some(costs[row][column])), Some(3));
/// assert_eq!(matching.least_cost(2, 2, |_, column| (column == 0).then_some(1)), None, "both rows need column 0");
/// assert_eq!(matching.least_cost(2, 1, |_, _| Some(1)), None, "there are more rows than columns");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MinCostMatching {
    row_prices: Vec<i64>,
    column_prices: Vec<i64>,
    /// Row that holds each column; rows and columns count from 1, 0 is none.
    row_of: Vec<usize>,
    came_from: Vec<usize>,
    slack: Vec<i64>,
    done: Vec<bool>,
}

/// More than all pairs of any assignment of [`MinCostMatching::MAX_ROWS`] together, so it is paid only when there is no other way.
const IMPOSSIBLE: i64 = 1 << 48;

impl MinCostMatching {
    /// The most rows: with more, sums of costs might not fit.
    pub const MAX_ROWS: usize = 1 << 14;

    /// Returns the least sum of costs with which each row has a column of its own; `None` if there is no such assignment, or
    /// if there are more than [`MinCostMatching::MAX_ROWS`] rows.
    /// `cost` has rows and columns from 0, and is `None` for a pair that does not fit.
    pub fn least_cost(
        &mut self,
        n_rows: usize,
        n_columns: usize,
        cost: impl Fn(usize, usize) -> Option<u32>,
    ) -> Option<u64> {
        if n_rows > n_columns || n_rows > Self::MAX_ROWS {
            return None;
        }
        let cost = |row: usize, column: usize| cost(row - 1, column - 1).map_or(IMPOSSIBLE, i64::from);
        for (prices, n) in [(&mut self.row_prices, n_rows), (&mut self.column_prices, n_columns)] {
            prices.clear();
            prices.resize(n + 1, 0);
        }
        for columns in [&mut self.row_of, &mut self.came_from] {
            columns.clear();
            columns.resize(n_columns + 1, 0);
        }
        for row in 1..=n_rows {
            self.assign(row, &cost);
        }
        let pairs = (1..=n_columns).filter(|&column| self.row_of[column] != 0);
        let total: i64 = pairs.map(|column| cost(self.row_of[column], column)).sum();
        u64::try_from(total).ok().filter(|_| total < IMPOSSIBLE)
    }

    /// Adds one row to the assignment along a cheapest augmenting path.
    fn assign(&mut self, row: usize, cost: &impl Fn(usize, usize) -> i64) {
        self.slack.clear();
        self.slack.resize(self.row_of.len(), i64::MAX);
        self.done.clear();
        self.done.resize(self.row_of.len(), false);
        self.row_of[0] = row;
        let mut column = 0;
        while self.row_of[column] != 0 {
            self.done[column] = true;
            column = self.nearest_column(column, cost);
        }
        while column != 0 {
            let from = self.came_from[column];
            self.row_of[column] = self.row_of[from];
            column = from;
        }
    }

    /// Relaxes the columns over the row of `column`, moves the prices, and returns the next column to settle.
    fn nearest_column(&mut self, column: usize, cost: &impl Fn(usize, usize) -> i64) -> usize {
        let row = self.row_of[column];
        let (mut least, mut nearest) = (i64::MAX, 0);
        for next in (1..self.row_of.len()).filter(|&next| !self.done[next]) {
            let reduced = cost(row, next) - self.row_prices[row] - self.column_prices[next];
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

    /// Tries every column for every row.
    fn by_trying(costs: &[Vec<Option<u32>>], row: usize, taken: u32) -> Option<u64> {
        let Some(columns) = costs.get(row) else { return Some(0) };
        let sums =
            columns.iter().enumerate().filter(|(column, _)| taken >> column & 1 == 0).filter_map(|(column, cost)| {
                Some(u64::from((*cost)?) + by_trying(costs, row + 1, taken | 1 << column)?)
            });
        sums.min()
    }

    fn costs() -> impl Strategy<Value = Vec<Vec<Option<u32>>>> {
        let cost = || prop_oneof![(0..9_u32).prop_map(Some), Just(None), any::<u16>().prop_map(|n| Some(u32::from(n)))];
        (1..6_usize, 1..6_usize).prop_flat_map(move |(n_rows, n_columns)| {
            proptest::collection::vec(proptest::collection::vec(cost(), n_columns), n_rows)
        })
    }

    proptest! {
        #[test]
        fn agrees_with_trying_all_pairs(tables in proptest::collection::vec(costs(), 3)) {
            let mut matching = MinCostMatching::default();
            for costs in tables {
                let found = matching.least_cost(costs.len(), costs[0].len(), |row, column| costs[row][column]);
                prop_assert_eq!(found, by_trying(&costs, 0, 0));
            }
        }
    }
}
