//! A level that can be played, and where its games are saved.

use std::path::PathBuf;

use sokocore::Level;

use crate::inputs::sources::results_beside;
use crate::inputs::{InputLevel, Inputs};

/// A level that can be played.
#[derive(Clone, Debug)]
pub(super) struct PlayLevel<'a> {
    pub(super) at: InputLevel<'a>,
    pub(super) level: &'a Level,
    /// `None` for a level that is of no file without a place that was named.
    pub(super) into: Option<PathBuf>,
}

impl<'a> PlayLevel<'a> {
    /// Saves games into the file that was named, or beside the level's own.
    pub(super) fn new(inputs: &Inputs, at: InputLevel<'a>, level: &'a Level, into: Option<&PathBuf>) -> Self {
        let source = inputs.inputs()[at.input_idx].source();
        let into = into.cloned().or_else(|| source.is_file().then(|| results_beside(&source.path)));
        Self { at, level, into }
    }
}
