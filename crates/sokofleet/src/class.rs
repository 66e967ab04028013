//! Classes of items: those that may gain most in a second come first.
//!
//! The schedule of one computer takes the item with the highest rate. A queue has no order by rate, but a fleet has one
//! queue for each class, and a worker asks them from the first to the last. A class holds rates within a factor of four,
//! so that what is taken is expected to gain at least a quarter of what the best item would.

/// The number of classes.
pub(crate) const N_CLASSES: usize = 12;
/// The lowest rate of the first class, in moves or pushes a second.
const FIRST: f64 = 64.0;
/// How many times the rates of a class those of the next one are.
const STEP: f64 = 4.0;

/// Returns the class of an expected gain a second.
pub(crate) fn class_of(rate: f64) -> usize {
    let mut lowest = FIRST;
    let mut class = 0;
    while class + 1 < N_CLASSES && rate < lowest {
        lowest /= STEP;
        class += 1;
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_within_a_factor_of_four_are_of_one_class() {
        assert_eq!((class_of(f64::INFINITY), class_of(64.0), class_of(63.9), class_of(16.0)), (0, 0, 1, 1));
        assert_eq!((class_of(0.0), class_of(1e-9), class_of(f64::NAN)), (N_CLASSES - 1, N_CLASSES - 1, 0));
        let rates = (0..40).map(|power| 1e3 / f64::from(1_u32 << (power / 2)));
        let classes: Vec<_> = rates.map(class_of).collect();
        assert!(classes.is_sorted() && classes.contains(&(N_CLASSES / 2)), "{classes:?}");
    }
}
