//! The command `library`: what is kept of levels from run to run.
//!
//! * [`place`]: which file it is.
//! * [`add`], [`list`], [`show`], [`export`], [`stats`], [`relatives`], [`upkeep`]: the commands. [`since`]: days.
//! * [`names`]: how collections and levels are named. [`json_line`]: lines for programs.
//! * [`sync`]: what runs of other commands take from the library and put into it.

pub(crate) mod add;
pub(crate) mod export;
pub(crate) mod json_line;
mod list;
pub(crate) mod names;
mod place;
mod relatives;
mod show;
pub(crate) mod since;
mod stats;
pub(crate) mod sync;
mod upkeep;

use crate::args::{LibraryArgs, LibraryCommand};
use crate::console::Console;
use crate::exit::Exit;

/// Runs the command.
pub(crate) fn run(args: &LibraryArgs, console: &Console) -> anyhow::Result<Exit> {
    let place = &args.place;
    match &args.command {
        LibraryCommand::Add(add) => add::run(place, add, console),
        LibraryCommand::List(list) => list::run(&place.open()?, list, console),
        LibraryCommand::Show(show) => show::run(&place.open()?, show, console),
        LibraryCommand::Export(export) => export::run(place.open()?, export, console),
        LibraryCommand::Stats(stats) => stats::run(&place.open()?, stats, console),
        LibraryCommand::Relatives(relatives) => relatives::run(place.open()?, relatives, console),
        LibraryCommand::Check { repair: false } => upkeep::check(&place.open()?, console),
        LibraryCommand::Check { repair: true } => upkeep::repair(&place.path()?, console),
        LibraryCommand::Compact => upkeep::compact(place.open()?),
        LibraryCommand::Forget(forget) => upkeep::forget(place.open()?, forget, console),
    }
}
