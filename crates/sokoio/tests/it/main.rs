//! Files as people have them: read, edited and written back.

#[path = "../../../../fuzz/src/checks.rs"]
pub mod checks;
mod editing;
mod formats;
mod fuzz_corpus;
mod growing;
mod layouts;
mod lock_file;
mod random_files;
mod reading;
mod real_levels;
