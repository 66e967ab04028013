//! The arm of optimal windows: a window of the solution is replaced by one with the fewest pushes between the same ends.
//!
//! ```text
//!   solution   ──●━━━━━━━━━━━━●──▶        window: the box set and the player's region at both ends are kept
//!                 ╲          ╱
//!                  ╰─ A* ───╯             by pushes, pruned by the window's own number of pushes
//! ```
//!
//! A neighborhood displaces a few boxes along the path of the solution; A\* displaces any number of them, and prunes by
//! its lower bound instead. So on crowded boards it leads out of local optima of all neighborhoods.
//! Such windows over a plan, each solved by a planner, are those of Siddiqui and Haslum (*Continuing plan quality
//! optimisation*, JAIR 2015). The search is anytime weighted A\* (Hansen and Zhou, *Anytime heuristic search*, JAIR 2007):
//! it may find fewer pushes in a window that is too long to be searched to its end.
//!
//! After each sweep over the solution without a gain the windows get longer. After the one with the whole solution as its
//! window they are short again, and searched for longer. Windows within one that was searched to its end are skipped
//! (`searched_ranges`).

mod searched_ranges;

use std::ops::Range;

use sokocore::{Metric, Push, moves_of, replay};
use sokosearch::{Cancel, Context, Spine, Stop, SubproblemSlice};
use tracing::debug;

use super::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use super::subproblem::subproblem;
use super::window_locks::{Coverage, LockRefusal, WindowLock, WindowSearch};
use crate::checkpoint::field::fields;
use crate::fingerprints::fingerprint;
use crate::next_start::next_start;
use crate::polish::{self, polish};
use crate::shared_searcher::{TICKS_OF_SEARCH, search_budget};
use crate::{SharedOptimalSearcher, Technique, TechniqueSet};
use searched_ranges::{SavedRanges, SearchedRanges};

/// Its rank among the arms.
pub(crate) const RANK: usize = 3;
/// Ticks of A\* for a window in the first sweeps.
const FIRST_SLICE: u64 = 5_000;
/// Growth of these ticks after the sweep with the longest window.
const GROWTH: u64 = 4;
/// After the sweep with the longest window and as many ticks as this, nothing is left to try.
const LAST_SLICE: u64 = FIRST_SLICE * GROWTH.pow(7);
/// Pushes of the first windows.
const FIRST_LENGTH: usize = 16;
/// Names its neighborhood in fingerprints.
const NEIGHBORHOOD: u64 = 0x0a57a4;

/// The searcher, and the state of the sweep over the spine.
#[derive(Debug)]
pub(crate) struct OptimalWindows {
    searcher: SharedOptimalSearcher,
    sweep: Sweep,
    searched: SearchedRanges,
    /// Whether the solution may have changed since the last slice.
    is_outdated: bool,
}

/// A sweep of windows over the spine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sweep {
    /// First push of the next window.
    cursor: usize,
    /// Pushes of the next window.
    length: usize,
    /// Ticks of A\* for a window.
    slice: u64,
    /// Whether another sweep with such slices may gain: a window gained, or was left to another thread.
    is_open: bool,
    /// Whether sweeps with windows of all lengths and the most ticks have gained nothing.
    is_exhausted: bool,
}

fields!(Sweep { cursor, length, slice, is_open, is_exhausted });

impl Sweep {
    /// The first sweep.
    const FIRST: Self =
        Self { cursor: 0, length: FIRST_LENGTH, slice: FIRST_SLICE, is_open: false, is_exhausted: false };

    /// Makes the windows of the next sweep longer, or searches short ones for longer.
    fn widen(&mut self, whole: usize) {
        if self.length < whole {
            self.length = (self.length * 3).div_ceil(2).min(whole);
        } else if self.slice < LAST_SLICE {
            (self.length, self.slice) = (FIRST_LENGTH, self.slice * GROWTH);
        } else {
            self.is_exhausted = true;
        }
    }
}

/// The state of the arm as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedWindows {
    sweep: Sweep,
    searched: SavedRanges,
}

fields!(SavedWindows { sweep, searched });

impl SavedWindows {
    /// Lets windows that did not fit into memory be searched again.
    pub(crate) const fn forget_lack_of_memory(&mut self) {
        self.sweep.is_exhausted = false;
    }
}

/// What the search of a window came to.
struct WindowOutcome {
    /// Finished if the search found no fewer pushes, or there is none for such a window; or the slice or the memory was
    /// used up.
    end: ArmSliceEnd,
    /// Whether the window has fewer pushes now.
    has_gained: bool,
    /// Ticks of the search.
    ticks: u64,
}

impl OptimalWindows {
    pub(crate) const fn new(searcher: SharedOptimalSearcher) -> Self {
        Self { searcher, sweep: Sweep::FIRST, searched: SearchedRanges::new(), is_outdated: true }
    }

    fn window(&self, spine: &Spine) -> Range<usize> {
        self.sweep.cursor..spine.end().min(self.sweep.cursor + self.sweep.length)
    }

    /// Moves the cursor to the window after this one, or to the start after the last.
    fn advance(&mut self, window: Range<usize>, spine: &Spine, cx: &Context<'_>) {
        if window.end < spine.end() {
            self.sweep.cursor = next_start(cx.level().board(), spine.pushes(), window);
            return;
        }
        self.sweep.cursor = 0;
        if !std::mem::take(&mut self.sweep.is_open) {
            self.sweep.widen(spine.end());
        }
    }

    /// Moves the cursor past windows within searched ones, at most once around. `None` if there are no others of this length.
    fn next_window(&mut self, spine: &Spine, cx: &Context<'_>) -> Option<Range<usize>> {
        let (first, mut has_wrapped) = (self.sweep.cursor, false);
        loop {
            let window = self.window(spine);
            if !self.searched.contain(&window) {
                return Some(window);
            }
            if has_wrapped && self.sweep.cursor >= first {
                return None;
            }
            self.advance(window, spine, cx);
            has_wrapped |= self.sweep.cursor == 0;
        }
    }

    /// Takes in the search of a window that gained nothing.
    fn note_searched(&mut self, lock: WindowLock<'_>, end: ArmSliceEnd, spine: &Spine, cx: &Context<'_>) {
        let window = lock.pushes().clone();
        if end == ArmSliceEnd::Finished {
            lock.note_searched();
            self.searched.insert(window.clone());
        }
        self.advance(window, spine, cx);
    }

    fn lock<'f>(
        &self,
        window: &Range<usize>,
        spine: &Spine,
        arm_cx: ArmContext<'f>,
        cx: &Context<'_>,
    ) -> Result<WindowLock<'f>, LockRefusal> {
        arm_cx.locks.try_lock(WindowSearch {
            neighborhood: NEIGHBORHOOD,
            objective: cx.objective(),
            solution: fingerprint(spine, 0, spine.end(), 0),
            content: fingerprint(spine, window.start, window.end, NEIGHBORHOOD),
            pushes: window.clone(),
            coverage: Coverage::Complete,
        })
    }

    /// Searches a window, and offers each solution with fewer pushes.
    fn search(
        &self,
        spine: &Spine,
        window: &Range<usize>,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<WindowOutcome, Stop> {
        let budget = search_budget(cx);
        let search = subproblem(spine, window, arm_cx.live, cx.level())
            .and_then(|(level, end)| self.searcher.get().begin_subproblem(&level, end, window.len() as u64, &budget));
        let mut has_gained = false;
        let Some(mut search) = search else {
            return Ok(WindowOutcome { end: ArmSliceEnd::Finished, has_gained, ticks: 0 });
        };
        let end = loop {
            let left = self.sweep.slice.saturating_sub(search.ticks());
            if left == 0 {
                break ArmSliceEnd::CutShort;
            }
            match search.run_slice(left) {
                Ok(SubproblemSlice::Better(middle)) => {
                    has_gained |= offer(&spine.spliced(window.start, window.end, &middle), cx)?;
                }
                Ok(SubproblemSlice::Pending) | Err(Stop::Memory) => break ArmSliceEnd::CutShort,
                Ok(SubproblemSlice::Exhausted) => break ArmSliceEnd::Finished,
                Err(stop) => return Err(stop),
            }
        };
        Ok(WindowOutcome { end, has_gained, ticks: search.ticks() })
    }
}

/// Offers a solution with fewer pushes. If others count more than pushes do, it is improved by quick methods where it is
/// no better yet: the walks belong to an order of pushes that is gone. Returns whether the incumbent was improved.
fn offer(pushes: &[Push], cx: &mut Context<'_>) -> Result<bool, Stop> {
    if cx.found_pushes(pushes) {
        return Ok(true);
    }
    if cx.objective().order()[0] == Metric::Pushes {
        return Ok(false);
    }
    let solution = moves_of(cx.level(), pushes).and_then(|moves| replay(cx.level(), &moves).ok());
    let Some(solution) = solution else { return Ok(false) };
    let polished = polish(cx.level(), &solution, cx.objective(), cx.budget().memory(), &Cancel::default());
    let has_gained = cx.found(polished.lurd());
    cx.tick_by(polish::WORK)?;
    Ok(has_gained)
}

impl SlicedSearch for OptimalWindows {
    fn name(&self) -> &str {
        Technique::OptimalWindows.name()
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::OptimalWindows)
    }

    /// Searches the next window that is not within a searched one.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        cx.working(Technique::OptimalWindows.name(), "searching windows");
        let spine = Spine::new(cx.level(), arm_cx.live, &cx.incumbent(), cx.budget().memory())?;
        self.searched.adapt_to(&spine);
        self.is_outdated = false;
        if self.sweep.cursor >= spine.end() {
            self.sweep.cursor = 0;
        }
        let Some(window) = self.next_window(&spine, cx) else { return Ok(ArmSliceEnd::Skipped) };
        let lock = match self.lock(&window, &spine, arm_cx, cx) {
            Ok(lock) => lock,
            Err(LockRefusal::Searched) => {
                self.searched.insert(window);
                return Ok(ArmSliceEnd::Skipped);
            }
            Err(LockRefusal::Busy) => {
                self.sweep.is_open = true;
                self.advance(window, &spine, cx);
                return Ok(ArmSliceEnd::Blocked);
            }
        };
        let WindowOutcome { end, has_gained, ticks } = self.search(&spine, &window, arm_cx, cx)?;
        debug!(?window, ?end, has_gained, ticks, slice = self.sweep.slice, "window");
        // After a gain the window is searched again, with the pushes that follow it.
        if !has_gained {
            self.note_searched(lock, end, &spine, cx);
        }
        cx.tick_by(ticks * TICKS_OF_SEARCH)?;
        Ok(end)
    }

    /// The whole solution is one searched window, or the longest searches gain nothing.
    fn is_done(&self) -> bool {
        !self.is_outdated && (self.sweep.is_exhausted || self.searched.is_whole())
    }

    fn revive(&mut self) {
        if self.is_done() {
            self.sweep = Sweep::FIRST;
        }
        self.is_outdated = true;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::Windows(SavedWindows { sweep: self.sweep, searched: self.searched.save() })
    }

    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::Windows(saved) = saved else { return };
        let Sweep { length, slice, .. } = saved.sweep;
        let (length, slice) = (length.max(FIRST_LENGTH), slice.clamp(FIRST_SLICE, LAST_SLICE));
        self.sweep = Sweep { length, slice, is_exhausted: false, ..saved.sweep };
        // Without memory for the spine the windows are searched again.
        if let Ok(spine) = Spine::new(cx.level(), arm_cx.live, &cx.incumbent(), cx.budget().memory())
            && self.searched.restore(&saved.searched, &spine)
        {
            (self.sweep.is_exhausted, self.is_outdated) = (saved.sweep.is_exhausted, false);
        }
    }

    fn note_slice(&mut self, gain: f64, _: u64) {
        self.sweep.is_open |= gain > 0.0;
    }
}

#[cfg(test)]
mod tests;
