//! Fleets on real servers, which the tests start. Without `nats-server` they say so and pass.

mod desk;
mod working;
