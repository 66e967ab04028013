//! A selection of cases with every kind of them among it, for checks that take too long in all combinations.
//!
//! Invariant: each aspect that some case has is that of a selected one. The choice is greedy (Chvátal 1979), the first
//! among equals, and so the same every time.

use std::collections::BTreeSet;

/// Selects cases with all aspects that there are; they keep their order.
pub(super) fn covering<C>(cases: Vec<C>, aspects: impl Fn(&C) -> Vec<String>) -> Vec<C> {
    let of_case: Vec<BTreeSet<String>> = cases.iter().map(|case| aspects(case).into_iter().collect()).collect();
    let mut missing: BTreeSet<&String> = of_case.iter().flatten().collect();
    let mut is_selected = vec![false; cases.len()];
    while !missing.is_empty() {
        let n_new = |at: &usize| of_case[*at].iter().filter(|aspect| missing.contains(aspect)).count();
        // Of equals the last one is the greatest.
        let Some(best) = (0..cases.len()).rev().max_by_key(n_new) else { break };
        is_selected[best] = true;
        of_case[best].iter().for_each(|aspect| {
            missing.remove(aspect);
        });
    }
    cases.into_iter().zip(is_selected).filter_map(|(case, is_selected)| is_selected.then_some(case)).collect()
}

/// Names every two of the values, as one aspect of a case that has both.
pub(super) fn pairs(values: &[String]) -> Vec<String> {
    let at = |place: usize| values.iter().enumerate().skip(place);
    at(0)
        .flat_map(|(one, first)| at(one + 1).map(move |(other, second)| format!("{one}:{first} {other}:{second}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_values_meet_in_a_few_cases() {
        let mut cases = Vec::new();
        for one in 0..4 {
            for two in 0..3 {
                cases.extend((0..4).map(|rest| [one, two, rest / 2, rest % 2]));
            }
        }
        let aspects = |case: &[i32; 4]| pairs(&case.map(|value| value.to_string()));
        let selected = covering(cases.clone(), aspects);
        assert!((12..=14).contains(&selected.len()), "{selected:?}");
        for aspect in cases.iter().flat_map(aspects) {
            assert!(selected.iter().any(|case| aspects(case).contains(&aspect)), "{aspect}");
        }
        assert_eq!(covering(cases.clone(), aspects), selected);
        assert!(selected.windows(2).all(|two| two[0] < two[1]));
        assert!(covering(Vec::new(), aspects).is_empty());
    }

    #[test]
    fn one_case_with_everything_is_enough() {
        let aspects = |case: &&str| case.split(' ').map(str::to_owned).collect();
        assert_eq!(covering(vec!["a b", "b c", "a b c", "c"], aspects), ["a b c"]);
    }
}
