//! Boxes that hold each other in place for good, on sets of bits.
//!
//! The same rule as [`sokocore::FreezeCheck`], which says why it is sound: a box can move along an axis if both its
//! neighbors there are neither wall nor a box that stays, and one of the two is live. Boxes with such an axis are
//! taken away until nothing changes; what is left is frozen.

use crate::bits::Bits;
use crate::ground::Ground;

/// Returns whether the box just put on `sq` is frozen together with a box off goal.
#[inline]
pub(crate) fn is_deadlock<const W: usize>(ground: &Ground, goals: &Bits<W>, boxes: &Bits<W>, sq: u16) -> bool {
    !has_axis(ground, boxes, sq) && !frozen(ground, boxes).is_within(goals)
}

/// Returns the boxes that can never move again.
pub(crate) fn frozen<const W: usize>(ground: &Ground, boxes: &Bits<W>) -> Bits<W> {
    let mut staying = *boxes;
    loop {
        let before = staying;
        for sq in before.iter() {
            if has_axis(ground, &staying, sq) {
                staying.remove(sq);
            }
        }
        if staying == before {
            return staying;
        }
    }
}

#[inline]
fn has_axis<const W: usize>(ground: &Ground, staying: &Bits<W>, sq: u16) -> bool {
    let [up, right, down, left] = ground.steps(sq);
    let free = |one: u16, other: u16| {
        one != ground.wall()
            && other != ground.wall()
            && (ground.is_live(one) || ground.is_live(other))
            && !staying.has(one)
            && !staying.has(other)
    };
    free(up, down) || free(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};
    use sokocore::{FreezeCheck, PlantSpec, planted};

    proptest! {
        #[test]
        fn agrees_with_the_core((level, _) in planted(PlantSpec { boxes: 3..=9, ..PlantSpec::default() })) {
            let Some(ground) = Ground::new(&level) else { return Ok(()) };
            let boxes = Ground::set::<1>(ground.starts());
            let mut core = level.board().no_squares();
            FreezeCheck::new(&level).all_frozen(&level.start().boxes, &mut core);
            let expect: Vec<u16> = core.iter().map(|sq| ground.number(sq)).collect();
            let mut found: Vec<u16> = frozen(&ground, &boxes).iter().collect();
            found.sort_by_key(|&sq| ground.square(sq));
            prop_assert_eq!(found, expect);
        }
    }
}
