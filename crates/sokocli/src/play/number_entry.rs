//! A number that is typed, digit by digit.

use ratatui::crossterm::event::KeyCode::{Backspace, Char, Enter};
use ratatui::crossterm::event::KeyEvent;

/// The most digits.
const MAX_DIGITS: usize = 9;

/// The digits so far.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberEntry(String);

/// What a key has made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// It is still being typed.
    Digits,
    /// It is done.
    Number(u64),
    /// It is given up.
    Dismissed,
}

impl NumberEntry {
    /// Takes a key; all but digits, Backspace and Enter dismiss the number.
    pub(super) fn press(&mut self, key: KeyEvent) -> Typed {
        match key.code {
            Char(digit @ '0'..='9') => {
                if self.0.len() < MAX_DIGITS {
                    self.0.push(digit);
                }
                Typed::Digits
            }
            Backspace => {
                self.0.pop();
                Typed::Digits
            }
            Enter => self.0.parse().map_or(Typed::Dismissed, Typed::Number),
            _ => Typed::Dismissed,
        }
    }

    /// Returns the digits so far.
    pub(super) fn digits(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_become_a_number() {
        let typed = |keys: &[ratatui::crossterm::event::KeyCode]| {
            let mut entry = NumberEntry::default();
            keys.iter().map(|&code| entry.press(code.into())).last().unwrap()
        };
        assert_eq!(typed(&[Char('1'), Char('7'), Backspace, Enter]), Typed::Number(1));
        assert_eq!(typed(&[Char('1'), Char('x')]), Typed::Dismissed);
        assert_eq!(typed(&[Enter]), Typed::Dismissed);
        assert_eq!(typed(&[[Char('9'); 12].as_slice(), &[Enter]].concat()), Typed::Number(999_999_999));
    }
}
