//! Property-test strategies: levels with a planted solution, in this crate's tests and in those above it.
//!
//! A strategy draws a stream of choices and plants a level with it (see [`plant`]), so shrinking the stream makes
//! the level plainer. Boards are capped at 8 x 8: shrinking larger ones takes longer than reading them.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};

use crate::{Level, Lurd, PlantSpec, plant};

/// The largest number of rows and columns of a drawn level, walls included.
const MAX_SIDE: usize = 8;

/// Draws a level and a solution of it, planted after `spec` but with at most 8 rows and columns.
pub fn planted(spec: PlantSpec) -> impl Strategy<Value = (Level, Lurd)> {
    let cap = |range: &std::ops::RangeInclusive<usize>| (*range.start()).min(MAX_SIDE)..=(*range.end()).min(MAX_SIDE);
    let spec = PlantSpec { width: cap(&spec.width), height: cap(&spec.height), ..spec };
    vec(any::<u16>(), 64..256).prop_filter_map("choices that plant a level", move |stream| {
        let mut rest = stream.into_iter();
        plant(&spec, &mut |n| usize::from(rest.next().unwrap_or(0)) % n)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn planted_solutions_replay((level, moves) in planted(PlantSpec { width: 5..=20, ..PlantSpec::default() })) {
            prop_assert!(level.grid().width() <= MAX_SIDE);
            let solution = replay(&level, &moves).unwrap();
            prop_assert_eq!(solution.lurd(), &moves);
        }
    }
}
