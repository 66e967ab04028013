//! The steps out of a state within a set of configurations, one by one and slowly: for what comes after a search.

use sokocore::{Board, Direction, Push, Square};

use crate::{ConfigId, ConfigStore, LiveIndex};

/// Configuration and player.
pub(crate) type State = (ConfigId, Square);

/// A step out of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: State,
    pub(crate) dir: Direction,
    /// Square that the pushed box came from.
    pub(crate) pushes: Option<Square>,
    /// Whether the step pushes the last box onto a goal.
    pub(crate) solves: bool,
}

impl Edge {
    /// The push that the step makes, if it makes one.
    pub(crate) fn push(&self) -> Option<Push> {
        self.pushes.map(|from| Push { from, dir: self.dir })
    }
}

/// Passes every step out of a state to `visit`. `key` is space for a key; it holds the state's own on return.
pub(crate) fn successors<S: ConfigStore>(
    (board, live, store): (&Board, &LiveIndex, &S),
    (config, player): State,
    key: &mut [u64],
    mut visit: impl FnMut(Edge),
) {
    store.read(config, key);
    for dir in Direction::ALL {
        let Some(next) = board.step(player, dir) else { continue };
        if !live.has_box(key, next) {
            visit(Edge { to: (config, next), dir, pushes: None, solves: false });
            continue;
        }
        let ahead = board.step(next, dir).filter(|&ahead| !live.has_box(key, ahead));
        let Some((from, to)) = live.bit(next).zip(ahead.and_then(|ahead| live.bit(ahead))) else { continue };
        toggle(key, from, to);
        let found = store.find(key);
        let solves = live.is_solved(key);
        toggle(key, from, to);
        if let Some(config) = found {
            visit(Edge { to: (config, next), dir, pushes: Some(next), solves });
        }
    }
}

fn toggle(key: &mut [u64], one: usize, other: usize) {
    key[one / 64] ^= 1 << (one % 64);
    key[other / 64] ^= 1 << (other % 64);
}
