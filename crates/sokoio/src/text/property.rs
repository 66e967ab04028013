//! `Key: value` lines in notes.
//!
//! Only keys that programs are known to write count; `Level 3: the maze` is a title.

/// Keys whose lines are notes and never titles. Lower case.
const KEYS: &[&str] = &[
    "author",
    "author comment",
    "authors",
    "begin",
    "collection",
    "comment",
    "comments",
    "copyright",
    "date",
    "date created",
    "date of last change",
    "difficulty",
    "email",
    "end",
    "file format",
    "homepage",
    "id",
    "interval",
    "name",
    "note",
    "notes",
    "own solution",
    "proved",
    "puzzle type",
    "selected",
    "set",
    "solution comment",
    "solution comment end",
    "solution name",
    "solver",
    "solver date",
    "solver time",
    "source",
    "title",
    "url",
    "version",
    "view",
    "web",
    "website",
];

/// A known key and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Property<'a> {
    /// In lower case.
    pub(crate) key: &'static str,
    pub(crate) value: &'a str,
}

impl<'a> Property<'a> {
    /// Reads a trimmed line; spaces before the colon are allowed.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (key, value) = text.split_once(':')?;
        let key = KEYS.iter().copied().find(|known| key.trim().eq_ignore_ascii_case(known))?;
        Some(Self { key, value: value.trim() })
    }

    /// Whether the line gives this name, and not an empty one.
    pub(crate) fn gives(&self, name: Name) -> bool {
        !self.value.is_empty()
            && match name {
                Name::Title => self.key == "title",
                Name::Author => matches!(self.key, "author" | "authors"),
                Name::Collection => matches!(self.key, "collection" | "set"),
            }
    }
}

/// What a property may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Title,
    Author,
    Collection,
}

impl Name {
    pub(crate) const ALL: [Self; 3] = [Self::Title, Self::Author, Self::Collection];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_known_keys_only() {
        assert_eq!(Property::parse("AUTHOR : A: B"), Some(Property { key: "author", value: "A: B" }));
        assert_eq!(Property::parse("Level 3: the maze"), None);
        assert_eq!(Property::parse("author"), None);
    }
}
