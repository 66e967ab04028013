//! The built library, loaded as a host loads it.

#![expect(unsafe_code, reason = "plays a host in the same process")]

mod c_host;
mod calls;
mod documentation;
mod garbage;
mod header;
mod large;
mod library;
mod parts;
mod plugin;
mod random;
mod terminate;
mod unload;
