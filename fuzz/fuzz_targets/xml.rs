//! XML from a tree of elements.
//!
//! Run: `cargo +nightly fuzz run xml`.
#![no_main]

use soko_fuzz::xml::{Node, check};

libfuzzer_sys::fuzz_target!(|input: (Vec<Node>, bool)| check(&input.0, input.1));
