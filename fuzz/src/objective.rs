//! Objectives as options name them.

use sokocore::Objective;

/// Reads a text as an objective; what is read is written and read as the same.
pub fn check(text: &str) {
    match text.parse::<Objective>() {
        Ok(objective) => assert_eq!(objective.to_string().parse(), Ok(objective)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
