//! Claims on windows among islands, as one run makes them.
//!
//! A claim of another island is respected while anything else is left to try. Then the run insists: it searches one
//! window in spite of the claim, as the island that holds it may be gone. So no claim ever ends a run.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sokocore::Square;
use sokosearch::Context;

use super::window_locks::{Coverage, WindowSearch};
use crate::window_exchange::objective_numbers;
use crate::{ExchangeKey, IslandWindow, Knobs, SharedWindowExchange, WindowClaim};

/// The door to the other islands.
#[derive(Debug)]
pub(super) struct WindowClaims {
    exchange: SharedWindowExchange,
    key: ExchangeKey,
    /// Number of the square on which solutions must leave the player.
    kept_end: Option<usize>,
    /// Whether the next window that is taken is searched all the same.
    insists: AtomicBool,
    n_insisted: AtomicU64,
}

impl WindowClaims {
    /// Opens the door, if the settings have one.
    pub(super) fn of(knobs: &Knobs, cx: &Context<'_>) -> Option<Self> {
        let exchange = knobs.windows.clone()?;
        let key = knobs.exchange_key(cx.level(), cx.objective());
        let kept_end = cx.kept_end().map(Square::idx);
        Some(Self { exchange, key, kept_end, insists: AtomicBool::new(false), n_insisted: AtomicU64::new(0) })
    }

    /// Returns a window as islands know it.
    pub(super) fn window(&self, search: &WindowSearch) -> IslandWindow {
        let end = self.kept_end.map_or(0, |end| end as u64 + 1);
        let hash = |of: u64| {
            let own = [end, search.neighborhood, of];
            self.key.hash(own.into_iter().chain(objective_numbers(search.objective)))
        };
        let [from, to] = [search.pushes.start, search.pushes.end].map(u32::try_from);
        match (search.coverage, from, to) {
            (Coverage::Complete, Ok(from), Ok(to)) => {
                IslandWindow::new(hash(search.content), hash(search.solution), from..to)
            }
            _ => IslandWindow::alone(hash(search.content)),
        }
    }

    /// Claims a window.
    pub(super) fn claim(&self, window: &IslandWindow) -> WindowClaim {
        match self.exchange.get().claim(window) {
            WindowClaim::Taken if self.insists.swap(false, Ordering::AcqRel) => WindowClaim::Granted,
            answer => answer,
        }
    }

    pub(super) fn note_searched(&self, window: &IslandWindow) {
        self.exchange.get().note_searched(window);
    }

    pub(super) fn release(&self, window: &IslandWindow) {
        self.exchange.get().release(window);
    }

    /// Grants the next claim, even if another island holds the window.
    pub(super) fn insist(&self) {
        self.insists.store(true, Ordering::Release);
        self.n_insisted.fetch_add(1, Ordering::Release);
    }

    /// Returns a number that rises when a claim that was refused may be granted.
    pub(super) fn n_changes(&self) -> u64 {
        self.exchange.get().n_ended() + self.n_insisted.load(Ordering::Acquire)
    }
}
