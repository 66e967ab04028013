//! Boards as hosts write them: letters row by row, without line breaks.

use sokocore::{Cell, Grid, Level, ParseLevelError};

use crate::result_code::{CallEnd, ResultCode};

/// Shortest side of a board.
pub(crate) const MIN_SIDE: u32 = 3;
/// Longest side of a board: all squares of 255 x 255 have numbers.
pub(crate) const MAX_SIDE: u32 = 255;
/// Most boxes: as many as there are squares.
pub(crate) const MAX_BOXES: u32 = MAX_SIDE * MAX_SIDE;

/// The bit that hosts may set in a letter for purposes of their own.
const HOST_BIT: u8 = 0x80;

/// Width and height of a board within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardSize {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl BoardSize {
    /// Checks the size that a host passes.
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, CallEnd> {
        let is_allowed = |side: u32| (MIN_SIDE..=MAX_SIDE).contains(&side);
        if !is_allowed(width) || !is_allowed(height) {
            let text = format!("the board is {width} x {height}; its sides may be {MIN_SIDE} to {MAX_SIDE}");
            return Err(ResultCode::ConstraintsViolation.because(text));
        }
        Ok(Self { width: width as usize, height: height as usize })
    }

    /// Returns the number of letters.
    pub(crate) const fn n_cells(self) -> usize {
        self.width * self.height
    }
}

/// Reads a level. `letters` are as many as the board has cells; `None` if the host's text was missing or of another
/// length.
pub(crate) fn read_level(size: BoardSize, letters: Option<&[u8]>) -> Result<Level, CallEnd> {
    let invalid = |text: String| ResultCode::InvalidLevel.because(text);
    let BoardSize { width, height } = size;
    let letters = letters.ok_or_else(|| invalid(format!("the board does not have {width} x {height} letters")))?;
    let mut grid = Grid::filled(width, height, Cell::Floor);
    for (at, &byte) in letters.iter().enumerate() {
        let letter = char::from(byte & !HOST_BIT);
        let (row, column) = (at / width, at % width);
        let cell = if letter.is_ascii_control() { Some(Cell::Floor) } else { Cell::from_letter(letter) };
        let cell = cell.ok_or_else(|| {
            invalid(format!("row {}, column {}: '{letter}' is not a board letter", row + 1, column + 1))
        })?;
        grid.set(row, column, cell);
    }
    let count = |is: fn(Cell) -> bool| grid.cells().iter().filter(|&&cell| is(cell)).count();
    let (n_boxes, n_goals) = (count(Cell::is_box), count(Cell::is_goal));
    if n_boxes != n_goals {
        return Err(invalid(format!("the board has {n_boxes} boxes and {n_goals} goals; make them equal")));
    }
    Level::from_grid(grid).map_err(|error| match error {
        ParseLevelError::MoreBoxesThanGoals { .. } | ParseLevelError::SealedBox { .. } => {
            ResultCode::Unsolvable.because(error.to_string())
        }
        _ => invalid(error.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &[&[u8]]) -> Result<String, ResultCode> {
        let side = |n: usize| u32::try_from(n).unwrap();
        let size = BoardSize::new(side(rows[0].len()), side(rows.len())).map_err(|end| end.code)?;
        read_level(size, Some(&rows.concat())).map(|level| level.to_string()).map_err(|end| end.code)
    }

    #[test]
    fn letters_of_all_programs_are_read() {
        let plain = "#####\n#@$.#\n#####\n";
        assert_eq!(read(&[b"#####", b"#@$.#", b"#####"]).as_deref(), Ok(plain));
        assert_eq!(read(&[b"#####", b"#pbo#", b"#####"]).as_deref(), Ok(plain));
        assert_eq!(read(&[b"#####", b"#@\xA4.#", b"#\xA3###"]).as_deref(), Ok(plain), "with the host's bit");
        assert_eq!(read(&[b"#######", b"#@\t$-.#", b"#######"]).as_deref(), Ok("#######\n#@ $ .#\n#######\n"));
    }

    #[test]
    fn each_fault_has_its_code() {
        assert_eq!(read(&[b"##", b"##", b"##"]), Err(ResultCode::ConstraintsViolation));
        assert_eq!(read(&[&[b'#'; 256], &[b'#'; 256], &[b'#'; 256]]), Err(ResultCode::ConstraintsViolation));
        assert_eq!(read(&[b"#####", b"#@x.#", b"#####"]), Err(ResultCode::InvalidLevel));
        assert_eq!(read(&[b"#####", b"#@$ #", b"#####"]), Err(ResultCode::InvalidLevel), "no goal");
        assert_eq!(read(&[b"#####", b"#@$.@", b"#####"]), Err(ResultCode::InvalidLevel), "two players");
        assert_eq!(read(&[b"#####", b"#@$. ", b"#####"]), Err(ResultCode::InvalidLevel), "open");
        assert_eq!(read(&[b"#######", b"#@$$.#.", b"#######"]), Err(ResultCode::Unsolvable), "a goal out of reach");
        let size = BoardSize::new(3, 3).unwrap();
        assert_eq!(read_level(size, None).unwrap_err().code, ResultCode::InvalidLevel);
    }

    #[test]
    fn the_largest_board_is_a_level() {
        let side = usize::try_from(MAX_SIDE).unwrap();
        let mut rows = vec![vec![b' '; side]; side];
        rows.first_mut().unwrap().fill(b'#');
        rows.last_mut().unwrap().fill(b'#');
        rows.iter_mut().for_each(|row| (row[0], row[side - 1]) = (b'#', b'#'));
        rows[5][5..8].copy_from_slice(b"@$.");
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        assert!(read(&rows).is_ok());
    }
}
