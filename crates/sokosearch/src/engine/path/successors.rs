//! The steps from a state within a set of configurations. Simple and slow: for reading paths after a search.

use sokocore::{Board, Direction, Push, Square};

use crate::engine::state::State;
use crate::store::bits::toggle_both;
use crate::{ConfigStore, LiveIndex};

/// A step from one state to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: State,
    pub(crate) dir: Direction,
    /// The square from which a box is pushed; `None` for a walk.
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

/// Passes every step from a state to `visit`. `key` is scratch space; on return it holds the state's key.
pub(crate) fn successors<S: ConfigStore>(
    board: &Board,
    live: &LiveIndex,
    store: &S,
    State { config, player }: State,
    key: &mut [u64],
    mut visit: impl FnMut(Edge),
) {
    store.read(config, key);
    for dir in Direction::ALL {
        let Some(next) = board.step(player, dir) else { continue };
        if !live.has_box(key, next) {
            visit(Edge { to: State { config, player: next }, dir, pushes: None, solves: false });
            continue;
        }
        let ahead = board.step(next, dir).filter(|&ahead| !live.has_box(key, ahead));
        let Some((from, to)) = live.bit(next).zip(ahead.and_then(|ahead| live.bit(ahead))) else { continue };
        toggle_both(key, from, to);
        let found = store.find(key);
        let solves = live.is_solved(key);
        toggle_both(key, from, to);
        if let Some(config) = found {
            visit(Edge { to: State { config, player: next }, dir, pushes: Some(next), solves });
        }
    }
}
