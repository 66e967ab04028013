//! What all arms of a run work with.

use sokosearch::LiveIndex;

use super::searched_windows::SearchedWindows;
use crate::Knobs;

/// Settings, the squares that boxes can use, and what has been searched in vain so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) knobs: &'a Knobs,
    pub(crate) live: &'a LiveIndex,
    pub(crate) searched: &'a SearchedWindows,
}
