//! The thread that drives the connection to the server.

use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use crate::FleetError;

/// How long a lookup of a name is waited for at the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// A runtime on a thread of its own, until it is dropped. Other threads wait for their futures with [`Driver::block_on`].
///
/// A thread that the system refuses is an error; the runtime of several threads would panic. The one more thread, which
/// looks up names of hosts, starts with the runtime and stays, so that a connection can be made again later.
#[derive(Debug)]
pub(crate) struct Driver {
    handle: Handle,
    /// Ends the runtime when it is dropped.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Driver {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no threads, or no handles.
    pub(crate) fn start() -> Result<Self, FleetError> {
        let (started, starts) = mpsc::channel();
        let (end, ends) = oneshot::channel();
        let thread = thread::Builder::new().name("fleet".to_owned()).spawn(move || {
            let runtime = match runtime() {
                Ok(runtime) => runtime,
                Err(error) => {
                    started.send(Err(error)).ok();
                    return;
                }
            };
            started.send(Ok(runtime.handle().clone())).ok();
            // The sender is dropped, nothing is sent.
            runtime.block_on(ends).ok();
            runtime.shutdown_timeout(PATIENCE);
        });
        let thread = thread.map_err(FleetError::of_threads)?;
        let refused = |_| FleetError::of_threads(io::ErrorKind::WouldBlock.into());
        let handle = starts.recv().map_err(refused)?.map_err(FleetError::of_threads)?;
        Ok(Self { handle, end: Some(end), thread: Some(thread) })
    }

    /// Waits for a future.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

fn runtime() -> io::Result<Runtime> {
    let runtime = Builder::new_current_thread()
        .max_blocking_threads(1)
        .thread_keep_alive(Duration::MAX)
        .thread_name("fleet-names")
        .enable_all()
        .build()?;
    // Starts the thread for names: where the system refuses it this is an error, and `spawn_blocking` would panic.
    runtime.block_on(tokio::io::stderr().write(&[]))?;
    Ok(runtime)
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::sleep;

    use super::*;

    #[test]
    fn several_threads_wait_for_their_futures_and_the_end_waits_for_none() {
        let driver = Driver::start().unwrap();
        driver.block_on(async { drop(tokio::spawn(pending::<()>())) });
        thread::scope(|scope| {
            let waits = (0..4).map(|n| {
                let driver = &driver;
                scope.spawn(move || {
                    driver.block_on(async {
                        sleep(Duration::from_millis(n)).await;
                        tokio::spawn(async move { n }).await.unwrap()
                    })
                })
            });
            let waits: Vec<_> = waits.collect();
            assert!(waits.into_iter().map(|wait| wait.join().unwrap()).eq(0..4));
        });
        drop(driver);
    }
}
