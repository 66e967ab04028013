//! The spine: the states that a solution passes through, with its metrics up to each of them.

use sokocore::{Level, Metrics, Position, Push, Solution, Square, Step};

use crate::{Charge, LiveIndex, MemoryAccount, Stop};

/// One state of the spine.
#[derive(Clone, Debug)]
pub struct SpineState {
    /// The key of the boxes.
    pub key: Box<[u64]>,
    /// The player's square.
    pub player: Square,
    /// Metrics of the solution up to here.
    pub metrics: Metrics,
}

/// The states `from..=to` of a spine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpineRange<'a> {
    pub(crate) spine: &'a Spine,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The states of a solution: the start, and the state after each push.
#[derive(Debug)]
pub struct Spine {
    states: Vec<SpineState>,
    pushes: Vec<Push>,
    _charge: Charge,
}

impl Spine {
    /// Plays a solution and records its states.
    ///
    /// # Errors
    /// The states do not fit into the account.
    ///
    /// # Panics
    /// If the solution belongs to another level.
    pub fn new(level: &Level, live: &LiveIndex, solution: &Solution, account: &MemoryAccount) -> Result<Self, Stop> {
        let n_states = solution.metrics().pushes + 1;
        let state_bytes = (size_of::<SpineState>() + size_of::<Push>() + 8 * live.words() + 16) as u64;
        let charge = account.charge(n_states.saturating_mul(state_bytes))?;
        let mut position: Position = level.start().clone();
        let mut counter = sokocore::MetricsCounter::default();
        let state = |position: &Position, metrics| SpineState {
            key: live.key(&position.boxes).expect("a solution keeps its boxes on live squares").into(),
            player: position.player,
            metrics,
        };
        let mut spine =
            Self { states: vec![state(&position, Metrics::default())], pushes: Vec::new(), _charge: charge };
        for &step in solution.lurd().steps() {
            counter.step(step);
            let next = level.board().step(position.player, step.dir()).expect("a solution stays on the board");
            if let Step::Push(dir) = step {
                let push = Push { from: next, dir };
                assert!(position.push(level.board(), push), "a solution makes legal pushes");
                spine.pushes.push(push);
                spine.states.push(state(&position, counter.metrics()));
            } else {
                position.player = next;
            }
        }
        Ok(spine)
    }

    /// Returns the states, one more than there are pushes.
    #[must_use]
    pub fn states(&self) -> &[SpineState] {
        &self.states
    }

    /// Returns the pushes.
    #[must_use]
    pub fn pushes(&self) -> &[Push] {
        &self.pushes
    }

    /// Returns the number of the last state, the solved one.
    #[must_use]
    pub fn end(&self) -> usize {
        self.pushes.len()
    }

    /// Returns the pushes with those between two states replaced.
    #[must_use]
    pub fn spliced(&self, from: usize, to: usize, middle: &[Push]) -> Vec<Push> {
        [&self.pushes[..from], middle, &self.pushes[to..]].concat()
    }
}
