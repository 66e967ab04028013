//! The settings of a run.

/// Which configuration store the tube search looks its configurations up in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// Open addressing with inline keys: fast.
    #[default]
    Hash,
    /// Left-filled balanced binary tree: least memory.
    Tree,
}

/// Settings of all methods, with the defaults that the peers made standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knobs {
    /// How many nearest squares each displaced box may take, for one to four boxes. 1 to 999 each; default 20, 10.
    pub vicinity: Vec<usize>,
    /// Seed of everything that could go one way or another. With one thread, equal seeds give equal runs.
    pub seed: u64,
    /// The store used while searching.
    pub store: StoreKind,
    /// How many pushes ahead rearrangement looks for pushes to bring forward. 1 and up; default 400.
    pub rearrange_ahead: usize,
}

impl Default for Knobs {
    fn default() -> Self {
        Self { vicinity: vec![20, 10], seed: 0, store: StoreKind::Hash, rearrange_ahead: 400 }
    }
}
