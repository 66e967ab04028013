//! The command `report`: what was gained on the levels of files or collections, as one page that needs nothing else.
//!
//! ```text
//!   files ─────▶ from_files ───┐                  ┌─▶ sums, charts: HTML and SVG made here
//!                              ├─▶ ReportLevel ──▶ page
//!   library ───▶ from_library ─┘                  └─▶ levels as JSON ──▶ page/report.js: table, boards, replays
//! ```
//!
//! * [`level`]: what is known of a level before and after. [`reported_solution`]: who found a solution, and when.
//!   [`from_files`], [`from_library`]: where it comes from.
//! * [`totals`], [`sums`]: what it adds up to, and how the sums fell. [`charts`]: pictures of that. [`mod@page`]: the file.
//!
//! Invariant: the page loads nothing and runs no script but its own, and text of files never becomes markup.

mod charts;
mod from_files;
mod from_library;
mod level;
mod page;
mod reported_solution;
mod sums;
mod totals;

use std::path::{Path, PathBuf};

use anyhow::ensure;

use self::level::ReportContent;
use self::page::page;
use crate::args::ReportArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::sources::is_dash;
use crate::inputs::{Inputs, OwnResults};
use crate::new_file::{refuse_old, write_output};
use crate::output;
use crate::outputs::saver::shown;
use crate::wording::count;

/// Bytes from which on a page is slow to open.
const LARGE_PAGE: usize = 64 << 20;

/// Runs the command.
pub(crate) fn run(args: &ReportArgs, console: &Console) -> anyhow::Result<Exit> {
    refuse_old(&args.output, args.force)?;
    let is_file = |what: &&String| is_dash(Path::new(what)) || Path::new(what).exists();
    let (files, names): (Vec<_>, Vec<_>) = args.what.iter().partition(is_file);
    let mut report = ReportContent::default();
    let mut n_faults = 0;
    if !files.is_empty() {
        let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
        let inputs = Inputs::read(&files, OwnResults::Read, &console.complaints);
        n_faults += inputs.n_faults();
        from_files::add(&mut report, &inputs);
    }
    if !names.is_empty() || args.what.is_empty() {
        from_library::add(&mut report, args, &names)?;
    }
    ensure!(!report.levels.is_empty(), "there is no level to report on; name files or collections with levels");
    let page = page(&report)?;
    write_output(&args.output, args.force, page.as_bytes())?;
    if page.len() > LARGE_PAGE {
        let text =
            "the page is large, and browsers take long to open it; name fewer files or collections for a page each";
        console.complaints.warning(text);
    }
    if !is_dash(&args.output) {
        let (path, levels, bytes) =
            (shown(&[&args.output]), count(report.levels.len(), "level"), count(page.len(), "byte"));
        output::print_line(&format!("{path}: {levels}, {bytes}"))?;
    }
    Ok(Exit::of_faults(n_faults))
}
