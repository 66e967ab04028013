//! The rules of the game against naive twins, recorded answers and brute force.

mod floods;
mod golden;
mod perft;
mod soundness;
mod traps;
