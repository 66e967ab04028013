//! What one island knows of the windows of all.
//!
//! Invariants: what grows is charged, and what other islands send is bounded (`MOST_ISLANDS`, `MOST_CLAIMS`). A set
//! that may not grow is cleared and filled again: windows that are forgotten are searched again.

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokosearch::MemoryAccount;

use super::window_news::WindowNews;
use super::{ExchangeKey, WindowClaim, WindowExchange, WindowFingerprint};
use crate::checkpoint::field::Bits;
use crate::fingerprints::WindowSet;

/// Most islands whose claims are kept.
const MOST_ISLANDS: usize = 1 << 12;
/// Most claims that are kept of one island: it has one for each thread.
const MOST_CLAIMS: usize = 1 << 10;

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
    /// Windows that were searched without a gain, here or elsewhere.
    searched: WindowSet,
    /// Those that were searched here and that the others were not told of.
    untold: WindowSet,
    /// Claims of this island, one for each thread that searches.
    claims: Vec<WindowFingerprint>,
    /// Claims of each other island.
    claims_of_others: HashMap<String, Vec<WindowFingerprint>>,
    /// Claims that were last told of.
    told_claims: Vec<WindowFingerprint>,
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
        let searched = std::mem::take(&mut state.untold).save(usize::MAX);
        let mut claims = state.claims.clone();
        claims.sort_unstable();
        let has_changed = !searched.is_empty() || claims != state.told_claims;
        state.told_claims.clone_from(&claims);
        WindowNews::new(self.key, searched, &claims, has_changed)
    }

    /// Returns at most so many of the windows known to be searched, wherever, and no claims: for an island that joins, or as a
    /// file.
    #[must_use]
    pub fn all(&self, most: usize) -> WindowNews {
        WindowNews::new(self.key, self.state.lock().searched.save(most), &[], true)
    }

    /// Takes over what an island tells; its claims replace those that it told of before. Returns whether the news are of
    /// the same [`ExchangeKey`]; others change nothing.
    pub fn absorb(&self, island: &str, news: &WindowNews) -> bool {
        if news.key() != self.key {
            return false;
        }
        let mut state = self.state.lock();
        state.searched.restore(&news.searched, &self.account);
        let claims: Vec<_> = news.claims().take(MOST_CLAIMS).collect();
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
    fn forget(&mut self, island: &str) {
        let claims = self.claims_of_others.remove(island);
        self.n_ended += claims.map_or(0, |claims| claims.len() as u64);
    }

    /// Ends a claim of this island.
    fn end_claim(&mut self, window: WindowFingerprint) {
        if let Some(at) = self.claims.iter().position(|&claim| claim == window) {
            self.claims.swap_remove(at);
        }
    }
}

impl WindowExchange for IslandWindows {
    fn claim(&self, window: WindowFingerprint) -> WindowClaim {
        let mut state = self.state.lock();
        if state.searched.contains(window.bits()) {
            state.n_skipped += 1;
            return WindowClaim::Searched;
        }
        if state.claims_of_others.values().any(|claims| claims.contains(&window)) {
            return WindowClaim::Taken;
        }
        state.claims.push(window);
        WindowClaim::Granted
    }

    fn note_searched(&self, window: WindowFingerprint) {
        let mut state = self.state.lock();
        state.end_claim(window);
        state.searched.insert(window.bits(), &self.account);
        state.untold.insert(window.bits(), &self.account);
    }

    fn release(&self, window: WindowFingerprint) {
        self.state.lock().end_claim(window);
    }

    fn n_ended(&self) -> u64 {
        self.state.lock().n_ended
    }
}

impl From<WindowFingerprint> for Bits {
    fn from(window: WindowFingerprint) -> Self {
        Self(window.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(number: u64) -> WindowFingerprint {
        WindowFingerprint::from_bits(number)
    }

    fn island(key: u64) -> IslandWindows {
        IslandWindows::new(ExchangeKey::from_bits(key), MemoryAccount::new(1 << 20))
    }

    #[test]
    fn what_one_has_searched_no_other_searches() {
        let (one, other) = (island(1), island(1));
        assert_eq!(one.claim(window(5)), WindowClaim::Granted);
        one.note_searched(window(5));
        assert_eq!(other.claim(window(5)), WindowClaim::Granted, "it was not told yet");
        other.release(window(5));
        assert!(other.absorb("one", &one.take_news()));
        assert_eq!((other.claim(window(5)), one.claim(window(5))), (WindowClaim::Searched, WindowClaim::Searched));
        assert_eq!((other.n_skipped(), one.n_skipped()), (1, 1));
        assert!(one.take_news().is_empty(), "told once");
        let third = island(1);
        assert!(third.absorb("other", &other.all(10)));
        assert_eq!(third.claim(window(5)), WindowClaim::Searched);
    }

    #[test]
    fn what_one_searches_no_other_begins_until_the_claim_ends() {
        let (one, other) = (island(1), island(1));
        assert_eq!(one.claim(window(5)), WindowClaim::Granted);
        assert!(other.absorb("one", &one.take_news()));
        assert!(one.take_news().is_empty(), "the claim was told");
        assert_eq!((other.claim(window(5)), other.n_ended()), (WindowClaim::Taken, 0));
        one.release(window(5));
        assert_eq!(one.claim(window(6)), WindowClaim::Granted);
        assert!(other.absorb("one", &one.take_news()));
        assert_eq!((other.claim(window(5)), other.n_ended()), (WindowClaim::Granted, 1));
        assert_eq!(other.claim(window(6)), WindowClaim::Taken);
        other.forget("one");
        assert_eq!((other.claim(window(6)), other.n_ended()), (WindowClaim::Granted, 2));
    }

    #[test]
    fn news_of_another_key_change_nothing() {
        let (one, other) = (island(1), island(2));
        assert_eq!(one.claim(window(5)), WindowClaim::Granted);
        one.note_searched(window(5));
        assert!(!other.absorb("one", &one.take_news()));
        assert_eq!(other.claim(window(5)), WindowClaim::Granted);
    }

    #[test]
    fn what_others_send_is_bounded() {
        let listener = island(1);
        let claims: Vec<_> = (0..2 * MOST_CLAIMS as u64).map(window).collect();
        let news = WindowNews::new(listener.key(), Vec::new(), &claims, true);
        for number in 0..MOST_ISLANDS + 5 {
            assert!(listener.absorb(&format!("island {number}"), &news));
        }
        let state = listener.state.lock();
        assert_eq!(state.claims_of_others.len(), MOST_ISLANDS);
        assert!(state.claims_of_others.values().all(|claims| claims.len() == MOST_CLAIMS));
    }

    #[test]
    fn without_memory_nothing_is_remembered() {
        let island = IslandWindows::new(ExchangeKey::from_bits(1), MemoryAccount::new(0));
        assert_eq!(island.claim(window(5)), WindowClaim::Granted);
        island.note_searched(window(5));
        assert_eq!(island.claim(window(5)), WindowClaim::Granted);
        assert_eq!(island.take_news().n_searched(), 0);
    }
}
