//! Whether rows and columns can be paired off where only some pairs fit: a maximum matching in a bipartite graph.
//!
//! Built by augmenting paths (Kuhn, 1955), breadth first, so without recursion. It answers only whether a matching
//! exists. The cheapest one is another problem: [`MinCostMatching`](crate::MinCostMatching) solves it.
//!
//! Invariant: `row_of` and `column_of` name each other's pairs.

use std::fmt;

/// A matching of rows with columns that grows row by row, both counted from 0.
///
/// # Example
/// ```
/// use sokocore::BipartiteMatching;
/// let fits = |row: usize, column: usize| column == 0 || row == 1;
/// let mut matching = BipartiteMatching::new(3, 2);
/// assert!(matching.add(0, fits).is_ok());
/// assert!(matching.add(1, fits).is_ok(), "row 1 gets column 1");
/// assert_eq!(matching.column_of(1), Some(1));
/// let violator = matching.add(2, fits).unwrap_err();
/// assert_eq!(violator.rows(), [2, 0]);
/// assert_eq!(violator.columns().collect::<Vec<_>>(), [0], "the only column for both");
/// ```
#[derive(Clone, Debug)]
pub struct BipartiteMatching {
    /// Row matched with each column.
    row_of: Vec<Option<usize>>,
    /// Column matched with each row.
    column_of: Vec<Option<usize>>,
    /// Row from which the search came to each column; `None` if it did not.
    came_from: Vec<Option<usize>>,
    queue: Vec<usize>,
}

impl BipartiteMatching {
    /// Makes a matching without pairs.
    #[must_use]
    pub fn new(n_rows: usize, n_columns: usize) -> Self {
        Self {
            row_of: vec![None; n_columns],
            column_of: vec![None; n_rows],
            came_from: vec![None; n_columns],
            queue: Vec::new(),
        }
    }

    /// Returns whether each of `n` rows can have a column of its own among `n`, where `fits(row, column)` allows the pair.
    #[must_use]
    pub fn is_perfect(n: usize, fits: impl Fn(usize, usize) -> bool) -> bool {
        let mut matching = Self::new(n, n);
        (0..n).all(|row| matching.add(row, &fits).is_ok())
    }

    /// Returns the column matched with a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn column_of(&self, row: usize) -> Option<usize> {
        self.column_of[row]
    }

    /// Takes back the pairs of all rows that `keeps` does not name.
    pub fn retain(&mut self, keeps: impl Fn(usize) -> bool) {
        for owner in &mut self.row_of {
            if let Some(row) = owner.filter(|&row| !keeps(row)) {
                self.column_of[row] = None;
                *owner = None;
            }
        }
    }

    /// Matches one more row with a column, where `fits(row, column)` allows the pair; matched rows stay matched, but may
    /// change their columns. A row that is matched already keeps its column. It takes O(rows x columns) questions.
    ///
    /// # Errors
    /// The rows that cannot all be matched, this one first; the matching is unchanged.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn add(&mut self, row: usize, fits: impl Fn(usize, usize) -> bool) -> Result<(), HallViolator<'_>> {
        if self.column_of[row].is_some() {
            return Ok(());
        }
        self.came_from.fill(None);
        self.queue.clear();
        self.queue.push(row);
        let mut head = 0;
        while let Some(&from) = self.queue.get(head) {
            head += 1;
            for column in 0..self.row_of.len() {
                if self.came_from[column].is_some() || !fits(from, column) {
                    continue;
                }
                self.came_from[column] = Some(from);
                match self.row_of[column] {
                    Some(owner) => self.queue.push(owner),
                    None => {
                        self.augment(column);
                        return Ok(());
                    }
                }
            }
        }
        Err(HallViolator(self))
    }

    /// Follows the path back from a free column, and gives each row on it the column found from there.
    fn augment(&mut self, free: usize) {
        let mut column = Some(free);
        while let Some(taken) = column {
            let row = self.came_from[taken].expect("invariant: the search came to this column");
            column = self.column_of[row].replace(taken);
            self.row_of[taken] = Some(row);
        }
    }
}

/// Rows that together fit fewer columns than they are, so that they cannot all be matched (Hall, 1935).
#[derive(Clone, Copy, Debug)]
pub struct HallViolator<'a>(&'a BipartiteMatching);

impl HallViolator<'_> {
    /// Returns the rows, beginning with the one that is not matched.
    #[must_use]
    pub fn rows(&self) -> &[usize] {
        &self.0.queue
    }

    /// Returns all columns that any of the rows fits, in ascending order: one fewer than there are rows.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        self.0.came_from.iter().enumerate().filter(|(_, from)| from.is_some()).map(|(column, _)| column)
    }
}

impl fmt::Display for HallViolator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows fit only {} columns", self.rows().len(), self.columns().count())
    }
}

impl std::error::Error for HallViolator<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    /// Tries every column for every row.
    fn by_trying(n: usize, row: usize, taken: u32, fits: &impl Fn(usize, usize) -> bool) -> bool {
        row == n
            || (0..n).any(|column| {
                taken >> column & 1 == 0 && fits(row, column) && by_trying(n, row + 1, taken | 1 << column, fits)
            })
    }

    proptest! {
        #[test]
        fn agrees_with_trying_all_pairs(pairs in any::<u64>(), more in any::<u64>(), n in 1..=6_usize) {
            // Half of the pairs fit, or three quarters of them.
            for pairs in [pairs, pairs | more] {
                let fits = |row: usize, column: usize| pairs >> (row * 8 + column) & 1 != 0;
                prop_assert_eq!(BipartiteMatching::is_perfect(n, fits), by_trying(n, 0, 0, &fits));
                let mut matching = BipartiteMatching::new(n, n);
                (0..n).for_each(|row| _ = matching.add(row, fits));
                matching.retain(|row| row % 2 == 0);
                prop_assert!((0..n).all(|row| row % 2 == 0 || matching.column_of(row).is_none()));
                let n_added = (0..n).filter(|&row| matching.add(row, fits).is_ok()).count();
                prop_assert_eq!(n_added == n, by_trying(n, 0, 0, &fits), "what was kept does not change the answer");
                for row in 0..n {
                    if let Err(violator) = matching.add(row, fits) {
                        let fitting = (0..n).filter(|&column| violator.rows().iter().any(|&row| fits(row, column)));
                        prop_assert!(violator.columns().eq(fitting), "{violator}");
                        prop_assert_eq!(violator.columns().count() + 1, violator.rows().len());
                    }
                    let column = matching.column_of(row);
                    prop_assert!(column.is_none_or(|column| fits(row, column) && matching.row_of[column] == Some(row)));
                }
            }
        }
    }
}
