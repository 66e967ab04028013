//! The board of a call: one text, or an array of rows in the old form.
#![expect(unsafe_code, reason = "reads the host's memory")]

use super::text::{self, HostText};

/// Reads a board of exactly `n_cells` letters. `None` if it is null, shorter or longer.
///
/// # Safety
/// `board` must be null or point to a text ended by a NUL.
pub(crate) unsafe fn read_board(board: *const u8, n_cells: usize) -> Option<Vec<u8>> {
    if board.is_null() {
        return None;
    }
    // SAFETY: the text is ended by a NUL, before which reading stops.
    match unsafe { text::read(board, n_cells.saturating_add(1)) } {
        HostText::Ended(cells) if cells.len() == n_cells => Some(cells),
        HostText::Ended(_) | HostText::Open(_) => None,
    }
}

/// Reads a board of `height` rows, each of `width` letters or ended before that by a NUL and filled with floor. `None`
/// if a pointer is null.
///
/// # Safety
/// `rows` must be null or point to `height` pointers, each of which is null or points to `width` letters or to fewer
/// that are ended by a NUL.
pub(crate) unsafe fn read_rows(rows: *const *const u8, width: usize, height: usize) -> Option<Vec<u8>> {
    if rows.is_null() {
        return None;
    }
    let mut cells = Vec::with_capacity(width * height);
    for row in 0..height {
        // SAFETY: `row < height`, and so many pointers there are.
        let letters = unsafe { rows.add(row).read() };
        if letters.is_null() {
            return None;
        }
        // SAFETY: the row has `width` letters, or ends before.
        cells.extend(unsafe { text::read(letters, width) }.bytes());
        cells.resize((row + 1) * width, b' ');
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_its_length() {
        // SAFETY: the texts end with a NUL.
        unsafe {
            assert_eq!(read_board(c"#########".as_ptr().cast(), 9), Some(b"#########".to_vec()));
            assert_eq!(read_board(c"########".as_ptr().cast(), 9), None);
            assert_eq!(read_board(c"##########".as_ptr().cast(), 9), None);
            assert_eq!(read_board(std::ptr::null(), 9), None);
        }
    }

    #[test]
    fn short_rows_are_filled() {
        let rows = [c"###".as_ptr().cast(), c"#".as_ptr().cast(), c"###...".as_ptr().cast()];
        // SAFETY: three rows that end with a NUL.
        let cells = unsafe { read_rows(rows.as_ptr(), 3, 3) };
        assert_eq!(cells, Some(b"####  ###".to_vec()));
        let missing = [c"###".as_ptr().cast(), std::ptr::null()];
        // SAFETY: two rows, the second of them null.
        assert_eq!(unsafe { read_rows(missing.as_ptr(), 3, 2) }, None);
    }
}
