//! What a column is called, which side its cells lean on, and how it gives way when the terminal is narrow.

/// The side that the cells of a column lean on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alignment {
    Left,
    Right,
}

/// How a text is made to fit into less than its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shortening {
    /// It is not: a number with a part missing is a wrong number.
    Never,
    /// Its middle goes, because its end is what tells it from others.
    Middle,
    /// Its end goes, without a sign, as in hashes.
    Prefix,
    /// It goes below its row, on lines of their own.
    Below,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The name for programs.
    pub(super) key: &'static str,
    pub(super) head: &'static str,
    pub(super) side: Alignment,
    pub(super) shortening: Shortening,
    /// Widths that a cut column gives way to, before and after others are dropped.
    pub(super) comfortable: usize,
    pub(super) least: usize,
    /// Columns are dropped by rank, the largest first; those of rank 0 stay.
    pub(super) rank: u8,
    pub(super) is_hidden: bool,
    pub(super) is_dropped_if_empty: bool,
    pub(super) is_for_people: bool,
}

impl Column {
    /// Words that are never cut.
    pub(crate) const fn text(key: &'static str, head: &'static str) -> Self {
        Self {
            key,
            head,
            side: Alignment::Left,
            shortening: Shortening::Never,
            comfortable: 0,
            least: 0,
            rank: 0,
            is_hidden: false,
            is_dropped_if_empty: false,
            is_for_people: false,
        }
    }

    /// Numbers.
    pub(crate) const fn number(key: &'static str, head: &'static str) -> Self {
        Self { side: Alignment::Right, ..Self::text(key, head) }
    }

    /// Titles, which lose their middle.
    pub(crate) const fn title(key: &'static str, head: &'static str) -> Self {
        Self { shortening: Shortening::Middle, comfortable: 20, least: 8, ..Self::text(key, head) }
    }

    /// Identities of levels, of which eight digits are enough for people.
    pub(crate) const fn id(key: &'static str, head: &'static str) -> Self {
        Self { shortening: Shortening::Prefix, comfortable: 8, least: 8, ..Self::text(key, head) }
    }

    /// Sentences: one that does not fit goes below its row. For the last column.
    pub(crate) const fn remark(key: &'static str, head: &'static str) -> Self {
        Self { shortening: Shortening::Below, comfortable: 14, least: 8, ..Self::text(key, head) }
    }

    /// Other widths to give way to, before and after columns are dropped.
    pub(crate) const fn widths(self, comfortable: usize, least: usize) -> Self {
        Self { comfortable, least, ..self }
    }

    /// A column that programs do not see, because others have its parts.
    pub(crate) const fn for_people(self) -> Self {
        Self { is_for_people: true, ..self }
    }

    /// A column that may be dropped whole, after those of larger rank.
    pub(crate) const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// A column for programs only.
    pub(crate) const fn hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }

    /// A column that people do not see if nothing is in it.
    pub(crate) const fn if_any(self) -> Self {
        Self { is_dropped_if_empty: true, ..self }
    }
}
