//! The command `serve`: the pages of `sokoweb`, opened in the browser.

use sokosearch::Cancel;
use sokoweb::{Server, ServerOptions};

use crate::args::ServeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt::cancel_on_ctrl_c;
use crate::output;
use crate::process_memory::{keep_within, memory_of_searches, resident_memory};

/// Runs the command.
pub(crate) fn run(args: &ServeArgs, console: &Console) -> anyhow::Result<Exit> {
    let path = args.place.path()?;
    let n_threads = args.resources.n_threads();
    let allowed = args.resources.memory()?;
    let memory = memory_of_searches(allowed, n_threads);
    let options = ServerOptions::of_library(&path).with_port(args.port).with_threads(n_threads).with_memory(memory);
    let server = Server::bind(&options.with_resident_memory(resident_memory))?;
    let stop = Cancel::default();
    cancel_on_ctrl_c(stop.clone(), console.complaints.clone(), "what runs have found is in the library")?;
    keep_within(allowed);
    let link = server.link();
    output::print(&format!("Library {}\nOpen {link}\nCtrl-C stops the server and its runs\n", path.display()))?;
    if !args.no_open
        && let Some(link) = server.opening_link()
        && let Err(error) = open::that_detached(&link)
    {
        console.complaints.note(&format!("no browser can be opened ({error}); open the link yourself"));
    }
    server.run(&stop)?;
    Ok(Exit::Done)
}
