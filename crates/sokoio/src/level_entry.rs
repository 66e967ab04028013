//! One level of a collection: what the file says about it, readable or not.

use sokocore::{Level, Lurd, ParseLevelError, ReplayError, Solution, replay};
use thiserror::Error;

use crate::game::{Game, GameKind, ParseGameError};
use crate::solution_title::SolutionTitle;

/// One board of a file, with its title, author and recorded games.
#[derive(Clone, Debug)]
pub struct LevelEntry {
    pub(crate) number: usize,
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) line: usize,
    pub(crate) rows: Vec<String>,
    pub(crate) level: Result<Level, ParseLevelError>,
    pub(crate) games: Vec<Game>,
    /// Line before which a new game belongs.
    pub(crate) end: usize,
}

/// Why a recorded game is no solution of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckGameError {
    /// The board is no level.
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
        /// What went wrong.
        source: ReplayError,
    },
}

impl LevelEntry {
    /// Returns the place among the boards of the file, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns the title as the file gives it.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the title, or `level 3` for the third board if the file gives none.
    #[must_use]
    pub fn title_or_number(&self) -> String {
        self.title.clone().unwrap_or_else(|| format!("level {}", self.number))
    }

    /// Returns the author of this level, or else of the collection.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// Returns the line of the file where the board starts, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the level.
    ///
    /// # Errors
    /// The board is no level. Its rows count from the board's first, its columns from the first that is not blank in
    /// every row.
    pub const fn level(&self) -> Result<&Level, ParseLevelError> {
        match &self.level {
            Ok(level) => Ok(level),
            Err(error) => Err(*error),
        }
    }

    /// Returns the board's rows: run lengths written out, blank margins cut; as in the file if it is too large.
    #[must_use]
    pub fn board_rows(&self) -> &[String] {
        &self.rows
    }

    /// Returns the games recorded below the board, in the order of the file.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Replays one of the games as a solution, whatever its title says.
    ///
    /// # Errors
    /// The board is no level, the moves are no forward game, or they do not solve the level.
    ///
    /// # Panics
    /// When the level has no such game.
    pub fn replay(&self, game: usize) -> Result<Solution, CheckGameError> {
        let game = &self.games[game];
        let moves: &Lurd = game.moves()?;
        replay(self.level()?, moves).map_err(|source| CheckGameError::Replay { line: game.line(), source })
    }

    /// Replays every game that claims to be a solution; yields its index among the games and what came of it.
    pub fn solutions(&self) -> impl Iterator<Item = (usize, Result<Solution, CheckGameError>)> + '_ {
        let claims = |game: &usize| self.games[*game].kind() == GameKind::Solution;
        (0..self.games.len()).filter(claims).map(|game| (game, self.replay(game)))
    }

    /// Returns the title with the first number, ` (2)` and so on, that no other game of this level has.
    /// `except` is a game whose title does not count because it is about to change.
    #[must_use]
    pub fn unique_title(&self, title: &SolutionTitle, except: Option<usize>) -> SolutionTitle {
        let titles: Vec<_> = self.games.iter().enumerate().filter(|(game, _)| Some(*game) != except).collect();
        let is_taken = |text: &str| titles.iter().any(|(_, game)| game.title().is_some_and(|title| title == text));
        let candidates = (title.number()..=u32::MAX).map(|number| title.clone().with_number(number));
        candidates.into_iter().find(|title| !is_taken(&title.to_string())).unwrap_or_else(|| title.clone())
    }
}
