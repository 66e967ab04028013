//! Soko as a plug-in: the solver and the optimizer behind the C interface that Sokoban YASC and Sokoban++ load.
//!
//! ```text
//!   host's thread                                     worker threads
//!   ─────────────                                     ──────────────
//!   SolveEx, Optimize ──▶ host: pointers as values
//!                          │
//!                          ▼
//!                board_text · game_text · optimization ──▶ Level, Lurd, Objective
//!                          │
//!                          ▼
//!                        watch ──────── starts ──────────▶ sokosolver::solve, sokomethods::optimize
//!                          │ ◀──────── news, the end ────────┘        ▲
//!      status text, once a second; callback, five times a second      │ Cancel
//!   another thread                                                    │
//!   Terminate ───────────────────────────────────────────▶ running_calls
//! ```
//!
//! # Contents, in reading order
//! * [`exports`]: the functions that a host finds by name. Start here.
//! * [`ResultCode`], [`PluginStatus`], [`HostCallback`]: what they return, fill and call.
//! * `host`: the host's memory as values; the only place, with `exports`, that has `unsafe`.
//! * `call`: what the functions that search have in common; `solve_call`, `optimize_call`: the two of them.
//! * `watch`: a search on a thread of its own, while the host's thread reports. `news`: what there is to report.
//! * `board_text`, `game_text`, `optimization`: boards, moves and flags, as hosts write them. `game`: moves that were
//!   replayed on the board.
//! * `settings`, `settings_file`: what the user can set, in a file beside the library.
//! * `running_calls`: what `Terminate` ends, and the memory that calls share.
//! * `about`, `configure`: what `ShowAbout` and `Configure` do.
//!
//! # What it guarantees
//! * No panic leaves an exported function: it is caught, and the function returns [`ResultCode::Failed`].
//! * No byte is written beyond the sizes that the host passes, nor into a status record beyond its own size.
//! * When no call is running there is no thread, no memory of a search and no open file, so that the library can be
//!   unloaded; `build.rs` says why Linux keeps its code.
//! * All calls that run at the same time share the memory of the settings.
//! * A game that is handed back was replayed on the host's board.

mod about;
mod board_text;
mod call;
mod configure;
pub mod exports;
mod game;
mod game_text;
mod host;
mod news;
mod optimization;
mod optimize_call;
mod result_code;
mod running_calls;
mod settings;
mod settings_file;
mod solve_call;
mod watch;

pub use host::callback::HostCallback;
pub use host::status::PluginStatus;
pub use result_code::ResultCode;
