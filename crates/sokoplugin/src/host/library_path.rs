//! The file that this library was loaded from.
#![cfg_attr(all(unix, not(soko_check_windows)), expect(unsafe_code, reason = "asks the system"))]

use std::path::PathBuf;

/// Returns the path of the library, or of the program if it is linked into one, as it was given to the system. `None` if
/// the system does not say.
#[cfg(all(unix, not(soko_check_windows)))]
pub(crate) fn library_path() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;

    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    let inside: fn() -> Option<PathBuf> = library_path;
    // SAFETY: `info` can be written; the address is that of a function of ours.
    if unsafe { libc::dladdr(inside as *const libc::c_void, &raw mut info) } == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the system's name ends with a NUL and stays as long as the library is loaded, which runs this.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
}

/// As on Unix.
#[cfg(any(windows, soko_check_windows))]
pub(crate) fn library_path() -> Option<PathBuf> {
    super::windows::library_path().map(PathBuf::from)
}

/// No other system loads plug-ins.
#[cfg(not(any(unix, windows, soko_check_windows)))]
pub(crate) fn library_path() -> Option<PathBuf> {
    None
}
