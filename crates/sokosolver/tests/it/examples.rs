//! Every example runs, and writes what it is meant to show.

#[path = "../../examples/own_search.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod own_search;
#[path = "../../examples/prove_optimal.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod prove_optimal;
#[path = "../../examples/solve_level.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod solve_level;

/// Returns what an example writes.
fn output(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn std::error::Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_level_is_solved() {
    let text = output(solve_level::run);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("solved by "), "{text}");
    assert_eq!(lines[1..], ["unsolvable, by a box stands where it can reach no goal"]);
}

#[test]
fn a_solution_is_proved_optimal() {
    let text = output(prove_optimal::run);
    assert!(text.starts_with("at least 8 moves, by matching\n"), "{text}");
    assert!(text.contains("at least 21 moves, by "), "{text}");
    assert!(text.ends_with("proved: true, at least 21 moves\n"), "{text}");
}

#[test]
fn a_search_of_ones_own_takes_part() {
    let text = output(own_search::run);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "alone: solved by breadth-first: 14/3/3/3/3/11, 6 positions expanded");
    assert_eq!(lines[1], "alone: unsolvable, by breadth-first, 2 positions expanded");
    assert!(lines[2].starts_with("portfolio: ") && lines[2].ends_with(", breadth-first"), "{text}");
    assert_eq!(lines[3], "solved: true");
}
