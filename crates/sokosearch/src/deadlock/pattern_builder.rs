//! Builds the table of dead patterns little by little: a method that generates configurations advances the builder by a
//! share of that work, and uses the table as soon as it is finished.
//!
//! So runs stay repeatable, no method waits for the table, and a run that generates no configurations builds nothing.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use sokocore::{Level, PatternSearch, SearchDirection};

use crate::deadlock::dead_patterns::DeadPatterns;
use crate::{Charge, Context, MemoryAccount, Pool, Stop};

/// Patterns of a size beyond this number are not searched for: that would take some seconds.
const MAX_PATTERNS: usize = 1 << 20;
/// Ticks of generating configurations for each tick of building.
const SHARE: u64 = 16;

/// The dead patterns of a level, once they are known.
#[derive(Debug)]
pub(crate) struct PatternBuilder {
    /// The finished table; `None` inside if no pattern is dead.
    table: OnceLock<Option<DeadPatterns>>,
    state: Mutex<BuildState>,
}

#[derive(Debug)]
struct BuildState {
    /// Ticks of generating configurations.
    n_generated: u64,
    /// Ticks of building.
    n_ticks: u64,
    /// Searches not finished, the next one first; `None` before the first call.
    todo: Option<Vec<PatternSearch>>,
    done: Vec<PatternSearch>,
    charge: Option<Charge>,
}

impl PatternBuilder {
    /// Returns the builder of the level, which all searches of it share.
    pub(crate) fn of(pool: &Pool<'_>) -> Arc<Self> {
        pool.table().get_or_make(Self::new)
    }

    /// Makes a builder that has not started.
    const fn new() -> Self {
        let state = BuildState { n_generated: 0, n_ticks: 0, todo: None, done: Vec::new(), charge: None };
        Self { table: OnceLock::new(), state: Mutex::new(state) }
    }

    /// Returns the table, if it is finished and not empty.
    #[inline]
    pub(crate) fn table(&self) -> Option<&DeadPatterns> {
        self.table.get().and_then(Option::as_ref)
    }

    /// Advances after so many ticks of generating configurations, unless another thread is advancing.
    ///
    /// # Errors
    /// The run was stopped. Lack of memory is no error: the builder pauses.
    pub(crate) fn advance(&self, n_generated: u64, cx: &mut Context<'_>) -> Result<(), Stop> {
        if self.table.get().is_some() {
            return Ok(());
        }
        let Some(mut state) = self.state.try_lock() else { return Ok(()) };
        state.n_generated += n_generated;
        let mut left = (state.n_generated / SHARE).saturating_sub(state.n_ticks);
        let account = cx.budget().memory().clone();
        if left == 0 || self.table.get().is_some() || state.prepare(cx.level(), &account).is_err() {
            return Ok(());
        }
        match state.advance(&mut left, cx) {
            Ok(()) => {
                if let Ok(table) = DeadPatterns::new(&state.done, cx.level().live().len(), &account) {
                    _ = self.table.set(table);
                    (state.done, state.charge) = Default::default();
                }
                Ok(())
            }
            Err(Pause::Later) => Ok(()),
            Err(Pause::Stop(stop)) => Err(stop),
        }
    }
}

/// Why building pauses.
enum Pause {
    /// Its share of the work is used up for now.
    Later,
    Stop(Stop),
}

impl BuildState {
    /// Prepares the searches on the first call.
    fn prepare(&mut self, level: &Level, account: &MemoryAccount) -> Result<(), Stop> {
        if self.todo.is_some() {
            return Ok(());
        }
        let n_live = level.live().len();
        let fits = |&size: &usize| PatternSearch::n_patterns(n_live, size) <= MAX_PATTERNS && size <= level.n_boxes();
        let sizes: Vec<usize> = (2..=PatternSearch::MAX_SIZE).take_while(fits).collect();
        let bytes: usize = sizes.iter().map(|&size| PatternSearch::bytes(n_live, size)).sum();
        self.charge = Some(account.charge(2 * bytes as u64)?);
        let games = [SearchDirection::Forward, SearchDirection::Backward];
        let searches = sizes.iter().flat_map(|&size| games.map(|game| PatternSearch::new(level, game, size)));
        self.todo = Some(searches.collect());
        Ok(())
    }

    fn advance(&mut self, left: &mut u64, cx: &mut Context<'_>) -> Result<(), Pause> {
        let todo = self.todo.get_or_insert_default();
        while let Some(search) = todo.first_mut() {
            search.resume(|| {
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
