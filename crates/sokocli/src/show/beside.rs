//! Blocks of text beside each other, as many as fit.

/// Columns between two blocks.
const GAP: usize = 3;

/// Lines of text that belong together.
#[derive(Clone, Debug)]
pub(super) struct TextBlock {
    lines: Vec<String>,
    width: usize,
}

impl TextBlock {
    /// Takes the lines. They may be painted.
    pub(super) fn new(lines: impl IntoIterator<Item = String>) -> Self {
        let lines: Vec<_> = lines.into_iter().collect();
        let width = lines.iter().map(|line| columns_of(line)).max().unwrap_or(0);
        Self { lines, width }
    }
}

/// Lays out blocks in shelves, each ended by an empty line. Without a width each block has a shelf of its own.
pub(super) fn beside(blocks: &[TextBlock], width: Option<usize>) -> String {
    let mut text = String::new();
    let mut rest = blocks;
    while let [first, others @ ..] = rest {
        let mut used = first.width;
        let fits = |block: &&TextBlock| {
            used += GAP + block.width;
            width.is_some_and(|width| used <= width)
        };
        let n = 1 + others.iter().take_while(fits).count();
        let (shelf, later) = rest.split_at(n);
        push_shelf(&mut text, shelf);
        rest = later;
    }
    text
}

fn push_shelf(text: &mut String, shelf: &[TextBlock]) {
    let height = shelf.iter().map(|block| block.lines.len()).max().unwrap_or(0);
    for at in 0..height {
        let start = text.len();
        let mut owed = 0;
        for block in shelf {
            let line = block.lines.get(at).map_or("", String::as_str);
            if !line.is_empty() {
                text.push_str(&" ".repeat(owed));
                text.push_str(line);
                owed = 0;
            }
            owed += block.width - columns_of(line) + GAP;
        }
        let end = start + text[start..].trim_end_matches(' ').len();
        text.truncate(end);
        text.push('\n');
    }
    text.push('\n');
}

/// The columns that a painted text takes on a terminal.
fn columns_of(line: &str) -> usize {
    let mut pieces = line.split("\x1b[");
    let first = pieces.next().unwrap_or_default();
    let plain = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, rest)| rest));
    std::iter::once(first).chain(plain).map(unicode_width::UnicodeWidthStr::width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> TextBlock {
        TextBlock::new(text.lines().map(str::to_owned))
    }

    #[test]
    fn blocks_share_a_shelf_where_they_fit() {
        let blocks = [block("ab\nc"), block("d\n\n\x1b[1me\x1b[0m"), block("箱")];
        assert_eq!(beside(&blocks, None), "ab\nc\n\nd\n\n\x1b[1me\x1b[0m\n\n箱\n\n");
        assert_eq!(beside(&blocks, Some(11)), "ab   d   箱\nc\n     \x1b[1me\x1b[0m\n\n");
        assert_eq!(beside(&blocks, Some(10)), "ab   d\nc\n     \x1b[1me\x1b[0m\n\n箱\n\n");
        assert_eq!(beside(&[], Some(10)), "");
    }

    #[test]
    fn a_block_that_is_too_wide_stands_alone() {
        assert_eq!(beside(&[block("abcdef"), block("g")], Some(3)), "abcdef\n\ng\n\n");
    }
}
