//! Pictures of Sokoban boards and solutions: SVG symbols of our own, boards, and a replay for web pages.
//!
//! ```text
//!   Grid ──▶ FloorPlan ──▶ walls, floor, goals ─┐
//!                                               ├─▶ BoardImage ──▶ SVG, PNG
//!   Position ──▶ boxes, player ─────────────────┤
//!   Lurd ──▶ playback: what each move changes ──┴─▶ SolutionImage ──▶ GIF, animated SVG, strip
//!
//!   skin: symbols + Theme ──▶ colors in attributes (files) or in a style sheet (pages)
//!   web: replay.js, replay.css ──▶ the same board, drawn and replayed in a page
//! ```
//!
//! # Contents, in reading order
//! * [`BoardImage`]: a position as SVG. Start here.
//! * [`SolutionImage`]: a solution or a snapshot as an animation or as a strip.
//! * [`Image`]: colors, sizes and titles of both.
//! * [`FloorPlan`]: what of a board never moves. [`FloorPlan::rows`] is what a page draws.
//! * `skin`: each [`Symbol`], and the color of each [`Role`] in the light and the dark [`Theme`].
//! * [`web`]: the script and the style sheet that replay a solution in a page.
//!
//! # What it guarantees
//! * Equal input gives equal bytes.
//! * No text of a file becomes markup.
//!
//! # Absent on purpose
//! Files, and everything that searches.
#![forbid(unsafe_code)]

mod animation;
mod board_image;
mod draw_error;
mod escape;
mod floor_plan;
mod image;
mod pixels;
mod playback;
mod skin;
mod solution_image;
mod strip;
mod svg_text;
pub mod web;

pub use board_image::BoardImage;
pub use draw_error::DrawError;
pub use escape::escaped;
pub use floor_plan::FloorPlan;
pub use image::Image;
pub use skin::symbol::{Symbol, symbol_defs};
pub use skin::theme::{Role, Theme};
pub use solution_image::{AnimatedGame, FrameStep, GifFile, SolutionImage};

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
