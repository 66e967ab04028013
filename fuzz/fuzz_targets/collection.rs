//! Texts of levels from their parts.
//!
//! Run: `cargo +nightly fuzz run collection`.
#![no_main]

use soko_fuzz::collection::{Part, check};

libfuzzer_sys::fuzz_target!(|input: (Vec<Part>, bool)| check(&input.0, input.1));
