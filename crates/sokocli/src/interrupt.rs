//! Ctrl-C: the first one asks the searches to stop, the second one ends the program at once.

use anyhow::Context;
use sokosearch::Cancel;

use crate::complaint::Complaints;
use crate::exit::Exit;

/// Raises `cancel` on the first Ctrl-C and says what happens `then`. Can be called once in a program.
pub(crate) fn cancel_on_ctrl_c(cancel: Cancel, complaints: Complaints, then: &'static str) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(Exit::Interrupted.code().into());
        }
        cancel.cancel();
        complaints.note(&format!("stopping; {then}. Ctrl-C again ends the program at once"));
    })
    .context("cannot listen to Ctrl-C")
}
