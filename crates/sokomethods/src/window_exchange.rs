//! Windows shared by islands: runs on one level and objective, in several processes, that do no window twice.
//!
//! ```text
//!   island 1   claim ─▶ search ─▶ no gain: note_searched ──WindowNews──▶ other islands: absorb
//!   island 2   claim ─▶ Searched: the next window
//!   island 3   claim ─▶ Taken: another window first
//! ```
//!
//! A run asks before it searches a window and tells what became of it. The answers come from memory; how the news
//! travels is the business of the implementation. [`island_windows::IslandWindows`] is one island's memory.
//!
//! A window is known by hashes of the level, the objective, the settings, the neighborhood, the first state and the
//! pushes. Islands of another version or with other settings have other hashes for everything, so their news are
//! harmless, and useless: [`ExchangeKey`] tells them apart beforehand.
//!
//! Invariant: an exchange changes what is searched, never what counts. News that are missing cost time; news that are
//! wrong keep a run from windows, and never from a proof.

pub(crate) mod island_window;
pub(crate) mod island_windows;
pub(crate) mod window_news;

use std::fmt;
use std::sync::Arc;

use sokocore::{Level, Objective};

use crate::checkpoint::{VERSION, level_fingerprint};
use crate::fingerprints::mix;
use crate::schedule::settings_fingerprint;
use crate::{IslandWindow, Knobs};

/// What the islands that work on one level by one objective tell each other of windows.
///
/// It is called for each window, by all threads of a run, so it must answer from memory and never wait for a network.
///
/// ```
/// use std::sync::Arc;
///
/// use sokocore::{Level, Objective, replay};
/// use sokomethods::{IslandWindows, Knobs, Optimizer};
/// use sokosearch::MemoryAccount;
///
/// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######")?;
/// let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
/// let key = Knobs::default().exchange_key(&level, Objective::MOVES);
/// let [one, other] = [(); 2].map(|()| Arc::new(IslandWindows::new(key, MemoryAccount::new(1 << 20))));
///
/// let run = |seed: u64, windows: &Arc<IslandWindows>| {
///     let knobs = Knobs::default().with_seed(seed).with_window_exchange(windows.clone());
///     Optimizer::new(&level).knobs(knobs).work(100_000).run(&start)
/// };
/// run(1, &one)?;
/// let news = one.take_news();
/// assert!(news.searched().len() > 0);
/// assert!(other.absorb("island 1", &news));
/// run(2, &other)?;
/// assert!(other.n_skipped() > 0, "what the first has searched");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WindowExchange: fmt::Debug + Send + Sync {
    /// Claims a window that this island is going to search. A claim that is granted ends with
    /// [`note_searched`](Self::note_searched) or with [`release`](Self::release).
    fn claim(&self, window: &IslandWindow) -> WindowClaim;

    /// Ends a claim: the window was searched to its end without a gain.
    fn note_searched(&self, window: &IslandWindow);

    /// Ends a claim: the search gained something or was stopped, so the window may be searched again.
    fn release(&self, window: &IslandWindow);

    /// Returns how many claims of other islands have ended so far. While the number stays the same, a window that was
    /// taken is taken.
    fn n_ended(&self) -> u64;
}

/// The answer to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowClaim {
    /// The window is this island's to search.
    Granted,
    /// Another island searches it.
    Taken,
    /// It was searched without a gain.
    Searched,
}

/// What islands must have in common to exchange windows: a hash of the version of this crate's fingerprints, the level,
/// the objective and the settings. Seeds, threads and limits do not count.
///
/// Its text is 16 hexadecimal digits, for names of channels and of files.
///
/// ```
/// use sokocore::{Level, Objective};
/// use sokomethods::Knobs;
///
/// let level = Level::parse("#####\n#@$.#\n#####")?;
/// let key = |knobs: Knobs| knobs.exchange_key(&level, Objective::MOVES);
/// assert_eq!(key(Knobs::default()), key(Knobs::default().with_seed(7)));
/// assert_ne!(key(Knobs::default()), key(Knobs::default().with_vicinity([30, 10])));
/// assert_eq!(key(Knobs::default()).to_string().len(), 16);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeKey(u64);

impl ExchangeKey {
    /// Returns the key of runs with these settings.
    pub(crate) fn of(knobs: &Knobs, level: &Level, objective: Objective) -> Self {
        let names = knobs.methods.iter().flat_map(|method| method.name().bytes().map(u64::from));
        let parts = [VERSION, level_fingerprint(level).0, settings_fingerprint(knobs).0];
        Self(parts.into_iter().chain(objective_numbers(objective)).chain(names).fold(0, mix))
    }

    /// Returns a hash of numbers that tells apart what islands of other keys mean by them.
    pub(crate) fn hash(self, numbers: impl IntoIterator<Item = u64>) -> u64 {
        numbers.into_iter().fold(self.0, mix)
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ExchangeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Returns numbers that tell objectives apart.
pub(crate) fn objective_numbers(objective: Objective) -> impl Iterator<Item = u64> {
    let walks = [objective.walks() as u64];
    objective.order().map(|metric| metric as u64).into_iter().chain(walks)
}

/// An exchange among the settings of a run. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct SharedWindowExchange(Arc<dyn WindowExchange>);

impl SharedWindowExchange {
    /// Shares an exchange among the threads of a run, and with what brings the news.
    #[must_use]
    pub fn new(exchange: Arc<dyn WindowExchange>) -> Self {
        Self(exchange)
    }

    pub(crate) fn get(&self) -> &dyn WindowExchange {
        &*self.0
    }
}

impl PartialEq for SharedWindowExchange {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedWindowExchange {}
