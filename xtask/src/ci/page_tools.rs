//! What the tests of the pages need beyond Rust: without it they pass without a look at a page.

use std::process::{Command, Stdio};

/// A program, and what is left out without it.
const TOOLS: [(&str, &str, &str); 2] = [
    ("chromedriver", "the pages are not tried in a browser", "apt install chromium chromium-driver"),
    ("npm", "the pages are not checked for accessibility, unless axe-core is there already", "apt install npm"),
];

/// Says which of them are missing.
pub(crate) fn report() {
    for (program, what, how) in TOOLS.into_iter().filter(|(program, ..)| !is_there(program)) {
        println!("note: there is no {program}: {what} ({how})");
    }
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_there_if_it_tells_its_version() {
        assert!(is_there(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())));
        assert!(!is_there("/nowhere/no-such-program"));
    }
}
