//! The file of a library, damaged anywhere.
//!
//! Run: `cargo +nightly fuzz run library`.
#![no_main]

use soko_fuzz::library::check;

libfuzzer_sys::fuzz_target!(|input: (Vec<(u32, u8)>, Option<u32>, bool)| check(&input.0, input.1, input.2));
