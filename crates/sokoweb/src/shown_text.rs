//! Text of files as pages get it: no control characters, no endless lines.
//!
//! Pages set it as text, so that markup in it is no markup. What is left to do is to keep it readable.

/// The most letters of a title or a name.
pub(crate) const MAX_TITLE: usize = 200;
/// The most letters of a note.
pub(crate) const MAX_NOTE: usize = 2_000;

/// Stands for what is not shown.
const REPLACEMENT: char = '\u{fffd}';

/// Shortens a text, and replaces control characters and marks that turn the direction of what follows.
pub(crate) fn shown(text: &str, max: usize) -> String {
    let is_mark = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut letters = text.trim().chars().map(|letter| if is_mark(letter) { REPLACEMENT } else { letter });
    let mut shown: String = letters.by_ref().take(max).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Shows a title or a name.
pub(crate) fn title(text: &str) -> String {
    shown(text, MAX_TITLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_and_plain() {
        assert_eq!(shown(" <b>Garden</b> ", 20), "<b>Garden</b>");
        assert_eq!(shown("a\u{1b}[2J\u{202e}b\n", 20), "a\u{fffd}[2J\u{fffd}b");
        assert_eq!(shown("ööööö", 3), "ööö…");
        assert_eq!(shown("ööö", 3), "ööö");
        assert_eq!(title(&"x".repeat(2_000_000)).chars().count(), MAX_TITLE + 1);
    }
}
