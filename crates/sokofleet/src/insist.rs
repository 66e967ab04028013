//! Requests that are repeated until the server answers.
//!
//! A server that is restarted, a network that is cut, a disk that is full: all of that ends. A worker repeats its request
//! until then, and says so once.

use std::future::Future;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::sleep;

use crate::FleetError;
use crate::refusal::Refusals;

/// The pause before a request is repeated for the first time; each later one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// Receives what keeps a worker from the server, once, and `None` when it is over.
pub(crate) type OnTrouble<'a> = &'a (dyn Fn(Option<&FleetError>) + Sync);

/// Repeats requests for all threads of a worker.
pub(crate) struct Insistence<'a> {
    refusals: &'a Refusals,
    on_trouble: OnTrouble<'a>,
    /// Whether nothing more is to be asked.
    is_over: &'a (dyn Fn() -> bool + Sync),
    /// The trouble that was told.
    told: Mutex<Option<String>>,
}

impl<'a> Insistence<'a> {
    pub(crate) const fn new(
        refusals: &'a Refusals,
        on_trouble: OnTrouble<'a>,
        is_over: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self { refusals, on_trouble, is_over, told: Mutex::new(None) }
    }

    /// Repeats a request until it succeeds; `None` if nothing more is to be asked.
    pub(crate) async fn on<T, F: Future<Output = Result<T, FleetError>>>(&self, request: impl Fn() -> F) -> Option<T> {
        let mut pause = FIRST_PAUSE;
        loop {
            match request().await {
                Ok(value) => {
                    self.is_well();
                    return Some(value);
                }
                Err(error) => self.is_ill(&self.refusals.explain(error)),
            }
            if (self.is_over)() {
                return None;
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    fn is_well(&self) {
        if self.told.lock().take().is_some() {
            (self.on_trouble)(None);
        }
    }

    fn is_ill(&self, error: &FleetError) {
        let mut told = self.told.lock();
        if told.is_none() {
            *told = Some(error.to_string());
            (self.on_trouble)(Some(error));
        }
    }
}
