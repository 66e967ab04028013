//! The pages of Soko: a library of levels, live runs, replays and an editor, in a browser on the same machine.
//!
//! ```text
//!   browser ──HTTP on 127.0.0.1──▶ guard: Host · Origin · token ──▶ pages (part of the program)
//!      ▲                                        │
//!      │                                        └──▶ /api ──▶ Store ─────────────▶ library
//!      └────── the latest snapshot ◀── Runs ◀── LiveRun ◀── sokonight::Night ──────┘
//! ```
//!
//! # Contents, in reading order
//! * [`Server`], [`ServerOptions`]: bound to loopback, run until a flag is raised. Start here.
//! * `access`: what is refused, and why. `assets`: the files of the pages.
//! * `api`: the routes, one file each. `store`: the library behind them. `runs`: searches, and how they are watched.
//! * `shown_text`, `problem`, `query`: text of files, errors and requests as pages get and send them.
//!
//! # What it guarantees
//! * Nothing but loopback is bound. A request without the token or its cookie is told nothing, and one that another site
//!   or another machine could have caused changes nothing.
//! * No path of a request is opened. No text of a file becomes markup.
//! * What is kept for a page is bounded; a slow page gets the latest state.
//! * A run belongs to the server: closing a page does not end it. When [`Server::run`] returns, what runs have found is
//!   in the library, and so are the runs, to be continued.
//!
//! # Absent on purpose
//! Searching (see `sokonight`), pictures and the replay (see `sokodraw`), and every file but the library.
#![forbid(unsafe_code)]

mod access;
mod api;
mod assets;
mod problem;
mod query;
mod runs;
mod server;
mod shown_text;
mod store;

pub use server::{BindServerError, Server, ServerOptions};

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
