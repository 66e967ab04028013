//! What methods and strategies are called when a person watches them at work.

/// The beginning of a name, and what is being done under such a name. The longest beginning that fits counts.
const WORDS: &[(&str, &str)] = &[
    // Methods of the optimizer.
    ("tidy path", "cutting loops"),
    ("symmetry", "trying mirror images"),
    ("permute", "reordering pushes"),
    ("rearrange", "rearranging pushes"),
    ("rearrange full", "rearranging pushes thoroughly"),
    ("delay", "putting pushes off"),
    ("session exchange", "exchanging boxes"),
    ("phase lattice", "interleaving the boxes anew"),
    ("box groups", "giving a few boxes other ways"),
    ("box permutation", "reordering a few boxes"),
    ("vicinity", "searching near the solution"),
    ("relink", "combining solutions"),
    ("crossover", "crossing solutions"),
    ("exhaustive", "searching all positions"),
    ("plateau", "looking for another equally good solution"),
    ("lineages", "solving anew"),
    ("multi-start", "comparing other solutions"),
    ("pushes-first", "saving pushes first"),
    ("reformulation", "saving pushes for a while"),
    ("optimal-search", "looking for the best there is"),
    ("optimal-windows", "looking for fewer pushes, part by part"),
    // Strategies of the solver.
    ("compact", "searching a small board"),
    ("systematic", "searching"),
    ("greedy", "searching greedily"),
    ("greedy-backward", "searching greedily from the goals"),
    ("greedy-both", "searching greedily from both sides"),
    ("a-star", "looking for fewest pushes"),
    ("a-star-backward", "looking for fewest pushes from the goals"),
    ("a-star-both", "looking for fewest pushes from both sides"),
    ("ida-star", "looking deeper and deeper"),
    ("iddfs", "looking deeper and deeper"),
    ("bfs", "searching in order of length"),
    ("dfs", "searching in depth"),
    ("packing", "packing boxes one by one"),
    ("fess", "searching by features"),
    ("fess-plan", "following a packing plan"),
    ("fess-excess", "following a packing plan in few pushes"),
    ("fess-open", "opening the level"),
    ("fess-ring", "opening the level"),
    ("fess-reverse", "meeting from both ends"),
    ("fess-near", "meeting from both ends"),
];

/// Says in plain words what is done under the name of a method or strategy.
pub(crate) fn words(name: &str) -> &'static str {
    let fitting = WORDS.iter().filter(|(beginning, _)| name.starts_with(beginning));
    fitting.max_by_key(|(beginning, _)| beginning.len()).map_or("searching", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_and_strategy_has_words() {
        let methods = sokomethods::METHODS.iter().map(|spec| spec.name);
        let strategies = sokosolver::STRATEGIES.iter().map(|strategy| strategy.name);
        for name in methods.chain(strategies) {
            assert!(WORDS.iter().any(|(beginning, _)| name.starts_with(beginning)), "{name}");
        }
    }

    #[test]
    fn the_longest_beginning_counts() {
        assert_eq!(words("vicinity 20/10"), "searching near the solution");
        assert_eq!(words("rearrange full"), "rearranging pushes thoroughly");
        assert_eq!(words("fess-plan-dice"), "following a packing plan");
        assert_eq!(words("something new"), "searching");
    }
}
