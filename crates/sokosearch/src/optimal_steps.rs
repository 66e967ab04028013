//! The steps that may lie on optimal paths of a tube, as the backward search left them.

use sokocore::Square;

use crate::steps_to_go::MovesToGo;
use crate::successors::{Edge, State, successors};
use crate::{ConfigStore, Context, Stretch};

/// The paths of exactly so many moves from the start of a stretch to its end.
pub(crate) struct OptimalSteps<'a, S> {
    stretch: Stretch<'a>,
    store: &'a S,
    steps: &'a dyn MovesToGo,
    moves: u32,
    start: State,
    /// The one end state; `None` where every solved state is an end.
    end: Option<State>,
    /// Where the player has to be in a solved end; a solved position that is no end is not passed then.
    end_player: Option<Square>,
}

impl<'a, S: ConfigStore> OptimalSteps<'a, S> {
    pub(crate) fn new(
        stretch: Stretch<'a>,
        store: &'a S,
        steps: &'a dyn MovesToGo,
        moves: u32,
        kept_end: Option<Square>,
    ) -> Self {
        let state = |at: usize| {
            let state = &stretch.spine.states()[at];
            (store.find(&state.key).expect("invariant: the tube holds its spine"), state.player)
        };
        let end = (stretch.to < stretch.spine.end()).then(|| state(stretch.to));
        let end_player = kept_end.filter(|_| end.is_none());
        Self { stretch, store, steps, moves, start: state(stretch.from), end, end_player }
    }

    pub(crate) const fn stretch(&self) -> &Stretch<'a> {
        &self.stretch
    }

    pub(crate) const fn moves(&self) -> u32 {
        self.moves
    }

    pub(crate) const fn start(&self) -> State {
        self.start
    }

    /// Space for a key, to be passed to [`OptimalSteps::step`].
    pub(crate) fn key(&self) -> Vec<u64> {
        vec![0; self.stretch.live.words()]
    }

    /// Puts into `edges` the steps out of a state that may leave `moves_left` moves to go.
    pub(crate) fn step(&self, state: State, moves_left: u32, key: &mut [u64], cx: &Context<'_>, edges: &mut Vec<Edge>) {
        edges.clear();
        successors((cx.level().board(), self.stretch.live, self.store), state, key, |edge| {
            let is_place = self.end_player.is_none_or(|end| end == edge.to.1);
            let passes = !edge.solves || self.end_player.is_none();
            let fits = match self.end {
                None if moves_left == 0 => edge.solves && is_place,
                Some(end) if moves_left == 0 => edge.to == end,
                _ if edge.pushes.is_some() => {
                    passes && self.steps.may_have_after_push(edge.to.0, edge.to.1, moves_left)
                }
                _ => passes && self.steps.may_have(edge.to.0, edge.to.1, moves_left),
            };
            if fits {
                edges.push(edge);
            }
        });
    }
}
