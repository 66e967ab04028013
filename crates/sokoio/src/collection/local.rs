//! One gap between boards, read by itself: what an edit is checked against.
//!
//! This gives what reading the whole file gives, provided that the style of the section is the same and that the file
//! has neither escaped line breaks nor boards or moves beyond what a file may have (`Manner::is_local`).

use std::ops::Range;

use super::{Collection, game_title};
use crate::outline::{GameOutline, GapPosition, GapVotes, Lead, Own, Reader, Style};
use crate::text::board_text::find_boards;
use crate::text::encoding::without_mark;
use crate::text::line::Lines;
use crate::text::line_kind::LineKind;

/// A gap with byte offsets into its text.
#[derive(Clone, Debug)]
pub(super) struct LocalGap {
    pub(super) votes: GapVotes,
    pub(super) own: Own,
    pub(super) lead: Lead,
    pub(super) has_lead: bool,
    pub(super) games: Vec<LocalGame>,
    pub(super) has_board: bool,
    pub(super) is_escaped: bool,
}

/// A game in such a text.
#[derive(Clone, Debug)]
pub(super) struct LocalGame {
    pub(super) title: Option<String>,
    pub(super) moves: Vec<u8>,
    pub(super) notes: Vec<String>,
    /// The trimmed text of the title's line.
    pub(super) title_at: Option<Range<usize>>,
    /// The trimmed text of the first line of moves.
    pub(super) first_moves_at: Range<usize>,
    /// The same without a title in that line.
    pub(super) bare_moves_at: Range<usize>,
    /// Behind the lines that touch the moves.
    pub(super) notes_end: usize,
}

/// Where a gap is among those of its section.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapPlace {
    pub(super) place: GapPosition,
    /// Number of the board above within the section, 0 in the head.
    pub(super) number: usize,
}

impl LocalGap {
    pub(super) fn read(text: &[u8], n_quotes: usize, at: GapPlace, style: &Style) -> Self {
        let lines = Lines::of_part(text, n_quotes);
        let kinds = LineKind::of_each(&lines);
        let reader = Reader { lines: &lines, kinds: &kinds };
        let gap = reader.gap(0..lines.len(), at.place);
        let votes = GapVotes::of(reader, &gap, at.number);
        let division = reader.divide(gap, style);
        let starts = division.games.iter().skip(1).map(|game| game.lines.start());
        let ends: Vec<_> = starts.chain([division.lead_start]).collect();
        let games = division.games.iter().zip(ends);
        Self {
            votes,
            games: games.map(|(game, end)| LocalGame::of(&lines, &kinds, game, end)).collect(),
            has_lead: division.lead_start < lines.len(),
            own: division.own,
            lead: division.lead,
            has_board: !find_boards(&lines, &kinds, &mut { usize::MAX }).is_empty(),
            is_escaped: lines.has_escaped(),
        }
    }

    /// Whether it has games and says nothing else.
    pub(super) fn is_only_games(&self) -> bool {
        self.own == Own::default() && self.lead == Lead::default() && !self.has_board && !self.is_escaped
    }

    /// Whether both say the same about the boards. Games are not compared.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        (&self.own, &self.lead, self.has_lead) == (&other.own, &other.lead, other.has_lead)
            && !other.has_board
            && !other.is_escaped
    }

    /// Whether both say the same, games and all.
    pub(super) fn reads_as(&self, other: &Self) -> bool {
        let is_same = |(before, after): (&LocalGame, &LocalGame)| before.is_same(after);
        self.says_the_same(other)
            && self.games.len() == other.games.len()
            && self.games.iter().zip(&other.games).all(is_same)
    }
}

impl LocalGame {
    /// A game whose notes end before a line.
    fn of(lines: &Lines<'_>, kinds: &[LineKind], game: &GameOutline, end: usize) -> Self {
        let at = &game.lines;
        let moves = at.moves.clone().map(|line| lines.raw_text(line).trim_ascii());
        let moves: Vec<u8> = moves.collect::<Vec<_>>().concat();
        // Moves have no colon; if there is one, it ends a title in their line.
        let n_title = moves.iter().position(|&byte| byte == b':').map_or(0, |at| at + 1);
        let first_moves_at = lines.trimmed(at.moves.start);
        let n_blank = moves[n_title..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let touching = kinds[at.moves.end..end].iter().take_while(|kind| **kind != LineKind::Blank).count();
        Self {
            title: game_title(lines, at),
            title_at: at.title.map(|line| lines.trimmed(line)),
            bare_moves_at: first_moves_at.start + n_title + n_blank..first_moves_at.end,
            first_moves_at,
            moves: moves[n_title + n_blank..].to_vec(),
            notes: game.notes.clone(),
            notes_end: lines.offset(at.moves.end + touching),
        }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        (&self.title, &self.moves, &self.notes) == (&other.title, &other.moves, &other.notes)
    }
}

impl Collection {
    /// Reads the gap below a level, with another text for the level if one is given.
    pub(super) fn read_gap(&self, level_index: usize, own: Option<&[u8]>, style: &Style) -> LocalGap {
        let level = &self.levels[level_index];
        let text = self.gap_text(level_index, own.unwrap_or(self.own_text(level)), own.is_some());
        LocalGap::read(&text, self.manner.n_quotes, self.gap_place(level_index), style)
    }

    /// Whether a level with another text leaves the boards around its gap as they are, and nothing in it is a board. Rows
    /// that are too few for a board may join one of them when lines between change: floor-only lines separate boards
    /// only where each part has a player.
    pub(super) fn keeps_boards(&self, level_index: usize, own: &[u8]) -> bool {
        let above = self.levels[level_index].place.board.clone();
        let gap_end = self.gap_end(level_index);
        let below = self.levels.get(level_index + 1).map(|next| next.place.board.clone());
        let below = below.filter(|board| board.start == gap_end).unwrap_or(gap_end..gap_end);
        let gap = self.gap_text(level_index, own, true);
        let [above, below] = [above, below].map(|board| &self.bytes[board]);
        let text = [above, &gap, below].concat();
        let lines = Lines::of_part(&text, self.manner.n_quotes);
        let kinds = LineKind::of_each(&lines);
        // From its first byte to the last one that is written: the last line of a file may have no line break.
        let found = find_boards(&lines, &kinds, &mut { usize::MAX });
        let found = found.iter().map(|board| lines.offset(board.lines.start)..lines.trimmed(board.lines.end - 1).end);
        let n_before = above.len() + gap.len();
        let expected = [(0, above), (n_before, below)].into_iter().filter(|(_, board)| !board.is_empty());
        found.eq(expected.map(|(start, board)| start..start + board.trim_ascii_end().len()))
    }

    fn gap_text(&self, level_index: usize, own: &[u8], is_edited: bool) -> Vec<u8> {
        let level = &self.levels[level_index];
        let is_edited = is_edited || level.record.text.is_some();
        let close = if is_edited { self.close(level_index) } else { Vec::new() };
        [own, &close, &self.bytes[level.place.own_end..self.gap_end(level_index)]].concat()
    }

    /// A blank line for the end of an edited text, if something that is not blank follows.
    pub(super) fn close(&self, level_index: usize) -> Vec<u8> {
        let level = &self.levels[level_index];
        let rest = &self.bytes[level.place.own_end..];
        let n_line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let line = Lines::of_part(&rest[..n_line], self.manner.n_quotes);
        let is_blank = (0..line.len()).all(|at| LineKind::of(line.raw_text(at)) == LineKind::Blank);
        if is_blank { Vec::new() } else { self.blank_line(self.line_break_after(self.own_text(level), level_index).0) }
    }

    pub(super) fn gap_place(&self, level_index: usize) -> GapPlace {
        let section = self.section_index(level_index);
        let levels = self.levels_of(section);
        let place = if level_index + 1 == levels.end { GapPosition::Last } else { GapPosition::Inner };
        GapPlace { place, number: level_index + 1 - levels.start }
    }

    /// Whether a section reads the same under another style, apart from one level that is checked already.
    pub(super) fn reads_the_same(&self, section: usize, except: usize, style: &Style) -> bool {
        let old = self.sections[section].style;
        let head = |style: &Style| {
            let levels = self.levels_of(section);
            let end = self.levels.get(levels.start).filter(|_| !levels.is_empty());
            let end = end.map_or(self.bytes.len(), |level| level.place.board.start);
            let text = &self.bytes[self.sections[section].start..end];
            LocalGap::read(
                without_mark(text),
                self.manner.n_quotes,
                GapPlace { place: GapPosition::Head, number: 0 },
                style,
            )
        };
        head(&old).says_the_same(&head(style))
            && self.levels_of(section).filter(|&level| level != except).all(|level| {
                let [before, after] = [&old, style].map(|style| self.read_gap(level, None, style));
                before.reads_as(&after)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, place: GapPosition) -> LocalGap {
        LocalGap::read(text.as_bytes(), 0, GapPlace { place, number: 1 }, &Style::default())
    }

    #[test]
    fn a_gap_may_have_nothing_but_games() {
        for (text, expect) in [
            ("\nSolution\nRR\n; x\n\n", true),
            ("", true),
            ("A note.\n\nSolution\nRR\n", false),
            ("\nSolution\nRR\n\nName\n", false),
            ("\nSolution\nRR\n\n####\n####\n####\n", false),
            (":: #\\n", false),
        ] {
            assert_eq!(read(text, GapPosition::Inner).is_only_games(), expect, "{text:?}");
        }
    }

    #[test]
    fn a_lead_is_known_even_if_it_says_nothing() {
        for (text, expect) in
            [("", false), ("\nName\n", true), ("\n; x\n", true), ("\nRR\n", false), ("\n:: x\n", true)]
        {
            assert_eq!(read(text, GapPosition::Inner).has_lead, expect, "{text:?}");
        }
    }

    /// A title, moves and notes make a game; where they are in the text does not matter.
    #[test]
    fn games_are_compared_by_what_they_say() {
        let game = |text: &str| read(text, GapPosition::Last).games.remove(0);
        let old = game("Solution\nRR\nx\n");
        for (text, expect) in [
            ("A note.\n\nSolution\n RR\n\nx\n", true),
            ("Solution 2\nRR\nx\n", false),
            ("Solution\nlR\nx\n", false),
            ("Solution\nRR\ny\n", false),
        ] {
            assert_eq!(old.is_same(&game(text)), expect, "{text:?}");
        }
    }

    #[test]
    fn gaps_are_counted_from_the_start_of_their_section() {
        let board = "####\n#@.#\n####\n";
        let mark = ":: another collection ::\n";
        let collection = Collection::parse([board, mark, board, "\n", board, mark, board].concat().as_bytes());
        let places = [0, 1, 2, 3].map(|level| collection.gap_place(level)).map(|at| (at.place, at.number));
        let expect = [(GapPosition::Last, 1), (GapPosition::Inner, 1), (GapPosition::Last, 2), (GapPosition::Last, 1)];
        assert_eq!(places, expect);
    }
}
