//! The command `draw`: levels or games as pictures.
//!
//! | format | without `--solution` | with `--solution` | with `--solution --strip` |
//! |---|---|---|---|
//! | `.svg` | the start | plays by itself | positions beside each other |
//! | `.png` | the start | as with `--strip` | positions beside each other |
//! | `.gif` | refused | an animation | refused |
//!
//! * [`names`]: the file of each level. [`picture`]: one picture.

mod names;
mod picture;

use std::path::PathBuf;

use anyhow::{Context, ensure};

use self::names::PictureNames;
use self::picture::draw;
use crate::args::{DrawArgs, PictureFormat};
use crate::complaint::with_causes;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::sources::is_dash;
use crate::inputs::{InputLevel, Inputs};
use crate::new_file::{refuse_old, write_output};
use crate::output;
use crate::outputs::saver::shown;
use crate::show::complain;
use crate::wording::count;

/// Runs the command.
pub(crate) fn run(args: &DrawArgs, console: &Console) -> anyhow::Result<Exit> {
    let names = PictureNames::of(args)?;
    let format = names.format();
    let has_motion = args.solution.is_some() && !args.strip;
    let gif = UsageError("a .gif is an animation; add --solution without --strip, or write .png or .svg".to_owned());
    ensure!(format != PictureFormat::Gif || has_motion, gif);
    let sized = UsageError("--max-bytes is for .gif".to_owned());
    ensure!(format == PictureFormat::Gif || args.max_bytes.is_none(), sized);
    let inputs = Inputs::read_named(&args.level, &console.complaints)?;
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let chosen: Vec<InputLevel<'_>> = inputs.levels().filter(|at| selection.contains(at)).collect();
    let paths = names.paths(&chosen.iter().map(|at| at.number).collect::<Vec<_>>())?;
    for path in &paths {
        refuse_old(path, args.force)?;
    }
    names.make_folder()?;
    let mut n_faults = inputs.n_faults();
    for (at, path) in chosen.iter().zip(&paths) {
        n_faults += usize::from(!draw_level(at, path, format, args, console)?);
    }
    Ok(Exit::of_faults(n_faults))
}

/// Draws a level into its file; returns whether there was something to draw, and says why not.
fn draw_level(
    at: &InputLevel<'_>,
    path: &PathBuf,
    format: PictureFormat,
    args: &DrawArgs,
    console: &Console,
) -> anyhow::Result<bool> {
    let level = match at.entry.level() {
        Ok(level) => level,
        Err(error) => {
            complain(at, error, &console.complaints);
            return Ok(false);
        }
    };
    let drawn = draw(at, level, format, args).with_context(|| format!("cannot draw {}", at.place(at.entry.line())));
    let picture = match drawn {
        Ok(picture) => picture,
        Err(error) => {
            console.complaints.error(&with_causes(error));
            return Ok(false);
        }
    };
    write_output(path, args.force, &picture.bytes)?;
    if !is_dash(path) {
        let bytes = count(picture.bytes.len(), "byte");
        output::print_line(&format!("{}: {}, {bytes}", shown(&[path]), picture.remark))?;
    }
    Ok(true)
}
