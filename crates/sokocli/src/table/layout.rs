//! Which columns are shown, where, and how wide.
//!
//! As long as the table is too wide, this is tried, in this order:
//!
//! 1. heads of several words take two lines;
//! 2. titles, identities and remarks shrink to a comfortable width; remarks that do not fit go below their row;
//! 3. columns are dropped, those of the largest rank first;
//! 4. titles and remarks shrink to the least width;
//! 5. the last columns are cut off.
//!
//! Room that is left is given back to what has shrunk.

use super::column::{Alignment, Column, Shortening};
use super::fit::{columns_of, prefix, shorten_middle, wrap};
use crate::terminal::Terminal;

/// Blanks between two columns.
const GAP: usize = 2;

/// The columns that are shown.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    places: Vec<ColumnPlace>,
    dropped: Vec<&'static str>,
    is_stacked: bool,
}

/// A column that is shown.
#[derive(Clone, Debug)]
pub(super) struct ColumnPlace {
    /// Which column of the table.
    pub(super) at: usize,
    pub(super) head: &'static str,
    pub(super) side: Alignment,
    shortening: Shortening,
    pub(super) start: usize,
    pub(super) width: usize,
    /// Width that nothing in it exceeds, as far as is known.
    natural: usize,
    /// Whether the terminal ends where it ends.
    is_bounded: bool,
}

/// How much the columns give way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Squeeze {
    No,
    Comfortable,
    Least,
}

impl Layout {
    /// Lays out columns whose cells are so wide, on a terminal of this width.
    pub(super) fn of(columns: &[Column], widths: &[usize], room: Option<usize>) -> Self {
        let is_shown = |at: &usize| {
            let column = &columns[*at];
            !(column.is_hidden || column.is_dropped_if_empty && widths[*at] == 0)
        };
        let mut draft = LayoutDraft { columns, widths, shown: (0..columns.len()).filter(is_shown).collect() };
        let Some(room) = room else { return draft.layout(false, Squeeze::No, None, Vec::new()) };
        let is_stacked = draft.total(false, Squeeze::No) > room;
        let mut squeeze = Squeeze::No;
        if draft.total(is_stacked, squeeze) > room {
            squeeze = Squeeze::Comfortable;
        }
        let mut dropped = Vec::new();
        while draft.total(is_stacked, squeeze) > room
            && let Some(at) = draft.most_expendable()
        {
            draft.shown.retain(|&shown| shown != at);
            dropped.push(at);
        }
        if draft.total(is_stacked, squeeze) > room {
            squeeze = Squeeze::Least;
        }
        dropped.sort_unstable();
        draft.layout(is_stacked, squeeze, Some(room), dropped.iter().map(|&at| columns[at].head).collect())
    }

    pub(super) fn places(&self) -> &[ColumnPlace] {
        &self.places
    }

    /// Heads of the columns that are left out for want of room.
    pub(super) fn dropped(&self) -> &[&'static str] {
        &self.dropped
    }

    /// The lines below a row that a remark takes which does not fit into its column.
    pub(super) fn below(&self, place: &ColumnPlace, text: &str, terminal: &Terminal) -> Vec<String> {
        let Some(room) = terminal.width().filter(|_| place.shortening == Shortening::Below) else { return Vec::new() };
        if columns_of(text) <= place.width {
            return Vec::new();
        }
        let indent = self.indent();
        wrap(text, room.saturating_sub(indent)).iter().map(|line| line.trim_end().to_owned()).collect()
    }

    /// Where lines below a row start: under the second column, unless that is far to the right.
    pub(super) fn indent(&self) -> usize {
        self.places.get(1).map_or(0, |place| place.start).min(8)
    }

    /// Where the last column ends.
    pub(super) fn width(&self) -> usize {
        self.places.last().map_or(0, |last| last.start + last.width)
    }

    /// The heads in one or two lines, blanks at the end included.
    pub(super) fn head_lines(&self) -> Vec<String> {
        let parts: Vec<_> = self.places.iter().map(|place| (place, stacked(place.head, self.is_stacked))).collect();
        let n_lines = if parts.iter().any(|(_, (upper, _))| !upper.is_empty()) { 2 } else { 1 };
        let line = |is_upper: bool| {
            let mut line = String::new();
            for (place, (upper, lower)) in &parts {
                let part = prefix(if is_upper { upper } else { lower }, place.width);
                let blanks = place.start - columns_of(&line);
                let lead = if place.side == Alignment::Right { place.width - columns_of(part) } else { 0 };
                line.push_str(&" ".repeat(blanks + lead));
                line.push_str(part);
            }
            line
        };
        (0..n_lines).map(|at| line(n_lines == 2 && at == 0)).collect()
    }
}

impl ColumnPlace {
    /// Makes a text fit; what goes below its row leaves nothing.
    pub(super) fn fit(&self, text: &str, terminal: &Terminal) -> String {
        if terminal.width().is_none() || columns_of(text) <= self.width {
            return text.to_owned();
        }
        match self.shortening {
            Shortening::Middle => shorten_middle(text, self.width, terminal.ellipsis()),
            Shortening::Prefix => prefix(text, self.width).trim_end().to_owned(),
            Shortening::Below => String::new(),
            Shortening::Never if self.is_bounded => prefix(text, self.width).trim_end().to_owned(),
            Shortening::Never => text.to_owned(),
        }
    }
}

/// Columns under consideration.
struct LayoutDraft<'a> {
    columns: &'a [Column],
    widths: &'a [usize],
    shown: Vec<usize>,
}

impl LayoutDraft<'_> {
    fn natural(&self, at: usize, is_stacked: bool) -> usize {
        let (upper, lower) = stacked(self.columns[at].head, is_stacked);
        self.widths[at].max(columns_of(upper)).max(columns_of(lower))
    }

    fn width(&self, at: usize, is_stacked: bool, squeeze: Squeeze) -> usize {
        let (column, natural) = (&self.columns[at], self.natural(at, is_stacked));
        match (column.shortening, squeeze) {
            (Shortening::Never, _) | (_, Squeeze::No) => natural,
            (_, Squeeze::Comfortable) => natural.min(column.comfortable),
            (_, Squeeze::Least) => natural.min(column.least),
        }
    }

    fn total(&self, is_stacked: bool, squeeze: Squeeze) -> usize {
        let widths: usize = self.shown.iter().map(|&at| self.width(at, is_stacked, squeeze)).sum();
        widths + GAP * self.shown.len().saturating_sub(1)
    }

    /// The column of the largest rank, the last of them.
    fn most_expendable(&self) -> Option<usize> {
        let ranked = self.shown.iter().copied().filter(|&at| self.columns[at].rank > 0);
        ranked.max_by_key(|&at| (self.columns[at].rank, at))
    }

    fn layout(&self, is_stacked: bool, squeeze: Squeeze, room: Option<usize>, dropped: Vec<&'static str>) -> Layout {
        let place = |&at: &usize| {
            let Column { head, side, shortening, .. } = self.columns[at];
            let (width, natural) = (self.width(at, is_stacked, squeeze), self.natural(at, is_stacked));
            ColumnPlace { at, head, side, shortening, start: 0, width, natural, is_bounded: false }
        };
        let mut places: Vec<ColumnPlace> = self.shown.iter().map(place).collect();
        let mut spare = room.map_or(0, |room| room.saturating_sub(self.total(is_stacked, squeeze)));
        // One column after the other gets one more, until nothing is left or wanted. Identities stay short: they grow
        // only where nothing has to give way.
        for kind in [Shortening::Middle, Shortening::Below] {
            let is_wanting = |place: &ColumnPlace| place.shortening == kind && place.width < place.natural;
            while spare > 0 && places.iter().any(is_wanting) {
                for place in places.iter_mut().filter(|place| is_wanting(place)).take(spare) {
                    place.width += 1;
                    spare -= 1;
                }
            }
        }
        let mut start = 0;
        for place in &mut places {
            place.start = start;
            start += place.width + GAP;
        }
        if let Some(room) = room {
            // A wide letter takes two columns.
            places.retain(|place| place.start == 0 || place.start + 1 < room);
            if let Some(last) = places.last_mut().filter(|last| last.start + last.width > room) {
                (last.width, last.is_bounded) = (room - last.start, true);
            }
        }
        Layout { places, dropped, is_stacked }
    }
}

/// A head in two lines, the upper of which is empty for a single word.
fn stacked(head: &'static str, is_stacked: bool) -> (&'static str, &'static str) {
    if is_stacked { head.rsplit_once(' ').unwrap_or(("", head)) } else { ("", head) }
}
