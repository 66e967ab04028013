//! `LetsLogic`'s digits, as rows or as one map with its width and height.
//!
//! ```text
//!   0 floor  1 wall  2 player  3 box  4 goal  5 box on goal  6 player on goal  7 void; also - and _ for void
//!
//!   11111                  {"id": "7", "title": "One step", "width": "5", "height": "3", "map": "111111234111111"}
//!   12341
//!   11111
//! ```
//!
//! Rows are digits if at least three of equal length stand together, closed by walls, with a player. All other lines
//! stay, so that titles and notes are read as in text files. A map is a list of keys and values, as the site's
//! interface answers; keys are looked for, the text around them does not matter.

use std::borrow::Cow;

use crate::read::sok_text::{LevelText, SokText};

/// Writes a file of digits as `.sok` text; `None` if it has no level in digits.
pub(crate) fn letslogic_to_sok(text: &str) -> Option<String> {
    let may_have_walls = text.contains("111");
    if !may_have_walls {
        return None;
    }
    read_rows(text).or_else(|| read_maps(text))
}

/// The text with all rows of digits written as XSB rows.
fn read_rows(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut sok = String::with_capacity(text.len());
    let mut has_level = false;
    let mut at = 0;
    while at < lines.len() {
        let width = lines[at].len();
        let is_same = |line: &&&str| line.len() == width && is_digits(line);
        let n_rows = lines[at..].iter().take_while(is_same).count();
        let block = &lines[at..at + n_rows.max(1)];
        let is_level = is_level(block);
        has_level |= is_level;
        for line in block {
            sok.push_str(&if is_level { Cow::Owned(row_of(line)) } else { Cow::Borrowed(*line) });
            sok.push('\n');
        }
        at += block.len();
    }
    has_level.then_some(sok)
}

/// All maps that stand with a width and a height whose product is their length.
fn read_maps(text: &str) -> Option<String> {
    let mut sok = SokText::default();
    let mut map = Map::default();
    let mut rest = text;
    let mut has_level = false;
    while let Some((key, value, next)) = next_pair(rest) {
        // A key for the second time belongs to the next map.
        if map.place(key).is_some_and(|place| place.is_some()) {
            has_level |= std::mem::take(&mut map).write_to(&mut sok)?;
        }
        if let Some(place) = map.place(key) {
            *place = Some(value);
        }
        if next.trim_ascii_start().starts_with('}') {
            has_level |= std::mem::take(&mut map).write_to(&mut sok)?;
        }
        rest = next;
    }
    has_level |= map.write_to(&mut sok)?;
    has_level.then(|| sok.finish())
}

/// What is known of a map.
#[derive(Default)]
struct Map {
    map: Option<String>,
    width: Option<String>,
    height: Option<String>,
    title: Option<String>,
    author: Option<String>,
    id: Option<String>,
}

impl Map {
    fn place(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key.to_ascii_lowercase().as_str() {
            "map" => Some(&mut self.map),
            "width" => Some(&mut self.width),
            "height" => Some(&mut self.height),
            "title" | "name" => Some(&mut self.title),
            "author" => Some(&mut self.author),
            "id" => Some(&mut self.id),
            _ => None,
        }
    }

    /// Adds the level and returns whether there is one; `None` if the text gets too large.
    fn write_to(self, sok: &mut SokText) -> Option<bool> {
        let size = |text: &Option<String>| text.as_ref().and_then(|text| text.trim().parse::<usize>().ok());
        let (Some(map), Some(width), Some(height)) = (&self.map, size(&self.width), size(&self.height)) else {
            return Some(false);
        };
        let map = map.trim();
        if width == 0 || width.checked_mul(height) != Some(map.len()) || !is_digits(map) {
            return Some(false);
        }
        let mut level = LevelText::titled(self.title);
        level.author = self.author;
        for row in map.as_bytes().chunks(width) {
            level.add_rows(&row_of(&String::from_utf8_lossy(row))).ok()?;
        }
        level.notes.add("Id", self.id.as_deref().unwrap_or_default());
        sok.add_level(&level).ok()?;
        Some(true)
    }
}

/// The next key that stands before `:` or `=`, its value, and the text behind the value.
fn next_pair(mut text: &str) -> Option<(&str, String, &str)> {
    loop {
        let colon = text.find([':', '='])?;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let before = text[..colon].trim_ascii_end();
        let before = before.strip_suffix(['"', '\'']).unwrap_or(before);
        let key = &before[before.trim_end_matches(is_letter).len()..];
        let value = text[colon + 1..].trim_ascii_start();
        if key.is_empty() {
            text = &text[colon + 1..];
            continue;
        }
        if let Some(inner) = value.strip_prefix(['{', '[']) {
            text = inner;
            continue;
        }
        if let Some(quoted) = value.strip_prefix('"') {
            let (value, rest) = quoted_value(quoted);
            return Some((key, value, rest));
        }
        let end = value.find([',', ';', '&', '}', '\n', '\r']).unwrap_or(value.len());
        let plain = Some(value[..end].trim()).filter(|plain| *plain != "null");
        return Some((key, plain.unwrap_or_default().to_owned(), &value[end..]));
    }
}

/// A text up to its closing quote, escapes replaced, and what follows.
fn quoted_value(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &text[at + 1..]),
            '\\' => match letters.next() {
                Some((_, 'n' | 'r' | 't')) => value.push(' '),
                Some((at, 'u')) => {
                    let code = text.get(at + 1..at + 5).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                    value.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
                    if code.is_some() {
                        letters.nth(3);
                    }
                }
                Some((_, letter)) => value.push(letter),
                None => {}
            },
            _ => value.push(letter),
        }
    }
    (value, "")
}

/// Whether a text is nothing but the digits of a map.
fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'0'..=b'7' | b'-' | b'_'))
}

/// Whether rows of digits of equal length are a board: closed by walls, with a player, so that there are three or more.
fn is_level(rows: &[&str]) -> bool {
    let is_outside = |digit: char| matches!(digit, '0' | '7' | '-' | '_');
    let inner = |row: &str| row.trim_matches(is_outside).to_owned();
    let is_closed = |row: String| row.starts_with(['1', '5']) && row.ends_with(['1', '5']);
    let is_border =
        |row: Option<&&str>| row.is_some_and(|row| row.chars().all(|digit| digit == '1' || is_outside(digit)));
    rows.iter().map(|row| inner(row)).filter(|row| !row.is_empty()).all(is_closed)
        && is_border(rows.first())
        && is_border(rows.last())
        && rows.iter().any(|row| row.contains(['2', '6']))
}

/// The XSB row for a row of digits; a blank one keeps a letter, so that it does not end the board.
fn row_of(digits: &str) -> String {
    let letter = |digit| match digit {
        '1' => '#',
        '2' => '@',
        '3' => '$',
        '4' => '.',
        '5' => '*',
        '6' => '+',
        _ => ' ',
    };
    let row: String = digits.chars().map(letter).collect();
    let length = row.trim_end().len();
    if length == 0 { "-".to_owned() } else { row[..length].to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_digits_become_rows() {
        let text = "One step\n\n7111117\n1123411\n7111117\n\nAuthor: me\n\n111\n121\n345\n";
        let expect = "One step\n\n #####\n##@$.##\n #####\n\nAuthor: me\n\n111\n121\n345\n";
        assert_eq!(letslogic_to_sok(text).as_deref(), Some(expect));
        for text in ["11111\n10341\n11111\n", "1111\n11\n1\n", "12\n12\n12", "11111\n12340\n11111", "", "1111"] {
            assert_eq!(letslogic_to_sok(text), None, "{text}");
        }
    }

    #[test]
    fn maps_with_their_size_become_levels() {
        let text = r#"[{"id":7,"title":"One \"st\u00e9p\"","width":"5","height":3,"map":"111111234111111","author":"me"},
            {"id":8,"title":"Two","author":"you","height":"3","width":"5","map":"111111234111111"},
            {"title":"Wrong","height":"4","width":"5","map":"111111234111111"}]"#;
        let expect = "One \"st\u{e9}p\"\n#####\n#@$.#\n#####\nAuthor: me\nId: 7\n\n\
            Two\n#####\n#@$.#\n#####\nAuthor: you\nId: 8\n";
        assert_eq!(letslogic_to_sok(text).as_deref(), Some(expect));
        let lines = "width: 5\nheight: 3\nmap: 111111234111111\n";
        assert_eq!(letslogic_to_sok(lines).as_deref(), Some("#####\n#@$.#\n#####\n"));
        assert_eq!(
            letslogic_to_sok(&format!("{lines}width: 5\nheight: 4\nmap: 111111234111111\n")).as_deref(),
            Some("#####\n#@$.#\n#####\n")
        );
        // What follows the end of an object is the next one's.
        let text = r#"[{"width":5,"height":3,"map":"111111234111111"},{"title":"Two","width":5,"height":3,"map":"111111234111111"}]"#;
        let expect = "#####\n#@$.#\n#####\n\nTwo\n#####\n#@$.#\n#####\n";
        assert_eq!(letslogic_to_sok(text).as_deref(), Some(expect));
        assert_eq!(letslogic_to_sok("111111234111111\n"), None);
        assert_eq!(letslogic_to_sok("width=0&height=0&map="), None);
    }
}
