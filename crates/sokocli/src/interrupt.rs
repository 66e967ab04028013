//! Ctrl-C: the first one asks the searches to stop, the second one ends the program at once.

use std::time::Duration;

use anyhow::Context;
use sokosearch::Cancel;

use crate::complaint::Complaints;
use crate::exit::Exit;

/// The longest time that a program takes to end after it was told to.
const LONGEST_END: Duration = Duration::from_secs(1);

/// Raises `cancel` on the first Ctrl-C and says what happens `then`. Can be called once in a program.
pub(crate) fn cancel_on_ctrl_c(cancel: Cancel, complaints: Complaints, then: &'static str) -> anyhow::Result<()> {
    stop_on_ctrl_c(cancel, Cancel::is_cancelled, Cancel::cancel, complaints, then)
}

/// Raises `cancel` when the program is told to end, and says nothing: the screen is not for messages.
///
/// A program that has not ended after a second is ended here: reading the keys of a terminal that has gone away may last
/// forever.
pub(crate) fn cancel_quietly(cancel: Cancel) -> anyhow::Result<()> {
    let told = move || {
        cancel.cancel();
        std::thread::sleep(LONGEST_END);
        std::process::exit(Exit::Interrupted.code().into());
    };
    listen(told)
}

/// As [`cancel_on_ctrl_c`], for anything that can be stopped.
pub(crate) fn stop_on_ctrl_c<T: Send + 'static>(
    what: T,
    is_stopped: fn(&T) -> bool,
    stop: fn(&T),
    complaints: Complaints,
    then: &'static str,
) -> anyhow::Result<()> {
    listen(move || {
        if is_stopped(&what) {
            std::process::exit(Exit::Interrupted.code().into());
        }
        stop(&what);
        complaints.note(&format!("stopping; {then}. Ctrl-C again ends the program at once"));
    })
}

/// Sets what Ctrl-C does. It needs a thread, and a program that cannot be stopped is not begun.
fn listen(told: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    let advice = "the system gives no thread for it; end other programs, or raise the limits of threads and memory";
    ctrlc::set_handler(told).with_context(|| format!("cannot listen to Ctrl-C; {advice}"))
}
