//! The `soko` program.
fn main() {}
