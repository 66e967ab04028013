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
    /// Bound by a matching of boxes and goals; by each box's nearest goal if not.
    pub matching: bool,
    /// Pairs of boxes that are in each other's way raise the bound, in searches that count costs.
    pub penalties: bool,
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
    /// Boxes around an area that can never be opened count as frozen too.
    pub frozen_corrals: bool,
    /// Pairs of goals that can no longer both be filled, now that others are.
    pub goal_pairs: bool,
    /// Pushes restricted to an enclosed area that must be opened first.
    pub pi_corrals: bool,
    /// Enclosed areas searched for a proof that they cannot be resolved; what is proved is remembered.
    pub corral_proofs: bool,
    /// What is proved about enclosed areas is shared by all strategies of a portfolio that search by pushes.
    pub shared_proofs: bool,
    /// Boxes in tunnels that can only be moved on are moved on.
    pub tunnels: bool,
    /// A box that enters a room of goals by its only entrance goes straight to the next goal.
    pub goal_rooms: bool,
    /// Goals that lie behind others are filled first. Off unless asked for: with it and [`Settings::goal_cuts`] greedy
    /// forward solves 33 of 45 levels of five sets instead of 31, but 11 of 28 crowded ones instead of 14.
    pub goal_order: bool,
    /// A box that can be pushed straight to the next goal of the order is. Off unless asked for.
    pub goal_cuts: bool,
    /// The most bytes that positions may take; what the run's account allows, if `None`.
    pub table_bytes: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            heading: Heading::default(),
            optimal: Optimal::default(),
            matching: true,
            penalties: true,
            pairs: true,
            triples: true,
            freeze: true,
            diagonals: true,
            frozen_walls: true,
            frozen_corrals: true,
            goal_pairs: true,
            pi_corrals: true,
            corral_proofs: true,
            shared_proofs: true,
            tunnels: true,
            goal_rooms: true,
            goal_order: false,
            goal_cuts: false,
            table_bytes: None,
        }
    }
}

impl Settings {
    /// The names of all techniques that can be switched on and off.
    pub const TECHNIQUES: [&str; 16] = [
        "matching",
        "penalties",
        "pairs",
        "triples",
        "freeze",
        "diagonals",
        "frozen-walls",
        "frozen-corrals",
        "goal-pairs",
        "pi-corrals",
        "corral-proofs",
        "shared-proofs",
        "tunnels",
        "goal-rooms",
        "goal-order",
        "goal-cuts",
    ];

    /// Returns the switch of the technique of this name.
    pub fn technique(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "matching" => &mut self.matching,
            "penalties" => &mut self.penalties,
            "pairs" => &mut self.pairs,
            "triples" => &mut self.triples,
            "freeze" => &mut self.freeze,
            "diagonals" => &mut self.diagonals,
            "frozen-walls" => &mut self.frozen_walls,
            "frozen-corrals" => &mut self.frozen_corrals,
            "goal-pairs" => &mut self.goal_pairs,
            "pi-corrals" => &mut self.pi_corrals,
            "corral-proofs" => &mut self.corral_proofs,
            "shared-proofs" => &mut self.shared_proofs,
            "tunnels" => &mut self.tunnels,
            "goal-rooms" => &mut self.goal_rooms,
            "goal-order" => &mut self.goal_order,
            "goal-cuts" => &mut self.goal_cuts,
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
