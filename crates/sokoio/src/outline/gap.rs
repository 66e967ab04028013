//! The text between two boards: its games, and the paragraphs that may head a level.
//!
//! ```text
//!   board                     foot        the first paragraph, above the games
//!   foot                      games       moves with their titles
//!   games, notes of games     lead        the last paragraph, below the games
//!   lead
//!   board
//! ```
//!
//! A paragraph is a run of lines between breaks: blank lines, rules such as `-----`, boards, moves. Without games
//! `foot` and `lead` may be one paragraph.

use std::ops::Range;

use super::heading::{self, Class, is_rule};
use crate::game::{GameKind, GameLines};
use crate::text::line::Lines;
use crate::text::line_kind::{LineKind, is_bare_moves};
use crate::text::property::{Name, Property};

/// Where the gap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapPosition {
    /// Above the first board, or without any board.
    Head,
    /// Between two boards.
    Inner,
    /// Below the last board.
    Last,
}

/// The text between two boards.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    pub(crate) place: GapPosition,
    pub(crate) lines: Range<usize>,
    pub(crate) games: Vec<GameLines>,
    /// First line below the games.
    tail: usize,
    foot: Option<Paragraph>,
    pub(crate) lead: Option<Paragraph>,
}

/// Lines without a break, and what they touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paragraph {
    pub(crate) lines: Range<usize>,
    /// Touches the board or the moves above.
    pub(crate) above: bool,
    /// Touches the board below.
    pub(crate) below: bool,
}

/// A paragraph with the line that would be the heading.
#[derive(Clone, Debug)]
pub(crate) struct HeadingCandidate {
    pub(crate) paragraph: Paragraph,
    pub(crate) heading: usize,
}

impl Paragraph {
    /// Whether it belongs to the board above in every style.
    pub(crate) fn is_surely_above(&self) -> bool {
        self.above && !self.below
    }

    /// Whether it belongs to the board below in every style.
    pub(crate) fn is_surely_below(&self) -> bool {
        self.below && !self.above
    }
}

/// A text while it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) kinds: &'a [LineKind],
}

impl Reader<'_> {
    /// Reads the structure of a gap.
    pub(crate) fn gap(self, lines: Range<usize>, place: GapPosition) -> Gap {
        let games = if place == GapPosition::Head { Vec::new() } else { self.games(lines.clone()) };
        let tail = games.last().map_or(lines.start, |game| game.moves.end);
        let before = games.first().map_or(lines.end, GameLines::start);
        let touches_above = place != GapPosition::Head;
        let touches_below = |end: usize| place == GapPosition::Inner && end == lines.end;
        let foot = (touches_above).then(|| self.first_paragraph(lines.start..before)).flatten();
        let foot = foot.map(|found| Paragraph {
            above: found.start == lines.start,
            below: touches_below(found.end),
            lines: found,
        });
        let lead = if place == GapPosition::Last { None } else { self.last_paragraph(tail..lines.end) };
        let lead = lead.map(|found| Paragraph {
            above: touches_above && found.start == tail,
            below: found.end == lines.end,
            lines: self.without_collection(found, place),
        });
        Gap { place, lines, games, tail, foot, lead }
    }

    /// The paragraph and line that would head the level below.
    pub(crate) fn lead_candidate(self, gap: &Gap, class: Class) -> Option<HeadingCandidate> {
        if class == Class::Title {
            if gap.place == GapPosition::Last {
                return None;
            }
            let heading = self.find(gap.tail..gap.lines.end, Name::Title)?;
            let lines = self.paragraph_around(heading, gap.tail..gap.lines.end);
            let above = gap.place == GapPosition::Inner && lines.start == gap.tail;
            let below = lines.end == gap.lines.end;
            return Some(HeadingCandidate { paragraph: Paragraph { lines, above, below }, heading });
        }
        let paragraph = gap.lead.clone()?;
        let heading = self.heading_line(&paragraph, class)?;
        Some(HeadingCandidate { paragraph, heading })
    }

    /// The paragraph and line that would head the level above.
    pub(crate) fn foot_candidate(self, gap: &Gap, class: Class) -> Option<HeadingCandidate> {
        let paragraph = gap.foot.clone()?;
        let heading = match class {
            Class::Heading => {
                let found = self.heading_line(&paragraph, class);
                found.filter(|&line| paragraph.above || self.is_semicolon(line))?
            }
            _ => self.heading_line(&paragraph, class)?,
        };
        Some(HeadingCandidate { paragraph, heading })
    }

    /// The heading line of a class. A paragraph with `Title:` has no heading of another class.
    fn heading_line(self, paragraph: &Paragraph, class: Class) -> Option<usize> {
        let mut lines = paragraph.lines.clone();
        if class != Class::Title && self.find(lines.clone(), Name::Title).is_some() {
            return None;
        }
        let is_of_class = |line: &usize| {
            self.is_heading(*line)
                && heading::numbered(&self.lines.text(*line)).is_some_and(|(found, _)| found == class)
        };
        match class {
            Class::Title => self.find(lines, Name::Title),
            Class::CommentNumber => lines.rfind(is_of_class),
            Class::TextNumber => lines.find(is_of_class),
            Class::Heading if paragraph.is_surely_below() => self.best_candidate(paragraph),
            Class::Heading => self.only_candidate(paragraph),
        }
    }

    /// The first text line that may be a title, or else the last comment with a number, or else the first comment.
    pub(crate) fn best_candidate(self, paragraph: &Paragraph) -> Option<usize> {
        let mut lines = paragraph.lines.clone();
        let text = lines.clone().find(|&line| self.may_be_title(line));
        text.or_else(|| self.heading_line(paragraph, Class::CommentNumber))
            .or_else(|| lines.find(|&line| self.is_heading(line)))
    }

    /// The only line of a paragraph that may be a heading. Comments count only if no text line may be one.
    fn only_candidate(self, paragraph: &Paragraph) -> Option<usize> {
        let only = |test: fn(Self, usize) -> bool| {
            let mut found = paragraph.lines.clone().filter(|&line| test(self, line));
            let first = found.next();
            (first, found.next().is_none())
        };
        match only(Reader::may_be_title) {
            (None, _) => match only(Reader::is_heading) {
                (found, true) => found,
                (_, false) => None,
            },
            (found, true) => found,
            (_, false) => None,
        }
    }

    fn is_break(self, line: usize) -> bool {
        self.kinds[line] == LineKind::Blank || is_rule(self.lines.raw_text(line))
    }

    fn first_paragraph(self, lines: Range<usize>) -> Option<Range<usize>> {
        let start = lines.clone().find(|&line| !self.is_break(line))?;
        let end = (start..lines.end).find(|&line| self.is_break(line)).unwrap_or(lines.end);
        Some(start..end)
    }

    fn last_paragraph(self, lines: Range<usize>) -> Option<Range<usize>> {
        let last = lines.clone().rfind(|&line| !self.is_break(line))?;
        Some(self.paragraph_around(last, lines))
    }

    fn paragraph_around(self, line: usize, within: Range<usize>) -> Range<usize> {
        let start = (within.start..line).rfind(|&line| self.is_break(line)).map_or(within.start, |line| line + 1);
        let end = (line..within.end).find(|&line| self.is_break(line)).unwrap_or(within.end);
        start..end
    }

    /// The last written line of these, and one more.
    pub(crate) fn end_of_text(self, lines: Range<usize>) -> usize {
        let start = lines.start;
        lines.into_iter().rfind(|&line| !self.is_break(line)).map_or(start, |line| line + 1)
    }

    /// In the head, what stands above `Set:` or `Collection:` is not a heading of a level.
    fn without_collection(self, lines: Range<usize>, place: GapPosition) -> Range<usize> {
        let names = |line: &usize| self.property(*line, |found| found.gives(Name::Collection)).is_some();
        let last = if place == GapPosition::Head { lines.clone().rfind(names) } else { None };
        last.map_or(lines.start, |line| line + 1)..lines.end
    }

    fn is_semicolon(self, line: usize) -> bool {
        self.lines.raw_text(line).trim_ascii_start().starts_with(b";")
    }

    /// Text, or a comment `; ...` that says something besides a property.
    fn is_heading(self, line: usize) -> bool {
        if !self.is_semicolon(line) {
            return self.may_be_title(line);
        }
        let text = self.lines.text(line);
        let said = heading::comment(&text).unwrap_or_default();
        !said.is_empty() && !is_rule(said.as_bytes()) && Property::parse(said).is_none()
    }

    pub(crate) fn may_be_title(self, line: usize) -> bool {
        let is_text = !matches!(self.kinds[line], LineKind::Blank | LineKind::Comment);
        is_text
            && !self.is_semicolon(line)
            && !is_rule(self.lines.raw_text(line))
            && Property::parse(&self.lines.text(line)).is_none()
    }

    /// What a line says as a property, if it is one that passes the test.
    fn property(self, line: usize, test: impl Fn(Property<'_>) -> bool) -> Option<String> {
        if self.kinds[line] != LineKind::Text {
            return None;
        }
        let text = self.lines.text(line);
        Property::parse(&text).filter(|found| test(*found)).map(|found| found.value.to_owned())
    }

    fn find(self, mut range: Range<usize>, name: Name) -> Option<usize> {
        range.find(|&line| self.property(line, |found| found.gives(name)).is_some())
    }

    /// The first value that these lines give for a name.
    pub(crate) fn value(self, mut range: Range<usize>, name: Name) -> Option<String> {
        range.find_map(|line| self.property(line, |found| found.gives(name)))
    }

    /// The lines that say something besides names, trimmed.
    pub(crate) fn notes(self, range: Range<usize>, except: Option<usize>) -> Vec<String> {
        let names = |found: Property<'_>| Name::ALL.iter().any(|&name| found.gives(name));
        let is_note = |line: &usize| {
            Some(*line) != except
                && !self.is_break(*line)
                && self.kinds[*line] != LineKind::Comment
                && self.property(*line, names).is_none()
        };
        range.filter(is_note).map(|line| self.lines.text(line).into_owned()).collect()
    }
}

/// Games.
impl Reader<'_> {
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
                Err(NotAGame) => last_written = None,
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
        if !self.is_bare(moves.clone()) {
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
        self.may_announce(line) && GameKind::of_title(&self.lines.text(line)).is_some()
    }

    /// Text that is no comment and no property that names something.
    fn may_announce(self, line: usize) -> bool {
        let names = |found: Property<'_>| Name::ALL.iter().any(|&name| found.gives(name));
        self.kinds[line] == LineKind::Text && !self.is_semicolon(line) && self.property(line, names).is_none()
    }

    /// Bytes of the line that announce a game, if moves beyond doubt follow in the same line; else 0.
    fn inline_title(self, line: usize) -> usize {
        let text = self.lines.raw_text(line);
        let Some(colon) = text.iter().position(|&byte| byte == b':') else { return 0 };
        let is_inline = is_bare_moves(text[colon + 1..].trim_ascii()) && self.announces_game(line);
        if is_inline { colon + 1 } else { 0 }
    }
}

/// These moves are notes.
struct NotAGame;

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks a reader of a text.
    fn ask<T>(text: &str, question: impl FnOnce(Reader<'_>) -> T) -> T {
        let lines = Lines::new(text.as_bytes());
        let kinds = LineKind::of_each(&lines);
        question(Reader { lines: &lines, kinds: &kinds })
    }

    fn paragraph(lines: Range<usize>, above: bool, below: bool) -> Option<Paragraph> {
        Some(Paragraph { lines, above, below })
    }

    #[test]
    fn paragraphs_know_what_they_touch() {
        use GapPosition::{Head, Inner, Last};
        for (text, place, foot, lead) in [
            ("a\n", Inner, paragraph(0..1, true, true), paragraph(0..1, true, true)),
            ("a\n", Last, paragraph(0..1, true, false), None),
            ("a\n", Head, None, paragraph(0..1, false, true)),
            ("a\n\nb\n", Inner, paragraph(0..1, true, false), paragraph(2..3, false, true)),
            ("\na\n\n", Inner, paragraph(1..2, false, false), paragraph(1..2, false, false)),
            ("\na\n", Last, paragraph(1..2, false, false), None),
            ("Set: S\na\n", Head, None, paragraph(1..2, false, true)),
            ("Set: S\na\n", Inner, paragraph(0..2, true, true), paragraph(0..2, true, true)),
            ("\n", Inner, None, None),
        ] {
            let gap = ask(text, |reader| reader.gap(0..reader.lines.len(), place));
            assert_eq!((gap.foot, gap.lead), (foot, lead), "{text:?} {place:?}");
        }
    }

    #[test]
    fn the_first_of_two_lines_may_head_the_board_that_they_touch_alone() {
        let heading = |text: &str| {
            let gap = |reader: Reader<'_>| reader.gap(0..reader.lines.len(), GapPosition::Inner);
            ask(text, |reader| reader.lead_candidate(&gap(reader), Class::Heading).map(|found| found.heading))
        };
        assert_eq!(["\na\nb\n", "\na\nb\n\n", "\na\n\n"].map(heading), [Some(1), None, Some(1)]);
    }

    #[test]
    fn some_lines_are_no_headings() {
        let is_heading = |text: &str| ask(text, |reader| reader.is_heading(0));
        assert!(["a", "; a", ";a", "; 1"].into_iter().all(is_heading));
        assert!(![" ", ";", "; ", "; ---", "---", "; Title: a", "Title: a", ":: a"].into_iter().any(is_heading));
    }

    #[test]
    fn moves_may_follow_their_title_in_its_line() {
        let n_bytes = |text: &str| ask(text, |reader| reader.inline_title(0));
        let lines = ["Solution: RR", "My solution 2/2 : lR", "Solution: lurd", "Notes: RR", "Solution RR"];
        assert_eq!(lines.map(n_bytes), [9, 17, 0, 0, 0]);
    }
}
