//! The methods and their schedule, on levels with known optima; the examples.

mod examples;
mod golden;
#[path = "../../../sokocore/tests/it/golden/levels.rs"]
mod levels;
mod orders;
mod suite;
mod teams;
mod techniques;
mod windows;
