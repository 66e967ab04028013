//! Which lines belong to which level, and what they are there: headings, properties, games, notes.
//!
//! The file has no markers, so layout decides. These are the layouts in circulation; `[B]` is a board.
//!
//! ```text
//!  a            b          c             d           e            f              g                 h
//!  ; 1          ; 0        [B]           Name        [B]          [B]            *******           Name
//!               [B]        ; 1 'Name'                ; Name       Title: Name    Maze: 1           by X, a hard one
//!  [B]                                   [B]                      Author: X      Size X: 22        [B]
//!               ; 1        [B]                       [B]          Solution
//!  ; 2          [B]        ; 2 'Other'   Other       ; Other      RR             [B]               Other
//!                                        [B]                                                       by X
//!  [B]                                                            [B]            *******           [B]
//! ```
//!
//! The rule, from the strongest evidence to the weakest:
//! 1. Games and the lines that touch their moves belong to the board above.
//! 2. A paragraph that touches one board, and no other board or moves, belongs to that board.
//! 3. A paragraph that touches both or none goes where the headings of the whole collection are: above the boards if
//!    there is one above the first and none below the last, below if it is the other way round; if that does not
//!    tell, where those are that touch one board; else by their numbers. See `style`. Numbers, comments, properties
//!    and other lines are decided separately, because `; sokobano.de` above the first board says nothing of `Title:`.
//! 4. In irregular collections: a single text line above a board is its title, properties belong to the board above,
//!    so do comments that touch it, and the rest is notes of the board above.
//!
//! `Title:` wins over a heading line. What is above the first heading is the collection's. Lines that start with
//! `::` are no data; rules such as `*****` separate paragraphs. The line [`SECTION`] starts another collection within
//! the file, for which all of this is decided anew.
//!
//! Moves count as a game if the last written line above them announces one (`solution`, `snapshot`, `savegame`), if
//! they follow `Solution:` in its line, or if they are moves beyond doubt (see `is_bare_moves`).
//!
//! # Contents, in reading order
//! * `heading`: lines that may be headings, by their looks. `gap`: the text between two boards, its games and paragraphs.
//! * `style`: where a collection writes its headings. `belonging`: which part of a gap belongs to which board.

mod belonging;
mod gap;
mod heading;
mod style;

use std::ops::Range;

pub(crate) use belonging::{GameOutline, Lead, Own};
pub(crate) use gap::{GapPosition, Reader};
pub(crate) use heading::is_rule;
pub(crate) use style::{CollectionVotes, GapVotes, Style};

use crate::text::board_text::BoardText;
use crate::text::line_kind::LineKind;
use crate::text::property::Name;

/// The line that starts another collection within a file.
pub(crate) const SECTION: &str = ":: another collection ::";

/// What is known of the text around the boards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// One at least.
    pub(crate) sections: Vec<SectionOutline>,
    /// One for each board.
    pub(crate) levels: Vec<LevelOutline>,
}

/// A collection within the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SectionOutline {
    pub(crate) lines: Range<usize>,
    /// Index of its first level.
    pub(crate) first_level: usize,
    /// `Collection:`, `Set:` or `Title:` above the first board.
    pub(crate) title: Option<String>,
    /// `Author:` above the first board.
    pub(crate) author: Option<String>,
    pub(crate) notes: Vec<String>,
    /// The only level has its title from the head.
    pub(crate) lends_title: bool,
    pub(crate) votes: CollectionVotes,
    pub(crate) style: Style,
}

/// What is known of the text around one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelOutline {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) games: Vec<GameOutline>,
    /// The line before which a new game belongs: behind the last written line of the level.
    pub(crate) end: usize,
}

/// Reads the text around the boards.
pub(crate) fn outline(reader: Reader<'_>, boards: &[BoardText]) -> Outline {
    let mut outline = Outline::default();
    let mut left = boards;
    for lines in sections(reader) {
        let n_boards = left.partition_point(|board| board.lines.start < lines.end);
        let (own, rest) = left.split_at(n_boards);
        let first_level = outline.levels.len();
        let (section, levels) = read_section(reader, lines, own);
        outline.levels.extend(levels);
        outline.sections.push(SectionOutline { first_level, ..section });
        left = rest;
    }
    outline
}

/// The lines of each section.
fn sections(reader: Reader<'_>) -> Vec<Range<usize>> {
    let n_lines = reader.lines.len();
    let is_start = |line: &usize| {
        reader.kinds[*line] == LineKind::Comment && reader.lines.raw_text(*line).trim_ascii() == SECTION.as_bytes()
    };
    let starts: Vec<_> = [0].into_iter().chain((0..n_lines).filter(is_start)).collect();
    let ends = starts.iter().skip(1).copied().chain([n_lines]);
    starts.iter().zip(ends).map(|(start, end)| *start..end).collect()
}

fn read_section(reader: Reader<'_>, lines: Range<usize>, boards: &[BoardText]) -> (SectionOutline, Vec<LevelOutline>) {
    let starts = [lines.start].into_iter().chain(boards.iter().map(|board| board.lines.end));
    let ends = boards.iter().map(|board| board.lines.start).chain([lines.end]);
    let mut votes = CollectionVotes::default();
    let mut gaps = Vec::with_capacity(boards.len() + 1);
    for (number, (start, end)) in starts.zip(ends).enumerate() {
        let place = match number {
            0 => GapPosition::Head,
            last if last == boards.len() => GapPosition::Last,
            _ => GapPosition::Inner,
        };
        let gap = reader.gap(start..end, place);
        // Without boards there is nothing that a line could head.
        if !boards.is_empty() {
            votes.add(&GapVotes::of(reader, &gap, number), place);
        }
        gaps.push(gap);
    }
    let style = votes.style();
    let mut gaps = gaps.into_iter();
    let Some(mut head) = gaps.next() else { return (SectionOutline::default(), Vec::new()) };
    if boards.is_empty() {
        head.lead = None;
    }
    let head = reader.divide(head, &style);
    let mut section = SectionOutline {
        title: reader.value(lines.start..head.lead_start, Name::Collection),
        author: head.own.author,
        notes: head.own.notes,
        lines,
        votes,
        style,
        ..SectionOutline::default()
    };
    let mut lead = head.lead;
    let mut levels: Vec<_> = gaps
        .map(|gap| {
            let division = reader.divide(gap, &style);
            let mut level = LevelOutline::of(lead.clone(), division.own);
            level.author = level.author.or_else(|| section.author.clone());
            lead = division.lead;
            LevelOutline { games: division.games, end: division.end, ..level }
        })
        .collect();
    match &mut levels[..] {
        [only] if only.title.is_none() => {
            section.lends_title = head.own.title.is_some();
            only.title = head.own.title;
        }
        _ => section.title = section.title.or(head.own.title),
    }
    (section, levels)
}

impl LevelOutline {
    /// Joins what stands above and below the board.
    pub(crate) fn of(lead: Lead, own: Own) -> Self {
        let mut headings = [lead.heading, own.heading];
        let mut title = own.title.or(lead.title);
        for heading in headings.iter_mut().rev() {
            if title.is_none() {
                title = heading.take().map(|heading| heading.title);
            }
        }
        let [above, below] = headings.map(|heading| heading.map(|heading| heading.line));
        let notes = above.into_iter().chain(lead.notes).chain(below).chain(own.notes).collect();
        Self { title, author: own.author.or(lead.author), notes, ..Self::default() }
    }
}
