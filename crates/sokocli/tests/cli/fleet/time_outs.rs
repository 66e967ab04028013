//! Bad days of workers and networks, which take the time after which a slice is given to another worker.

mod clocks;
mod kills;
mod network;
