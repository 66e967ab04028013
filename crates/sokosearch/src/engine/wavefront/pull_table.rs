//! The floor graph as the wavefront reads it: sets of neighbors for bit-parallel floods, and the pulls from each square.
//!
//! Squares are [`FloorSquare`]s: live squares come first, in the order of their bits in a key. So the
//! words of a key are also a set of squares, that of the boxes, and a flood needs only masks.

use sokocore::{Direction, FloorGraph, FloorSquare};

/// For every square, the pulls of a player who stands there just after a push.
#[derive(Debug)]
pub(super) struct PullTable(Vec<PullsHere>);

/// The pulls from one square.
#[derive(Clone, Copy, Debug, Default)]
struct PullsHere {
    pulls: [Pull; 4],
    n: usize,
}

/// A push undone: the box ahead of the player moves to where the player was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pull {
    /// Square of the box.
    pub(super) ahead: FloorSquare,
    /// Square that the player goes back to.
    pub(super) stand: FloorSquare,
}

impl PullTable {
    pub(super) fn new(graph: &FloorGraph) -> Self {
        let pulls = |sq| {
            let mut here = PullsHere::default();
            for dir in Direction::ALL.into_iter().filter(|_| graph.is_live(sq)) {
                let (ahead, stand) = (graph.step(sq, dir.idx()), graph.step(sq, dir.opposite().idx()));
                if ahead != graph.wall() && stand != graph.wall() {
                    here.pulls[here.n] = Pull { ahead, stand };
                    here.n += 1;
                }
            }
            here
        };
        Self(graph.squares().map(pulls).collect())
    }

    /// Returns the pulls of a player on this square.
    #[inline]
    pub(super) fn from(&self, player: usize) -> &[Pull] {
        let PullsHere { pulls, n } = &self.0[player];
        &pulls[..*n]
    }
}

/// Returns the set of neighbors of every square.
pub(super) fn neighbor_sets<const W: usize>(graph: &FloorGraph) -> Vec<[u64; W]> {
    let set = |sq| {
        let mut set = [0; W];
        for next in graph.steps(sq).into_iter().filter(|&next| next != graph.wall()) {
            set[next.idx() / 64] |= 1 << (next.idx() % 64);
        }
        set
    };
    graph.squares().map(set).collect()
}
