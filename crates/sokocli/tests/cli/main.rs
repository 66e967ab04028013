//! The program as people and programs see it: files in, files and texts and exit codes out.

mod analyze;
mod bad_days;
mod bad_names;
mod bounds;
#[path = "../../../sokoweb/tests/it/browser.rs"]
#[expect(dead_code, reason = "the tests of the pages use all of it")]
mod browser;
mod cmd;
mod control;
mod dialect;
mod draw;
mod faults;
mod files;
mod first_hour;
mod fleet;
mod info;
mod json;
mod kills;
mod library;
mod limits;
mod matrix;
mod mistakes;
mod night;
mod optimize;
#[path = "../../../sokoweb/tests/it/patience.rs"]
mod patience;
mod play;
mod real_levels;
mod refused;
mod report;
mod report_in_browser;
mod runs;
mod saving;
mod schema;
mod serve;
mod several_processes;
mod show;
mod solve;
mod stream;
#[cfg(unix)]
mod terminal_session;
mod verify;
