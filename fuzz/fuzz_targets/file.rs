//! Any bytes as a file of any format: unpacked, decoded, written as text, read.
//!
//! Run: `cargo +nightly fuzz run file fuzz/corpus/file testdata/fuzz-corpus/file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soko_fuzz::check_file(bytes));
