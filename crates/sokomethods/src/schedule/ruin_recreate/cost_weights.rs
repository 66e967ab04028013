//! What moves and pushes cost.

/// Weights of moves and pushes in the cost of a solution: one of the first metric weighs as much as sixteen of the other.
/// Of solutions that are alike in the first metric, the one that is better in the other is cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CostWeights {
    of_move: u64,
    of_push: u64,
}

impl CostWeights {
    pub(super) const BY_MOVES: Self = Self { of_move: 16, of_push: 1 };
    pub(super) const BY_PUSHES: Self = Self { of_move: 1, of_push: 16 };

    /// Returns the cost of one of the first metric.
    pub(super) const fn unit(self) -> u64 {
        if self.of_move > self.of_push { self.of_move } else { self.of_push }
    }

    /// Returns the cost of a walk.
    pub(super) const fn cost_of_walk(self, steps: u32) -> u64 {
        self.of_move * steps as u64
    }

    /// Returns the cost of a push and of the walk that leads to it.
    pub(super) const fn cost_of_push(self, walk: u32) -> u64 {
        self.cost_of_walk(walk) + self.of_move + self.of_push
    }

    /// Returns the cost of a push whose step is on the player's way: no push costs less.
    pub(super) const fn least_cost_of_push(self) -> u64 {
        self.of_push
    }

    /// Returns how many steps so much cost allows.
    pub(super) fn most_steps(self, cost: u64) -> u32 {
        u32::try_from(cost / self.of_move).unwrap_or(u32::MAX)
    }

    /// Returns the moves and the pushes of a solution of this cost, the first metric in front.
    pub(super) const fn metrics(self, cost: u64, n_pushes: u64) -> (u64, u64) {
        let moves = (cost - self.of_push * n_pushes) / self.of_move;
        if self.of_move > self.of_push { (moves, n_pushes) } else { (n_pushes, moves) }
    }
}
