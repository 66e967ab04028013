//! The function by which a host stops a call.
#![expect(unsafe_code, reason = "calls the host")]

/// The function that a host hands in: takes nothing, and returns nonzero to stop the call. It may be null.
pub type HostCallback = Option<unsafe extern "system" fn() -> i32>;

/// A callback that may be called.
#[derive(Debug)]
pub(crate) struct Callback(HostCallback);

impl Callback {
    /// Accepts the callback of a host.
    ///
    /// # Safety
    /// It must be null, or a function of this type that may be called as long as the exported function runs.
    pub(crate) unsafe fn new(callback: HostCallback) -> Self {
        Self(callback)
    }

    /// Calls the host. Returns whether it asks to stop.
    pub(crate) fn asks_to_stop(&self) -> bool {
        // SAFETY: `new` was promised that it may be called now, and we are on the thread of the host's call.
        self.0.is_some_and(|callback| unsafe { callback() } != 0)
    }
}
