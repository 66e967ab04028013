//! The calls that are running: what `Terminate` ends, and the memory that they share.
//!
//! Invariant: while no call is running, the list is empty and there is no memory account, so that nothing of the plug-in
//! is left when the host unloads it.
//!
//! `Terminate` has no argument, so this is the one place of the workspace with a static variable that changes.

use parking_lot::Mutex;
use sokosearch::{Cancel, MemoryAccount};

static RUNNING: Mutex<Running> = Mutex::new(Running { n_begun: 0, calls: Vec::new(), memory: None });

struct Running {
    /// Calls that have ever begun, which numbers them.
    n_begun: u64,
    calls: Vec<(u64, Cancel)>,
    /// What all running calls share, of the size that the first of them was given.
    memory: Option<MemoryAccount>,
}

/// A call, as long as it runs.
#[derive(Debug)]
pub(crate) struct RunningCall {
    number: u64,
    cancel: Cancel,
    memory: MemoryAccount,
}

impl RunningCall {
    /// Enters a call, whose searches may take so many bytes, together with those of the calls that run already.
    pub(crate) fn begin(bytes: u64) -> Self {
        let mut running = RUNNING.lock();
        running.n_begun += 1;
        let (number, cancel) = (running.n_begun, Cancel::default());
        running.calls.push((number, cancel.clone()));
        let memory = running.memory.get_or_insert_with(|| MemoryAccount::new(bytes)).part(bytes);
        Self { number, cancel, memory }
    }

    /// Returns the flag that ends the call.
    pub(crate) const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the account of the call.
    pub(crate) const fn memory(&self) -> &MemoryAccount {
        &self.memory
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut running = RUNNING.lock();
        running.calls.retain(|(number, _)| *number != self.number);
        if running.calls.is_empty() {
            running.calls = Vec::new();
            running.memory = None;
        }
    }
}

/// Asks all running calls to end. Those that begin later are not concerned.
pub(crate) fn end_all() {
    RUNNING.lock().calls.iter().for_each(|(_, cancel)| cancel.cancel());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_share_memory_and_end_together() {
        let (one, other) = (RunningCall::begin(100), RunningCall::begin(100));
        let charge = one.memory().charge(80);
        assert!(charge.is_ok() && other.memory().charge(30).is_err());
        end_all();
        assert!(one.cancel().is_cancelled() && other.cancel().is_cancelled());
        drop(charge);
        drop((one, other));
        let running = RUNNING.lock();
        assert!(running.calls.is_empty() && running.memory.is_none());
        drop(running);
        assert!(!RunningCall::begin(1).cancel().is_cancelled(), "a later call is not concerned");
    }
}
