//! Which lines belong to which level, and what they are there: titles, properties, games, notes.
//!
//! ```text
//!   head        file notes, properties of the collection
//!               title of level 1         ◀── lead of level 1
//!   board 1
//!   segment 1   notes, properties, games of level 1
//!               title of level 2         ◀── lead of level 2
//!   board 2
//!   segment 2   ...
//! ```
//!
//! Rules, in this order:
//! 1. `Title:` and `Author:` below a board are that board's; the first one wins. They are the next board's if they
//!    stand directly above it, no blank line between, with a blank line above; or if all titles of the file are
//!    written above their boards (every board has one above, none below the last).
//! 2. A title line is the last text line above a board, if a blank line or no other text is above it. Lines that
//!    start with `::` or `;`, known properties, and rules such as `-----` are no titles.
//! 3. Moves count as a game if the last written line above them announces one (`solution`, `snapshot`, `savegame`),
//!    if they follow `Solution:` in its line, or if they are moves beyond doubt (see `is_bare_moves`).

use std::ops::Range;

use crate::board_text::BoardText;
use crate::game::{GameKind, GameLines};
use crate::line::Lines;
use crate::line_kind::{LineKind, is_bare_moves};
use crate::property::{Name, Property};

/// What is known of the text around the boards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// `Collection:`, `Set:` or `Title:` above the first board.
    pub(crate) title: Option<String>,
    /// `Author:` above the first board.
    pub(crate) author: Option<String>,
    /// One for each board.
    pub(crate) levels: Vec<LevelOutline>,
}

/// What is known of the text around one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelOutline {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) games: Vec<GameLines>,
    /// The line before which a new game belongs: behind the last written line of the level.
    pub(crate) end: usize,
}

/// The text between two boards.
struct Segment {
    lines: Range<usize>,
    games: Vec<GameLines>,
    /// Where text of the next level may start: behind the last game.
    tail: usize,
}

/// Reads the text around the boards.
pub(crate) fn outline(lines: &Lines, kinds: &[LineKind], boards: &[BoardText]) -> Outline {
    let reader = Reader { lines, kinds };
    let Some(first) = boards.first() else { return Outline::default() };
    let ends = boards.iter().skip(1).map(|board| board.lines.start).chain([lines.len()]);
    let segments: Vec<_> = boards.iter().zip(ends).map(|(board, end)| reader.segment(board.lines.end..end)).collect();
    let head = Segment { lines: 0..first.lines.start, games: Vec::new(), tail: 0 };
    let style = reader.title_style(&head, &segments);

    let mut outline = Outline::default();
    let mut lead = reader.lead(&head, style);
    let notes = 0..lead.start;
    outline.title = reader.value(notes.clone(), Name::Collection);
    let head_title = reader.value(notes.clone(), Name::Title);
    outline.author = reader.value(notes, Name::Author);
    for (number, segment) in segments.into_iter().enumerate() {
        let is_last = number + 1 == boards.len();
        let own = segment.lines.start;
        let next = if is_last { segment.lines.end..segment.lines.end } else { reader.lead(&segment, style) };
        let value = |name: Name| reader.value(own..next.start, name).or_else(|| reader.value(lead.clone(), name));
        let title = value(Name::Title).or_else(|| reader.title_line(lead.clone()));
        let end = (own..next.start).rev().find(|&line| kinds[line] != LineKind::Blank).map_or(own, |line| line + 1);
        outline.levels.push(LevelOutline { title, author: value(Name::Author), games: segment.games, end });
        lead = next;
    }
    match &mut outline.levels[..] {
        [only] if only.title.is_none() => only.title = head_title,
        _ => outline.title = outline.title.or(head_title),
    }
    outline
}

/// Where a file writes its `Title:` properties.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TitleStyle {
    AboveBoard,
    BelowBoard,
}

/// The file while its outline is read.
#[derive(Clone, Copy)]
struct Reader<'a> {
    lines: &'a Lines,
    kinds: &'a [LineKind],
}

impl Reader<'_> {
    fn segment(self, range: Range<usize>) -> Segment {
        let games = self.games(range.clone());
        let tail = games.last().map_or(range.start, |game| game.moves.end);
        Segment { lines: range, games, tail }
    }

    fn games(self, range: Range<usize>) -> Vec<GameLines> {
        let mut games: Vec<GameLines> = Vec::new();
        let mut last_written = None;
        let mut line = range.start;
        while line < range.end {
            let inline_title = self.inline_title(line);
            if self.kinds[line] != LineKind::Moves && inline_title == 0 {
                last_written = if self.kinds[line] == LineKind::Blank { last_written } else { Some(line) };
                line += 1;
                continue;
            }
            let more = self.kinds[line + 1..range.end].iter().take_while(|kind| **kind == LineKind::Moves).count();
            let moves = line..line + 1 + more;
            let title = last_written.filter(|_| inline_title == 0);
            match self.game_title(title, moves.clone(), range.start) {
                Ok(title) => {
                    games.push(GameLines { title, moves: moves.clone(), inline_title });
                    last_written = None;
                }
                Err(NotAGame) if inline_title > 0 => {
                    games.push(GameLines { title: None, moves: moves.clone(), inline_title });
                    last_written = None;
                }
                Err(NotAGame) => last_written = Some(moves.end - 1),
            }
            line = moves.end;
        }
        games
    }

    /// The title line of these moves, if they are a game. `above` is the last written line above them.
    fn game_title(self, above: Option<usize>, moves: Range<usize>, start: usize) -> Result<Option<usize>, NotAGame> {
        if let Some(line) = above.filter(|&line| self.announces_game(line)) {
            return Ok(Some(line));
        }
        if !moves.clone().all(|line| is_pure(self.lines.raw_text(line))) || !self.is_bare(moves.clone()) {
            return Err(NotAGame);
        }
        let is_directly_above = |line: &usize| line + 1 == moves.start;
        let has_blank_above = |line: &usize| *line > start && self.kinds[line - 1] == LineKind::Blank;
        Ok(above.filter(is_directly_above).filter(has_blank_above).filter(|&line| self.may_be_title(line)))
    }

    fn is_bare(self, moves: Range<usize>) -> bool {
        let text: Vec<u8> = moves.flat_map(|line| self.lines.raw_text(line).trim_ascii().iter().copied()).collect();
        is_bare_moves(&text)
    }

    fn announces_game(self, line: usize) -> bool {
        self.may_be_title_text(line) && GameKind::of_title(&self.lines.text(line)).is_some()
    }

    /// Text that is no comment and no property that names something.
    fn may_be_title_text(self, line: usize) -> bool {
        let text = self.lines.text(line);
        let names = |property: Property<'_>| Name::ALL.iter().any(|&name| property.gives(name));
        self.kinds[line] == LineKind::Text && !text.starts_with(';') && !Property::parse(&text).is_some_and(names)
    }

    /// Bytes of the line that announce a game, if moves beyond doubt follow in the same line; else 0.
    fn inline_title(self, line: usize) -> usize {
        let text = self.lines.raw_text(line);
        let Some(colon) = text.iter().position(|&byte| byte == b':') else { return 0 };
        let is_inline = is_bare_moves(text[colon + 1..].trim_ascii()) && self.announces_game(line);
        if is_inline { colon + 1 } else { 0 }
    }

    fn title_style(self, head: &Segment, segments: &[Segment]) -> TitleStyle {
        let Some((last, inner)) = segments.split_last() else { return TitleStyle::BelowBoard };
        let title = |segment: &Segment| self.find(segment.lines.clone(), Name::Title);
        let is_above = |segment: &Segment| title(segment).is_some_and(|line| line > segment.lines.start);
        let all_above = title(head).is_some() && inner.iter().all(is_above) && title(last).is_none();
        if all_above && !inner.is_empty() { TitleStyle::AboveBoard } else { TitleStyle::BelowBoard }
    }

    /// The end of a segment that belongs to the board below it.
    fn lead(self, segment: &Segment, style: TitleStyle) -> Range<usize> {
        let (tail, end) = (segment.tail, segment.lines.end);
        let attached = self.attached(segment.tail, end);
        let property = match style {
            TitleStyle::AboveBoard => self.find(tail..end, Name::Title),
            TitleStyle::BelowBoard => attached.filter(|&start| self.find(start..end, Name::Title).is_some()),
        };
        property.or_else(|| self.title_line_above(tail, end)).unwrap_or(end)..end
    }

    /// The first of the written lines directly above a board, if a blank line or the start of the file is above it.
    fn attached(self, tail: usize, end: usize) -> Option<usize> {
        let n_lines = self.kinds[tail..end].iter().rev().take_while(|kind| **kind != LineKind::Blank).count();
        let start = end - n_lines;
        (n_lines > 0 && (start > tail || start == 0)).then_some(start)
    }

    fn title_line_above(self, tail: usize, end: usize) -> Option<usize> {
        let is_text = |line: &usize| !matches!(self.kinds[*line], LineKind::Blank | LineKind::Comment);
        let mut texts = (tail..end).rev().filter(is_text);
        let line = texts.next().filter(|&line| self.may_be_title(line))?;
        let has_blank_above = line == 0 || (line > tail && self.kinds[line - 1] == LineKind::Blank);
        (has_blank_above || texts.next().is_none()).then_some(line)
    }

    /// The title of a lead that starts with a title line.
    fn title_line(self, lead: Range<usize>) -> Option<String> {
        let line = lead.into_iter().next()?;
        self.may_be_title(line).then(|| self.lines.text(line).into_owned())
    }

    fn may_be_title(self, line: usize) -> bool {
        let text = self.lines.text(line);
        let is_text = !matches!(self.kinds[line], LineKind::Blank | LineKind::Comment);
        is_text && !text.starts_with(';') && Property::parse(&text).is_none() && !is_rule(&text)
    }

    fn find(self, mut range: Range<usize>, name: Name) -> Option<usize> {
        range.find(|&line| {
            self.kinds[line] == LineKind::Text
                && Property::parse(&self.lines.text(line)).is_some_and(|found| found.gives(name))
        })
    }

    fn value(self, range: Range<usize>, name: Name) -> Option<String> {
        let line = self.find(range, name)?;
        Property::parse(&self.lines.text(line)).map(|property| property.value.to_owned())
    }
}

/// These moves are notes.
struct NotAGame;

/// Only letters, digits and parentheses: fit for moves without a title.
fn is_pure(text: &[u8]) -> bool {
    text.trim_ascii().iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'(' | b')'))
}

/// One character over and over, as in `-----`.
fn is_rule(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next();
    text.chars().count() >= 3
        && first.is_some_and(|first| !first.is_alphanumeric() && letters.all(|next| next == first))
}
