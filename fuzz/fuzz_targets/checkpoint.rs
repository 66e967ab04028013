//! Checkpoints with a right checksum and any contents.
//!
//! Run: `cargo +nightly fuzz run checkpoint`.
#![no_main]

use soko_fuzz::checkpoint::check;

libfuzzer_sys::fuzz_target!(|input: (Vec<(u16, u8)>, Option<u16>, bool)| check(&input.0, input.1, input.2));
