//! Stores of box configurations: from a key to a small number and back.
//!
//! A store sees words of bits and knows nothing of boards. Numbers are dense enough to index bit vectors: every
//! number is below [`ConfigStore::n_ids`].

pub(crate) mod hash;
mod radix;
pub(crate) mod tree;

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
    /// Open addressing with inline keys: fast.
    Hash,
    /// Left-filled balanced binary tree: least memory.
    Tree,
}

#[cfg(test)]
mod tests;
