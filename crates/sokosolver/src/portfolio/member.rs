//! One strategy in a run: its hands, its memory, and what it has had so far.
//!
//! ```text
//!   waiting hands ──take──▶ playing ──give back──▶ waiting        a spare hand is taken when one more is wanted
//! ```
//!
//! Invariant: all hands play one search and charge one account; who has left gets no turn, and a hand that comes back
//! to it is dropped.

use std::collections::VecDeque;
use std::time::Duration;

use sokosearch::MemoryAccount;

use super::entrant::Runner;
use super::shares::Had;
use crate::{AttemptEnd, SearchStats};

/// The state of a strategy.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) left: Option<AttemptEnd>,
    /// Those who wait for a turn, the longest first; nobody before the first turn.
    pub(crate) waiting: VecDeque<Box<Runner>>,
    /// One more, who has not been needed yet.
    pub(crate) spare: Option<Box<Runner>>,
    pub(crate) n_playing: usize,
    /// A hand has left and others went on, so one more would have nothing to do either.
    pub(crate) has_hands_enough: bool,
    pub(crate) memory: MemoryAccount,
    pub(crate) ticks: u64,
    /// Time of slices that are being played.
    pub(crate) under_way: Duration,
    /// What the hand that has counted most has counted.
    pub(crate) stats: SearchStats,
    /// What the searches have proved that every solution costs.
    pub(crate) proved_cost: u64,
    /// How far along it is, 0 to 1.
    pub(crate) promise: f64,
    pub(crate) elapsed: Duration,
    /// The part of it before the first hand could expand a position.
    pub(crate) set_up: Duration,
    pub(crate) n_restarts: u32,
    pub(crate) peak_bytes: u64,
}

impl Member {
    /// A strategy that has not begun.
    pub(crate) fn new(memory: MemoryAccount) -> Self {
        Self {
            left: None,
            waiting: VecDeque::new(),
            spare: None,
            n_playing: 0,
            has_hands_enough: false,
            memory,
            ticks: 0,
            under_way: Duration::ZERO,
            stats: SearchStats::default(),
            proved_cost: 0,
            promise: 0.0,
            elapsed: Duration::ZERO,
            set_up: Duration::ZERO,
            n_restarts: 0,
            peak_bytes: 0,
        }
    }

    /// Returns whether it has a hand that waits for a turn.
    pub(crate) fn is_waiting(&self) -> bool {
        self.left.is_none() && (self.n_playing == 0 || !self.waiting.is_empty())
    }

    /// Returns whether one more hand could play.
    pub(crate) fn has_spare(&self) -> bool {
        self.left.is_none() && self.spare.is_some()
    }

    /// Returns the number of hands that wait or play.
    pub(crate) fn n_hands(&self) -> usize {
        self.waiting.len() + self.n_playing
    }

    /// Takes a hand for a turn of so much time; `None` if the search has not begun.
    pub(crate) fn take(&mut self, time: Duration) -> Option<Box<Runner>> {
        self.n_playing += 1;
        self.under_way += time;
        self.waiting.pop_front().or_else(|| self.spare.take())
    }

    /// Returns what it has had and is about to have, all hands together.
    pub(crate) fn had(&self) -> Had {
        Had { ticks: self.ticks, time: self.elapsed + self.under_way, promise: self.promise }
    }

    /// Returns what each of its hands has had.
    pub(crate) fn had_by_hand(&self) -> Had {
        let n_hands = self.n_hands().max(1);
        let time = self.elapsed / u32::try_from(n_hands).unwrap_or(u32::MAX);
        Had { ticks: self.ticks / n_hands as u64, time, promise: self.promise }
    }

    /// Leaves, unless it has left already; hands that play are not waited for.
    pub(crate) fn leave(&mut self, end: AttemptEnd) {
        self.left.get_or_insert(end);
        (self.waiting, self.spare) = Default::default();
    }

    /// Returns whether it has begun and is not all at play, so that its memory can be freed, now or soon.
    pub(crate) fn can_be_dropped(&self) -> bool {
        self.left.is_none() && !self.waiting.is_empty()
    }
}
