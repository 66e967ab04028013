//! The settings of a search, with defaults that solve most levels soonest.

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
    /// From both sides, until they meet; the side with fewer open positions is expanded first. Depth-first algorithms
    /// search by pushes, and a perimeter made by pulls grows between their rounds.
    #[default]
    Both,
}

/// What a solution must be optimal in. All but [`Optimal::Any`] exclude incomplete rules.
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

/// The advisors of feature space search that are on; each names at most one macro move, which is then tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advisors {
    /// Moves that take the next step of the packing plan, or take a box off the board for it.
    pub packing: bool,
    /// Moves that join pieces of the floor.
    pub connectivity: bool,
    /// Moves that restore links between rooms.
    pub rooms: bool,
    /// Moves after which fewer boxes limit others.
    pub hotspots: bool,
    /// Moves that take a box from where it is about to be sealed in.
    pub out_of_plan: bool,
    /// Moves that clear the path to the square that the plan fills next.
    pub opener: bool,
    /// Moves that make another box movable.
    pub explorer: bool,
    /// Moves to a better position, where there is no plan.
    pub better: bool,
}

impl Default for Advisors {
    fn default() -> Self {
        Self {
            packing: true,
            connectivity: true,
            rooms: true,
            hotspots: true,
            out_of_plan: true,
            opener: true,
            explorer: true,
            better: true,
        }
    }
}

/// The settings of a search: the algorithm, and a switch for each technique.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The order of expansion.
    pub algorithm: Algorithm,
    /// The side to start from.
    pub heading: Heading,
    /// What the solution must be optimal in; all but "any" need A*, IDA* or breadth-first search.
    pub optimal: Optimal,
    /// Lower bound by a matching of boxes and goals; by each box's nearest goal if not.
    pub matching: bool,
    /// Distances with the player on the side of each box where the player is; the least over the sides if not.
    pub side_distances: bool,
    /// Pairs of boxes in conflict raise the bound, in searches that count costs.
    pub penalties: bool,
    /// Exact tables of all dead pairs of boxes.
    pub pairs: bool,
    /// Exact tables of all dead triples, on boards where they fit.
    pub triples: bool,
    /// Freeze deadlocks: boxes that hold each other in place off goal.
    pub freeze: bool,
    /// Closed diagonals of boxes.
    pub diagonals: bool,
    /// Distances around boxes that are frozen on goals, as walls.
    pub frozen_walls: bool,
    /// Boxes around an area that can never be opened count as frozen.
    pub frozen_corrals: bool,
    /// Pairs of goals that can no longer both be filled, since others are.
    pub goal_pairs: bool,
    /// PI-corrals: pushes are restricted to an enclosed area that must be opened first.
    pub pi_corrals: bool,
    /// Of several PI-corrals the one with the most boxes on goals comes first, instead of the one with the fewest
    /// pushes.
    pub goal_corrals: bool,
    /// Enclosed areas are searched for a proof of a deadlock; what is proved is learned.
    pub corral_proofs: bool,
    /// Proofs about enclosed areas are shared by all strategies of a portfolio that search by pushes, except feature
    /// space search. That saves nodes and costs more time than it saves: see `docs/experiments/2026-11-21-shared-proofs.md`.
    pub shared_proofs: bool,
    /// Positions with much work below them are searched for a proof of a deadlock, in feature space search.
    pub subtree_proofs: bool,
    /// Tunnel macros: a box in a tunnel that can only be moved on is moved on.
    pub tunnels: bool,
    /// Goal macros: a box that enters a goal room by its only entrance is pushed straight to the next goal.
    pub goal_rooms: bool,
    /// Goals that lie behind others are filled first. Off by default: measured, it does not pay (see `docs/solver.md`).
    pub goal_order: bool,
    /// Goal cuts: a box that can be pushed straight to the next goal of the order is. Off by default.
    pub goal_cuts: bool,
    /// The advisors of feature space search.
    pub advisors: Advisors,
    /// The most bytes that stored positions may take; what the run's account allows, if `None`.
    pub table_bytes: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            heading: Heading::default(),
            optimal: Optimal::default(),
            matching: true,
            side_distances: true,
            penalties: true,
            pairs: true,
            triples: true,
            freeze: true,
            diagonals: true,
            frozen_walls: true,
            frozen_corrals: true,
            goal_pairs: true,
            pi_corrals: true,
            goal_corrals: false,
            corral_proofs: true,
            shared_proofs: false,
            subtree_proofs: true,
            tunnels: true,
            goal_rooms: true,
            goal_order: false,
            goal_cuts: false,
            advisors: Advisors::default(),
            table_bytes: None,
        }
    }
}

impl Settings {
    /// The names of all techniques that can be switched on and off.
    pub const TECHNIQUES: [&str; 27] = [
        "matching",
        "side-distances",
        "penalties",
        "pairs",
        "triples",
        "freeze",
        "diagonals",
        "frozen-walls",
        "frozen-corrals",
        "goal-pairs",
        "pi-corrals",
        "goal-corrals",
        "corral-proofs",
        "shared-proofs",
        "subtree-proofs",
        "tunnels",
        "goal-rooms",
        "goal-order",
        "goal-cuts",
        "advisor-packing",
        "advisor-connectivity",
        "advisor-rooms",
        "advisor-hotspots",
        "advisor-out-of-plan",
        "advisor-opener",
        "advisor-explorer",
        "advisor-better",
    ];

    /// Returns the switch of the technique of this name.
    pub fn technique(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "matching" => &mut self.matching,
            "side-distances" => &mut self.side_distances,
            "penalties" => &mut self.penalties,
            "pairs" => &mut self.pairs,
            "triples" => &mut self.triples,
            "freeze" => &mut self.freeze,
            "diagonals" => &mut self.diagonals,
            "frozen-walls" => &mut self.frozen_walls,
            "frozen-corrals" => &mut self.frozen_corrals,
            "goal-pairs" => &mut self.goal_pairs,
            "pi-corrals" => &mut self.pi_corrals,
            "goal-corrals" => &mut self.goal_corrals,
            "corral-proofs" => &mut self.corral_proofs,
            "shared-proofs" => &mut self.shared_proofs,
            "subtree-proofs" => &mut self.subtree_proofs,
            "tunnels" => &mut self.tunnels,
            "goal-rooms" => &mut self.goal_rooms,
            "goal-order" => &mut self.goal_order,
            "goal-cuts" => &mut self.goal_cuts,
            "advisor-packing" => &mut self.advisors.packing,
            "advisor-connectivity" => &mut self.advisors.connectivity,
            "advisor-rooms" => &mut self.advisors.rooms,
            "advisor-hotspots" => &mut self.advisors.hotspots,
            "advisor-out-of-plan" => &mut self.advisors.out_of_plan,
            "advisor-opener" => &mut self.advisors.opener,
            "advisor-explorer" => &mut self.advisors.explorer,
            "advisor-better" => &mut self.advisors.better,
            _ => return None,
        })
    }

    /// Returns these settings with every technique switched off.
    #[must_use]
    pub fn plain(mut self) -> Self {
        for name in Self::TECHNIQUES {
            if let Some(switch) = self.technique(name) {
                *switch = false;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name has a switch of its own.
    #[test]
    fn every_technique_can_be_switched() {
        for name in Settings::TECHNIQUES {
            let mut settings = Settings::default().plain();
            *settings.technique(name).unwrap() = true;
            let n_on = Settings::TECHNIQUES.iter().filter(|name| *settings.technique(name).unwrap()).count();
            assert_eq!(n_on, 1, "{name}");
        }
        assert!(Settings::default().technique("nonsense").is_none());
    }
}
