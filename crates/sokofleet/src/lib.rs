//! Many computers that improve solutions of Sokoban levels together, by way of a NATS server.
//!
//! ```text
//!   submit ──levels, wishes──▶ ┌───────── NATS JetStream ─────────┐ ◀──slices, finds──▶ worker, worker, ...
//!                              │ queue of slices · items · finds  │
//!   collect ◀─── solutions ─── └──────────────────────────────────┘ ────▶ status
//! ```
//!
//! The server keeps and passes on; it decides nothing. Which slice is next, and how long it is, follows from what slices
//! have gained, by the rules of `sokonight`. A worker that takes over a solution replays it first.
//!
//! # Contents, in reading order
//! * [`Fleet`], [`FleetAddress`], [`FleetName`]: a connection. Start here.
//! * [`Submission`], [`Wishes`]: what is to be done. [`Submitted`]: what became of it.
//! * [`WorkKnobs`], [`WorkEvent`], [`WorkOutcome`]: a worker.
//! * [`FleetView`]: what the fleet does and has done. [`CollectedLevel`]: what it has found.
//! * `deal`: how slices are dealt out, and why none is lost; `class`: which are first; `keys`: what the server has;
//!   `record`: what its values are.
//!
//! * `testing`, off by default: servers for tests.
//!
//! # Example
//! ```no_run
//! use sokofleet::{Fleet, FleetAddress, FleetName, Submission, Wishes, WorkKnobs};
//! use sokoio::Collection;
//! use sokonight::NightControl;
//!
//! let address = FleetAddress::new("nats://localhost:4222");
//! let fleet = Fleet::create_or_open(&address, &FleetName::default())?;
//! let levels = Collection::parse(b"######\n##   #\n#@$ $#\n#.  .#\n######\n");
//! fleet.submit(&[Submission::new("small", &levels)], &Wishes::default(), &|_, _| {})?;
//!
//! let knobs = WorkKnobs::default().until_empty(true);
//! fleet.work(&knobs, &NightControl::default(), &|_: sokofleet::WorkEvent<'_>| {})?;
//! for level in fleet.collect()? {
//!     println!("{}: {} solutions", level.name, level.solutions.len());
//! }
//! # Ok::<(), sokofleet::FleetError>(())
//! ```
//!
//! # What it guarantees
//! * What a worker has told as found is on the server, in its spool, or in its memory until the server takes it.
//! * Workers may be killed, sleep, and come back at any time. At most the slice that was running is done again.
//! * A broken worker wastes time. No solution counts that does not replay, and none is overwritten by another worker's.
//!
//! # Absent on purpose
//! Messaging, replication, accounts and encryption, which the server has. A proof is what a worker says: a replay shows solutions alone.
#![forbid(unsafe_code)]

mod address;
mod class;
mod collect;
mod deal;
mod driver;
mod fleet;
mod fleet_error;
mod insist;
mod keys;
mod packing;
mod record;
mod refusal;
mod server;
mod spool;
mod submit;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod view;
mod work;

pub use address::FleetAddress;
pub use collect::{CollectedLevel, CollectedSolution};
pub use fleet::Fleet;
pub use fleet_error::FleetError;
pub use keys::{FleetName, ParseNameError};
pub use submit::{Submission, Submitted, Wishes};
pub use view::{FleetView, GainView, ItemView, WorkerView};
pub use work::{WorkEvent, WorkKnobs, WorkObserver, WorkOutcome};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
