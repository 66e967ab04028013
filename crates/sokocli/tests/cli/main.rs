//! The program as people and programs see it: files in, files and texts and exit codes out.

mod analyze;
mod bad_days;
mod bad_names;
mod bounds;
mod cmd;
mod control;
mod files;
mod first_hour;
mod info;
mod json;
mod kills;
mod library;
mod limits;
mod matrix;
mod mistakes;
mod night;
mod optimize;
mod real_levels;
mod refused;
mod runs;
mod saving;
mod schema;
mod several_processes;
mod show;
mod solve;
mod verify;
