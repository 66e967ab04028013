//! With how many moves to go each configuration was reached first, kept in a few bytes a layer.
//!
//! Configurations are numbered in the order in which a search comes upon them, so it is enough to note, layer by layer,
//! the number of the first one. Only those of the spine are numbered before, and noted one by one.
//!
//! What it is good for: from the moves to go of one state those of all others follow that the player can walk to, since
//! along a walk they change by one at most and their remainders modulo 3 are kept. So where a configuration was entered
//! at one place only, which is the rule, the exact moves to go of any of its states can be told.

use std::collections::VecDeque;

use crate::ground::Ground;
use crate::reached::Reached;
use crate::{Charge, ConfigId, MemoryAccount, Order, Stop};

/// The first moves to go of configurations.
#[derive(Debug)]
pub(crate) struct FirstMoves {
    /// Of the configurations of the spine; `u32::MAX` where not reached.
    of_spine: Vec<u32>,
    /// Whether moves are what the search counts first, so that no state has fewer to go than the first one.
    is_least: bool,
    /// The number of the first configuration come upon in a layer, and the moves to go of the layer.
    layers: Vec<(u32, u32)>,
    charge: Charge,
}

/// Layers to make room for at once.
const MORE_LAYERS: usize = 1 << 8;

impl FirstMoves {
    pub(crate) fn new(n_spine_configs: usize, order: Order, account: &MemoryAccount) -> Result<Self, Stop> {
        let charge = account.charge(4 * n_spine_configs as u64)?;
        let is_least = order == Order::MovesPushes;
        Ok(Self { of_spine: vec![u32::MAX; n_spine_configs], is_least, layers: Vec::new(), charge })
    }

    /// Notes that what is numbered from here on comes from states with so many moves to go.
    pub(crate) fn begin_layer(&mut self, n_configs: usize, moves: u32) -> Result<(), Stop> {
        let first = u32::try_from(n_configs).unwrap_or(u32::MAX);
        if let Some(last) = self.layers.last_mut().filter(|last| last.0 == first) {
            last.1 = moves;
            return Ok(());
        }
        if self.layers.len() == self.layers.capacity() {
            self.charge.add((MORE_LAYERS * size_of::<(u32, u32)>()) as u64)?;
            self.layers.reserve_exact(MORE_LAYERS);
        }
        self.layers.push((first, moves));
        Ok(())
    }

    /// Notes a state that was reached by a pull.
    #[inline]
    pub(crate) fn note(&mut self, config: ConfigId, moves: u32) {
        if let Some(first) = self.of_spine.get_mut(config.idx()).filter(|first| **first == u32::MAX) {
            *first = moves;
        }
    }

    /// Returns the moves to go of the first state of a configuration that was reached.
    fn of(&self, config: ConfigId) -> u32 {
        self.of_spine.get(config.idx()).copied().unwrap_or_else(|| {
            let layer = self.layers.partition_point(|&(first, _)| first <= config.0);
            layer.checked_sub(1).map_or(0, |layer| self.layers[layer].1 + 1)
        })
    }

    /// Whether a state may have so many moves to go, as far as can be told from its whole configuration.
    pub(crate) fn allow<const K: usize, const W: usize>(
        &self,
        (config, player): (ConfigId, usize),
        moves: u32,
        (ground, reached): (&Ground, &Reached<K, W>),
    ) -> bool {
        let first = i64::from(self.of(config));
        if self.is_least && first > i64::from(moves) {
            return false;
        }
        let mut codes = reached.codes(config, ground.n_bits());
        let lowest = lowest_from(player, &mut codes, |bit| ground.steps(bit));
        // With states that the player cannot walk to, the first one may be among those.
        codes.iter().any(|&code| code != 0) || first - lowest == i64::from(moves)
    }
}

/// Walks from one place to all that can be reached over places whose moves to go, modulo 3 and plus 1, are known;
/// these are set to 0. Returns how many more moves to go than the first place the nearest to the end has: none or less.
pub(crate) fn lowest_from<I: Iterator<Item = usize>>(
    from: usize,
    codes: &mut [u64],
    neighbors: impl Fn(usize) -> I,
) -> i64 {
    let mut lowest = 0;
    let mut todo = VecDeque::from([(from, std::mem::take(&mut codes[from]), 0)]);
    while let Some((place, code, height)) = todo.pop_front() {
        lowest = lowest.min(height);
        for next in neighbors(place) {
            let next_code = std::mem::take(&mut codes[next]);
            if next_code != 0 {
                let rise = [0, 1, -1][usize::try_from(next_code + 3 - code).unwrap_or(0) % 3];
                todo.push_back((next, next_code, height + rise));
            }
        }
    }
    lowest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_charged_before_they_are_noted() {
        let account = MemoryAccount::new(10_000);
        let mut first = FirstMoves::new(10, Order::MovesPushes, &account).unwrap();
        let stopped = (0..).find(|&layer| first.begin_layer(layer, 0).is_err());
        assert_eq!(stopped, Some(first.layers.len()));
        assert!(account.used() >= (first.layers.capacity() * 8 + 4 * 10) as u64);
        assert!(FirstMoves::new(10_000, Order::MovesPushes, &account).is_err());
    }
}
