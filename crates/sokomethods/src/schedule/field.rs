//! What all arms of a run work with.

use sokosearch::LiveIndex;

use super::searched_windows::SearchedWindows;
use super::windows_in_hand::WindowsInHand;
use crate::Knobs;

/// Settings, the squares that boxes can use, what has been searched in vain so far, and what is being searched now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) knobs: &'a Knobs,
    pub(crate) live: &'a LiveIndex,
    pub(crate) searched: &'a SearchedWindows,
    pub(crate) in_hand: &'a WindowsInHand,
}
