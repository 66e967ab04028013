//! A search on a thread of its own, while the host's thread reports and asks whether to stop.
//!
//! Hosts draw in their callback, so it is called on the thread that they have called with. The search has the stack of a
//! thread of ours, whatever the host's thread has, and if it panics, that ends it alone.

use std::any::Any;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use sokosearch::{Cancel, Clock};

use crate::host::callback::Callback;
use crate::host::status::Status;
use crate::news::News;
use crate::result_code::{CallEnd, ResultCode};

/// How often the host is asked whether to stop.
const ASK_EVERY: Duration = Duration::from_millis(200);
/// How often the status text changes.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// The host while a search runs.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    pub(crate) status: &'a mut Status,
    pub(crate) callback: &'a Callback,
    pub(crate) cancel: &'a Cancel,
    pub(crate) clock: Clock,
}

impl Watch<'_> {
    /// Runs a search to its end, and returns its result. The host is told and asked before it begins.
    ///
    /// # Errors
    /// The system gives no thread, or the search panicked.
    pub(crate) fn run<T: Send>(&mut self, news: &News, search: impl FnOnce() -> T + Send) -> Result<T, CallEnd> {
        let failed = |text: String| ResultCode::Failed.because(text);
        self.report(news);
        self.ask();
        thread::scope(|scope| {
            let (is_running, ended) = mpsc::channel::<()>();
            let run = move || {
                // Dropped when the search ends, whatever ends it.
                let _is_running = is_running;
                search()
            };
            let worker = thread::Builder::new().name("soko".to_owned()).spawn_scoped(scope, run);
            let worker = worker.map_err(|error| failed(format!("the system gives no thread: {error}")))?;
            let mut reported = self.clock.elapsed();
            while ended.recv_timeout(ASK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if self.clock.elapsed() - reported >= REPORT_EVERY {
                    self.report(news);
                    reported = self.clock.elapsed();
                }
                self.ask();
            }
            worker.join().map_err(|panic| failed(format!("a bug: {}; please report it", message_of(&*panic))))
        })
    }

    /// Asks the host whether to stop.
    fn ask(&self) {
        if self.callback.asks_to_stop() {
            self.cancel.cancel();
        }
    }

    fn report(&mut self, news: &News) {
        self.status.set_text(&news.line());
        self.status.set_time(self.clock.elapsed());
    }
}

/// Returns what a panic says.
fn message_of(panic: &(dyn Any + Send)) -> &str {
    let of_text = panic.downcast_ref::<&str>().copied();
    of_text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a search panicked")
}

#[cfg(test)]
mod tests {
    #![expect(unsafe_code, reason = "plays the host")]

    use super::*;

    fn run<T: Send>(search: impl FnOnce() -> T + Send) -> Result<T, CallEnd> {
        // SAFETY: null is allowed.
        let (mut status, callback) = unsafe { (Status::new(std::ptr::null_mut()), Callback::new(None)) };
        let (cancel, clock) = (Cancel::default(), Clock::start());
        Watch { status: &mut status, callback: &callback, cancel: &cancel, clock }.run(&News::default(), search)
    }

    #[test]
    fn a_search_returns_its_result() {
        assert_eq!(run(|| 7).unwrap(), 7);
    }

    #[test]
    fn a_panic_ends_the_search_alone() {
        let end = run(|| -> u8 { panic!("no {}", "luck") }).unwrap_err();
        assert_eq!(end, ResultCode::Failed.because("a bug: no luck; please report it"));
    }
}
