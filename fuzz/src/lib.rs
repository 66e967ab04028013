//! What the fuzz targets check. The same checks run as an ordinary test over `testdata/fuzz-corpus`.
//!
//! A finding becomes a file of that corpus, named for what it shows.
#![forbid(unsafe_code)]

mod checks;

pub use checks::{check_file, check_level, check_lurd, check_replay};
