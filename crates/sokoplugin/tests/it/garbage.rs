//! Arguments that no host should pass.

use sokocore::n_cases;
use sokoplugin::{PluginStatus, ResultCode};

use crate::calls::SMALL;
use crate::plugin::{Function, Plugin, status};
use crate::random::Random;

const BOTH: [Function; 2] = [Function::SolveEx, Function::Optimize];

#[test]
fn wrong_sizes_and_missing_boards_have_their_codes() {
    let plugin = Plugin::built();
    let board = std::ffi::CString::new(SMALL.concat()).unwrap();
    for function in BOTH {
        let call = |width, height, board: *const std::ffi::c_char| {
            let mut record = status(258);
            let mut buffer = [0_u8; 100];
            // SAFETY: the board is null or ends with a NUL, and the sizes are true.
            let code = unsafe {
                plugin.search(function)(width, height, board, buffer.as_mut_ptr(), 100, &raw mut record, None)
            };
            (code, record.text[0] != 0)
        };
        let violation = ResultCode::ConstraintsViolation as i32;
        for (width, height) in [(0, 5), (6, 0), (2, 5), (6, 2), (256, 5), (u32::MAX, u32::MAX)] {
            assert_eq!(call(width, height, board.as_ptr()), (violation, true), "{width} x {height}");
        }
        let invalid = ResultCode::InvalidLevel as i32;
        assert_eq!(call(6, 5, std::ptr::null()), (invalid, true));
        for (width, height) in [(6, 4), (6, 6), (5, 5), (7, 5), (50, 50)] {
            assert_eq!(call(width, height, board.as_ptr()), (invalid, true), "{width} x {height}");
        }
    }
}

#[test]
fn null_everywhere_is_no_trouble() {
    let plugin = Plugin::built();
    let board = std::ffi::CString::new(SMALL.concat()).unwrap();
    let none = std::ptr::null_mut();
    // SAFETY: null is allowed everywhere.
    unsafe {
        assert_eq!(plugin.search(Function::SolveEx)(6, 5, board.as_ptr(), none, 99, std::ptr::null_mut(), None), 0);
        let failed = ResultCode::Failed as i32;
        assert_eq!(
            plugin.search(Function::Optimize)(6, 5, board.as_ptr(), none, 99, std::ptr::null_mut(), None),
            failed
        );
    }
}

#[test]
fn records_of_any_size_stay_within_it() {
    let plugin = Plugin::built();
    let board = std::ffi::CString::new(SMALL.concat()).unwrap();
    for size in (0..=300).step_by(if n_cases(10, 300) == 10 { 37 } else { 1 }) {
        let mut bytes = vec![0xAA_u8; size.max(4)];
        bytes[..4].copy_from_slice(&u32::try_from(size).unwrap().to_ne_bytes());
        // SAFETY: the record has the size that it says, and at least four bytes.
        let code = unsafe {
            let record: *mut PluginStatus = bytes.as_mut_ptr().cast();
            plugin.search(Function::SolveEx)(6, 5, board.as_ptr(), std::ptr::null_mut(), 0, record, None)
        };
        assert_eq!(code, 0, "{size} bytes");
        assert!(bytes.iter().skip(292).all(|&byte| byte == 0xAA));
        assert!(bytes.get(287).is_none_or(|&byte| byte == 0xAA), "the last byte of the text is the host's");
    }
}

/// Boards and games made of random bytes: no call crashes, and each has one of the results.
#[test]
fn random_bytes_have_a_result() {
    let plugin = Plugin::built();
    let letters = b"####    ..$$@+*-_pbo\x80\xff\x01x";
    let moves = b"udlrUDLR()*3 \xff";
    let mut random = Random(1);
    let mut random = |n: usize| random.below(n);
    for _ in 0..n_cases(200, 5_000) {
        let (width, height) = (3 + random(5), 3 + random(4));
        let mut board: Vec<u8> = (0..width * height).map(|_| letters[random(letters.len())]).collect();
        let is_border = |at: usize| {
            at < width || at + width >= width * height || at % width == width - 1 || at.is_multiple_of(width)
        };
        (0..board.len()).filter(|&at| is_border(at)).for_each(|at| board[at] = b'#');
        board.push(0);
        let mut buffer: Vec<u8> = (0..random(40)).map(|_| moves[random(moves.len())]).collect();
        buffer.resize(buffer.len() + random(3), 0);
        let function = BOTH[random(2)];
        let (mut record, size) = (status(u32::try_from(random(9_000)).unwrap()), u32::try_from(buffer.len()).unwrap());
        let side = |n: usize| u32::try_from(n).unwrap();
        let (board, to) = (board.as_ptr().cast(), buffer.as_mut_ptr());
        // SAFETY: the board ends with a NUL, and the sizes are true.
        let code =
            unsafe { plugin.search(function)(side(width), side(height), board, to, size, &raw mut record, None) };
        assert!((0..=9).contains(&code), "{code}");
        assert_ne!(record.text[0], 0, "each result has a reason");
    }
}
