//! The steps that may lie on optimal paths, according to the distances of a backward search.

use sokocore::Square;

use crate::engine::path::moves_to_go::MovesToGo;
use crate::engine::path::successors::{Edge, successors};
use crate::engine::state::State;
use crate::{ConfigStore, Context, SearchWindow};

/// The paths of a given length from the start of a window to its end.
pub(crate) struct OptimalPaths<'a, S> {
    window: SearchWindow<'a>,
    store: &'a S,
    moves_to_go: &'a dyn MovesToGo,
    moves: u32,
    start: State,
    /// The one end state; `None` where every solved state is an end.
    end: Option<State>,
    /// The player's square in a solved end, where the pool keeps ends; no path passes other solved positions then.
    end_player: Option<Square>,
}

impl<'a, S: ConfigStore> OptimalPaths<'a, S> {
    pub(crate) fn new(
        window: SearchWindow<'a>,
        store: &'a S,
        moves_to_go: &'a dyn MovesToGo,
        moves: u32,
        kept_end: Option<Square>,
    ) -> Self {
        let state = |at: usize| {
            let state = &window.spine.states()[at];
            let config = store.find(&state.key).expect("invariant: the tube holds its spine");
            State { config, player: state.player }
        };
        let end = (window.to < window.spine.end()).then(|| state(window.to));
        let end_player = kept_end.filter(|_| end.is_none());
        Self { window, store, moves_to_go, moves, start: state(window.from), end, end_player }
    }

    pub(crate) const fn window(&self) -> &SearchWindow<'a> {
        &self.window
    }

    pub(crate) const fn moves(&self) -> u32 {
        self.moves
    }

    pub(crate) const fn start(&self) -> State {
        self.start
    }

    /// Returns scratch space for a key, to be passed to [`OptimalPaths::steps_from`].
    pub(crate) fn key(&self) -> Vec<u64> {
        vec![0; self.window.live.words()]
    }

    /// Fills `edges` with the steps from a state that may leave `moves_left` moves to go.
    pub(crate) fn steps_from(
        &self,
        state: State,
        moves_left: u32,
        key: &mut [u64],
        cx: &Context<'_>,
        edges: &mut Vec<Edge>,
    ) {
        edges.clear();
        successors(cx.level().board(), self.window.live, self.store, state, key, |edge| {
            let is_place = self.end_player.is_none_or(|end| end == edge.to.player);
            let passes = !edge.solves || self.end_player.is_none();
            let fits = match self.end {
                None if moves_left == 0 => edge.solves && is_place,
                Some(end) if moves_left == 0 => edge.to == end,
                _ if edge.pushes.is_some() => {
                    passes && self.moves_to_go.may_have_after_push(edge.to.config, edge.to.player, moves_left)
                }
                _ => passes && self.moves_to_go.may_have(edge.to.config, edge.to.player, moves_left),
            };
            if fits {
                edges.push(edge);
            }
        });
    }
}
