//! The host's memory as values that the rest of the crate can use safely.
//!
//! Each value is made by an unsafe function, whose caller vouches for the host: that pointers are null or point to
//! what the interface says, and stay valid until the exported function returns. The values do not leave the host's
//! thread.

pub(crate) mod board_rows;
pub(crate) mod callback;
pub(crate) mod game_buffer;
pub(crate) mod library_path;
pub(crate) mod numbers;
pub(crate) mod status;
pub(crate) mod text;
pub(crate) mod window;
#[cfg(any(windows, soko_check_windows))]
pub(crate) mod windows;
