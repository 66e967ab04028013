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
    items: Vec<Item<W>>,
    /// Number of an item, by the high bits of the configuration's hash.
    recent: Vec<u32>,
    shift: u32,
    charge: Charge,
}

const FIRST_ITEMS: usize = 1 << 8;

impl<const W: usize> Layer<W> {
    pub(crate) fn new(account: &MemoryAccount) -> Result<Self, Stop> {
        let charge = account.charge((FIRST_ITEMS * (size_of::<Item<W>>() + 4)) as u64)?;
        let recent = vec![0; FIRST_ITEMS];
        Ok(Self { items: Vec::with_capacity(FIRST_ITEMS), recent, shift: 32 - FIRST_ITEMS.ilog2(), charge })
    }

    pub(crate) const fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn item(&self, number: usize) -> Item<W> {
        self.items[number]
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    /// Adds players of a configuration.
    #[inline]
    pub(crate) fn push(&mut self, config: ConfigId, players: [u64; W]) -> Result<(), Stop> {
        let place = (config.0.wrapping_mul(0x9e37_79b9) >> self.shift) as usize;
        let number = self.recent[place] as usize;
        if let Some(item) = self.items.get_mut(number).filter(|item| item.config == config) {
            item.players.iter_mut().zip(players).for_each(|(old, new)| *old |= new);
            return Ok(());
        }
        if self.items.len() == self.items.capacity() {
            self.grow()?;
        }
        let place = (config.0.wrapping_mul(0x9e37_79b9) >> self.shift) as usize;
        self.recent[place] = u32::try_from(self.items.len()).map_err(|_| Stop::Memory)?;
        self.items.push(Item { config, players });
        Ok(())
    }

    /// Makes room for twice as many items.
    fn grow(&mut self) -> Result<(), Stop> {
        let more = self.items.capacity();
        self.charge.add((more * (size_of::<Item<W>>() + 4)) as u64)?;
        self.items.reserve_exact(more);
        self.shift -= 1;
        self.recent = vec![0; 2 * self.recent.len()];
        for (number, item) in (0..).zip(&self.items) {
            self.recent[(item.config.0.wrapping_mul(0x9e37_79b9) >> self.shift) as usize] = number;
        }
        Ok(())
    }
}
