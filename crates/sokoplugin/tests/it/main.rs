//! The built library, loaded as a host loads it.

#![expect(unsafe_code, reason = "plays a host in the same process")]

mod calls;
mod garbage;
mod library;
mod plugin;
mod terminate;
