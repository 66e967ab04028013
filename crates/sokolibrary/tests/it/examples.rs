//! The program of `examples/`, run with a small library.

use crate::scale;

#[test]
fn scale_measures_each_step() {
    let (folder, mut out) = (tempfile::tempdir().unwrap(), Vec::new());
    scale::run(&folder.path().join("scale.sqlite"), 2, 5, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("add 10 levels: ") && text.contains("10 levels, 50 solutions"), "{text}");
}
