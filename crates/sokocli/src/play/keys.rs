//! What keys do: one table for each of the two modes, from which keys are read and help is written.

use ratatui::crossterm::event::KeyCode::{
    self, Backspace, Char, Down, End, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};
use ratatui::crossterm::event::{KeyEvent, KeyModifiers};
use sokocore::Direction;

use super::stride::{Stride, Way};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Ends the program.
    Quit,
    /// Ends the program at once: Ctrl-C.
    Interrupt,
    /// Stops the program until it is told to continue: Ctrl-Z.
    Suspend,
    /// Shows or hides the list of keys.
    Help,
    PlayOrPause,
    Step(Way),
    LargeStep(Way),
    /// To the start or the end; in a game, takes all back or makes all again.
    End(Way),
    Faster,
    Slower,
    Stride(Stride),
    /// Asks for a number to go to.
    Jump,
    /// Shows or hides the path of a box.
    Path,
    /// Shows the path of the next box.
    NextBox,
    Recording(Way),
    Level(Way),
    /// Shows the next recording beside this one, or this one alone.
    Compare,
    /// Keeps two recordings in step by something else.
    InStep,
    /// Brings the other one of two into focus.
    OtherSide,
    /// Plays on from here.
    TakeOver,
    /// Back to the recordings.
    Watch,
    Walk(Direction),
    Undo,
    Redo,
    UndoPush,
    RedoPush,
    Save,
}

/// Keys that do the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyRow {
    codes: &'static [KeyCode],
    action: Action,
    /// The keys as they are written.
    pub(super) keys: &'static str,
    /// What they do, for the line at the bottom; empty for those that have no place there.
    pub(super) short: &'static str,
    /// What they do, for the list. A row without belongs to the one above.
    pub(super) long: &'static str,
}

const fn row(
    codes: &'static [KeyCode],
    action: Action,
    keys: &'static str,
    short: &'static str,
    long: &'static str,
) -> KeyRow {
    KeyRow { codes, action, keys, short, long }
}

/// Keys while a recording is watched.
pub(super) const REPLAY_KEYS: &[KeyRow] = &[
    row(&[Char(' ')], Action::PlayOrPause, "space", "play", "play or pause"),
    row(&[Right, Char('l')], Action::Step(Way::Forward), "← →", "step", "a step back or forth"),
    row(&[Left, Char('h')], Action::Step(Way::Back), "", "", ""),
    row(&[PageDown, Down], Action::LargeStep(Way::Forward), "↑ ↓", "", "ten steps back or forth"),
    row(&[PageUp, Up], Action::LargeStep(Way::Back), "", "", ""),
    row(&[Home], Action::End(Way::Back), "Home End", "", "the start, the end"),
    row(&[End], Action::End(Way::Forward), "", "", ""),
    row(&[Char('1')], Action::Stride(Stride::Moves), "1 2 3", "stride", "steps are moves, pushes or box lines"),
    row(&[Char('2')], Action::Stride(Stride::Pushes), "", "", ""),
    row(&[Char('3')], Action::Stride(Stride::BoxLines), "", "", ""),
    row(&[Char('+'), Char('=')], Action::Faster, "+ -", "speed", "faster or slower"),
    row(&[Char('-')], Action::Slower, "", "", ""),
    row(&[Char('g')], Action::Jump, "g", "go to", "go to a move, push or box line by its number"),
    row(&[Char('b')], Action::Path, "b", "path", "the path of the box that is pushed"),
    row(&[Tab], Action::NextBox, "Tab", "", "the path of the next box"),
    row(&[Char('p')], Action::TakeOver, "p", "play on", "play on from here yourself"),
    row(&[Char('c')], Action::Compare, "c", "compare", "another solution beside this one, or this one alone"),
    row(&[Char('i')], Action::InStep, "i", "", "keep both in step by pushes, boxes placed or moves"),
    row(&[Char('o')], Action::OtherSide, "o", "", "which of both keys are for: steps, go to, path, play on"),
    row(&[Char('n')], Action::Recording(Way::Forward), "n N", "", "the next or the previous solution or snapshot"),
    row(&[Char('N')], Action::Recording(Way::Back), "", "", ""),
    row(&[Char(']')], Action::Level(Way::Forward), "[ ]", "", "the previous or the next level"),
    row(&[Char('[')], Action::Level(Way::Back), "", "", ""),
    row(&[Char('?')], Action::Help, "?", "help", "this list"),
    row(&[Char('q'), Esc], Action::Quit, "q", "quit", "quit"),
];

/// Keys while a game is played.
pub(super) const GAME_KEYS: &[KeyRow] = &[
    row(&[Up, Char('k')], Action::Walk(Direction::Up), "arrows", "move", "move, and push boxes; h j k l as well"),
    row(&[Right, Char('l')], Action::Walk(Direction::Right), "", "", ""),
    row(&[Down, Char('j')], Action::Walk(Direction::Down), "", "", ""),
    row(&[Left, Char('h')], Action::Walk(Direction::Left), "", "", ""),
    row(&[Char('u'), Backspace], Action::Undo, "u", "undo", "take back a move; Backspace as well"),
    row(&[Char('r')], Action::Redo, "r", "redo", "make it again"),
    row(&[Char('U')], Action::UndoPush, "U R", "", "take back a push, make it again"),
    row(&[Char('R')], Action::RedoPush, "", "", ""),
    row(&[Home], Action::End(Way::Back), "Home End", "", "take back everything, make everything again"),
    row(&[End], Action::End(Way::Forward), "", "", ""),
    row(&[Char('s')], Action::Save, "s", "save", "save it as a solution, or as a snapshot if it is not solved"),
    row(&[Char('w')], Action::Watch, "w", "watch", "back to the recorded solutions"),
    row(&[Char('b')], Action::Path, "b", "path", "the path of the box that was pushed"),
    row(&[Tab], Action::NextBox, "Tab", "", "the path of the next box"),
    row(&[Char(']')], Action::Level(Way::Forward), "[ ]", "", "the previous or the next level"),
    row(&[Char('[')], Action::Level(Way::Back), "", "", ""),
    row(&[Char('?')], Action::Help, "?", "help", "this list"),
    row(&[Char('q'), Esc], Action::Quit, "q", "quit", "quit"),
];

/// Returns what a key asks for.
pub(super) fn action_of(key: KeyEvent, rows: &[KeyRow]) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            Char('c') => Some(Action::Interrupt),
            Char('z') => Some(Action::Suspend),
            _ => None,
        };
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    rows.iter().find(|row| row.codes.contains(&key.code)).map(|row| row.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_meanings() {
        for rows in [REPLAY_KEYS, GAME_KEYS] {
            let codes: Vec<_> = rows.iter().flat_map(|row| row.codes).collect();
            for (at, code) in codes.iter().enumerate() {
                assert!(!codes[..at].contains(code), "{code:?}");
            }
            assert!(rows.iter().all(|row| row.keys.is_empty() == row.long.is_empty()));
        }
    }

    #[test]
    fn keys_with_control_are_others() {
        let key = KeyEvent::new(Char('z'), KeyModifiers::CONTROL);
        assert_eq!(action_of(key, GAME_KEYS), Some(Action::Suspend));
        let key = KeyEvent::new(Char('c'), KeyModifiers::CONTROL);
        assert_eq!(action_of(key, REPLAY_KEYS), Some(Action::Interrupt));
        assert_eq!(action_of(KeyEvent::from(Char('c')), REPLAY_KEYS), Some(Action::Compare));
        assert_eq!(action_of(KeyEvent::new(Char('u'), KeyModifiers::ALT), GAME_KEYS), None);
    }
}
