//! Bad days of workers, networks and servers, which take the time after which a slice is given to another worker.

mod clocks;
mod cluster;
mod full_disk;
mod kills;
mod network;
