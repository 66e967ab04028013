//! Objectives as options name them.
//!
//! Run: `cargo +nightly fuzz run objective -- -dict=fuzz/dictionaries/objective.dict`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| soko_fuzz::objective::check(text));
