//! The library as a whole: what enters, what stays, what survives damage.

mod collections;
mod examples;
mod offers;
mod processes;
mod repair;
mod trouble;
mod versions;

#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/scale.rs"]
mod scale;
