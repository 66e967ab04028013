//! The one function of the workspace that scrambles a number: for random-looking keys, fingerprints and seeds.

/// Mixes the bits of a number, so that each bit of the result depends on all of them. One-to-one.
///
/// This is the finalizer of `SplitMix64` (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*,
/// 2014): variant 13 of those that Stafford found for the finalizer of `MurmurHash3`. The mix of `n * WEYL_STEP`,
/// wrapping, is the `n`-th number that `SplitMix64` draws from seed 0; see [`WEYL_STEP`].
///
/// # Example
/// ```
/// use sokocore::{WEYL_STEP, mix64};
/// assert_eq!(mix64(WEYL_STEP), 0xe220_a839_7b1d_cdaf);
/// assert_eq!(mix64(0), 0);
/// ```
#[inline]
#[must_use]
pub const fn mix64(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The step from one state of `SplitMix64` to the next: 2^64 divided by the golden ratio, made odd.
pub const WEYL_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the published generator from the seed 1234567.
    #[test]
    fn the_numbers_are_those_of_split_mix_64() {
        let numbers: Vec<u64> = (1..=3_u64).map(|n| mix64(WEYL_STEP.wrapping_mul(n).wrapping_add(1_234_567))).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
