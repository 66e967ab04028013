//! Text of files as text of SVG and HTML.

/// Returns the text with the letters escaped that mean something in SVG and HTML, in elements and in quoted attributes.
/// Control characters, which XML forbids, become spaces.
///
/// ```
/// assert_eq!(sokodraw::escaped("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            _ if letter.is_control() => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_is_markup() {
        assert_eq!(escaped("</script>'\u{0}\n\u{ffff}é箱"), "&lt;/script&gt;&#39;   é箱");
    }
}
