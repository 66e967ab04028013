//! A text as lines, and what a line is by itself or with its neighbors.
//!
//! # Contents, in reading order
//! * `line`: a file as lines, byte ranges without gap or overlap. `encoding`: what is not UTF-8.
//! * `line_kind`: what a line looks like by itself. `property`: `Key: value` lines.
//! * `board_text`: boards, lines that stand together. `run_length`: `3#` and `2(3(#-)#)` written out.

pub(crate) mod board_text;
pub(crate) mod encoding;
pub(crate) mod line;
pub(crate) mod line_kind;
pub(crate) mod property;
pub(crate) mod run_length;
