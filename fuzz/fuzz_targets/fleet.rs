//! Values that members of a fleet have written.
//!
//! Run: `cargo +nightly fuzz run fleet fuzz/corpus/fleet testdata/fuzz-corpus/fleet`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soko_fuzz::fleet::check(bytes));
