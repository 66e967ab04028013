//! The window of the host, and messages in front of it.
#![expect(unsafe_code, reason = "takes the host's window")]

use std::ffi::c_void;

/// The window of a host; it may be absent.
#[derive(Debug)]
#[cfg_attr(
    not(any(windows, soko_check_windows)),
    expect(dead_code, reason = "only Windows has windows that a plug-in may stand before")
)]
pub(crate) struct ParentWindow(*mut c_void);

impl ParentWindow {
    /// Accepts the window of a host.
    ///
    /// # Safety
    /// It must be null, or on Windows a window that stays as long as the value exists.
    pub(crate) const unsafe fn new(window: *mut c_void) -> Self {
        Self(window)
    }

    /// Shows a message until the user closes it.
    #[cfg(any(windows, soko_check_windows))]
    pub(crate) fn show(&self, title: &str, text: &str) {
        // SAFETY: `new` was promised a window, or null.
        unsafe { super::windows::message_box(self.0, title, text) };
    }

    /// Writes a message to standard error.
    #[cfg(not(any(windows, soko_check_windows)))]
    pub(crate) fn show(&self, title: &str, text: &str) {
        use std::io::{self, Write as _};

        // There is no other place to say that standard error is closed.
        let _ = writeln!(io::stderr(), "{title}\n{text}");
    }
}
