//! The program as people and programs see it: files in, files and texts and exit codes out.

mod cmd;
mod control;
mod info;
mod limits;
mod matrix;
mod mistakes;
mod optimize;
mod real_levels;
mod saving;
mod solve;
mod verify;
