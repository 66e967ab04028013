//! Files written as a whole, and one writer at a time.
//!
//! # Contents
//! * `atomic_file`: a reader sees the old bytes or the new ones.
//! * `lock_file`: of all runs that write a file, one at a time.

pub(crate) mod atomic_file;
pub(crate) mod lock_file;
