//! The first line of every command: the program, its version, and the settings that a run can be repeated with.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::inputs::Inputs;
use crate::inputs::selection::LevelSelection;

/// The version of the schemas. It rises when a field goes or changes its meaning, not when one is added.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// The first line of every command.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "RunLine"))]
pub(crate) struct RunLine<S> {
    /// Version of the schema of these lines.
    schema: u32,
    /// `soko`.
    program: &'static str,
    /// Version of the program.
    version: &'static str,
    /// The command.
    command: &'static str,
    /// The files that are read.
    files: Vec<String>,
    /// Levels in the files; null where they are read as they are reached.
    levels: Option<usize>,
    /// Seed of random choices; null where the command makes none.
    seed: Option<u64>,
    /// The settings of the run, those that were not given among them.
    settings: S,
}

impl<S> RunLine<S> {
    /// Describes a run of a command that makes no random choices.
    pub(crate) fn new(command: &'static str, inputs: &Inputs, settings: S) -> Self {
        let files = inputs.inputs().iter().map(|input| input.source().path.as_path());
        Self { levels: Some(inputs.levels().count()), ..Self::of_stream(command, files, settings) }
    }

    /// Describes a run that reads its files as they are reached.
    pub(crate) fn of_stream<'a>(command: &'static str, files: impl Iterator<Item = &'a Path>, settings: S) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            program: "soko",
            version: env!("CARGO_PKG_VERSION"),
            command,
            files: files.map(|path| path.display().to_string()).collect(),
            levels: None,
            seed: None,
            settings,
        }
    }

    /// Adds the seed of random choices.
    pub(crate) fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }
}

/// Which levels were asked for; all if nothing is named.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SelectionJson {
    /// Of `--levels`: numbers and ranges such as `1,3-5,7-`; null if not given.
    select_levels: Option<String>,
    /// Of `--title`: patterns of titles, in small letters.
    select_titles: Vec<String>,
    /// Of `--id`: first digits of identities.
    select_ids: Vec<String>,
}

impl From<&LevelSelection> for SelectionJson {
    fn from(selection: &LevelSelection) -> Self {
        Self {
            select_levels: selection.numbers.as_ref().map(ToString::to_string),
            select_titles: selection.titles.iter().map(ToString::to_string).collect(),
            select_ids: selection.ids.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A time in seconds, if there is one.
pub(crate) fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64())
}
