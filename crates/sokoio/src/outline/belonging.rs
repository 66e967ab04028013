//! Which part of a gap belongs to the board above and which to the board below, once the style is known.

use super::gap::{Gap, GapPosition, HeadingCandidate, Paragraph, Reader};
use super::heading::{self, Class};
use super::style::{HeadingSide, Style};
use crate::game::GameLines;
use crate::text::property::Name;

/// A line that is a title unless the level has a better one; a note then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeadingLine {
    pub(crate) title: String,
    pub(crate) line: String,
}

/// What a gap says about the board below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lead {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) heading: Option<HeadingLine>,
    pub(crate) notes: Vec<String>,
}

/// What a gap says about the board above it, besides games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Own {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) heading: Option<HeadingLine>,
    pub(crate) notes: Vec<String>,
}

/// A game and the lines below its moves.
#[derive(Clone, Debug)]
pub(crate) struct GameOutline {
    pub(crate) lines: GameLines,
    pub(crate) notes: Vec<String>,
}

/// A gap, divided.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub(crate) own: Own,
    pub(crate) games: Vec<GameOutline>,
    /// The line before which a new game belongs: behind the last written line of the level above.
    pub(crate) end: usize,
    /// First line of the lead.
    pub(crate) lead_start: usize,
    pub(crate) lead: Lead,
}

impl Reader<'_> {
    /// Divides a gap between its boards. In the head, what is not lead is the collection's.
    pub(crate) fn divide(self, gap: Gap, style: &Style) -> Division {
        let end = gap.lines.end;
        let (lead_start, lead_heading) = self.lead(&gap, style);
        let own_lines = gap.lines.start..lead_start;
        let own_heading = self.own_heading(&gap, style, lead_start);
        let notes_end = gap.games.first().map_or(lead_start, GameLines::start).min(lead_start);
        let own = Own {
            title: self.value(own_lines.clone(), Name::Title),
            author: self.value(own_lines.clone(), Name::Author),
            notes: self.notes(gap.lines.start..notes_end, own_heading),
            heading: own_heading.map(|line| self.heading(line)),
        };
        let lead = Lead {
            title: self.value(lead_start..end, Name::Title),
            author: self.value(lead_start..end, Name::Author),
            notes: self.notes(lead_start..end, lead_heading),
            heading: lead_heading.map(|line| self.heading(line)),
        };
        let ends: Vec<_> = gap.games.iter().skip(1).map(GameLines::start).chain([lead_start]).collect();
        let games = gap.games.into_iter().zip(ends);
        let games = games.map(|(lines, end)| GameOutline { notes: self.notes(lines.moves.end..end, None), lines });
        Division { own, games: games.collect(), end: self.end_of_text(own_lines), lead_start, lead }
    }

    fn heading(self, line: usize) -> HeadingLine {
        let text = self.lines.text(line);
        HeadingLine { title: heading::title(&text).to_owned(), line: text.clone().into_owned() }
    }

    /// Where the lead starts, at the end of the gap if there is none, and its heading.
    fn lead(self, gap: &Gap, style: &Style) -> (usize, Option<usize>) {
        let none = (gap.lines.end, None);
        if style.side(Class::Title) == Some(HeadingSide::Above)
            && let Some(found) =
                self.lead_candidate(gap, Class::Title).filter(|found| !found.paragraph.is_surely_above())
        {
            return (lead_start(gap, &found), None);
        }
        let Some(paragraph) = gap.lead.clone().filter(|found| !found.is_surely_above()) else { return none };
        let found = |heading: usize| HeadingCandidate { paragraph: paragraph.clone(), heading };
        if paragraph.is_surely_below() {
            return self.sure_lead(gap, &paragraph, style);
        }
        if self.value(paragraph.lines.clone(), Name::Title).is_some() {
            return none;
        }
        for class in [Class::CommentNumber, Class::TextNumber] {
            match (style.side(class), self.lead_candidate(gap, class)) {
                (Some(HeadingSide::Above), Some(found)) => return (lead_start(gap, &found), Some(found.heading)),
                (Some(HeadingSide::Below), Some(_)) => return none,
                _ => {}
            }
        }
        let Some(line) = self.lead_candidate(gap, Class::Heading).map(|found| found.heading) else { return none };
        let is_lead = match style.side(Class::Heading) {
            Some(side) => side == HeadingSide::Above,
            None if self.may_be_title(line) => true,
            None => gap.place == GapPosition::Inner && !paragraph.above,
        };
        if is_lead { (lead_start(gap, &found(line)), Some(line)) } else { none }
    }

    /// The lead that touches the board below and nothing else.
    fn sure_lead(self, gap: &Gap, paragraph: &Paragraph, style: &Style) -> (usize, Option<usize>) {
        let numbered = match style.side(Class::CommentNumber) {
            Some(HeadingSide::Above) => self.lead_candidate(gap, Class::CommentNumber).map(|found| found.heading),
            _ => None,
        };
        let heading = numbered.or_else(|| self.best_candidate(paragraph));
        if gap.place != GapPosition::Head {
            return (paragraph.lines.start, heading);
        }
        // In the head, only a heading or a title starts the text of the first level.
        let title = self.lead_candidate(gap, Class::Title).map(|found| found.heading);
        let title = title.filter(|line| paragraph.lines.contains(line));
        let start = title.into_iter().chain(heading).min();
        (start.unwrap_or(gap.lines.end), heading)
    }

    /// The heading below the board, if the collection has its headings there.
    fn own_heading(self, gap: &Gap, style: &Style, lead_start: usize) -> Option<usize> {
        if gap.place == GapPosition::Head {
            return None;
        }
        let classes = [Class::CommentNumber, Class::TextNumber, Class::Heading];
        let mut below = classes.into_iter().filter(|&class| style.side(class) == Some(HeadingSide::Below));
        below.find_map(|class| {
            let found = self.foot_candidate(gap, class).filter(|found| !found.paragraph.is_surely_below());
            found.map(|found| found.heading).filter(|&line| line < lead_start)
        })
    }
}

/// A lead starts with its paragraph; with its heading where something else may own the lines above that.
fn lead_start(gap: &Gap, found: &HeadingCandidate) -> usize {
    if gap.place == GapPosition::Head || found.paragraph.above { found.heading } else { found.paragraph.lines.start }
}

/// The lines of a game with its title.
impl GameLines {
    pub(crate) fn start(&self) -> usize {
        self.title.unwrap_or(self.moves.start)
    }
}
