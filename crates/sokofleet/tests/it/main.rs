//! Fleets on real servers, which the tests start. Without `nats-server` they say so and pass.

mod access;
mod broken;
mod desk;
mod time_outs;
mod wire;
mod wishes;
mod working;
