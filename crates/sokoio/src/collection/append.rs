//! Levels and whole files put behind a collection.
//!
//! A file that is appended starts with the line [`SECTION`](crate::outline::SECTION), so that its layout is decided
//! apart from that of the text above. A level that is appended gets one only where its place would change the meaning
//! of the text above it.

use std::sync::Arc;

use sokocore::{Grid, Level};

use super::edit::EditError;
use super::edit_check::says_the_same;
use super::edited_text::level_note_line;
use super::local::{GapPlace, LocalGap};
use super::{Allowance, Collection, Section};
use crate::collection::level_entry::{Fixed, LevelEntry, LevelPlace};
use crate::outline::{CollectionVotes, GapPosition, LevelOutline, SECTION, Style};
use crate::text::encoding::without_mark;

/// A level to be written at the end of a collection.
///
/// ```
/// use sokocore::Level;
/// use sokoio::{Collection, NewLevel};
///
/// let level: Level = "######\n#@$ .#\n######".parse()?;
/// let new = NewLevel::from(&level).with_title("Two steps").with_author("A. Writer").with_note("An easy one.");
/// let mut collection = Collection::new();
/// assert_eq!(collection.append_level(&new)?, 0);
/// assert_eq!(
///     collection.to_string(),
///     "######\n#@$ .#\n######\nTitle: Two steps\nAuthor: A. Writer\nAn easy one.\n"
/// );
///
/// let mut copy = Collection::new();
/// copy.append_level(&NewLevel::from(&collection.levels()[0]))?;
/// assert_eq!(copy.to_string(), collection.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NewLevel {
    /// Written as `Title: ...` below the board.
    pub title: Option<String>,
    /// Written as `Author: ...` below the board.
    pub author: Option<String>,
    /// The board, `#` for walls; rows without a letter are written as `-`.
    pub rows: Vec<String>,
    /// Lines below that, with `; ` in front of those that would be taken for something else.
    pub notes: Vec<String>,
}

impl NewLevel {
    /// Makes a level of the rows of its board, without title, author and notes.
    #[must_use]
    pub fn new<R: Into<String>>(rows: impl IntoIterator<Item = R>) -> Self {
        Self { rows: rows.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Sets the title.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Sets the author.
    #[must_use]
    pub fn with_author(self, author: impl Into<String>) -> Self {
        Self { author: Some(author.into()), ..self }
    }

    /// Adds a note below the others.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl From<&Level> for NewLevel {
    /// Takes over the level's picture, in standard letters.
    fn from(level: &Level) -> Self {
        Self::new(level.to_string().lines())
    }
}

impl From<&LevelEntry> for NewLevel {
    /// Takes over the title, the author, the board and the notes of a level; not its games.
    fn from(entry: &LevelEntry) -> Self {
        Self {
            title: entry.title().map(str::to_owned),
            author: entry.author().map(str::to_owned),
            rows: entry.board_rows().to_vec(),
            notes: entry.notes().to_vec(),
        }
    }
}

/// A level as it is written, and what reading it has to give.
struct Draft {
    rows: Vec<String>,
    own: Vec<String>,
    level: LevelEntry,
    /// What reading it costs.
    used: Allowance,
}

impl Collection {
    /// Adds a level at the end of the file: its board, title, author and notes, a blank line in front. Returns its
    /// index.
    ///
    /// # Errors
    /// The rows are not a board, or reading the level back would not give the same. Nothing is changed then.
    pub fn append_level(&mut self, level: &NewLevel) -> Result<usize, EditError> {
        let ambiguous = EditError::Ambiguous { level: self.levels.len() + 1 };
        let draft = Draft::of(level, ambiguous)?;
        let index = self.levels.len();
        if !(self.manner.is_local && self.has_room_for(draft.used, 0)) {
            self.append_to_whole(&[draft.rows, draft.own].concat().join("\n").into_bytes(), &[draft.level])?;
            return Ok(index);
        }
        let junction = if self.bytes.is_empty() { Vec::new() } else { self.junction().bytes };
        if self.append_here(&draft, junction) {
            return Ok(index);
        }
        // Below a section mark it is read as in a file of its own.
        let n_bytes = self.bytes.len();
        self.append_section();
        if self.append_here(&draft, Vec::new()) {
            return Ok(index);
        }
        self.sections.pop();
        Arc::make_mut(&mut self.bytes).truncate(n_bytes);
        Err(ambiguous)
    }

    /// Puts all of another collection behind this one, a blank line and a mark between, so that reading gives the
    /// levels of both with their titles, notes and games. Lines of its levels count from its own start.
    ///
    /// ```
    /// use sokoio::Collection;
    ///
    /// let mut both = Collection::parse(b"One\n#####\n#@$.#\n#####\n");
    /// both.append(&Collection::parse(b"Two\n#####\n#.$@#\n#####\n"))?;
    /// let titles: Vec<_> = both.levels().iter().map(|level| level.title()).collect();
    /// assert_eq!(titles, [Some("One"), Some("Two")]);
    /// # Ok::<(), sokoio::EditError>(())
    /// ```
    ///
    /// # Errors
    /// One file cannot hold both: one of them has mail quotes, or escaped line breaks that would change their meaning.
    /// Nothing is changed then.
    pub fn append(&mut self, other: &Self) -> Result<(), EditError> {
        let ambiguous = EditError::Ambiguous { level: self.levels.len() + 1 };
        if self.bytes.is_empty() {
            *self = other.clone();
            return Ok(());
        }
        if other.bytes.is_empty() {
            return Ok(());
        }
        if !(self.manner.is_local && other.manner.is_local && self.has_room_for(other.manner.used, other.bytes.len())) {
            let bytes = other.to_bytes();
            return self.append_to_whole(without_mark(&bytes), &other.levels);
        }
        if self.manner.n_quotes != other.manner.n_quotes {
            return Err(ambiguous);
        }
        let marker = self.marker();
        let bytes = Arc::make_mut(&mut self.bytes);
        let start = bytes.len() + marker.start;
        bytes.extend_from_slice(&marker.bytes);
        let n_mark = other.bytes.len() - without_mark(&other.bytes).len();
        let (base, first_level) = (bytes.len(), self.levels.len());
        bytes.extend_from_slice(&other.bytes[n_mark..]);
        let shift = |at: usize| at.saturating_sub(n_mark) + base;
        self.sections.extend(other.sections.iter().enumerate().map(|(at, section)| Section {
            start: if at == 0 { start } else { shift(section.start) },
            first_level: section.first_level + first_level,
            ..section.clone()
        }));
        self.levels.extend(other.levels.iter().map(|level| {
            let place = &level.place;
            let board = shift(place.board.start)..shift(place.board.end);
            let number = place.number + first_level;
            let place = LevelPlace { number, board, own_end: shift(place.own_end), ..place.clone() };
            LevelEntry { place, ..level.clone() }
        }));
        self.manner.used.cells += other.manner.used.cells;
        self.manner.used.moves += other.manner.used.moves;
        Ok(())
    }

    /// Whether boards and moves that cost so much are within what one file may have, with so many more bytes.
    fn has_room_for(&self, others: Allowance, n_bytes: usize) -> bool {
        let allowed = Allowance::of_bytes(self.bytes.len() + n_bytes);
        let mine = self.manner.used;
        mine.cells + others.cells + Grid::MAX_CELLS <= allowed.cells && mine.moves + others.moves <= allowed.moves
    }

    /// Appends a text and reads everything again.
    fn append_to_whole(&mut self, text: &[u8], levels: &[LevelEntry]) -> Result<(), EditError> {
        let marker = self.marker();
        let mut new = Self::from_bytes([&self.to_bytes(), &marker.bytes[..], text].concat(), &self.levels);
        new.bytes_read += self.bytes_read;
        new.source = self.source;
        let n_old = self.levels.len();
        let is_same = |(old, new): (&LevelEntry, &LevelEntry)| {
            says_the_same(old, new) && super::edit_check::are_edited(old.games(), new.games(), None)
        };
        let expected = self.levels.iter().chain(levels);
        if new.levels.len() != n_old + levels.len() || !expected.zip(&new.levels).all(is_same) {
            return Err(EditError::Ambiguous { level: n_old + 1 });
        }
        *self = new;
        Ok(())
    }

    fn append_section(&mut self) {
        let marker = self.marker();
        let bytes = Arc::make_mut(&mut self.bytes);
        let start = bytes.len() + marker.start;
        bytes.extend_from_slice(&marker.bytes);
        self.sections.push(Section { start, ..Section::empty(self.levels.len()) });
    }

    /// Appends a level to the last section. Returns `false`, and changes nothing, if the text above or the level itself
    /// would be read in another way.
    fn append_here(&mut self, draft: &Draft, junction: Vec<u8>) -> bool {
        let line_break = self.line_break_of(&junction).0;
        let own = self.lines_of(&draft.own, line_break);
        let section_index = self.sections.len() - 1;
        let section = &self.sections[section_index];
        let number = self.levels.len() + 1 - section.first_level;
        let (above, place) = match self.levels.len().checked_sub(1) {
            Some(last) if number > 1 => (self.last_gap_text(last), GapPosition::Inner),
            _ => (self.head_text(section_index), GapPosition::Head),
        };
        let above = [above, junction.clone()].concat();
        let read_above = |place, style| self.read_text(&above, place, number - 1, style);
        let read_below = |style| self.read_text(&own, GapPosition::Last, number, style);
        let mut votes = section.votes;
        votes.add(&read_above(place, &section.style).votes, place);
        votes.add(&read_below(&section.style).votes, GapPosition::Last);
        let style = votes.style();
        let (new_above, new_below) = (read_above(place, &style), read_below(&style));
        let is_kept = if place == GapPosition::Head {
            let has_text = section.title.is_some() || section.author.is_some() || !section.notes.is_empty();
            !has_text && !new_above.has_lead
        } else {
            let is_regular =
                style == section.style || self.reads_the_same(section_index, self.levels.len() - 1, &style);
            is_regular && !section.lends_title && read_above(GapPosition::Last, &section.style).reads_as(&new_above)
        };
        let read_back = LevelOutline::of(new_above.lead, new_below.own);
        let author = read_back.author.as_deref().or(section.author.as_deref());
        let expected = &draft.level.fixed;
        let is_read = (&read_back.title, &read_back.notes) == (&expected.title, &expected.notes)
            && author == expected.author.as_deref()
            && new_below.games.is_empty()
            && !new_below.has_board
            && !new_below.is_escaped;
        if !(is_kept && is_read) {
            return false;
        }
        self.count_read(2 * above.len() + own.len());
        let section = &mut self.sections[section_index];
        (section.votes, section.style) = (votes, style);
        let rows = self.lines_of(&draft.rows, line_break);
        self.push_level(draft, &junction, &rows, &own);
        true
    }

    fn read_text(&self, text: &[u8], place: GapPosition, number: usize, style: &Style) -> LocalGap {
        LocalGap::read(text, self.manner.n_quotes, GapPlace { place, number }, style)
    }

    fn push_level(&mut self, draft: &Draft, junction: &[u8], rows: &[u8], own: &[u8]) {
        let bytes = Arc::make_mut(&mut self.bytes);
        let start = bytes.len() + junction.len();
        for part in [junction, rows, own] {
            bytes.extend_from_slice(part);
        }
        let line = self.levels.last().map_or(1, |last| last.place.end_line + 1);
        let place = LevelPlace {
            number: self.levels.len() + 1,
            line,
            end_line: line + draft.rows.len() + draft.own.len(),
            board: start..start + rows.len(),
            own_end: bytes.len(),
        };
        self.manner.used.cells += draft.used.cells;
        self.levels.push(LevelEntry { place, ..draft.level.clone() });
    }

    /// The text of a section above its first board.
    fn head_text(&self, section: usize) -> Vec<u8> {
        without_mark(&self.bytes[self.sections[section].start..]).to_vec()
    }

    /// All text below the last board.
    fn last_gap_text(&self, level_index: usize) -> Vec<u8> {
        let level = &self.levels[level_index];
        self.parts_of(level_index..level_index + 1, level.place.board.end, self.bytes.len()).concat()
    }
}

/// Bytes that are put between the file and what is appended.
#[derive(Default)]
struct Junction {
    bytes: Vec<u8>,
    /// Where the mark is in them.
    start: usize,
}

impl Collection {
    /// The end of the last line, if it lacks one, and a blank line.
    fn junction(&self) -> Junction {
        let parts = self.parts();
        let (line_break, is_ended) = self.line_break_of(parts.last().copied().unwrap_or_default());
        Junction { bytes: self.paragraph(&[], line_break, is_ended), start: 0 }
    }

    /// The same with the mark of a section and another blank line.
    fn marker(&self) -> Junction {
        let mut junction = self.junction();
        junction.start = junction.bytes.len();
        let line_break = self.line_break_of(&junction.bytes).0;
        junction.bytes.extend(self.lines_of(&[SECTION.to_owned()], line_break));
        junction.bytes.extend(self.blank_line(line_break));
        junction
    }
}

impl Section {
    fn empty(first_level: usize) -> Self {
        Self {
            start: 0,
            first_level,
            title: None,
            author: None,
            notes: Arc::default(),
            lends_title: false,
            votes: CollectionVotes::default(),
            style: CollectionVotes::default().style(),
        }
    }
}

impl Draft {
    fn of(level: &NewLevel, ambiguous: EditError) -> Result<Self, EditError> {
        let one_line = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default();
            let text = text.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ");
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let (title, author) = (one_line(&level.title), one_line(&level.author));
        let notes = level.notes.iter().flat_map(|note| note.split(['\n', '\r']));
        let notes: Vec<String> = notes.filter_map(level_note_line).collect();
        let row = |row: &String| if row.trim().is_empty() { "-".to_owned() } else { row.trim_end().to_owned() };
        let rows: Vec<String> = level.rows.iter().map(row).collect();
        let alone = Collection::parse(format!("{}\n", rows.join("\n")).as_bytes());
        let [board] = alone.levels() else { return Err(EditError::NoBoard) };
        let n_lines = alone.bytes[board.place.board.clone()].iter().filter(|&&byte| byte == b'\n').count();
        if n_lines != rows.len() || !alone.manner.is_local || board.place.board.end != alone.bytes.len() {
            return Err(EditError::NoBoard);
        }
        let own: Vec<String> = [("Title", &title), ("Author", &author)]
            .into_iter()
            .filter_map(|(key, value)| value.as_ref().map(|value| format!("{key}: {value}")))
            .chain(notes.iter().cloned())
            .collect();
        if own.iter().any(|line| line.contains("\\n")) {
            return Err(ambiguous);
        }
        let fixed = &board.fixed;
        let fixed = Fixed { title, author, notes, rows: fixed.rows.clone(), level: fixed.level.clone() };
        let level = LevelEntry { fixed: Arc::new(fixed), ..board.clone() };
        Ok(Self { rows, own, level, used: alone.manner.used })
    }
}

#[cfg(test)]
mod tests;
