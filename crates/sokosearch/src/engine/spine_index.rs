//! An index from states of a store to states of the spine.
//!
//! One bit for each configuration answers "no" for nearly all of them without touching the map.

use hashbrown::HashMap;

use crate::engine::state::State;
use crate::tube::spine::SpineRange;
use crate::{Charge, ConfigStore, MemoryAccount, Stop};

/// Which of several equal spine states an index returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpineTieBreak {
    /// The first: for a backward search it gains most.
    First,
    /// The last: for a forward search it gains most.
    Last,
}

/// From states to the numbers of the spine states that they are.
#[derive(Debug)]
pub(crate) struct SpineIndex {
    has_state: Vec<u64>,
    states: HashMap<State, usize>,
    reached: usize,
    _charge: Charge,
}

impl SpineIndex {
    /// Indexes the states of a range. The solved end is left out: searches recognize it by its boxes, and a level that
    /// starts solved starts in the same state (trap 6).
    pub(crate) fn new<S: ConfigStore>(
        SpineRange { spine, from, to }: SpineRange<'_>,
        tie_break: SpineTieBreak,
        store: &S,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let n_words = store.n_ids().div_ceil(64);
        let charge = account.charge((8 * n_words + 32 * (to - from + 1)) as u64)?;
        let mut index = Self { has_state: vec![0; n_words], states: HashMap::new(), reached: from, _charge: charge };
        let n_states = (to + 1).min(spine.end());
        for (at, state) in spine.states().iter().enumerate().take(n_states).skip(from) {
            if let Some(config) = store.find(&state.key) {
                index.has_state[config.idx() / 64] |= 1 << (config.idx() % 64);
                let number = index.states.entry(State { config, player: state.player }).or_insert(at);
                if tie_break == SpineTieBreak::Last {
                    *number = at;
                }
            }
        }
        Ok(index)
    }

    /// Returns the number of the spine state that a state is.
    #[inline]
    pub(crate) fn find(&mut self, state: State) -> Option<usize> {
        let config = state.config.idx();
        if self.has_state[config / 64] >> (config % 64) & 1 == 0 {
            return None;
        }
        let found = self.states.get(&state).copied();
        self.reached = self.reached.max(found.unwrap_or(0));
        found
    }

    /// Returns the last spine state that was found.
    pub(crate) const fn reached(&self) -> usize {
        self.reached
    }
}
