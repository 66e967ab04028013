//! What one island knows of the windows of all.
//!
//! Invariant: what grows with the search is charged, and lists are bounded, whatever other islands send. A set that may
//! not grow is cleared and filled again: windows that are forgotten are searched again.

use std::collections::VecDeque;

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokosearch::MemoryAccount;

use super::window_news::WindowNews;
use super::{ExchangeKey, WindowClaim, WindowExchange};
use crate::IslandWindow;
use crate::fingerprints::WindowSet;

/// Windows searched last that are known with their places, so that no window within them is searched.
const MOST_RECENT: usize = 1 << 12;
/// Most windows that are kept until they are told.
const MOST_UNTOLD: usize = 1 << 14;
/// Most islands whose claims are kept.
const MOST_ISLANDS: usize = 1 << 10;
/// Most claims that are kept of one island: it has one for each thread.
const MOST_CLAIMS: usize = 1 << 8;

/// The memory of one island: which windows were searched without a gain, which others search, and what it has to tell.
///
/// It knows no network: [`take_news`](Self::take_news) gives what the others should be told, and
/// [`absorb`](Self::absorb) takes what they tell. The claims of an island are replaced by those of its latest news, so news
/// may get lost, and [`forget`](Self::forget) ends the claims of one that is gone.
///
/// See [`WindowExchange`] for an example.
#[derive(Debug)]
pub struct IslandWindows {
    key: ExchangeKey,
    account: MemoryAccount,
    state: Mutex<IslandState>,
}

#[derive(Debug, Default)]
struct IslandState {
    /// The content of windows that were searched without a gain, here or elsewhere.
    searched: WindowSet,
    /// The last of them, oldest first.
    recent: VecDeque<IslandWindow>,
    /// Those that were searched here and that the others were not told of, oldest first.
    untold: VecDeque<IslandWindow>,
    /// Claims of this island, one for each thread that searches.
    claims: Vec<IslandWindow>,
    /// Claims that were last told of.
    told_claims: Vec<IslandWindow>,
    /// Claims of each other island.
    claims_of_others: HashMap<String, Vec<IslandWindow>>,
    n_ended: u64,
    n_skipped: u64,
}

impl IslandWindows {
    /// Makes the memory of an island that knows nothing yet. Its sets are charged to the account.
    #[must_use]
    pub fn new(key: ExchangeKey, account: MemoryAccount) -> Self {
        Self { key, account, state: Mutex::default() }
    }

    /// Returns what the islands that it hears have in common with it.
    #[must_use]
    pub const fn key(&self) -> ExchangeKey {
        self.key
    }

    /// Returns what the others should be told: the windows searched here since the last time, and the claims held now. It is
    /// [empty](WindowNews::is_empty) if nothing has changed.
    #[must_use]
    pub fn take_news(&self) -> WindowNews {
        let mut state = self.state.lock();
        let searched = std::mem::take(&mut state.untold);
        let claims = state.claims.clone();
        let has_changed = !searched.is_empty() || claims != state.told_claims;
        state.told_claims.clone_from(&claims);
        WindowNews::new(self.key, has_changed, searched.into(), claims)
    }

    /// Returns at most so many of the windows known to be searched, wherever, and no claims: for an island that joins, or as a
    /// file.
    #[must_use]
    pub fn all(&self, most: usize) -> WindowNews {
        let state = self.state.lock();
        let recent = state.recent.iter().rev().take(most).cloned();
        let rest = state.searched.save(most).into_iter().map(|content| IslandWindow::alone(content.0));
        WindowNews::new(self.key, true, recent.chain(rest).take(most).collect(), Vec::new())
    }

    /// Takes over what an island tells; its claims replace those that it told of before. Returns whether the news are of
    /// the same [`ExchangeKey`]; others change nothing.
    pub fn absorb(&self, island: &str, news: &WindowNews) -> bool {
        if news.key() != self.key {
            return false;
        }
        let mut state = self.state.lock();
        for window in news.searched() {
            state.add_searched(window, &self.account);
        }
        let claims: Vec<_> = news.claims().iter().take(MOST_CLAIMS).cloned().collect();
        if claims.is_empty() {
            state.forget(island);
        } else if let Some(known) = state.claims_of_others.get_mut(island) {
            let n_ended = known.iter().filter(|claim| !claims.contains(claim)).count();
            *known = claims;
            state.n_ended += n_ended as u64;
        } else if state.claims_of_others.len() < MOST_ISLANDS {
            state.claims_of_others.insert(island.to_owned(), claims);
        }
        true
    }

    /// Ends the claims of an island that is gone.
    pub fn forget(&self, island: &str) {
        self.state.lock().forget(island);
    }

    /// Returns how often a window was not searched here because it had been searched before, here or elsewhere.
    #[must_use]
    pub fn n_skipped(&self) -> u64 {
        self.state.lock().n_skipped
    }
}

impl IslandState {
    fn add_searched(&mut self, window: &IslandWindow, account: &MemoryAccount) {
        self.searched.insert(window.content(), account);
        push_bounded(&mut self.recent, window, MOST_RECENT);
    }

    fn is_searched(&self, window: &IslandWindow) -> bool {
        self.searched.contains(window.content()) || self.recent.iter().any(|other| window.is_within(other))
    }

    fn forget(&mut self, island: &str) {
        let claims = self.claims_of_others.remove(island);
        self.n_ended += claims.map_or(0, |claims| claims.len() as u64);
    }

    /// Ends a claim of this island.
    fn end_claim(&mut self, window: &IslandWindow) {
        if let Some(at) = self.claims.iter().position(|claim| claim == window) {
            self.claims.swap_remove(at);
        }
    }
}

impl WindowExchange for IslandWindows {
    fn claim(&self, window: &IslandWindow) -> WindowClaim {
        let mut state = self.state.lock();
        if state.is_searched(window) {
            state.n_skipped += 1;
            return WindowClaim::Searched;
        }
        if state.claims_of_others.values().flatten().any(|claim| claim.conflicts_with(window)) {
            return WindowClaim::Taken;
        }
        state.claims.push(window.clone());
        WindowClaim::Granted
    }

    fn note_searched(&self, window: &IslandWindow) {
        let mut state = self.state.lock();
        state.end_claim(window);
        state.add_searched(window, &self.account);
        push_bounded(&mut state.untold, window, MOST_UNTOLD);
    }

    fn release(&self, window: &IslandWindow) {
        self.state.lock().end_claim(window);
    }

    fn n_ended(&self) -> u64 {
        self.state.lock().n_ended
    }
}

/// Appends a window; if there are as many as there may be, the oldest is dropped.
fn push_bounded(windows: &mut VecDeque<IslandWindow>, window: &IslandWindow, most: usize) {
    if windows.len() == most {
        windows.pop_front();
    }
    windows.push_back(window.clone());
}

#[cfg(test)]
mod tests;
