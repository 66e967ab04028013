//! The pieces of the file: stretches of what was read, and the texts that were edited.

use std::ops::Range;

use super::{Collection, Section};
use crate::collection::level_entry::LevelEntry;

impl Collection {
    /// The pieces whose concatenation is the file.
    pub(super) fn parts(&self) -> Vec<&[u8]> {
        self.parts_of(0..self.levels.len(), 0, self.bytes.len())
    }

    /// The pieces from one byte of the text that was read to another, with the edits of these levels.
    pub(super) fn parts_of(&self, levels: Range<usize>, start: usize, end: usize) -> Vec<&[u8]> {
        let mut parts: Vec<&[u8]> = Vec::new();
        let mut at = start;
        for level in &self.levels[levels] {
            if let Some(text) = &level.record.text {
                parts.push(&self.bytes[at..level.place.board.end]);
                parts.push(&text.bytes);
                parts.push(&text.close);
                at = level.place.own_end;
            }
        }
        parts.push(&self.bytes[at..end]);
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The text below a board that belongs to its level.
    pub(super) fn own_text<'a>(&'a self, level: &'a LevelEntry) -> &'a [u8] {
        let read = || &self.bytes[level.place.board.end..level.place.own_end];
        level.record.text.as_ref().map_or_else(read, |text| &text.bytes)
    }

    /// The byte of the text that was read where the gap below a level ends: at a board, a section, or the end.
    pub(super) fn gap_end(&self, level_index: usize) -> usize {
        let section = self.section_index(level_index);
        let next_level = self.levels.get(level_index + 1).map(|next| next.place.board.start);
        let next_section = self.sections.get(section + 1).map(|next| next.start);
        let ends = [next_level, next_section].into_iter().flatten();
        ends.min().unwrap_or(self.bytes.len())
    }

    /// Which section a level is in; the last one for a level that is still to come.
    pub(super) fn section_index(&self, level_index: usize) -> usize {
        self.sections.partition_point(|section: &Section| section.first_level <= level_index) - 1
    }

    /// The levels of a section.
    pub(super) fn levels_of(&self, section: usize) -> Range<usize> {
        let end = self.sections.get(section + 1).map_or(self.levels.len(), |next| next.first_level);
        self.sections[section].first_level..end
    }
}
