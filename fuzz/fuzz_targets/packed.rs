//! Packed, encoded and damaged files.
//!
//! Run: `cargo +nightly fuzz run packed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|packed: soko_fuzz::packed::Packed| soko_fuzz::packed::check(&packed));
