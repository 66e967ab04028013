//! The rules of the game against naive twins, recorded answers and brute force; and the examples.

#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/deadlocks.rs"]
mod deadlocks;
mod examples;
mod floods;
mod golden;
#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/one_push_away.rs"]
mod one_push_away;
mod perft;
#[expect(dead_code, reason = "the test calls `run`, and nothing calls `main`")]
#[path = "../../examples/replay.rs"]
mod replay;
mod soundness;
mod traps;
mod walks;
