//! How much a test tries: a sample usually, everything in a campaign.

/// Returns how many cases a test tries: `few`, or `all` of a campaign, which sets `SOKO_FULL` in the environment.
///
/// ```
/// let n = sokocore::n_cases(10, 1_000);
/// assert!(n == 10 || n == 1_000);
/// ```
#[must_use]
pub fn n_cases(few: usize, all: usize) -> usize {
    if std::env::var_os("SOKO_FULL").is_some() { all } else { few }
}
