//! One level of a collection: what the file says about it, readable or not.

use std::ops::Range;
use std::sync::Arc;

use sokocore::{Level, Lurd, ParseLevelError, ReplayError, Solution, replay};
use thiserror::Error;

use crate::collection::taken_titles::TakenTitles;
use crate::game::solution_title::SolutionTitle;
use crate::game::{Game, GameKind, ParseGameError};

/// One board of a file, with its title, author, notes and recorded games. Cloning is cheap.
///
/// ```
/// use sokoio::{Collection, GameKind};
///
/// let text = "Two steps\n######\n#@$ .#\n######\nAuthor: A. Writer\n\nSolution\nRR\n\nSnapshot\nR\n";
/// let collection = Collection::parse(text.as_bytes());
/// let entry = &collection.levels()[0];
/// assert_eq!((entry.title(), entry.author()), (Some("Two steps"), Some("A. Writer")));
/// assert_eq!(entry.level()?.n_boxes(), 1);
/// let kinds: Vec<_> = entry.games().iter().map(|game| game.kind()).collect();
/// assert_eq!(kinds, [GameKind::Solution, GameKind::Snapshot]);
/// for (game, solution) in entry.solutions() {
///     assert_eq!((game, solution?.metrics().to_string().as_str()), (0, "2/2/1/1/1/1"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelEntry {
    pub(crate) place: LevelPlace,
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) record: Arc<Record>,
}

/// Where a level is in its file.
#[derive(Clone, Debug)]
pub(crate) struct LevelPlace {
    pub(crate) number: usize,
    /// Line of the board's first row, from 1, in the file that was read.
    pub(crate) line: usize,
    /// Line behind the text of the level, likewise.
    pub(crate) end_line: usize,
    /// Bytes of the board in the text that was read.
    pub(crate) board: Range<usize>,
    /// The byte of that text before which a new game belongs.
    pub(crate) own_end: usize,
}

/// What no edit changes.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) rows: Vec<String>,
    pub(crate) level: Result<Arc<Level>, ParseLevelError>,
}

/// What edits change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) games: Vec<Game>,
    /// The text from the board's end to the level's end, if it was edited.
    pub(crate) text: Option<EditedText>,
    /// Made when the first solution is added.
    pub(crate) titles: Option<TakenTitles>,
}

/// The text below a board after edits.
#[derive(Clone, Debug)]
pub(crate) struct EditedText {
    pub(crate) bytes: Vec<u8>,
    /// A blank line if what follows needs one.
    pub(crate) close: Vec<u8>,
    /// It ends with a game that was added, notes and all.
    pub(crate) ends_with_game: bool,
}

/// Why a recorded game is not a solution of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckGameError {
    /// The board is not a level.
    #[error("the level of the game cannot be played")]
    Level(#[from] ParseLevelError),
    /// The moves are not those of a forward game.
    #[error("the moves cannot be read")]
    Game(#[from] ParseGameError),
    /// The moves do not solve the level.
    #[error("line {line}: the moves are no solution")]
    Replay {
        /// Line of the file where the game starts, from 1.
        line: usize,
        /// The move that is wrong, or what the moves leave undone.
        source: ReplayError,
    },
}

impl LevelEntry {
    /// Returns the level's place among the boards of the file, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.place.number
    }

    /// Returns the title that the file gives: `Title:`, or else the heading line, without `;` if it is a comment.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.fixed.title.as_deref()
    }

    /// Returns the title, or `level 3` for the third board if the file gives none.
    #[must_use]
    pub fn title_or_number(&self) -> String {
        self.fixed.title.clone().unwrap_or_else(|| format!("level {}", self.place.number))
    }

    /// Returns the author of this level, or else of the collection.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.fixed.author.as_deref()
    }

    /// Returns the text lines that belong to the level and are neither its title nor its author, nor a game or below
    /// one, in the order of the file, trimmed. Those of games are in [`Game::notes`].
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.fixed.notes
    }

    /// Returns the line where the board starts, from 1, in the file as it was read: edits do not count.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.place.line
    }

    /// Returns the level.
    ///
    /// # Errors
    /// The board is not a level. Its rows count from the board's first, its columns from the first that is not blank in
    /// every row.
    pub fn level(&self) -> Result<&Level, ParseLevelError> {
        self.fixed.level.as_deref().map_err(|error| *error)
    }

    /// Returns the board's rows: run lengths written out, blank margins cut; as in the file if it is too large.
    #[must_use]
    pub fn board_rows(&self) -> &[String] {
        &self.fixed.rows
    }

    /// Returns the games recorded below the board, in the order of the file.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.record.games
    }

    /// Replays one of the games as a solution. Its title does not count.
    ///
    /// # Errors
    /// The board is not a level, the moves are not a forward game, or they do not solve the level.
    ///
    /// # Panics
    /// When the level has no such game.
    pub fn replay(&self, game: usize) -> Result<Solution, CheckGameError> {
        let game = &self.games()[game];
        let moves: &Lurd = game.moves()?;
        replay(self.level()?, moves).map_err(|source| CheckGameError::Replay { line: game.line(), source })
    }

    /// Replays every game that claims to be a solution. Yields its index among the games with the solution or the
    /// error.
    pub fn solutions(&self) -> impl Iterator<Item = (usize, Result<Solution, CheckGameError>)> + '_ {
        let claims = |game: &usize| self.games()[*game].kind() == GameKind::Solution;
        (0..self.games().len()).filter(claims).map(|game| (game, self.replay(game)))
    }

    /// Returns the title with the first number, ` (2)` and so on, that no other game of this level has.
    /// `except` is a game whose title does not count because it is about to change.
    #[must_use]
    pub fn unique_title(&self, title: &SolutionTitle, except: Option<usize>) -> SolutionTitle {
        TakenTitles::of(self.games(), except).first_free(title, ToString::to_string)
    }
}
