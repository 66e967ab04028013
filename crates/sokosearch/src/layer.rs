//! A layer of a wavefront: configurations, and the players in each that are equally far from the end.
//!
//! Items of one configuration are joined where a table, no larger than the layer, remembers where the first is;
//! another configuration may have taken its place there, and then there are two items, which costs time but no more.

use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// A configuration and a set of players in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<const W: usize> {
    pub(crate) config: ConfigId,
    pub(crate) players: [u64; W],
}

/// The items of one cost.
#[derive(Debug)]
pub(crate) struct Layer<const W: usize> {
    configs: Vec<ConfigId>,
    players: Vec<[u64; W]>,
    /// Number of an item, by the low bits of the configuration's number: those reached together lie together.
    recent: Vec<u32>,
    charge: Charge,
    account: MemoryAccount,
}

const FIRST_ITEMS: usize = 1 << 8;

impl<const W: usize> Layer<W> {
    pub(crate) fn new(account: &MemoryAccount) -> Result<Self, Stop> {
        let charge = account.charge((FIRST_ITEMS * (Self::ITEM_BYTES + 4)) as u64)?;
        let recent = vec![0; FIRST_ITEMS];
        let (configs, players) = (Vec::with_capacity(FIRST_ITEMS), Vec::with_capacity(FIRST_ITEMS));
        Ok(Self { configs, players, recent, charge, account: account.clone() })
    }

    const ITEM_BYTES: usize = size_of::<ConfigId>() + size_of::<[u64; W]>();

    pub(crate) const fn len(&self) -> usize {
        self.configs.len()
    }

    /// Returns the configuration of an item, if there are so many.
    #[inline]
    pub(crate) fn config(&self, number: usize) -> Option<ConfigId> {
        self.configs.get(number).copied()
    }

    #[inline]
    pub(crate) fn item(&self, number: usize) -> Item<W> {
        Item { config: self.configs[number], players: self.players[number] }
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = Item<W>> {
        self.configs.iter().zip(&self.players).map(|(&config, &players)| Item { config, players })
    }

    pub(crate) fn clear(&mut self) {
        self.configs.clear();
        self.players.clear();
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    /// Adds players of a configuration.
    #[inline]
    pub(crate) fn push(&mut self, config: ConfigId, players: [u64; W]) -> Result<(), Stop> {
        let place = self.place(config);
        let number = self.recent[place] as usize;
        if self.configs.get(number).is_some_and(|there| *there == config) {
            for (old, new) in self.players[number].iter_mut().zip(players) {
                *old |= new;
            }
            return Ok(());
        }
        if self.configs.len() == self.configs.capacity() {
            self.grow()?;
        }
        let place = self.place(config);
        self.recent[place] = u32::try_from(self.configs.len()).map_err(|_| Stop::Memory)?;
        self.configs.push(config);
        self.players.push(players);
        Ok(())
    }

    #[inline]
    const fn place(&self, config: ConfigId) -> usize {
        config.idx() & (self.recent.len() - 1)
    }

    /// Makes room for half as many items more. Old and new room are held at once, so both are charged.
    #[cold]
    fn grow(&mut self) -> Result<(), Stop> {
        let n_items = self.configs.len();
        let more = n_items / 2;
        let n_recent = if n_items > self.recent.len() { 2 * self.recent.len() } else { self.recent.len() };
        let charge = self.account.charge(((n_items + more) * Self::ITEM_BYTES + 4 * n_recent) as u64)?;
        self.configs.reserve_exact(more);
        self.players.reserve_exact(more);
        if n_recent > self.recent.len() {
            self.recent = vec![0; n_recent];
            for (number, &config) in (0..).zip(&self.configs) {
                let place = self.place(config);
                self.recent[place] = number;
            }
        }
        self.charge = charge;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_asks_before_it_grows_and_says_what_it_holds() {
        let account = MemoryAccount::new(40_000);
        let mut layer = Layer::<1>::new(&account).unwrap();
        let stopped = (0..).map(ConfigId).find(|&config| layer.push(config, [1]).is_err());
        assert!(stopped.is_some() && layer.configs.capacity() == layer.len());
        let held = layer.configs.capacity() * 4 + layer.players.capacity() * 8 + layer.recent.capacity() * 4;
        assert_eq!(account.used(), held as u64);
        assert!(account.peak() > account.used(), "while growing, what is left behind counts as well");
    }
}
