//! The best walks from one square to all others around the boxes: fewest steps or fewest turns first.
//!
//! Between two pushes only the steps and the turns of a walk count, the turn into the next push included. So the
//! best pair of both for every square and every direction of arrival is enough.
//!
//! Invariant: after [`BestWalks::fill`] the entries of the squares in `touched` are those of the last fill, and all
//! others are empty.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sokocore::{Board, Direction, Metric, Objective, Square};

/// Steps and turns of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WalkCost {
    pub(crate) steps: u32,
    pub(crate) turns: u32,
}

/// Which of the two counts first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum WalkPriority {
    #[default]
    Steps,
    Turns,
}

/// The cost of a walk in the order that counts, the square where it ends, and the direction of its last step.
type WalkArrival = ((u32, u32), Square, usize);

/// Space for the walks of one board, and the walks of the last fill.
#[derive(Debug, Default)]
pub(crate) struct BestWalks {
    first: WalkPriority,
    /// For every square and direction of arrival.
    costs: Vec<[Option<WalkCost>; 4]>,
    touched: Vec<Square>,
    open: BinaryHeap<Reverse<WalkArrival>>,
    start: Option<(Square, Option<Direction>)>,
}

impl BestWalks {
    /// Makes scratch space for walks that are best by this objective.
    pub(crate) fn new(board: &Board, objective: &Objective) -> Self {
        let place = |wanted: Metric| objective.order().iter().position(|metric| *metric == wanted);
        let first =
            if place(Metric::PlayerLines) < place(Metric::Moves) { WalkPriority::Turns } else { WalkPriority::Steps };
        let costs = vec![[None; 4]; board.n_squares()];
        Self { first, costs, touched: Vec::new(), open: BinaryHeap::new(), start: None }
    }

    /// Returns whether few turns count more than few steps.
    pub(crate) fn prefers_straight(&self) -> bool {
        self.first == WalkPriority::Turns
    }

    /// Finds the best walks of a player that arrived on `from` in direction `facing`, if any.
    pub(crate) fn fill(
        &mut self,
        board: &Board,
        from: Square,
        facing: Option<Direction>,
        is_box: impl Fn(Square) -> bool,
    ) {
        for sq in self.touched.drain(..) {
            self.costs[sq.idx()] = [None; 4];
        }
        self.start = Some((from, facing));
        match self.first {
            WalkPriority::Steps => self.fill_by_steps(board, from, is_box),
            WalkPriority::Turns => self.fill_by_turns(board, from, is_box),
        }
    }

    /// Layer by layer; within a layer the turns are those of the layer before, and one more for another direction.
    fn fill_by_steps(&mut self, board: &Board, from: Square, is_box: impl Fn(Square) -> bool) {
        self.touched.push(from);
        let (mut head, mut steps, mut layer_end) = (0, 0, 1);
        while let Some(&sq) = self.touched.get(head) {
            if head == layer_end {
                layer_end = self.touched.len();
                steps += 1;
            }
            head += 1;
            for dir in Direction::ALL {
                let Some(next) = board.step(sq, dir).filter(|&next| next != from && !is_box(next)) else { continue };
                let Some(turns) = self.turns_on(sq, dir) else { continue };
                let arrivals = &mut self.costs[next.idx()];
                let known = arrivals.iter().flatten().next().map(|cost| cost.steps);
                if known.is_none() {
                    self.touched.push(next);
                }
                if known.is_none_or(|known| known == steps + 1) {
                    arrivals[dir.idx()] = Some(WalkCost { steps: steps + 1, turns });
                }
            }
        }
    }

    /// The fewest turns of a best walk to `sq` that continues in direction `dir`.
    fn turns_on(&self, sq: Square, dir: Direction) -> Option<u32> {
        self.onward(sq, dir).map(|cost| cost.turns)
    }

    /// Dijkstra's algorithm over squares and directions.
    fn fill_by_turns(&mut self, board: &Board, from: Square, is_box: impl Fn(Square) -> bool) {
        self.touched.push(from);
        let step = |walks: &mut Self, sq: Square, dir: Direction, cost: WalkCost| {
            let Some(next) = board.step(sq, dir).filter(|&next| next != from && !is_box(next)) else { return };
            let cost = WalkCost { steps: cost.steps + 1, ..cost };
            let known = walks.costs[next.idx()][dir.idx()];
            if known.is_none_or(|known| (cost.turns, cost.steps) < (known.turns, known.steps)) {
                if walks.costs[next.idx()].iter().all(Option::is_none) {
                    walks.touched.push(next);
                }
                walks.costs[next.idx()][dir.idx()] = Some(cost);
                walks.open.push(Reverse(((cost.turns, cost.steps), next, dir.idx())));
            }
        };
        for dir in Direction::ALL {
            if let Some(cost) = self.onward(from, dir) {
                step(self, from, dir, cost);
            }
        }
        while let Some(Reverse(((turns, steps), sq, arrival))) = self.open.pop() {
            if self.costs[sq.idx()][arrival] != Some(WalkCost { steps, turns }) {
                continue;
            }
            for dir in Direction::ALL {
                step(self, sq, dir, WalkCost { steps, turns: turns + u32::from(dir.idx() != arrival) });
            }
        }
    }

    /// The best walk to `sq` that continues in direction `dir`, the turn into it included; `None` if there is none.
    pub(crate) fn onward(&self, sq: Square, dir: Direction) -> Option<WalkCost> {
        if let Some((from, facing)) = self.start
            && from == sq
        {
            return Some(WalkCost { steps: 0, turns: u32::from(facing != Some(dir)) });
        }
        let arrivals = self.costs[sq.idx()].iter().zip(Direction::ALL);
        let onward = arrivals.filter_map(|(cost, arrival)| Some(plus_turn((*cost)?, arrival != dir)));
        onward.min_by_key(|cost| self.rank(*cost))
    }

    /// The directions of the best walk to `to` that continues in direction `onward`.
    pub(crate) fn directions(&self, board: &Board, to: Square, onward: Direction) -> Vec<Direction> {
        let (mut sq, mut dir, mut directions) = (to, onward, Vec::new());
        while self.start.is_some_and(|(from, _)| from != sq) {
            let arrivals = self.costs[sq.idx()].iter().zip(Direction::ALL);
            let costs = arrivals.filter_map(|(cost, arrival)| Some((plus_turn((*cost)?, arrival != dir), arrival)));
            let Some((_, arrival)) = costs.min_by_key(|(cost, _)| self.rank(*cost)) else { break };
            directions.push(arrival);
            let Some(before) = board.step(sq, arrival.opposite()) else { break };
            (sq, dir) = (before, arrival);
        }
        directions.reverse();
        directions
    }

    const fn rank(&self, cost: WalkCost) -> (u32, u32) {
        match self.first {
            WalkPriority::Steps => (cost.steps, cost.turns),
            WalkPriority::Turns => (cost.turns, cost.steps),
        }
    }
}

fn plus_turn(cost: WalkCost, turns: bool) -> WalkCost {
    WalkCost { turns: cost.turns + u32::from(turns), ..cost }
}

#[cfg(test)]
mod tests {
    use sokocore::Level;

    use super::*;

    /// Two bumps on the short walk; a longer straight one below.
    fn check(objective: &str, steps: u32, turns: u32, way: &str) {
        let rows = [
            "###########",
            "##   #   ##",
            "#@ #   #  #",
            "# ####### #",
            "# ####### #",
            "#         #",
            "#  $ .    #",
            "###########",
        ];
        let level = Level::parse(&rows.join("\n")).unwrap();
        let (board, start) = (level.board(), level.start());
        let mut walks = BestWalks::new(board, &objective.parse().unwrap());
        let to = board.square_at(2, 9).unwrap();
        let is_box = |sq| start.boxes.contains(sq);
        // From elsewhere first, to see that nothing of that is left.
        walks.fill(board, to, None, is_box);
        walks.fill(board, start.player, Some(Direction::Right), is_box);
        assert_eq!(walks.onward(to, Direction::Right), Some(WalkCost { steps, turns }));
        let letters: String =
            walks.directions(board, to, Direction::Right).into_iter().map(Direction::letter).collect();
        assert_eq!(letters, way);
        assert_eq!(walks.onward(start.player, Direction::Up), Some(WalkCost { steps: 0, turns: 1 }));
        let box_sq = start.boxes.iter().next().unwrap();
        assert_eq!(walks.onward(box_sq, Direction::Up), None);
    }

    #[test]
    fn steps_or_turns_come_first() {
        check("moves", 12, 8, "rurrdrrurrdr");
        check("playerlines", 14, 4, "dddrrrrrrrruuu");
    }
}
