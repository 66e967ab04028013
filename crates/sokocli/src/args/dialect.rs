//! The arguments of other programs, for hosts that start those.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Arguments that clap does not read: other programs have options with one dash and whole words.
#[derive(Clone, Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct DialectArgs {
    /// The level file, and options such as -time 60
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// Returns the command that stands for the program of this name, by which we were started.
pub(super) fn command_of(program: &OsStr) -> Option<&'static str> {
    let name = Path::new(program).file_stem()?.to_str()?.to_ascii_lowercase();
    match &*name {
        "jsoko" => Some("as-jsoko"),
        "festival" => Some("as-festival"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_its_name() {
        let of = |name: &str| command_of(OsStr::new(name));
        assert_eq!(of("/opt/host/Festival.exe"), Some("as-festival"));
        assert_eq!(of("jsoko"), Some("as-jsoko"));
        assert_eq!((of("soko"), of("")), (None, None));
    }
}
