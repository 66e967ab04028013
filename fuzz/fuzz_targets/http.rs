//! Requests to the server of the pages.
//!
//! Run: `cargo +nightly fuzz run http`.
#![no_main]

use soko_fuzz::http::{Call, check};

libfuzzer_sys::fuzz_target!(|calls: Vec<Call>| check(&calls));
