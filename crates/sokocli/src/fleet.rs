//! The command `fleet`: many computers, by way of a server.
//!
//! * `sokofleet` has the work. [`submit`], [`work`], [`status`], [`collect`]: a command each. [`json_line`]: their lines
//!   for programs.

mod collect;
pub(crate) mod json_line;
mod status;
mod submit;
mod work;

use sokofleet::Fleet;

use crate::args::{FleetArgs, FleetCommand, FleetPlace};
use crate::console::Console;
use crate::exit::Exit;
use crate::output;

/// Runs the command.
pub(crate) fn run(args: &FleetArgs, console: &Console) -> anyhow::Result<Exit> {
    let place = &args.place;
    match &args.command {
        FleetCommand::Submit(args) => submit::run(place, args, console),
        FleetCommand::Work(args) => work::run(place, args, console),
        FleetCommand::Status(args) => status::run(place, args, console),
        FleetCommand::Watch => status::watch(place, console),
        FleetCommand::Collect(args) => collect::run(place, args, console),
        FleetCommand::Drain { resume, remove } => drain(place, *resume, *remove),
    }
}

fn open(place: &FleetPlace) -> anyhow::Result<Fleet> {
    Ok(Fleet::open(&place.address(), &place.fleet)?)
}

fn drain(place: &FleetPlace, is_resumed: bool, is_removed: bool) -> anyhow::Result<Exit> {
    let fleet = open(place)?;
    let name = &place.fleet;
    let said = if is_resumed {
        fleet.resume()?;
        format!("fleet {name}: workers that are started work again")
    } else {
        fleet.drain()?;
        if is_removed {
            fleet.remove()?;
            format!("fleet {name} is removed from the server")
        } else {
            format!("fleet {name} is drained: workers end within seconds, and what they have found is kept")
        }
    };
    output::print_line(&said)?;
    Ok(Exit::Done)
}
