//! The rules of the game against naive twins, recorded answers and brute force.

mod golden;
mod perft;
mod soundness;
mod traps;
