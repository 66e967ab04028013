//! What `Solve`, `SolveEx` and `Optimize` have in common: settings, limits, the host, and how a call ends.

use sokosearch::{Budget, Cancel, Clock, Stop};

use crate::host::callback::Callback;
use crate::host::status::Status;
use crate::news::News;
use crate::result_code::{CallEnd, ResultCode};
use crate::running_calls::RunningCall;
use crate::settings::Settings;
use crate::settings_file;
use crate::watch::Watch;

/// The host of a call, as it has introduced itself.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) status: Status,
    pub(crate) callback: Callback,
}

/// A call that is running.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    host: &'a mut Host,
    settings: Settings,
    running: RunningCall,
    clock: Clock,
}

impl Host {
    /// Runs a call: reads the settings, runs `work`, and tells the host how it has ended. Returns its result.
    pub(crate) fn run(&mut self, work: impl FnOnce(&mut Call<'_>) -> Result<CallEnd, CallEnd>) -> ResultCode {
        let clock = Clock::start();
        let CallEnd { code, text } = self.end_of(clock, work);
        self.status.set_text(&text);
        self.status.set_time(clock.elapsed());
        // The search has ended: what the host says now changes nothing.
        self.callback.asks_to_stop();
        code
    }

    fn end_of(&mut self, clock: Clock, work: impl FnOnce(&mut Call<'_>) -> Result<CallEnd, CallEnd>) -> CallEnd {
        let run = || {
            let settings = settings_file::read()?;
            let running = RunningCall::begin(settings.search_memory());
            work(&mut Call { host: self, settings, running, clock })
        };
        run().unwrap_or_else(|end| end)
    }
}

impl Call<'_> {
    /// Returns the settings.
    pub(crate) const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the status record.
    pub(crate) const fn status(&mut self) -> &mut Status {
        &mut self.host.status
    }

    /// Returns the limits of the call.
    pub(crate) fn budget(&self) -> Budget {
        Budget::new(self.settings.time, self.running.memory().clone(), self.cancel().clone())
    }

    /// Returns the flag that ends the call.
    pub(crate) const fn cancel(&self) -> &Cancel {
        self.running.cancel()
    }

    /// Runs a search to its end while the host watches.
    pub(crate) fn watch<T: Send>(&mut self, news: &News, search: impl FnOnce() -> T + Send) -> Result<T, CallEnd> {
        let Self { host, running, clock, .. } = self;
        let Host { status, callback } = &mut **host;
        Watch { status, callback, cancel: running.cancel(), clock: *clock }.run(news, search)
    }
}

/// Returns the result of a search that was stopped before it had one.
pub(crate) const fn code_of(stop: Stop) -> ResultCode {
    match stop {
        Stop::Time => ResultCode::Timeout,
        Stop::Cancelled => ResultCode::Terminated,
        _ => ResultCode::Unsolved,
    }
}
