//! The players of the spine, configuration by configuration.
//!
//! Invariant: the players of configuration `n` are those from `starts[n]` to `starts[n + 1]`, each with the number of its
//! spine state.

use sokocore::FloorSquare;

use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// A spine state, as a shard knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpineEntry {
    pub(super) config: ConfigId,
    /// The player's square in the floor graph.
    pub(super) player: FloorSquare,
    /// Number of the spine state.
    pub(super) state: usize,
}

/// The player of a spine state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayerOnSpine {
    /// The player's square in the floor graph.
    pub(super) player: FloorSquare,
    /// Number of the spine state.
    pub(super) state: u32,
}

/// The spine states of a shard, whose configurations are its first.
#[derive(Debug)]
pub(super) struct SpinePlayers {
    starts: Vec<u32>,
    players: Vec<PlayerOnSpine>,
    _charge: Charge,
}

impl SpinePlayers {
    /// Sorts states, given in their order.
    pub(super) fn new(states: &[SpineEntry], n_configs: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let charge = account.charge((4 * (n_configs + 1) + size_of::<PlayerOnSpine>() * states.len()) as u64)?;
        let narrow = |at: usize| u32::try_from(at).map_err(|_| Stop::Memory);
        let mut starts = vec![0_u32; n_configs + 1];
        states.iter().for_each(|entry| starts[entry.config.idx()] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        let mut players = vec![PlayerOnSpine { player: FloorSquare::default(), state: u32::MAX }; states.len()];
        let mut ends = starts.clone();
        for &SpineEntry { config, player, state } in states {
            let end = &mut ends[config.idx()];
            players[*end as usize] = PlayerOnSpine { player, state: narrow(state)? };
            *end += 1;
        }
        Ok(Self { starts, players, _charge: charge })
    }

    pub(super) const fn n_configs(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the spine states of a configuration.
    pub(super) fn states_of(&self, config: ConfigId) -> &[PlayerOnSpine] {
        let range = self.starts[config.idx()] as usize..self.starts[config.idx() + 1] as usize;
        &self.players[range]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_those_of_their_configuration() {
        let states = [(1, 5, 10), (0, 5, 11), (1, 70, 12), (1, 5, 13)];
        let states = states.map(|(config, player, state)| SpineEntry {
            config: ConfigId(config),
            player: FloorSquare::new(player),
            state,
        });
        let account = MemoryAccount::new(1 << 10);
        let index = SpinePlayers::new(&states, 3, &account).unwrap();
        let of =
            |config| index.states_of(ConfigId(config)).iter().map(|on| (on.state, on.player.get())).collect::<Vec<_>>();
        assert_eq!((of(0), of(1), of(2)), (vec![(11, 5)], vec![(10, 5), (12, 70), (13, 5)], vec![]));
        assert!(account.used() >= 4 * 4 + 4 * 6);
        assert!(SpinePlayers::new(&states, 3, &MemoryAccount::new(40)).is_err());
    }
}
