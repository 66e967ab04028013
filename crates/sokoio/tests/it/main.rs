//! Files as people have them: read, edited and written back; and the examples.

#[path = "../../../../fuzz/src/checks.rs"]
pub mod checks;
mod editing;
mod examples;
mod formats;
mod fuzz_corpus;
mod growing;
mod layouts;
mod lock_file;
#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/normalize.rs"]
mod normalize;
mod random_files;
mod reading;
mod real_levels;
#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/same_levels.rs"]
mod same_levels;
#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/titles.rs"]
mod titles;
