//! Deadlocks: configurations that lie on no solution, kept out of the sets that are generated.
//!
//! # Contents, in reading order
//! * `deadlock_check`: asked about every configuration that is generated.
//! * `dead_patterns`: a table of pairs and triples of boxes that are dead by themselves.
//! * `pattern_builder`: builds that table little by little, while configurations are generated.

pub(crate) mod dead_patterns;
pub(crate) mod deadlock_check;
pub(crate) mod pattern_builder;
