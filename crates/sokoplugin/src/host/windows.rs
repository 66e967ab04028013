//! What only Windows has: message boxes, and the file of a module.
//!
//! It names nothing that only the standard library of Windows has, so that the compiler can read it on any system, with
//! `--cfg soko_check_windows`.
#![expect(unsafe_code, reason = "calls the system")]

use std::ffi::c_void;

use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, GetModuleFileNameW,
    GetModuleHandleExW,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{MB_OK, MessageBoxW};

/// Longest path that is read: Windows has none beyond.
const MAX_PATH: usize = 1 << 15;

/// Returns the path of the library. `None` if the system does not say, or if it is not Unicode.
pub(crate) fn library_path() -> Option<String> {
    let mut module = std::ptr::null_mut();
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let inside: fn() -> Option<String> = library_path;
    // SAFETY: with these flags the name is an address, that of a function of ours; `module` can be written.
    if unsafe { GetModuleHandleExW(flags, inside as *const u16, &raw mut module) } == 0 {
        return None;
    }
    let mut path = vec![0_u16; MAX_PATH];
    let size = u32::try_from(path.len()).ok()?;
    // SAFETY: the buffer has so many letters, and the module is the one that runs this.
    let n = unsafe { GetModuleFileNameW(module, path.as_mut_ptr(), size) };
    let n = usize::try_from(n).ok().filter(|&n| n > 0 && n < path.len())?;
    String::from_utf16(&path[..n]).ok()
}

/// Shows a text in a window in front of `parent`, until the user closes it.
///
/// # Safety
/// `parent` must be null or a window.
pub(crate) unsafe fn message_box(parent: *mut c_void, title: &str, text: &str) {
    let wide = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
    let (title, text) = (wide(title), wide(text));
    // SAFETY: both texts end with a NUL and live until the call returns; the caller vouches for the window.
    unsafe { MessageBoxW(parent, text.as_ptr(), title.as_ptr(), MB_OK) };
}
