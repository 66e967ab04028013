//! One picture: a level, or a game of it.

use anyhow::{anyhow, ensure};
use sokocore::Level;
use sokodraw::{BoardImage, DrawError, FrameStep, GifFile, SolutionImage, Theme};

use crate::args::{DrawArgs, GameChoice, PictureFormat, StepChoice, ThemeChoice};
use crate::inputs::InputLevel;
use crate::recorded_games::{RecordedGame, RecordedGames};
use crate::wording::{count, is_are};

/// A picture, and what is said about it.
#[derive(Debug)]
pub(super) struct DrawnPicture {
    pub(super) bytes: Vec<u8>,
    pub(super) remark: String,
}

/// Draws the start of a level, or the game that was asked for.
pub(super) fn draw(
    at: &InputLevel<'_>,
    level: &Level,
    format: PictureFormat,
    args: &DrawArgs,
) -> anyhow::Result<DrawnPicture> {
    let drawn = match args.solution {
        None => draw_start(at, level, format, args),
        Some(choice) => draw_game(at, level, &chosen_game(at, level, choice)?, format, args),
    };
    drawn.map_err(|error| match error.downcast_ref().and_then(options_for) {
        Some(options) => anyhow!("{error}: {options}"),
        None => error,
    })
}

/// The options that make a picture smaller.
const fn options_for(error: &DrawError) -> Option<&'static str> {
    match error {
        DrawError::TooManyPixels { .. } => Some("--square, or .svg"),
        DrawError::TooManyFrames { .. } => Some("--steps pushes, --steps boxlines, or .svg"),
        DrawError::TooLargeGif => Some("--max-bytes, --square, --steps pushes, --steps boxlines, or .svg"),
        DrawError::TooManyBytes { .. } => Some("--max-bytes, or .svg"),
        DrawError::TooManyPanels { .. } => Some("leave out --strip, and write .svg or .gif"),
        _ => None,
    }
}

fn draw_start(
    at: &InputLevel<'_>,
    level: &Level,
    format: PictureFormat,
    args: &DrawArgs,
) -> anyhow::Result<DrawnPicture> {
    let (theme, square) = (args.theme.into(), usize::from(args.square));
    let grid = level.grid();
    let image = BoardImage::of(level).with_theme(theme).with_square_size(square).with_title(at.entry.title_or_number());
    let bytes = if format == PictureFormat::Svg { image.to_svg().into_bytes() } else { image.to_png()? };
    Ok(DrawnPicture { bytes, remark: pixels(grid.width() * square, grid.height() * square) })
}

fn draw_game(
    at: &InputLevel<'_>,
    level: &Level,
    game: &RecordedGame,
    format: PictureFormat,
    args: &DrawArgs,
) -> anyhow::Result<DrawnPicture> {
    let metrics = game.metrics;
    let title = format!("{}: {} moves, {} pushes", at.entry.title_or_number(), metrics.moves, metrics.pushes);
    let image = SolutionImage::of_snapshot(level, &game.moves)?
        .with_theme(args.theme.into())
        .with_square_size(usize::from(args.square))
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
            let grid = level.grid();
            let size = pixels(grid.width() * gif.square_size, grid.height() * gif.square_size);
            let remark = format!("{found}, {size}, {}", frames(&gif));
            DrawnPicture { bytes: gif.bytes, remark }
        }
    })
}

/// The game of a level that was asked for.
fn chosen_game(at: &InputLevel<'_>, level: &Level, choice: GameChoice) -> anyhow::Result<RecordedGame> {
    let mut games = RecordedGames::of(at.entry, level);
    let n = games.list.len();
    match choice {
        GameChoice::Number(number) => {
            ensure!(number <= n, "--solution asks for number {number}, but there {} only {n}", is_are(n));
            Ok(games.list.swap_remove(number - 1))
        }
        GameChoice::Best(objective) => {
            let n_snapshots = n - games.n_solutions();
            games.list.truncate(games.n_solutions());
            games.list.into_iter().min_by_key(|game| objective.score(&game.metrics)).ok_or_else(|| {
                let path = at.path.display();
                let snapshot = if n_snapshots > 0 { ", or draw its snapshot by --solution=1" } else { "" };
                anyhow!(
                    "it has no solution in {path}; find one by `soko solve`, or name the file with its solution as \
                     well{snapshot}"
                )
            })
        }
    }
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
