//! The list of keys, and the line of the most important ones.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr as _;

use crate::play::keys::KeyRow;
use crate::play::looks::Looks;
use crate::terminal::Paint;

/// Columns of the keys in the list.
const KEYS: usize = 12;

/// Draws the list over what is there, from a row on if there is no room for all.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, rows: &[KeyRow], from: usize, looks: &Looks) {
    let line = |row: &KeyRow| {
        let keys = looks.text(row.keys);
        let blanks = " ".repeat(KEYS.saturating_sub(keys.width()).max(1));
        Line::from(vec![Span::styled(keys, looks.paint(Paint::Strong)), Span::raw(format!("{blanks}{}", row.long))])
    };
    let lines: Vec<Line<'_>> = rows.iter().filter(|row| !row.long.is_empty()).map(line).collect();
    let width = lines.iter().map(Line::width).max().unwrap_or(0) + 4;
    let (width, height) = (fitting(width, area.width), fitting(lines.len() + 2, area.height));
    let at = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    frame.render_widget(Clear, at);
    let n_hidden = (lines.len() + 2).saturating_sub(usize::from(height));
    let from = u16::try_from(from.min(n_hidden)).unwrap_or(0);
    let title = if n_hidden > 0 {
        looks.text(" keys; ↑ ↓ for more ")
    } else {
        " keys; any key closes this list ".to_owned()
    };
    let block = Block::bordered().title(title).padding(ratatui::widgets::Padding::horizontal(1));
    let block = if looks.terminal().is_unicode() { block } else { block.border_set(ASCII_BORDER) };
    frame.render_widget(Paragraph::new(lines).block(block).scroll((from, 0)), at);
}

/// Returns the line at the bottom: as many keys as fit, help and quitting among them.
pub(super) fn hint(rows: &[KeyRow], looks: &Looks, width: u16) -> Line<'static> {
    let texts = |is_last: bool| {
        let is_wanted = move |row: &&KeyRow| !row.short.is_empty() && matches!(row.short, "help" | "quit") == is_last;
        rows.iter().filter(is_wanted).map(|row| (looks.text(row.keys), row.short))
    };
    let columns = |(keys, short): &(String, &str)| keys.width() + short.width() + 3;
    let mut left = usize::from(width).saturating_sub(texts(true).map(|text| columns(&text)).sum());
    let mut shown: Vec<_> = texts(false)
        .take_while(|text| {
            let fits = columns(text) <= left;
            left = left.saturating_sub(columns(text));
            fits
        })
        .collect();
    shown.extend(texts(true));
    let spans = shown.into_iter().flat_map(|(keys, short)| {
        [Span::styled(keys, looks.paint(Paint::Strong)), Span::styled(format!(" {short}  "), looks.paint(Paint::Dim))]
    });
    Line::from_iter(spans)
}

fn fitting(wanted: usize, room: u16) -> u16 {
    u16::try_from(wanted).unwrap_or(u16::MAX).min(room)
}

const ASCII_BORDER: ratatui::symbols::border::Set<'static> = ratatui::symbols::border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};
