//! Dead patterns are learned beside the making of configurations: whoever makes some goes on with the lesson for a share
//! of that work, and uses what is known as soon as it is.
//!
//! So a run is as repeatable as without, none waits for it, and a run that makes no configurations learns nothing.

use std::sync::OnceLock;

use parking_lot::Mutex;
use sokocore::{Level, PatternGame, PatternSearch};

use crate::dead_patterns::DeadPatterns;
use crate::{Charge, Context, MemoryAccount, Stop};

/// Patterns of a size beyond this number are not searched for: that would take some seconds.
const MAX_PATTERNS: usize = 1 << 20;
/// For so many ticks of making configurations one goes into the lesson, until it is over.
const SHARE: u64 = 16;

/// The dead patterns of a level, as far as they are known.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// `None` inside if no pattern is dead.
    known: OnceLock<Option<DeadPatterns>>,
    learning: Mutex<Learning>,
}

#[derive(Debug)]
struct Learning {
    /// Ticks that configurations were made for.
    n_made: u64,
    n_ticks: u64,
    /// Searches not finished, the next one first; not prepared before the first call.
    todo: Option<Vec<PatternSearch>>,
    done: Vec<PatternSearch>,
    charge: Option<Charge>,
}

impl Lesson {
    /// Nothing is known yet.
    pub(crate) const fn new() -> Self {
        let learning = Learning { n_made: 0, n_ticks: 0, todo: None, done: Vec::new(), charge: None };
        Self { known: OnceLock::new(), learning: Mutex::new(learning) }
    }

    /// Returns the patterns if they are known.
    #[inline]
    pub(crate) fn known(&self) -> Option<&DeadPatterns> {
        self.known.get().and_then(Option::as_ref)
    }

    /// Goes on learning after so many ticks of making configurations, unless another thread does.
    ///
    /// # Errors
    /// The run was stopped. Too little memory is no error: then nothing is learned for now.
    pub(crate) fn go_on(&self, n_made: u64, cx: &mut Context<'_>) -> Result<(), Stop> {
        if self.known.get().is_some() {
            return Ok(());
        }
        let Some(mut learning) = self.learning.try_lock() else { return Ok(()) };
        learning.n_made += n_made;
        let mut left = (learning.n_made / SHARE).saturating_sub(learning.n_ticks);
        let account = cx.budget().memory().clone();
        if left == 0 || self.known.get().is_some() || learning.prepare(cx.level(), &account).is_err() {
            return Ok(());
        }
        match learning.go_on(&mut left, cx) {
            Ok(()) => {
                if let Ok(table) = DeadPatterns::new(&learning.done, cx.level().live().len(), &account) {
                    _ = self.known.set(table);
                    (learning.done, learning.charge) = Default::default();
                }
                Ok(())
            }
            Err(Pause::Later) => Ok(()),
            Err(Pause::Stop(stop)) => Err(stop),
        }
    }
}

/// Why learning pauses.
enum Pause {
    /// It has had its share for now.
    Later,
    Stop(Stop),
}

impl Learning {
    /// Plans the searches when there are none yet.
    fn prepare(&mut self, level: &Level, account: &MemoryAccount) -> Result<(), Stop> {
        if self.todo.is_some() {
            return Ok(());
        }
        let n_live = level.live().len();
        let fits = |&size: &usize| PatternSearch::n_patterns(n_live, size) <= MAX_PATTERNS && size <= level.n_boxes();
        let sizes: Vec<usize> = (2..=PatternSearch::MAX_SIZE).take_while(fits).collect();
        let bytes: usize = sizes.iter().map(|&size| PatternSearch::bytes(n_live, size)).sum();
        self.charge = Some(account.charge(2 * bytes as u64)?);
        let games = [PatternGame::Forward, PatternGame::Backward];
        let searches = sizes.iter().flat_map(|&size| games.map(|game| PatternSearch::new(level, game, size)));
        self.todo = Some(searches.collect());
        Ok(())
    }

    fn go_on(&mut self, left: &mut u64, cx: &mut Context<'_>) -> Result<(), Pause> {
        let todo = self.todo.get_or_insert_default();
        while let Some(search) = todo.first_mut() {
            search.go_on(|| {
                *left = left.checked_sub(1).ok_or(Pause::Later)?;
                self.n_ticks += 1;
                cx.tick().map_err(Pause::Stop)
            })?;
            self.done.push(todo.remove(0));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
