//! The methods and their schedule, on levels with known optima; runs that continue others; the examples.

mod examples;
mod golden;
mod islands;
#[path = "../../../sokocore/tests/it/golden/levels.rs"]
mod levels;
mod orders;
mod resume;
mod session_exchange;
mod suite;
mod teams;
mod techniques;
mod windows;

/// Objectives of every kind.
const OBJECTIVES: [&str; 10] = [
    "moves",
    "pushes",
    "pushes-only",
    "boxlines/moves",
    "boxlines/pushes",
    "boxchanges/pushes",
    "sessions/moves",
    "playerlines",
    "playerlines/sessions/moves",
    "playerlines/sessions/pushes",
];
