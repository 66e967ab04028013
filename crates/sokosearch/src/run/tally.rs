//! The totals of the tube searches of a run.

/// What the tube searches of a run did, for benches and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tubes searched.
    pub n_tubes: u64,
    /// Configurations in them.
    pub n_configs: u64,
    /// States expanded.
    pub n_states: u64,
    /// Bytes of configurations, closed sets and queues.
    pub bytes: u64,
}

impl Tally {
    /// Adds another tally.
    pub(crate) const fn add(&mut self, other: Self) {
        self.n_tubes += other.n_tubes;
        self.n_configs += other.n_configs;
        self.n_states += other.n_states;
        self.bytes += other.bytes;
    }
}
