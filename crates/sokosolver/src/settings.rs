//! What can be chosen about a systematic search, with defaults that solve most levels soonest.

/// The order in which positions are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Least bound first, each position once. Finds solutions, proves nothing about them.
    #[default]
    Greedy,
    /// Least cost plus bound first.
    AStar,
    /// Depth first within a rising limit of cost plus bound; needs little memory.
    IdaStar,
    /// Layer by layer.
    Bfs,
    /// Depth first within a rising limit of cost.
    Iddfs,
    /// Depth first.
    Dfs,
}

/// The side that a search starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heading {
    /// From the start, by pushes.
    Forward,
    /// From the solved positions, by pulls.
    Backward,
    /// From both sides, until they meet; the side with fewer open positions goes first.
    #[default]
    Both,
}

/// What a solution must be best at. All but [`Optimal::Any`] allow no incomplete rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimal {
    /// Any solution will do.
    #[default]
    Any,
    /// Fewest pushes.
    Pushes,
    /// Fewest moves.
    Moves,
    /// Fewest pushes, and among those fewest moves.
    PushesMoves,
    /// Fewest moves, and among those fewest pushes.
    MovesPushes,
}

/// How a systematic search is to go about it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The order of expansion.
    pub algorithm: Algorithm,
    /// The side to start from.
    pub heading: Heading,
    /// What the solution must be best at; other than "any" it takes A*, IDA* or breadth first search.
    pub optimal: Optimal,
    /// Exact tables of all hopeless pairs of boxes.
    pub pairs: bool,
    /// Exact tables of all hopeless triples, on boards where they fit.
    pub triples: bool,
    /// Boxes that hold each other in place off goal.
    pub freeze: bool,
    /// Closed diagonals of boxes.
    pub diagonals: bool,
    /// Bound updated for boxes that are frozen on goals.
    pub frozen_walls: bool,
    /// Pushes restricted to an enclosed area that must be opened first.
    pub pi_corrals: bool,
    /// Enclosed areas searched for a proof that they cannot be resolved; what is proved is remembered.
    pub corral_proofs: bool,
    /// Boxes in tunnels that can only be pushed on are pushed on.
    pub tunnels: bool,
    /// The most bytes that positions may take; what the run's account allows, if `None`.
    pub table_bytes: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            heading: Heading::default(),
            optimal: Optimal::default(),
            pairs: true,
            triples: true,
            freeze: true,
            diagonals: true,
            frozen_walls: true,
            pi_corrals: true,
            corral_proofs: true,
            tunnels: true,
            table_bytes: None,
        }
    }
}
