//! The command `show`: boards with coordinates and marks, and what can be said about them without a search.
//!
//! ```text
//!  1. Two doors              2. The bay window        as many beside each other as the terminal is wide
//!    1234567890                123456789
//!  1 ##########              1   #####
//!  2 #xxxx#xxx#              2 ###xxx###              x: dead squares, or what else was asked for
//!  ...                       ...
//! ```

mod beside;
mod json_line;

use sokocore::{Cell, Level, ParseLevelError, SquareSet};
use sokosolver::{LeastPushes, Survey, places_of};

use self::beside::{TextBlock, beside};
#[cfg(test)]
pub(crate) use self::json_line::ShowLine;
pub(crate) use self::json_line::marked;
use crate::args::{ShowArgs, ShowMark};
use crate::board_picture::{BoardPicture, Mark};
use crate::complaint::Complaints;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::selection::LevelSelection;
use crate::inputs::{InputLevel, Inputs};
use crate::known_solutions::{KnownSolutions, moves_and_pushes};
use crate::level_fault::LevelFault;
use crate::output;
use crate::terminal::{Paint, Terminal};
use crate::wording::{count, harmless};

/// Blocks that are laid out at once, so that a large file is not held as text.
const LAID_OUT_AT_ONCE: usize = 24;

/// Runs the command.
pub(crate) fn run(args: &ShowArgs, console: &Console) -> anyhow::Result<Exit> {
    let inputs = Inputs::read_named(&args.level, &console.complaints)?;
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let n_bad_boards = if args.json {
        json_line::print_all(&inputs, &selection, &console.complaints)?
    } else {
        draw_all(&inputs, &selection, args, console)?
    };
    Ok(Exit::of_faults(inputs.n_faults() + n_bad_boards))
}

/// Draws the levels; returns the number of bad boards.
fn draw_all(inputs: &Inputs, selection: &LevelSelection, args: &ShowArgs, console: &Console) -> anyhow::Result<usize> {
    let terminal = console.stdout;
    let mut n_bad_boards = 0;
    let mut blocks = Vec::new();
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        let level = at.entry.level();
        if let Err(error) = level {
            n_bad_boards += usize::from(complain(&at, error, &console.complaints));
        }
        blocks.push(block(&at, level, args, &terminal));
        if blocks.len() == LAID_OUT_AT_ONCE {
            output::print(&beside(&blocks, terminal.width()))?;
            blocks.clear();
        }
    }
    output::print(&beside(&blocks, terminal.width()))?;
    Ok(n_bad_boards)
}

/// A level as text: its title, its picture, and some lines below.
fn block(
    at: &InputLevel<'_>,
    level: Result<&Level, ParseLevelError>,
    args: &ShowArgs,
    terminal: &Terminal,
) -> TextBlock {
    let title = terminal.paint(Paint::Strong, &heading(at));
    let (picture, lines) = match level {
        Err(error) => (picture_of_error(at, error), vec![terminal.paint(Paint::Wrong, &error.to_string())]),
        Ok(level) => {
            let survey = Survey::of(level);
            (marked_picture(level, &survey, &args.mark), facts(level, &survey, &KnownSolutions::of(at), &args.mark))
        }
    };
    let picture = if args.plain { picture } else { picture.with_shapes(terminal) };
    let picture = picture.with_coordinates().draw(terminal);
    TextBlock::new(std::iter::once(title).chain(picture.lines().map(str::to_owned)).chain(lines))
}

/// Says what is wrong with a board that is drawn anyway; returns whether the exit code is 1 for it.
pub(crate) fn complain(at: &InputLevel<'_>, error: ParseLevelError, complaints: &Complaints) -> bool {
    let fault = LevelFault::of(error);
    let text = format!("{}: {}: {}", at.place(at.entry.line()), fault.name(), fault.reason());
    if fault.is_error() {
        complaints.error(&text)
    } else {
        complaints.warning(&text)
    }
    fault.is_error()
}

/// The number and the title of a level.
pub(crate) fn heading(at: &InputLevel<'_>) -> String {
    let title = at.entry.title().map(|title| format!(" {}", harmless(title)));
    format!("{}.{}", at.number, title.unwrap_or_default())
}

/// The picture of a board that is no level, with its fault marked.
pub(crate) fn picture_of_error(at: &InputLevel<'_>, error: ParseLevelError) -> BoardPicture {
    let rows = at.entry.board_rows();
    let places = places_of(&rows.join("\n"), &error);
    places.into_iter().fold(BoardPicture::of_rows(rows), |picture, (row, column)| {
        picture.mark(row, column, Mark::pointed_at(Paint::Wrong))
    })
}

/// Marks squares of a board. The start position stays to be seen: only empty floor gets a letter.
pub(crate) fn with_letter(
    picture: BoardPicture,
    level: &Level,
    squares: &SquareSet,
    letter: char,
    paint: Paint,
) -> BoardPicture {
    let start = level.start();
    squares.iter().fold(picture, |picture, sq| {
        let (row, column) = level.board().place(sq);
        let is_empty = !start.boxes.contains(sq) && start.player != sq && !level.board().goals().contains(sq);
        picture.mark(row, column, if is_empty { Mark::letter(letter, paint) } else { Mark::painted(paint) })
    })
}

fn marked_picture(level: &Level, survey: &Survey, marks: &[ShowMark]) -> BoardPicture {
    marks.iter().fold(BoardPicture::of(level), |picture, mark| match mark {
        ShowMark::None => picture,
        ShowMark::Dead => with_letter(picture, level, &survey.dead, 'x', Paint::Dim),
        ShowMark::Reach => with_letter(picture, level, &survey.region, '-', Paint::Good),
        ShowMark::Rooms => survey
            .rooms
            .iter()
            .zip(room_letters())
            .fold(picture, |picture, (room, letter)| with_letter(picture, level, room, letter, Paint::Proved)),
        ShowMark::Goals => level.board().goals().iter().fold(picture, |picture, sq| {
            let (row, column) = level.board().place(sq);
            picture.mark(row, column, Mark::painted(Paint::Proved))
        }),
        ShowMark::Numbers => {
            level.start().boxes.iter().zip(('1'..='9').chain(room_letters())).fold(picture, |picture, (sq, name)| {
                let (row, column) = level.board().place(sq);
                let paint = if level.board().goals().contains(sq) { Paint::Good } else { Paint::Warning };
                picture.mark(row, column, Mark::letter(name, paint))
            })
        }
    })
}

/// Names of rooms, and of boxes beyond the ninth. Letters that boards use are left out.
fn room_letters() -> impl Iterator<Item = char> {
    ('a'..='z').chain('A'..='Z').filter(|letter| Cell::from_letter(*letter).is_none()).cycle()
}

/// The lines below the picture.
fn facts(level: &Level, survey: &Survey, known: &KnownSolutions, marks: &[ShowMark]) -> Vec<String> {
    let grid = level.grid();
    let (n_boxes, n_goals) = (level.n_boxes(), level.board().goals().len());
    let mut lines = vec![
        format!("{} x {}, {}, {}", grid.width(), grid.height(), count(n_boxes, "box"), count(n_goals, "goal")),
        format!("{}, {} dead", count(level.board().n_squares(), "square"), survey.dead.len()),
    ];
    if marks.contains(&ShowMark::Rooms) {
        lines.push(count(survey.rooms.len(), "room"));
    }
    let parity = survey.parity.map(|parity| format!(", {}", parity.name())).unwrap_or_default();
    lines.push(match survey.least_pushes {
        LeastPushes::AtLeast(pushes) => format!("{pushes} pushes or more{parity}"),
        LeastPushes::Unsolvable => "unsolvable: boxes and goals do not match".to_owned(),
        LeastPushes::NotComputed => "too large for a bound on pushes".to_owned(),
    });
    if known.n > 0 {
        let [moves, pushes] = [known.best_moves, known.best_pushes]
            .map(|metrics| metrics.as_ref().map(moves_and_pushes).unwrap_or_default());
        let best = if moves == pushes { moves } else { format!("{moves} and {pushes}") };
        lines.push(format!("{}, best {best}", count(known.n, "solution")));
    }
    lines
}
