//! Levels planted one after the other from a seed, and the hard level that tests of long runs share.

use crate::{Carving, Level, Lurd, PlantSpec, plant};

/// Plants levels without end, each with a solution. Equal seeds give equal levels.
///
/// ```
/// use sokocore::{PlantSpec, planted_levels, replay};
///
/// let mut levels = planted_levels(PlantSpec::default(), 7);
/// let (level, moves) = levels.next().expect("levels without end");
/// assert!(replay(&level, &moves).is_ok());
/// ```
pub fn planted_levels(spec: PlantSpec, seed: u64) -> impl Iterator<Item = (Level, Lurd)> {
    let mut state = seed;
    let mut choose = move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % n
    };
    std::iter::repeat_with(move || plant(&spec, &mut choose)).flatten()
}

/// Makes a level that no search is done with while a test lasts: 24 x 18 squares and 12 boxes, with a poor solution.
#[must_use]
pub fn hard_level() -> (Level, Lurd) {
    let spec = PlantSpec {
        width: 24..=24,
        height: 18..=18,
        carving: Carving::Pillars(12),
        boxes: 12..=12,
        spare_goals: 0..=0,
        pulls: 400..=400,
        detours: 35,
    };
    planted_levels(spec, 20).next().expect("invariant: planted levels have no end")
}
