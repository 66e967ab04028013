//! Any moves on small boards: replayed, compared with a reference.
//!
//! Run: `cargo +nightly fuzz run replay fuzz/corpus/replay testdata/fuzz-corpus/replay`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soko_fuzz::check_replay(bytes));
