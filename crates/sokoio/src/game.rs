//! A game recorded below a board: a solution, a snapshot, a saved game.
//!
//! # Contents
//! * here: [`Game`], and what its title announces.
//! * `moves_text`: moves as files hold them.
//! * `solution_title`: titles of solutions. `proof_note`: what is proved about one.

pub(crate) mod moves_text;
pub(crate) mod proof_note;
pub(crate) mod solution_title;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sokocore::Lurd;
use thiserror::Error;

use crate::game::moves_text::{MovesText, ParseMovesError};

/// What a recorded game claims to be. Nothing is replayed to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameKind {
    /// A game that solves the level, according to its title; also bare moves that can be nothing else.
    Solution,
    /// A game that leads to a position worth keeping.
    Snapshot,
    /// A game played backward, by pulls: by its title, or by a jump `[...]` in its moves.
    ReverseSnapshot,
    /// A game that was interrupted.
    SaveGame,
}

impl GameKind {
    /// Reads the kind from a title line, by the first word that announces a game; `None` if the line announces no game.
    pub(crate) fn of_title(title: &str) -> Option<Self> {
        let title = title.to_ascii_lowercase();
        let words = [
            ("solution", Self::Solution),
            ("snapshot", Self::Snapshot),
            ("savegame", Self::SaveGame),
            ("save game", Self::SaveGame),
            ("saved game", Self::SaveGame),
        ];
        let found = words.into_iter().filter_map(|(word, kind)| Some((title.find(word)?, kind)));
        let (at, kind) = found.min_by_key(|(at, _)| *at)?;
        let is_reverse = kind == Self::Snapshot && title[..at].contains("reverse");
        Some(if is_reverse { Self::ReverseSnapshot } else { kind })
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solution => "solution",
            Self::Snapshot => "snapshot",
            Self::ReverseSnapshot => "reverse snapshot",
            Self::SaveGame => "saved game",
        })
    }
}

/// Why a recorded game cannot be replayed from the start of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line}: the game cannot be replayed")]
#[non_exhaustive]
pub struct ParseGameError {
    /// Line of the file where the moves start, from 1.
    pub line: usize,
    /// What is in the way.
    #[source]
    pub cause: ParseMovesError,
}

/// One recorded game of a level.
///
/// ```
/// use sokoio::{Collection, GameKind};
///
/// let text = "######\n#@$ .#\n######\n\nSavegame of Monday\nR*R\nA note.\n";
/// let collection = Collection::parse(text.as_bytes());
/// let game = &collection.levels()[0].games()[0];
/// assert_eq!((game.kind(), game.title(), game.line()), (GameKind::SaveGame, Some("Savegame of Monday"), 5));
/// assert_eq!((game.moves()?.to_string().as_str(), game.current()), ("RR", Some(1)));
/// assert_eq!(game.notes(), ["A note."]);
/// # Ok::<(), sokoio::ParseGameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) kind: GameKind,
    pub(crate) title: Option<String>,
    /// Number of the first line in an editor.
    pub(crate) line: usize,
    pub(crate) moves: Result<Arc<MovesText>, ParseGameError>,
    pub(crate) notes: Vec<String>,
}

/// Which lines of the file a game takes.
#[derive(Clone, Debug)]
pub(crate) struct GameLines {
    pub(crate) title: Option<usize>,
    pub(crate) moves: Range<usize>,
    /// Bytes of the first line of moves that are its title, as in `Solution: lurD`.
    pub(crate) inline_title: usize,
}

impl Game {
    /// Returns what the game claims to be.
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        self.kind
    }

    /// Returns the title line as it stands in the file; see [`SolutionTitle`](crate::SolutionTitle) to read it.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the text lines below the moves, up to the next game or the end of the level, trimmed.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the line where the game starts with its title or else its moves, from 1, in the file as it was read;
    /// of a game that was added, the line before which it was put.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns all moves, also those after the mark `*` of a saved game, in the case of the file.
    ///
    /// # Errors
    /// Reverse games, several pushers, more moves than the reader allows.
    pub fn moves(&self) -> Result<&Lurd, ParseGameError> {
        self.moves.as_ref().map(|text| &text.moves).map_err(|error| *error)
    }

    /// What the game would claim to be under another title.
    pub(crate) fn kind_with_title(&self, title: &str) -> GameKind {
        let is_reverse = matches!(self.moves, Err(ParseGameError { cause: ParseMovesError::Reverse, .. }));
        if is_reverse { GameKind::ReverseSnapshot } else { GameKind::of_title(title).unwrap_or(GameKind::Solution) }
    }

    /// Returns the number of moves before the mark `*`; those after it had been taken back by the player.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        self.moves.as_ref().ok().and_then(|text| text.current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_announce_games() {
        let kinds = [
            ("Best Solution 230/97", Some(GameKind::Solution)),
            ("my solution", Some(GameKind::Solution)),
            ("Solution 3/1 (Snapshot Tool)", Some(GameKind::Solution)),
            ("Snapshot 12/3", Some(GameKind::Snapshot)),
            ("Reverse Mode Snapshot", Some(GameKind::ReverseSnapshot)),
            ("Savegame:", Some(GameKind::SaveGame)),
            ("a puzzle", None),
        ];
        for (title, kind) in kinds {
            assert_eq!(GameKind::of_title(title), kind, "{title}");
        }
    }
}
