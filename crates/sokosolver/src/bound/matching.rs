//! A minimum-cost matching of boxes and targets, started warm: a lower bound of the pushes.
//!
//! Assignment by shortest augmenting paths with prices, the dual variables (Kuhn, 1955; Jonker and Volgenant, 1987), on
//! a square matrix; spare targets are matched with rows of cost zero. The prices of the targets are kept between calls:
//! successive positions differ in a few boxes, so most rows find their target at once and only the rest is augmented.
//!
//! After an exact call the prices also bound the children in O(targets) each: with one box elsewhere the old prices are
//! still feasible, so the new bound is the old one with the price of that box computed again (the *dual* bound).
//!
//! [`sokocore::PushLowerBound`] is the plain twin, which starts from nothing in each call and is the reference of the tests
//! here. Whether a matching exists at all, whatever it costs, is the question of a [`sokocore::BipartiteMatching`].

use crate::board::{DistanceRow, Distances, SearchBoard};

/// More than any sum of distances; a sum this large means that there is no matching.
const UNREACHABLE: i32 = 1 << 20;

/// The row of a box in the matrix of a [`Matching`]: the place of the box in its last exact call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct MatrixRow(usize);

impl MatrixRow {
    /// Makes the row of the box at a place.
    #[inline]
    pub(crate) const fn new(place: usize) -> Self {
        Self(place)
    }

    /// Returns the place of the box.
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0
    }
}

/// The prices of rows and columns, and the pairs.
#[derive(Clone, Debug)]
pub(crate) struct Matching {
    /// Columns, which are targets; as many rows.
    n: usize,
    row_prices: Vec<i32>,
    column_prices: Vec<i32>,
    row_of: Vec<usize>,
    came_from: Vec<usize>,
    slack: Vec<i32>,
    done: Vec<bool>,
    unmatched: Vec<usize>,
    /// The row of each box in the costs.
    boxes: Vec<DistanceRow>,
    /// The target that each row of the costs had when a box last had that row.
    target_of: Vec<usize>,
    total: i32,
}

/// The costs of a matching. Rows are those of live squares, and those of [`SideRows`](crate::board::SideRows) if the
/// distances have them.
#[derive(Clone, Debug)]
pub(crate) struct CostTable {
    n: usize,
    n_rows: usize,
    costs: Vec<i32>,
    zeros: Vec<i32>,
    /// The least cost of each row.
    nearest: Vec<u32>,
}

impl CostTable {
    /// Unpacks distances.
    pub(crate) fn new(board: &SearchBoard, distances: &Distances) -> Self {
        let n = distances.n_targets();
        let cost = |&distance: &u16| if distance == Distances::NONE { UNREACHABLE } else { i32::from(distance) };
        let costs: Vec<i32> = distances.rows(board.floor()).map(cost).collect();
        let least = |row: &[i32]| row.iter().min().map_or(0, |least| least.unsigned_abs());
        let nearest: Vec<u32> = costs.chunks(n.max(1)).map(least).collect();
        Self { n, n_rows: nearest.len(), costs, zeros: vec![0; n], nearest }
    }

    /// Returns the least cost of a row; sums of these are for [`CostTable::as_bound`].
    #[inline]
    pub(crate) fn nearest(&self, row: DistanceRow) -> u32 {
        self.nearest[row.idx()]
    }

    /// Returns a sum of least costs as a bound, or `None` if one of its rows reaches no target.
    #[inline]
    pub(crate) fn as_bound(sum: u32) -> Option<u16> {
        (sum < UNREACHABLE.unsigned_abs()).then(|| u16::try_from(sum).unwrap_or(u16::MAX))
    }

    const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Returns the bytes that it takes.
    pub(crate) const fn bytes(&self) -> usize {
        Self::bytes_of(self.n_rows, self.n)
    }

    /// Returns the bytes that a table with so many rows takes.
    pub(crate) const fn bytes_of(n_rows: usize, n_targets: usize) -> usize {
        n_rows * (n_targets + 1) * size_of::<i32>()
    }

    #[inline]
    fn row(&self, row: DistanceRow) -> &[i32] {
        &self.costs[row.idx() * self.n..][..self.n]
    }
}

impl Matching {
    /// No row is matched.
    const NO_ROW: usize = usize::MAX;

    /// Makes room for so many targets.
    pub(crate) fn new(n_targets: usize) -> Self {
        Self {
            n: n_targets,
            row_prices: vec![0; n_targets],
            column_prices: vec![0; n_targets],
            row_of: vec![Self::NO_ROW; n_targets],
            came_from: vec![0; n_targets],
            slack: vec![0; n_targets],
            done: vec![false; n_targets],
            unmatched: Vec::new(),
            boxes: Vec::new(),
            target_of: Vec::new(),
            total: 0,
        }
    }

    /// Returns the least sum for boxes with these rows in the costs, or `None` if they cannot all get a target.
    pub(crate) fn solve(&mut self, costs: &CostTable, boxes: impl Iterator<Item = DistanceRow>) -> Option<u16> {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.target_of.resize(costs.n_rows(), 0);
        self.row_of.fill(Self::NO_ROW);
        self.unmatched.clear();
        for row in 0..self.n {
            let pairs = self.costs(costs, row).iter().zip(&self.column_prices);
            let least = pairs.map(|(&cost, &price)| cost - price).min().unwrap_or(0);
            self.row_prices[row] = least;
            // A box keeps the last target of its row in the costs if that is still the best.
            let kept = self.boxes.get(row).and_then(|&at| self.target_of.get(at.idx()).copied());
            match kept.filter(|&target| self.row_of[target] == Self::NO_ROW && self.is_tight(costs, row, target)) {
                Some(target) => self.row_of[target] = row,
                None => self.unmatched.push(row),
            }
        }
        for at in (0..self.unmatched.len()).rev() {
            let row = self.unmatched[at];
            let free = |&target: &usize| self.row_of[target] == Self::NO_ROW && self.is_tight(costs, row, target);
            if let Some(target) = (0..self.n).find(free) {
                self.row_of[target] = row;
                self.unmatched.swap_remove(at);
            }
        }
        while let Some(row) = self.unmatched.pop() {
            self.augment(costs, row);
        }
        self.total = self.row_prices.iter().sum::<i32>() + self.column_prices.iter().sum::<i32>();
        if self.total >= UNREACHABLE {
            self.column_prices.fill(0);
            return None;
        }
        for (target, &row) in self.row_of.iter().enumerate() {
            if let Some(&at) = self.boxes.get(row) {
                self.target_of[at.idx()] = target;
            }
        }
        Some(u16::try_from(self.total).unwrap_or(u16::MAX))
    }

    /// Returns the dual bound after the box of this row in the last exact call has moved to row `to` of the costs.
    #[inline]
    pub(crate) fn after(&self, costs: &CostTable, row: MatrixRow, to: DistanceRow) -> Option<u16> {
        let pairs = costs.row(to).iter().zip(&self.column_prices);
        let price = pairs.map(|(&cost, &price)| cost - price).min().unwrap_or(0);
        let total = self.total - self.row_prices[row.idx()] + price;
        // Half of it is far from any sum of distances: a total above it has a square that reaches no target.
        if total >= UNREACHABLE / 2 { None } else { Some(u16::try_from(total.max(0)).unwrap_or(u16::MAX)) }
    }

    /// Returns the least sum after the box of this row in the last exact call has moved to row `to` of the costs, and
    /// leaves prices and pairs as they are: only the target of that box is free, so one shortest augmenting path decides.
    ///
    /// The last exact call must have found a matching.
    pub(crate) fn exact_after(&mut self, costs: &CostTable, row: MatrixRow, to: DistanceRow) -> Option<u16> {
        let free = self.row_of.iter().position(|&other| other == row.idx())?;
        let pairs = || costs.row(to).iter().zip(&self.column_prices);
        let price = pairs().map(|(&cost, &price)| cost - price).min()?;
        let mut total = self.total - self.row_prices[row.idx()] + price;
        if costs.row(to)[free] - self.column_prices[free] != price {
            self.slack.clear();
            self.slack
                .extend(costs.row(to).iter().zip(&self.column_prices).map(|(&cost, &other)| cost - other - price));
            total += self.path_length(costs, free);
        }
        if total >= UNREACHABLE { None } else { Some(u16::try_from(total.max(0)).unwrap_or(u16::MAX)) }
    }

    /// Returns the length of the shortest augmenting path to a free target, given the first edges of all paths.
    fn path_length(&mut self, costs: &CostTable, free: usize) -> i32 {
        self.done.fill(false);
        loop {
            let waiting = self.slack.iter().zip(&self.done).enumerate().filter(|(_, (_, done))| !**done);
            let Some((reached, nearest)) = waiting.map(|(at, (&slack, _))| (slack, at)).min() else {
                return UNREACHABLE;
            };
            if nearest == free || self.slack[free] == reached {
                return reached;
            }
            self.done[nearest] = true;
            let row = self.row_of[nearest];
            let base = reached - self.row_prices[row];
            let row_costs = self.boxes.get(row).map_or(&costs.zeros[..], |&at| costs.row(at));
            for ((slack, &cost), &price) in self.slack.iter_mut().zip(row_costs).zip(&self.column_prices) {
                *slack = (*slack).min(base + cost - price);
            }
        }
    }

    #[inline]
    fn is_tight(&self, costs: &CostTable, row: usize, target: usize) -> bool {
        self.costs(costs, row)[target] - self.column_prices[target] == self.row_prices[row]
    }

    #[inline]
    fn costs<'a>(&self, costs: &'a CostTable, row: usize) -> &'a [i32] {
        self.boxes.get(row).map_or(&costs.zeros, |&at| costs.row(at))
    }

    /// Matches a row along a shortest augmenting path.
    fn augment(&mut self, costs: &CostTable, start: usize) {
        self.slack.fill(i32::MAX);
        self.done.fill(false);
        let (mut row, mut from, mut reached) = (start, Self::NO_ROW, 0);
        let column = loop {
            let (mut least, mut nearest) = (i32::MAX, 0);
            let row_price = self.row_prices[row];
            let row_costs = self.costs(costs, row);
            let columns = row_costs.iter().zip(&self.column_prices).zip(&mut self.slack);
            let columns = columns.zip(&mut self.came_from).zip(&self.done).enumerate();
            for (at, ((((&cost, &price), slack), came_from), &done)) in columns {
                if done {
                    continue;
                }
                let reduced = reached + cost - row_price - price;
                if reduced < *slack {
                    *slack = reduced;
                    *came_from = from;
                }
                if *slack < least {
                    (least, nearest) = (*slack, at);
                }
            }
            reached = least;
            self.done[nearest] = true;
            from = nearest;
            if self.row_of[nearest] == Self::NO_ROW {
                break nearest;
            }
            row = self.row_of[nearest];
        };
        self.row_prices[start] += reached;
        for at in 0..self.n {
            if self.done[at] && at != column {
                self.row_prices[self.row_of[at]] += reached - self.slack[at];
                self.column_prices[at] -= reached - self.slack[at];
            }
        }
        let mut at = column;
        loop {
            let before = self.came_from[at];
            if before == Self::NO_ROW {
                self.row_of[at] = start;
                return;
            }
            self.row_of[at] = self.row_of[before];
            at = before;
        }
    }
}

#[cfg(test)]
mod tests;
