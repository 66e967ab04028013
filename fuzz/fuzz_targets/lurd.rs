//! Any text as moves: read and written, compared with a reference.
//!
//! Run: `cargo +nightly fuzz run lurd fuzz/corpus/lurd testdata/fuzz-corpus/lurd`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soko_fuzz::check_lurd(bytes));
