//! Where the built library is.
//!
//! Cargo builds it with the tests of its package, since both are kinds of one target, and tells tests nothing of it. It
//! stands beside the test binary, in `deps`, which `cargo test` and `cargo xtask ci` fill alike.

use std::env::{self, consts};
use std::path::{Path, PathBuf};

/// Returns the path of the library.
///
/// # Panics
/// If it is not there.
pub(crate) fn path() -> PathBuf {
    let name = format!("{}sokoplugin{}", consts::DLL_PREFIX, consts::DLL_SUFFIX);
    let binary = env::current_exe().expect("the test has a path");
    let deps = binary.parent().expect("the test is in a folder");
    let path = deps.join(&name);
    assert!(path.is_file(), "{} is missing; `cargo test -p sokoplugin` builds it", path.display());
    path
}

/// Copies the library into a folder, beside a settings file, and returns its path. It is another library to the system.
pub(crate) fn copy_with_settings(folder: &Path, settings: &str) -> PathBuf {
    let copy = folder.join(path().file_name().expect("the library has a name"));
    std::fs::copy(path(), &copy).expect("the library can be copied");
    std::fs::write(copy.with_extension("toml"), settings).expect("the settings can be written");
    copy
}
