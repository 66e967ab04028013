//! The functions of the plug-in, called as a host calls them: buffers of the sizes that are told, and any contents.
//!
//! The callback stops each call at once, so that searches are short. A byte behind a buffer that is written, or read, ends
//! the target: buffers are exactly as large as told, on the heap, where the sanitizer watches.
//!
//! Run: `cargo +nightly fuzz run plugin`.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use sokoplugin::exports::{GetPluginName, IsSupportedOptimization, Optimize, Solve, SolveEx};

/// The arguments of a host.
#[derive(Debug, Arbitrary)]
struct Arguments {
    which: u8,
    width: u8,
    height: u8,
    /// What is told instead of the size of the board.
    lies: Option<(u32, u32)>,
    cells: Vec<u8>,
    has_board: bool,
    games: Vec<Vec<u8>>,
    n_more: u16,
    has_moves: bool,
    status_size: Option<u16>,
    flags: u32,
    name_size: u16,
}

const CELLS: &[u8] = b"# .$*@+-_pPbBo0";
const MOVES: &[u8] = b"lurdLURD 3(";

unsafe extern "system" fn stop() -> i32 {
    1
}

libfuzzer_sys::fuzz_target!(|arguments: Arguments| {
    let Arguments { which, width, height, lies, cells, games, n_more, status_size, flags, .. } = &arguments;
    let (width, height) = (u32::from(width % 12), u32::from(height % 12));
    let (mut board, n) = (Vec::new(), (width * height) as usize);
    // Walls around, so that there is a level at times.
    for at in 0..n {
        let (row, column) = (at as u32 / width.max(1), at as u32 % width.max(1));
        let is_edge = row == 0 || column == 0 || row + 1 == height || column + 1 == width;
        let cell = cells.get(at % cells.len().max(1)).map_or(b' ', |cell| CELLS[usize::from(*cell) % CELLS.len()]);
        board.push(if is_edge && which & 8 == 0 { b'#' } else { cell });
    }
    let rows: Vec<Vec<u8>> = board.chunks(width.max(1) as usize).map(|row| [row, b"\0"].concat()).collect();
    let pointers: Vec<*const u8> = rows.iter().map(|row| row.as_ptr()).collect();
    board.push(0);
    let board = board.into_boxed_slice();
    let letter = |number: &u8| MOVES[usize::from(*number) % MOVES.len()];
    let mut moves: Vec<u8> = Vec::new();
    for game in games.iter().take(4) {
        moves.extend(game.iter().take(200).map(letter));
        moves.push(0);
    }
    moves.extend((0..n_more % 300).map(|_| 0));
    let mut moves = moves.into_boxed_slice();
    let moves_size = moves.len() as u32;
    let mut status = status_size.map(|size| {
        let size = usize::from(size % 400).max(8);
        let mut bytes = vec![0_u8; size].into_boxed_slice();
        bytes[..4].copy_from_slice(&(size as u32).to_ne_bytes());
        bytes[4..8].copy_from_slice(&flags.to_ne_bytes());
        bytes
    });
    let status = status.as_mut().map_or(std::ptr::null_mut(), |bytes| bytes.as_mut_ptr().cast());
    // A board that is larger than told is no lie that a host can tell: only a smaller one, and sizes that are refused.
    let (told_width, told_height) = match lies {
        Some((w, h)) if u64::from(*w) * u64::from(*h) <= n as u64 || *w > 1_000 || *h > 1_000 => (*w, *h),
        _ => (width, height),
    };
    let board = if arguments.has_board { board.as_ptr() } else { std::ptr::null() };
    let moves = if arguments.has_moves { moves.as_mut_ptr() } else { std::ptr::null_mut() };
    // SAFETY: every pointer is null, or has as many bytes as told.
    unsafe {
        match which % 4 {
            0 => _ = Optimize(told_width, told_height, board, moves, moves_size, status, Some(stop)),
            1 => _ = SolveEx(told_width, told_height, board, moves, moves_size, status, Some(stop)),
            2 if n <= 25 => _ = Solve(width, height, pointers.as_ptr(), moves, moves_size),
            _ => {
                let mut name = vec![0_u8; usize::from(arguments.name_size % 64)];
                GetPluginName(name.as_mut_ptr(), name.len() as u32);
                let _is_supported = IsSupportedOptimization(*flags);
            }
        }
    }
});
