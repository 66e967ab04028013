//! Every example runs, and writes what it is meant to show.

#[path = "../../examples/optimize_solution.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod optimize_solution;
#[path = "../../examples/own_method.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod own_method;
#[path = "../../examples/watch_improvements.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod watch_improvements;

/// Returns what an example writes.
fn output(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn std::error::Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_solution_is_optimized() {
    let text = output(optimize_solution::run);
    assert!(text.starts_with("moves: 33/8/8/4/8/33 -> 21/8/8/5/8/17, proved optimal\npushes: "), "{text}");
    assert!(text.contains("permute gained ") && !text.contains(" gained 0 "), "{text}");
}

#[test]
fn improvements_are_watched() {
    let text = output(watch_improvements::run);
    assert!(text.starts_with("29 moves\n") && text.ends_with("good enough: true\n"), "{text}");
}

#[test]
fn a_method_of_ones_own_gains() {
    let text = output(own_method::run);
    assert_eq!(text, "pushes: 14/6/3/1/3/9 -> 10/4/2/1/2/6, proved optimal\nshort cuts gained 2 pushes\n");
}
