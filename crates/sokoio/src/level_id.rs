//! What makes two levels the same: the board that can be played, as a hash that does not change between versions.
//!
//! The text that is hashed, with SHA-256, of which the first 16 bytes are kept:
//!
//! ```text
//!   "soko level 1\n"  or  "soko level up to symmetry 1\n"     the version tag
//!   "######\n#@$ .#\n######\n"                                 the board
//! ```
//!
//! Invariant: the board is the part that the player could reach if there were no boxes, with everything else
//! turned into wall, cut to its bounding box and one column and row of wall on every side, in standard letters with
//! spaces and full rows. Up to symmetry, it is the one of the eight images whose text is least.
//! A change of any of this is a new version tag.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use sokocore::{Cell, Grid, Level, Symmetry};
use thiserror::Error;

/// Identity of a level: equal for equal boards. Floor letters, margins and decoration outside do not count, the
/// player's square does. It is written as 32 hexadecimal digits, the same in all versions.
///
/// ```
/// use sokocore::Level;
/// use sokoio::LevelId;
///
/// let level: Level = "######\n#@$ .#\n######".parse()?;
/// let decorated: Level = "########\n#p$-.###\n######*#".parse()?;
/// assert_eq!(LevelId::of(&level), LevelId::of(&decorated));
/// assert_eq!(LevelId::of(&level).to_string(), "fee1150f105852011e2474bcf0932bd5");
///
/// let mirrored: Level = "######\n#. $@#\n######".parse()?;
/// assert_ne!(LevelId::of(&level), LevelId::of(&mirrored));
/// assert_eq!(LevelId::up_to_symmetry(&level), LevelId::up_to_symmetry(&mirrored));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LevelId([u8; 16]);

const EXACT: &str = "soko level 1\n";
const UP_TO_SYMMETRY: &str = "soko level up to symmetry 1\n";

impl LevelId {
    /// Identifies the level as it stands; a rotated or reflected level is another one.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        Self::hash(EXACT, &board_text(&canonical_grid(level)))
    }

    /// Identifies the level together with its eight rotations and reflections.
    #[must_use]
    pub fn up_to_symmetry(level: &Level) -> Self {
        let grid = canonical_grid(level);
        let least = Symmetry::ALL.iter().map(|symmetry| board_text(&symmetry.grid(&grid))).min();
        Self::hash(UP_TO_SYMMETRY, &least.expect("invariant: there are eight symmetries"))
    }

    fn hash(tag: &str, text: &str) -> Self {
        let digest = Sha256::new().chain_update(tag).chain_update(text).finalize();
        let mut id = [0; 16];
        id.copy_from_slice(&digest[..16]);
        Self(id)
    }
}

impl fmt::Display for LevelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for LevelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LevelId({self})")
    }
}

/// A text that is not the identity of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a level id has 32 hexadecimal digits")]
#[non_exhaustive]
pub struct ParseLevelIdError;

impl FromStr for LevelId {
    type Err = ParseLevelIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ParseLevelIdError);
        }
        let mut id = [0; 16];
        for (at, byte) in id.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| ParseLevelIdError)?;
        }
        Ok(Self(id))
    }
}

/// Returns the board that identifies a level: what the player could reach without boxes, the rest wall, without margins.
/// Levels with one identity have one such board, and the same moves solve them.
///
/// ```
/// use sokocore::Level;
///
/// let level: Level = "  ########\n  #p$-.###\n  ######*#".parse()?;
/// assert_eq!(sokoio::canonical_grid(&level).to_string(), "######\n#@$ .#\n######\n");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[must_use]
pub fn canonical_grid(level: &Level) -> Grid {
    // A level is closed, so the border exists.
    let grid = level.play_grid();
    let open = (0..grid.cells().len()).filter(|&cell| grid.cells()[cell] != Cell::Wall);
    let (mut top, mut bottom, mut left, mut right) = (usize::MAX, 0, usize::MAX, 0);
    for cell in open {
        let (row, column) = (cell / grid.width(), cell % grid.width());
        (top, bottom) = (top.min(row), bottom.max(row));
        (left, right) = (left.min(column), right.max(column));
    }
    let mut image = Grid::filled(right - left + 3, bottom - top + 3, Cell::Wall);
    for row in top..=bottom {
        for column in left..=right {
            image.set(row - top + 1, column - left + 1, grid.at(row, column));
        }
    }
    image
}

fn board_text(grid: &Grid) -> String {
    let row = |cells: &[Cell]| cells.iter().map(|cell| cell.letter()).chain(['\n']).collect::<String>();
    grid.cells().chunks(grid.width()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Level {
        Level::parse(text).unwrap()
    }

    const PLAIN: &str = "######\n#@$ .#\n######";

    /// A new value here means a new version tag.
    #[test]
    fn stays_the_same_between_versions() {
        assert_eq!(LevelId::of(&level(PLAIN)).to_string(), "fee1150f105852011e2474bcf0932bd5");
        assert_eq!(LevelId::up_to_symmetry(&level(PLAIN)).to_string(), "56c7bdf083fb81a473696055114a4152");
    }

    #[test]
    fn ignores_letters_margins_and_decoration() {
        let others = [
            "######\n#@$-.#\n######",
            "######\n#pb_o#\n######",
            "  ######  \n  #@$ .#\n  ######",
            "########\n#@$ .###\n########\n# . # *#\n########",
            " ####\n#@$ .#\n ####",
        ];
        for other in others {
            assert_eq!(LevelId::of(&level(PLAIN)), LevelId::of(&level(other)), "{other}");
        }
    }

    #[test]
    fn tells_boards_apart() {
        let others =
            ["######\n# @$.#\n######", "#######\n#@$  .#\n#######", "######\n#. $@#\n######", "######\n#@ $.#\n######"];
        for other in others {
            assert_ne!(LevelId::of(&level(PLAIN)), LevelId::of(&level(other)), "{other}");
        }
    }

    /// Trap 23: a level and its images are one level up to symmetry, and eight levels otherwise.
    #[test]
    fn trap_23_images_share_an_identity_up_to_symmetry() {
        let original = level("######\n#@  .#\n# $ ##\n##   #\n######");
        let images = Symmetry::ALL.map(|symmetry| level(&symmetry.grid(original.grid()).to_string()));
        let mut exact = images.each_ref().map(LevelId::of);
        exact.sort();
        assert!(exact.windows(2).all(|pair| pair[0] < pair[1]));
        for image in &images {
            assert_eq!(LevelId::up_to_symmetry(image), LevelId::up_to_symmetry(&original));
            assert_ne!(LevelId::up_to_symmetry(image), LevelId::of(image));
        }
    }

    #[test]
    fn reads_what_it_writes() {
        let id = LevelId::of(&level(PLAIN));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("+0".repeat(16).parse::<LevelId>(), Err(ParseLevelIdError));
        assert_eq!("0".parse::<LevelId>(), Err(ParseLevelIdError));
    }
}
