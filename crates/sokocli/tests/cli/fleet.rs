//! Fleets as a user has them: a server, workers that come and go, and what is collected. Without `nats-server` the tests
//! say so and pass.
#![cfg(unix)]

mod access;
mod cluster;
mod desk;
mod fake_time;
mod full_disk;
mod limits;
mod mistakes;
mod name_space;
mod time_outs;
mod working;

/// Says that a test was skipped, and why.
fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}
