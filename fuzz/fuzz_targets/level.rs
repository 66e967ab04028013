//! Any bytes as a collection: read, written back, edited.
//!
//! Run: `cargo +nightly fuzz run level fuzz/corpus/level testdata/fuzz-corpus/level`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soko_fuzz::check_level(bytes));
