//! A board in a part of the screen. One that is larger scrolls with the player.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use sokocore::{Cell, Level, Square};

use crate::play::looks::Looks;
use crate::play::move_history::MoveHistory;
use crate::terminal::Paint;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardView<'a> {
    pub(super) playback: &'a MoveHistory<'a>,
    /// The one beside it: boxes that do not stand there, too, are marked.
    pub(super) other: Option<&'a MoveHistory<'a>>,
    /// The box whose path is shown.
    pub(super) path_of: Option<usize>,
    pub(super) looks: &'a Looks,
}

impl BoardView<'_> {
    /// Draws it in the middle of an area.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        let level = self.playback.level();
        let grid = level.grid();
        let (player_row, player_column) = level.board().place(self.playback.player());
        let rows = window(player_row, grid.height(), area.height);
        let columns = window(player_column, grid.width(), area.width);
        let top = area.y + margin(area.height, &rows);
        let left = area.x + margin(area.width, &columns);
        let path = self.path_of.map(|idx| PathMarks::of(self.playback, idx));
        for (row, y) in rows.zip(top..) {
            for (column, x) in columns.clone().zip(left..) {
                let square = level.board().square_at(row, column);
                let own = self.letter(level, row, column, square);
                let mut letter = self.looks.letter(own);
                let mut style = self.looks.usual(own);
                if let (Some(sq), Some(path)) = (square, &path)
                    && let Some((mark, paint)) = path.mark(sq, own, self.looks)
                {
                    letter = mark;
                    style = self.looks.paint(paint);
                }
                if square.is_some_and(|sq| self.differs(sq)) {
                    style = self.looks.different();
                }
                if let Some(cell) = frame.buffer_mut().cell_mut((x, y)) {
                    cell.set_char(letter).set_style(style);
                }
            }
        }
    }

    /// The letter of a place as a level file has it now.
    fn letter(&self, level: &Level, row: usize, column: usize, square: Option<Square>) -> char {
        let given = level.grid().cells()[row * level.grid().width() + column];
        let Some(sq) = square else { return given.letter() };
        let is_goal = level.board().goals().contains(sq);
        let cell = match (self.playback.box_at(sq).is_some(), self.playback.player() == sq, is_goal) {
            (true, _, false) => Cell::Box,
            (true, _, true) => Cell::BoxOnGoal,
            (_, true, false) => Cell::Player,
            (_, true, true) => Cell::PlayerOnGoal,
            (_, _, false) => Cell::Floor,
            (_, _, true) => Cell::Goal,
        };
        cell.letter()
    }

    /// Whether a box stands only here.
    fn differs(&self, sq: Square) -> bool {
        self.other.is_some_and(|other| self.playback.box_at(sq).is_some() && other.box_at(sq).is_none())
    }
}

/// The squares of one box.
struct PathMarks<'a> {
    playback: &'a MoveHistory<'a>,
    idx: usize,
    /// The squares where it was and will be, sorted.
    passed: Vec<Square>,
    coming: Vec<Square>,
}

impl<'a> PathMarks<'a> {
    fn of(playback: &'a MoveHistory<'a>, idx: usize) -> Self {
        let path = playback.path(idx);
        let now = path.partition_point(|(at, _)| *at <= playback.at());
        let squares = |part: &[(usize, Square)]| {
            let mut squares: Vec<Square> = part.iter().map(|(_, sq)| *sq).collect();
            squares.sort_unstable();
            squares.dedup();
            squares
        };
        Self { playback, idx, passed: squares(&path[..now]), coming: squares(&path[now..]) }
    }

    /// How a square is marked that shows this letter otherwise.
    fn mark(&self, sq: Square, own: char, looks: &Looks) -> Option<(char, Paint)> {
        let is_box = self.playback.box_at(sq) == Some(self.idx);
        if is_box {
            return Some((looks.letter(own), Paint::Proved));
        }
        let (passed, coming) = looks.path_letters();
        let is_floor = Cell::from_letter(own) == Some(Cell::Floor);
        let shown = |mark: char| if is_floor { mark } else { looks.letter(own) };
        if self.coming.binary_search(&sq).is_ok() {
            Some((shown(coming), Paint::Proved))
        } else if self.passed.binary_search(&sq).is_ok() {
            Some((shown(passed), Paint::Proved))
        } else {
            None
        }
    }
}

/// A part of `0..n` that fits, with the place `at` in its middle where there is more on both sides.
fn window(at: usize, n: usize, room: u16) -> Range<usize> {
    let room = usize::from(room);
    if n <= room {
        return 0..n;
    }
    let start = at.saturating_sub(room / 2).min(n - room);
    start..start + room
}

/// The room before something in the middle.
fn margin(room: u16, shown: &Range<usize>) -> u16 {
    room.saturating_sub(u16::try_from(shown.len()).unwrap_or(room)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_stays_in_the_window() {
        for (n, room) in [(5, 10), (10, 10), (100, 7), (100, 1)] {
            for at in 0..n {
                let window = window(at, n, room);
                assert!(window.contains(&at) && window.end <= n, "{at} {window:?}");
                assert_eq!(window.len(), n.min(usize::from(room)));
            }
        }
        assert!(window(3, 10, 0).is_empty());
    }
}
