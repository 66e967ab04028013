//! What the fuzz targets check. The checks of bytes run as an ordinary test over `testdata/fuzz-corpus`, too.
//!
//! | target | input | what is asked |
//! |---|---|---|
//! | `file` | any bytes | [`check_file`]: a file of any format |
//! | `level` | any bytes | [`check_level`]: a text of levels, read, written back, edited |
//! | `lurd`, `replay` | any bytes | [`check_lurd`], [`check_replay`]: moves with run lengths, and moves on a board |
//! | `note` | any bytes | [`check_note`]: notes of proofs, and titles of solutions |
//! | `collection` | titles, boards, games in any order | [`collection`]: the same as `level`, past the outline |
//! | `packed` | bytes, repeated and packed in layers | [`packed`]: gzip with bombs and damage, UTF-16 |
//! | `xml` | a tree of elements | [`xml`]: XML with entities, and nested too deep |
//! | `objective` | any text | [`objective`]: what options name |
//! | `checkpoint` | changes to a checkpoint | [`checkpoint`]: read, written back, continued |
//! | `fleet` | any bytes | [`fleet`]: values that members of a fleet have written |
//! | `library` | changes to the file of a library | [`library`]: opened, checked, read, repaired |
//! | `plugin` | arguments of a host | the plug-in's functions, with buffers of the sizes that are told |
//! | `http` | the bytes of requests | [`http`]: the server answers, and lives |
//!
//! A finding becomes a file of that corpus, named for what it shows, or an ordinary test.
#![forbid(unsafe_code)]

pub mod checkpoint;
mod checks;
pub mod collection;
pub mod fleet;
pub mod http;
pub mod library;
pub mod objective;
pub mod packed;
pub mod xml;

pub use checks::{check_file, check_level, check_lurd, check_note, check_replay};
