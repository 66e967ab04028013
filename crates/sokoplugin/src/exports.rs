//! The functions that a host finds by name.
//!
//! Their names have no decoration, and on 32-bit Windows they are called as `stdcall`. All may be called from several
//! threads at once. None of them lets a panic out.
//!
//! A host calls them in this order: `GetPluginName`, `GetConstraints` and `IsSupportedOptimization` when it has loaded the
//! library, `ShowAbout` and `Configure` for the user, then `SolveEx` and `Optimize` as often as it likes, `Terminate` from
//! another thread while one of these runs.
#![expect(unsafe_code, reason = "functions with fixed names that take pointers")]

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::board_text::{BoardSize, MAX_BOXES, MAX_SIDE, read_level};
use crate::call::Host;
use crate::host::callback::{Callback, HostCallback};
use crate::host::game_buffer::GameBuffer;
use crate::host::status::{PluginStatus, Status};
use crate::host::window::ParentWindow;
use crate::host::{board_rows, numbers, text};
use crate::optimization::{self, Optimization};
use crate::result_code::ResultCode;
use crate::{about, configure, optimize_call, running_calls, solve_call};

/// Opens the settings file in an editor, and returns at once. If there is none, it is made first, with all defaults. What
/// goes wrong is shown in front of `parent`.
///
/// # Safety
/// `parent` is null, or on Windows a window.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Configure(parent: *mut c_void) {
    // SAFETY: as the host has promised.
    let parent = unsafe { ParentWindow::new(parent) };
    guarded((), || {
        if let Err(error) = configure::run() {
            parent.show(&about::name(), &format!("The settings cannot be opened: {error}"));
        }
    });
}

/// Shows name, version and where the settings are, until the user closes it.
///
/// # Safety
/// `parent` is null, or on Windows a window.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn ShowAbout(parent: *mut c_void) {
    // SAFETY: as the host has promised.
    let parent = unsafe { ParentWindow::new(parent) };
    guarded((), || parent.show(&about::name(), &about::about()));
}

/// Returns the largest board: sides in squares, and boxes.
///
/// # Safety
/// Each pointer is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetConstraints(max_width: *mut u32, max_height: *mut u32, max_boxes: *mut u32) {
    // SAFETY: as the host has promised.
    unsafe {
        numbers::write(max_width, MAX_SIDE);
        numbers::write(max_height, MAX_SIDE);
        numbers::write(max_boxes, MAX_BOXES);
    }
}

/// Returns the name and version, such as `Soko 0.1.0 (64-bit)`, cut to `size` bytes with its NUL.
///
/// # Safety
/// `name` is null or has `size` bytes that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetPluginName(name: *mut u8, size: u32) {
    guarded((), || {
        if !name.is_null() {
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            // SAFETY: as the host has promised; what does not fit is cut.
            unsafe { text::write(name, size, about::name().as_bytes()) };
        }
    });
}

/// [`GetPluginName`] as old hosts call it.
///
/// # Safety
/// As [`GetPluginName`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetSolverName(name: *mut u8, size: u32) {
    // SAFETY: as the host has promised.
    unsafe { GetPluginName(name, size) }
}

/// Returns 1 if `Optimize` supports these flags, one primary metric and one secondary metric or none; otherwise 0.
#[unsafe(no_mangle)]
pub extern "system" fn IsSupportedOptimization(flags: u32) -> i32 {
    guarded(0, || i32::from(Optimization::is_supported(flags)))
}

/// Returns all flags that `Optimize` supports, and from bit 16 on the metrics that may stand alone. Hosts of today call
/// [`IsSupportedOptimization`].
#[unsafe(no_mangle)]
pub extern "system" fn GetSupportedOptimizations() -> u32 {
    optimization::ALL_PACKED
}

/// Improves a game, and returns a [`ResultCode`].
///
/// `board` has `width * height` letters and a NUL. `moves` has `moves_size` bytes: games, each with a NUL, and another NUL
/// after the last. If a better game is found, it replaces them. The flags of `status` say what is wanted, and then what is
/// done. `callback` is asked five times a second whether to stop; what is found by then is handed over.
///
/// # Safety
/// `board` is null or ends with a NUL; `moves` is null or has its size; `status` is null or as large as it says; all of
/// them stay until the call returns, and no other thread writes to them. `callback` is null or can be called.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Optimize(
    width: u32,
    height: u32,
    board: *const u8,
    moves: *mut u8,
    moves_size: u32,
    status: *mut PluginStatus,
    callback: HostCallback,
) -> i32 {
    // SAFETY: as the host has promised.
    let (mut buffer, mut host) = unsafe { (GameBuffer::new(moves, moves_size), host(status, callback)) };
    guarded_call(|| {
        host.run(|call| {
            let size = BoardSize::new(width, height)?;
            // SAFETY: as the host has promised.
            let board = unsafe { board_rows::read_board(board, size.n_cells()) };
            optimize_call::run(call, &read_level(size, board.as_deref())?, &mut buffer)
        })
    })
}

/// Solves a level given in rows, without reporting and stopping: as [`SolveEx`] with neither status nor callback.
///
/// # Safety
/// `rows` is null or has `height` pointers, each null or to a row of `width` letters or fewer and a NUL. `solution` is null
/// or has its size. All of them stay until the call returns, and no other thread writes to them.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Solve(
    width: u32,
    height: u32,
    rows: *const *const u8,
    solution: *mut u8,
    solution_size: u32,
) -> i32 {
    // SAFETY: as the host has promised; neither status nor callback is allowed.
    let (mut buffer, mut host) =
        unsafe { (GameBuffer::new(solution, solution_size), host(std::ptr::null_mut(), None)) };
    guarded_call(|| {
        host.run(|call| {
            let size = BoardSize::new(width, height)?;
            // SAFETY: as the host has promised.
            let board = unsafe { board_rows::read_rows(rows, size.width, size.height) };
            solve_call::run(call, &read_level(size, board.as_deref())?, &mut buffer)
        })
    })
}

/// Solves a level, and returns a [`ResultCode`].
///
/// `board` has `width * height` letters and a NUL. The solution is written to `solution` with a NUL, cut to
/// `solution_size` bytes; without a buffer only the result counts. `callback` is asked five times a second whether to stop.
///
/// # Safety
/// As [`Optimize`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveEx(
    width: u32,
    height: u32,
    board: *const u8,
    solution: *mut u8,
    solution_size: u32,
    status: *mut PluginStatus,
    callback: HostCallback,
) -> i32 {
    // SAFETY: as the host has promised.
    let (mut buffer, mut host) = unsafe { (GameBuffer::new(solution, solution_size), host(status, callback)) };
    guarded_call(|| {
        host.run(|call| {
            let size = BoardSize::new(width, height)?;
            // SAFETY: as the host has promised.
            let board = unsafe { board_rows::read_board(board, size.n_cells()) };
            solve_call::run(call, &read_level(size, board.as_deref())?, &mut buffer)
        })
    })
}

/// Asks all running calls to end, and returns at once, with [`ResultCode::Ok`]. Each call then returns what it has found. A
/// call that begins later is not concerned.
#[unsafe(no_mangle)]
pub extern "system" fn Terminate() -> i32 {
    guarded_call(|| {
        running_calls::end_all();
        ResultCode::Ok
    })
}

/// # Safety
/// As [`Optimize`] says of `status` and `callback`.
unsafe fn host(status: *mut PluginStatus, callback: HostCallback) -> Host {
    // SAFETY: as the caller has promised.
    unsafe { Host { status: Status::new(status), callback: Callback::new(callback) } }
}

/// Runs a call. A panic, which is a bug, ends it as failed.
fn guarded_call(run: impl FnOnce() -> ResultCode) -> i32 {
    guarded(ResultCode::Failed, run) as i32
}

/// Runs what must not panic. Returns `otherwise` if it does.
fn guarded<T>(otherwise: T, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_leave() {
        assert_eq!(guarded_call(|| panic!("a bug")), ResultCode::Failed as i32);
    }
}
