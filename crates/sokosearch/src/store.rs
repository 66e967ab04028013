//! Stores of box configurations, closed sets and queues: keys and numbers, never a board.
//!
//! A store maps the key of a configuration to a small number and back. Numbers are dense enough to index bit vectors:
//! every number is below [`ConfigStore::n_ids`].
//!
//! # Contents, in reading order
//! * `live_index`: box configurations as keys, one bit for each live square. `bits`: sets of bits in words.
//! * `hash_store`, `tree_store`, `radix_sort`: finished sets of configurations, fast or small.
//! * `closed_set`: a bit for each state of a finished set.
//! * `reached_table`: a growing set of configurations with the distances of their states, for the wavefront.
//! * `recycling_queue`, `spans`: a queue of states, and the costs of the states on it.

pub(crate) mod bits;
pub(crate) mod closed_set;
pub(crate) mod hash_store;
pub(crate) mod live_index;
mod radix_sort;
pub(crate) mod reached_table;
pub(crate) mod recycling_queue;
pub(crate) mod spans;
pub(crate) mod tree_store;

/// The number of a configuration in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigId(pub(crate) u32);

impl ConfigId {
    /// Returns the id with this number, or `None` if it is too large for one.
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        u32::try_from(number).ok().map(Self)
    }

    /// Returns the number, from zero.
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A finished set of configurations.
pub trait ConfigStore {
    /// Returns the number of a configuration, or `None` if the set does not have it.
    fn find(&self, key: &[u64]) -> Option<ConfigId>;

    /// Copies the key of a configuration into `key`.
    fn read(&self, id: ConfigId, key: &mut [u64]);

    /// Returns the number of configurations.
    fn n_configs(&self) -> usize;

    /// Returns a bound that all numbers are below.
    fn n_ids(&self) -> usize;

    /// Returns the bytes that the configurations take.
    fn bytes(&self) -> u64;
}

/// In which store generated configurations are kept while they are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// The hash set, or the tree where that would not fit.
    #[default]
    Auto,
    /// Open addressing with inline keys: fastest.
    Hash,
    /// Left-filled balanced binary tree: least memory.
    Tree,
}

#[cfg(test)]
mod tests;
