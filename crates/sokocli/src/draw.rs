//! The command `draw`: a level or a solution as a picture.
//!
//! | `-o` | without `--solution` | with `--solution` | with `--solution --strip` |
//! |---|---|---|---|
//! | `.svg` | the start | plays by itself | positions beside each other |
//! | `.png` | the start | as with `--strip` | positions beside each other |
//! | `.gif` | refused | an animation | refused |

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use sokocore::{Level, Objective, Solution};
use sokodraw::{BoardImage, FrameStep, GifFile, SolutionImage, Theme};

use crate::args::{DrawArgs, StepChoice, ThemeChoice};
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::selection::LevelSelection;
use crate::inputs::sources::is_dash;
use crate::inputs::{InputLevel, Inputs, OwnResults};
use crate::level_fault::LevelFault;
use crate::new_file::{refuse_old, write_output};
use crate::output;
use crate::outputs::saver::shown;
use crate::wording::count;

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureFormat {
    Svg,
    Png,
    Gif,
}

/// A picture, and what is said about it.
#[derive(Debug)]
struct DrawnPicture {
    bytes: Vec<u8>,
    remark: String,
}

/// Runs the command.
pub(crate) fn run(args: &DrawArgs, console: &Console) -> anyhow::Result<Exit> {
    let format = PictureFormat::of(&args.output)?;
    let has_motion = args.solution.is_some() && !args.strip;
    let gif = UsageError("a .gif is an animation; add --solution without --strip, or write .png or .svg".to_owned());
    ensure!(format != PictureFormat::Gif || has_motion, gif);
    let sized = UsageError("--max-bytes is for .gif".to_owned());
    ensure!(format == PictureFormat::Gif || args.max_bytes.is_none(), sized);
    refuse_old(&args.output, args.force)?;
    let inputs = Inputs::read(&args.level.files, OwnResults::Read, &console.complaints);
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let at = only_level(&inputs, &selection)?;
    let level = at.entry.level().map_err(|error| {
        let fault = LevelFault::of(error);
        anyhow!("{}: {}: {}", at.place(at.entry.line()), fault.name(), fault.reason())
    })?;
    let picture = draw(&at, level, format, args).with_context(|| format!("cannot draw {}", at.name()))?;
    write_output(&args.output, args.force, &picture.bytes)?;
    if !is_dash(&args.output) {
        let bytes = count(picture.bytes.len(), "byte");
        output::print_line(&format!("{}: {}, {bytes}", shown(&[&args.output]), picture.remark))?;
    }
    Ok(Exit::of_faults(inputs.n_faults()))
}

impl PictureFormat {
    fn of(output: &Path) -> Result<Self, UsageError> {
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            None if is_dash(output) => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("gif") => Ok(Self::Gif),
            _ => Err(UsageError(format!("-o {}: name a file that ends with .svg, .png or .gif", output.display()))),
        }
    }
}

/// The level that is drawn: a picture has one.
fn only_level<'a>(inputs: &'a Inputs, selection: &LevelSelection) -> anyhow::Result<InputLevel<'a>> {
    let mut chosen = inputs.levels().filter(|at| selection.contains(at));
    let first = chosen.next().context("there is no level to draw")?;
    let n = 1 + chosen.count();
    let several =
        UsageError(format!("a picture has one level, and these are {n}; choose one, as by --levels {}", first.number));
    ensure!(n == 1, several);
    Ok(first)
}

fn draw(at: &InputLevel<'_>, level: &Level, format: PictureFormat, args: &DrawArgs) -> anyhow::Result<DrawnPicture> {
    let (theme, square) = (args.theme.into(), usize::from(args.square));
    let grid = level.grid();
    let Some(objective) = args.solution else {
        let image =
            BoardImage::of(level).with_theme(theme).with_square_size(square).with_title(at.entry.title_or_number());
        let bytes = if format == PictureFormat::Svg { image.to_svg().into_bytes() } else { image.to_png()? };
        return Ok(DrawnPicture { bytes, remark: pixels(grid.width() * square, grid.height() * square) });
    };
    let solution = best_solution(at, objective).ok_or_else(|| {
        let path = at.path.display();
        anyhow!("it has no solution in {path}; find one by `soko solve`, or name the file with its solution as well")
    })?;
    let metrics = solution.metrics();
    let title = format!("{}: {} moves, {} pushes", at.entry.title_or_number(), metrics.moves, metrics.pushes);
    let image = SolutionImage::of(level, solution.lurd())?
        .with_theme(theme)
        .with_square_size(square)
        .with_title(title)
        .with_speed(usize::from(args.speed))
        .with_step(args.steps.into());
    let found = format!("{} and {}", count(metrics.moves, "move"), count(metrics.pushes, "push"));
    Ok(match format {
        PictureFormat::Png => DrawnPicture { bytes: image.to_strip_png()?, remark: found },
        PictureFormat::Svg if args.strip => DrawnPicture { bytes: image.to_strip_svg()?.into_bytes(), remark: found },
        PictureFormat::Svg => DrawnPicture { bytes: image.to_animated_svg().into_bytes(), remark: found },
        PictureFormat::Gif => {
            let limit = args.max_bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
            let gif = limit.map_or_else(|| image.to_gif(), |limit| image.to_gif_within(limit))?;
            let size = pixels(grid.width() * gif.square_size, grid.height() * gif.square_size);
            let remark = format!("{found}, {size}, {}", frames(&gif));
            DrawnPicture { bytes: gif.bytes, remark }
        }
    })
}

fn pixels(width: usize, height: usize) -> String {
    format!("{width} x {height} pixels")
}

/// What the animation became.
fn frames(gif: &GifFile) -> String {
    let what = match gif.step {
        FrameStep::Moves => "move",
        FrameStep::Pushes => "push",
        FrameStep::BoxLines => "box line",
    };
    let (pixels, frames) = (count(gif.square_size, "pixel"), count(gif.n_frames, "frame"));
    format!("squares of {pixels}, {frames} for each {what}")
}

/// The best solution of a level in its file.
fn best_solution(at: &InputLevel<'_>, objective: Objective) -> Option<Solution> {
    let solutions = at.entry.solutions().filter_map(|(_, solution)| solution.ok());
    solutions.min_by_key(|solution| objective.score(&solution.metrics()))
}

impl From<ThemeChoice> for Theme {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Light => Self::Light,
            ThemeChoice::Dark => Self::Dark,
        }
    }
}

impl From<StepChoice> for FrameStep {
    fn from(choice: StepChoice) -> Self {
        match choice {
            StepChoice::Moves => Self::Moves,
            StepChoice::Pushes => Self::Pushes,
            StepChoice::Boxlines => Self::BoxLines,
        }
    }
}
