//! The mutants that cargo-mutants lists.

use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::workspace::root;

/// Line and column in a file, both counted from one.
pub(super) type LineColumn = (usize, usize);

/// One change of one expression.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// As cargo-mutants prints it: file, line, column, and what is replaced by what.
    pub(super) name: String,
    /// Path of the file, from the root.
    pub(super) file: String,
    /// What cargo-mutants calls its kind, such as `BinaryOperator`.
    pub(super) genre: String,
    pub(super) start: LineColumn,
    pub(super) replacement: String,
}

impl Mutant {
    /// Lists the mutants of these files of a package.
    ///
    /// # Errors
    /// cargo-mutants is not installed, or prints something else.
    pub(super) fn list(package: &str, files: &[&str]) -> anyhow::Result<Vec<Self>> {
        let mut command = Command::new("cargo");
        command.current_dir(root()).stdin(Stdio::null()).stderr(Stdio::inherit());
        command.args(["mutants", "--list", "--json", "--package", package]);
        for file in files {
            command.args(["--file", &format!("crates/{package}/src/{file}")]);
        }
        let listed = command.output().context("cannot start cargo")?;
        ensure!(listed.status.success(), "install cargo-mutants with `cargo install cargo-mutants`");
        Self::read(&String::from_utf8_lossy(&listed.stdout))
    }

    fn read(json: &str) -> anyhow::Result<Vec<Self>> {
        let all: Vec<Value> = serde_json::from_str(json).context("cargo-mutants prints no list")?;
        all.iter().map(|value| Self::of(value).with_context(|| format!("this is no mutant: {value}"))).collect()
    }

    fn of(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let number = |key: &str| value["span"]["start"][key].as_u64().and_then(|number| usize::try_from(number).ok());
        Some(Self {
            name: text("name")?,
            file: text("file")?,
            genre: text("genre")?,
            start: (number("line")?, number("column")?),
            replacement: text("replacement")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let json = r#"[{"name": "a.rs:3:5: replace + with -", "file": "a.rs", "genre": "BinaryOperator",
            "span": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 6}}, "replacement": "-"}]"#;
        let list = Mutant::read(json).unwrap();
        assert_eq!((list.len(), list[0].start, &*list[0].replacement), (1, (3, 5), "-"));
        assert!(Mutant::read("[{}]").unwrap_err().to_string().contains("no mutant"));
        assert!(Mutant::read("nothing").is_err());
    }
}
