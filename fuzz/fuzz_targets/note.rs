//! Notes of proofs, and titles of solutions.
//!
//! Run: `cargo +nightly fuzz run note fuzz/corpus/note testdata/fuzz-corpus/note`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soko_fuzz::check_note(bytes));
