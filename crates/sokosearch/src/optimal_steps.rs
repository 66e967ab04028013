//! The steps that may lie on optimal paths of a tube, as the backward search left them.

use sokocore::{Direction, Push, Square};

use crate::steps_to_go::StepsToGo;
use crate::{ConfigId, ConfigStore, Context, Stretch};

/// Configuration and player.
pub(crate) type State = (ConfigId, Square);

/// A step out of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: State,
    pub(crate) dir: Direction,
    /// Square that the pushed box came from.
    pub(crate) pushes: Option<Square>,
}

impl Edge {
    /// The push that the step makes, if it makes one.
    pub(crate) fn push(&self) -> Option<Push> {
        self.pushes.map(|from| Push { from, dir: self.dir })
    }
}

/// The paths of exactly so many moves from the start of a stretch to its end.
pub(crate) struct OptimalSteps<'a, S> {
    stretch: Stretch<'a>,
    store: &'a S,
    steps: &'a StepsToGo,
    moves: u32,
    start: State,
    /// The one end state; `None` where every solved state is an end.
    end: Option<State>,
}

impl<'a, S: ConfigStore> OptimalSteps<'a, S> {
    pub(crate) fn new(stretch: Stretch<'a>, store: &'a S, steps: &'a StepsToGo, moves: u32) -> Self {
        let state = |at: usize| {
            let state = &stretch.spine.states()[at];
            (store.find(&state.key).expect("invariant: the tube holds its spine"), state.player)
        };
        let end = (stretch.to < stretch.spine.end()).then(|| state(stretch.to));
        Self { stretch, store, steps, moves, start: state(stretch.from), end }
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
    pub(crate) fn step(
        &self,
        (config, player): State,
        moves_left: u32,
        key: &mut [u64],
        cx: &Context<'_>,
        edges: &mut Vec<Edge>,
    ) {
        let live = self.stretch.live;
        let board = cx.level().board();
        edges.clear();
        self.store.read(config, key);
        for dir in Direction::ALL {
            let Some(next) = board.step(player, dir) else { continue };
            if !live.has_box(key, next) {
                let to = (config, next);
                if self.leads_on(to, moves_left) && (moves_left > 0 || self.end == Some(to)) {
                    edges.push(Edge { to, dir, pushes: None });
                }
                continue;
            }
            let ahead = board.step(next, dir).filter(|&ahead| !live.has_box(key, ahead));
            let Some((from, ahead)) = live.bit(next).zip(ahead.and_then(|ahead| live.bit(ahead))) else { continue };
            toggle(key, from, ahead);
            let found = self.store.find(key).map(|config| (config, next));
            let solved = live.is_solved(key);
            toggle(key, from, ahead);
            let ends = |to: State| self.end.map_or(solved, |end| end == to);
            let fits = |&to: &State| if moves_left == 0 { ends(to) } else { self.leads_on(to, moves_left) };
            if let Some(to) = found.filter(fits) {
                edges.push(Edge { to, dir, pushes: Some(next) });
            }
        }
    }

    fn leads_on(&self, (config, player): State, moves_left: u32) -> bool {
        self.steps.may_have(config, player, moves_left)
    }
}

fn toggle(key: &mut [u64], one: usize, other: usize) {
    key[one / 64] ^= 1 << (one % 64);
    key[other / 64] ^= 1 << (other % 64);
}
