//! Letters and colors of the screen: those of `soko show`, as far as the terminal has them.

use ratatui::style::{Color, Modifier, Style};

use crate::board_picture::{shape, usual_paint};
use crate::terminal::{Paint, Terminal};

/// What the terminal can show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    terminal: Terminal,
    /// Whether walls, goals and boxes are letters as in level files.
    is_plain: bool,
}

impl Looks {
    /// The looks of a terminal.
    pub(super) const fn new(terminal: Terminal, is_plain: bool) -> Self {
        Self { terminal, is_plain }
    }

    /// Returns what stands for a board letter.
    pub(super) fn letter(&self, letter: char) -> char {
        if self.is_plain || !self.terminal.is_unicode() { letter } else { shape(letter) }
    }

    /// Returns how a board letter is painted.
    pub(super) fn usual(&self, letter: char) -> Style {
        usual_paint(letter).map_or_else(Style::new, |paint| self.paint(paint))
    }

    /// Returns the style that means this; without color there is none.
    pub(super) const fn paint(&self, paint: Paint) -> Style {
        if !self.terminal.has_color() {
            return Style::new();
        }
        let style = Style::new();
        match paint {
            Paint::Good => style.fg(Color::Green),
            Paint::Proved => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
            Paint::Wrong => style.fg(Color::Red).add_modifier(Modifier::BOLD),
            Paint::Warning => style.fg(Color::Yellow),
            Paint::Dim => style.add_modifier(Modifier::DIM),
            Paint::Strong => style.add_modifier(Modifier::BOLD),
        }
    }

    /// Returns the style of what differs: seen without color, too.
    pub(super) const fn different(&self) -> Style {
        self.paint(Paint::Wrong).add_modifier(Modifier::REVERSED)
    }

    /// Returns the letter of a square that a box has left, and of one that it will enter.
    pub(super) const fn path_letters(&self) -> (char, char) {
        if self.terminal.is_unicode() { ('•', '·') } else { (':', ',') }
    }

    /// Returns what the terminal is.
    pub(super) const fn terminal(&self) -> &Terminal {
        &self.terminal
    }

    /// Returns a text as this terminal shows it: arrows in words where there is only ASCII.
    pub(super) fn text(&self, text: &str) -> String {
        if self.terminal.is_unicode() {
            return text.to_owned();
        }
        text.replace("← →", "left right").replace("↑ ↓", "up down")
    }
}
