//! The solver as other crates use it: the builder, custom strategies, and the examples.

mod custom;
mod examples;
mod solver;
mod statistics;
