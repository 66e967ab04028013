//! Every example runs, and writes what it is meant to show.

#[path = "../../examples/count_configurations.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod count_configurations;
#[path = "../../examples/search_tube.rs"]
#[expect(dead_code, reason = "the test calls `run`, not `main`")]
mod search_tube;

/// Returns what an example writes.
fn output(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn std::error::Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn configurations_are_counted() {
    let text = output(count_configurations::run);
    assert!(text.starts_with("4 boxes on 25 of 25 squares\n12650 placements\n8930 configurations"), "{text}");
}

#[test]
fn a_tube_is_searched() {
    let text = output(search_tube::run);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "start: 14/3/3/2/3/11");
    assert!(lines[1].starts_with("improved: 12/5/"), "{text}");
    assert_eq!(lines[lines.len() - 2..], ["all of the tube searched: true", "best: RurrDLulDrdL"]);
}
