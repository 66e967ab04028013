//! How a text is made to fit: measured in columns of the terminal, cut in the middle, or broken into lines.
//!
//! East Asian wide letters count two columns, combining ones none (`unicode-width`, by UAX 11).

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns how many columns a text takes.
pub(crate) fn columns_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Cuts the middle of a text that is too wide. The number at its end stays whole if there is room for it.
pub(crate) fn shorten_middle(text: &str, width: usize, ellipsis: &str) -> String {
    if columns_of(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(columns_of(ellipsis)).filter(|&room| room > 0) else {
        return prefix(text, width).trim_end().to_owned();
    };
    let last_word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let number = Some(columns_of(last_word)).filter(|_| last_word.contains(|letter: char| letter.is_ascii_digit()));
    let tail = number.filter(|&number| number < room).unwrap_or(room / 3);
    let end = suffix(text, tail);
    format!("{}{ellipsis}{end}", prefix(text, room - columns_of(end)).trim_end())
}

/// Cuts the end of a text that is too wide.
pub(crate) fn shorten_end(text: &str, width: usize, ellipsis: &str) -> String {
    if columns_of(text) <= width {
        return text.to_owned();
    }
    match width.checked_sub(columns_of(ellipsis)) {
        Some(room) if room > 0 => format!("{}{ellipsis}", prefix(text, room).trim_end()),
        _ => prefix(text, width).trim_end().to_owned(),
    }
}

/// The longest beginning that takes at most so many columns.
pub(super) fn prefix(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, letter)| {
        used += letter.width().unwrap_or(0);
        used > width
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// The longest end that takes at most so many columns, not beginning with a combining letter.
fn suffix(text: &str, width: usize) -> &str {
    let (mut used, mut start) = (0, text.len());
    for (at, letter) in text.char_indices().rev() {
        let own = letter.width().unwrap_or(0);
        used += own;
        if used > width {
            break;
        }
        if own > 0 {
            start = at;
        }
    }
    &text[start..]
}

/// Breaks a text between words, and words that are too wide for a line.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    if columns_of(text) <= width {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for mut word in text.split(' ') {
        let line = lines.last_mut().expect("invariant: there is a line");
        let gap = usize::from(!line.is_empty());
        if columns_of(line) + gap + columns_of(word) <= width {
            line.push_str(&" ".repeat(gap));
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(String::new());
        }
        while columns_of(word) > width {
            let part = prefix(word, width);
            let line = lines.last_mut().expect("invariant: there is a line");
            line.push_str(part);
            lines.push(String::new());
            word = &word[part.len()..];
        }
        lines.last_mut().expect("invariant: there is a line").push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, expect: &str) {
        let short = shorten_middle(text, width, "…");
        assert_eq!(short, expect);
        assert!(columns_of(&short) <= width);
    }

    #[test]
    fn a_title_keeps_its_number() {
        check("Sasquatch III 17", 20, "Sasquatch III 17");
        check("Sasquatch III, level 17", 14, "Sasquatch I…17");
        check("Sasquatch 1/17", 9, "Sasq…1/17");
        check("a title without any number", 13, "a title…mber");
        check("17", 1, "1");
        check("abc", 0, "");
        assert_eq!(shorten_middle("Sasquatch III, level 17", 14, "..."), "Sasquatch...17");
    }

    #[test]
    fn wide_and_combining_letters_count_right() {
        assert_eq!((columns_of("箱入り娘"), columns_of("e\u{301}")), (8, 1));
        check("箱入り娘パズル 12", 10, "箱入り…12");
        check("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", 4, "e\u{301}e\u{301}…e\u{301}");
        assert_eq!(suffix("abe\u{301}", 1), "e\u{301}");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("move 2 (r) walks into a wall", 12), ["move 2 (r)", "walks into a", "wall"]);
        assert_eq!(wrap("an incomprehensibility", 8), ["an", "incompre", "hensibil", "ity"]);
        assert_eq!(wrap("箱箱箱", 4), ["箱箱", "箱"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn no_width_is_too_small_for_any_text() {
        for text in ["", "a", "箱", "e\u{301}", "Level 1", "箱 12 箱 13", "12345678901234567890 1"] {
            for width in 0..30 {
                assert!(columns_of(&shorten_end(text, width, "…")) <= width, "{text} {width}");
                assert!(columns_of(&shorten_middle(text, width, "…")) <= width, "{text} {width}");
                assert!(wrap(text, width).iter().all(|line| columns_of(line) <= width.max(2)), "{text} {width}");
            }
        }
    }
}
