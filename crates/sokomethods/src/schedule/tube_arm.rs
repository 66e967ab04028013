//! The arm of one neighborhood, which sweeps over the spine window by window.

use std::ops::Range;

use sokosearch::{Boxes, Context, RingOrder, Spine, Stop};

use super::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use super::window_locks::{Coverage, LockRefusal, WindowLock, WindowSearch};
use crate::checkpoint::field::fields;
use crate::fingerprints::{fingerprint, mix};
use crate::next_start::{next_start, windows};
use crate::{Technique, TechniqueSet, Vicinity};

/// Ticks of the first slice.
const FIRST_SLICE: u64 = 3_000_000;
/// A slice may take so many times the ticks of all slices of the arm before it, up to a limit. So windows grow with the run:
/// on long solutions a sweep over short ones takes seconds. Measured: see
/// `docs/experiments/2026-11-27-windows-that-grow-with-the-run.md`.
const MULTIPLE_OF_PAST: u64 = 3;
const LONGEST_OF_PAST: u64 = 1 << 28;
/// A window of at least this part of the spine may be searched as a round, which costs a search along all of the spine.
const ROUND_PART: usize = 8;
/// Growth of windows and slices after a sweep without a gain.
const GROWTH: usize = 4;
/// Shortest window worth searching, in pushes.
const MIN_LENGTH: usize = 4;

/// A neighborhood, and the state of its sweep over the spine.
#[derive(Debug)]
pub(crate) struct TubeArm {
    limits: Vec<usize>,
    boxes: Boxes,
    name: String,
    ring: usize,
    first_ring: usize,
    varies_ring: bool,
    /// Ring orders that make a difference: one if no ring is ever cut.
    n_rings: usize,
    /// First push of the next window.
    cursor: usize,
    /// Chooses the window with which the first sweep begins; `None` for the first one, and once it was chosen.
    first_place: Option<u64>,
    /// Whether the present sweep has left out the windows before the one that it began with.
    is_partial: bool,
    length: usize,
    /// Longest window that memory allows, as far as is known.
    longest: usize,
    /// Ticks of one slice: as many as a window of the present length is worth.
    slice: u64,
    /// Whether a window of the present sweep gained.
    gained: bool,
    /// Consecutive sweeps without a gain.
    sweeps_without_gain: usize,
}

/// The state of a sweep as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedTube {
    ring: usize,
    cursor: usize,
    length: usize,
    /// None if memory allows any length, as far as is known.
    longest: Option<usize>,
    slice: u64,
    gained: bool,
    sweeps_without_gain: usize,
}

fields!(SavedTube { ring, cursor, length, longest, slice, gained, sweeps_without_gain });

impl SavedTube {
    /// Leaves out what followed from a lack of memory: windows were kept short.
    pub(crate) fn forget_lack_of_memory(&mut self) {
        if self.longest.take().is_some() {
            self.sweeps_without_gain = 0;
        }
    }
}

impl TubeArm {
    pub(crate) fn new(limits: Vec<usize>, boxes: Boxes, ring: usize, n_live: usize) -> Self {
        let is_cut = limits.iter().any(|&limit| limit + 1 < n_live);
        let name: Vec<_> = limits.iter().rev().map(ToString::to_string).collect();
        // Rough number of configurations around one spine state, with a dozen boxes that matter.
        let around: f64 = limits.iter().map(|&limit| 4.0 * limit as f64).product();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a guess at a length")]
        let length = (FIRST_SLICE as f64 / (10.0 * around)) as usize;
        let name = name.join("/") + if boxes == Boxes::Pushed { " pushed" } else { "" };
        Self {
            limits,
            boxes,
            name,
            ring,
            first_ring: ring,
            varies_ring: true,
            n_rings: if is_cut { RingOrder::ALL.len() } else { 1 },
            cursor: 0,
            first_place: None,
            is_partial: false,
            length: length.max(16),
            longest: usize::MAX,
            slice: FIRST_SLICE,
            gained: false,
            sweeps_without_gain: 0,
        }
    }

    /// Sweeps in its first ring order alone.
    pub(crate) const fn in_one_ring_order(mut self) -> Self {
        (self.varies_ring, self.n_rings) = (false, 1);
        self
    }

    /// Locks the next window of the sweep that was not searched without a gain and that no other thread has locked.
    fn next_window<'f>(&self, spine: &Spine, arm_cx: ArmContext<'f>, cx: &Context<'_>) -> NextWindow<'f> {
        let kind = self.ring as u64 + 8 * u64::from(self.boxes == Boxes::Pushed);
        let neighborhood = self.limits.iter().fold(kind, |sum, &limit| mix(sum, limit as u64));
        let solution = fingerprint(spine, 0, spine.end(), 0);
        let mut pushes = self.window_from(self.cursor, spine);
        loop {
            let content = fingerprint(spine, pushes.start, pushes.end, neighborhood);
            let is_searched = || arm_cx.searched.contains(content);
            let objective = cx.objective();
            let window = WindowSearch {
                neighborhood,
                objective,
                solution,
                content,
                pushes: pushes.clone(),
                coverage: Coverage::Complete,
            };
            let lock = if is_searched() { Err(LockRefusal::Searched) } else { arm_cx.locks.try_lock(window) };
            match lock {
                Ok(lock) if !is_searched() => return NextWindow::Locked(lock),
                // Another thread may have searched it just before, or another island.
                Ok(_) | Err(LockRefusal::Searched) => {
                    arm_cx.searched.insert(content, cx.budget().memory());
                    if pushes.start == self.cursor {
                        return NextWindow::AlreadySearched;
                    }
                }
                Err(LockRefusal::Busy) => {}
            }
            if pushes.end == spine.end() {
                return NextWindow::Blocked;
            }
            pushes = self.window_from(next_start(cx.level().board(), spine.pushes(), pushes), spine);
        }
    }

    fn state(&self) -> SavedTube {
        SavedTube {
            ring: self.ring,
            cursor: self.cursor,
            length: self.length,
            longest: Some(self.longest).filter(|&longest| longest != usize::MAX),
            slice: self.slice,
            gained: self.gained,
            sweeps_without_gain: self.sweeps_without_gain,
        }
    }

    /// Returns the start of the window with which the first sweep begins: any of those of a sweep from the start.
    fn first_cursor(&self, place: u64, spine: &Spine, cx: &Context<'_>) -> usize {
        let starts: Vec<_> =
            windows(cx.level().board(), spine.pushes(), self.length).map(|window| window.start).collect();
        let at = usize::try_from(place % starts.len().max(1) as u64).expect("invariant: below a number that fits");
        starts.get(at).copied().unwrap_or(0)
    }

    fn window_from(&self, from: usize, spine: &Spine) -> Range<usize> {
        from..spine.end().min(from + self.length)
    }

    /// Moves the cursor to the window after this one. At the end of the spine windows get longer; after a sweep in one
    /// window, the next ring order is taken. A window searched before its turn leaves the cursor at those left out.
    fn advance(&mut self, window: Range<usize>, spine: &Spine, cx: &Context<'_>) {
        let end = spine.end();
        if window.start != self.cursor {
            return;
        }
        if window.end < end {
            self.cursor = next_start(cx.level().board(), spine.pushes(), window);
            return;
        }
        let was_whole = self.cursor == 0;
        self.cursor = 0;
        if std::mem::take(&mut self.is_partial) && !self.gained {
            return;
        }
        if std::mem::take(&mut self.gained) {
            self.sweeps_without_gain = 0;
        } else if was_whole || self.length >= self.longest {
            if self.varies_ring {
                self.ring = (self.ring + 1) % RingOrder::ALL.len();
            }
            self.sweeps_without_gain += 1;
        } else {
            self.length = self.length.saturating_mul(GROWTH).min(end).min(self.longest);
            self.slice = self.slice.saturating_mul(GROWTH as u64);
        }
    }
}

impl SlicedSearch for TubeArm {
    fn name(&self) -> &str {
        &self.name
    }

    fn techniques(&self) -> TechniqueSet {
        let rules = [
            (Technique::PushedBoxes, self.boxes == Boxes::Pushed),
            (Technique::RingOrders, self.ring != self.first_ring),
        ];
        let rules = rules.into_iter().filter(|(_, applies)| *applies).map(|(technique, _)| technique);
        rules.chain(Technique::displacing(self.limits.len())).collect()
    }

    /// Searches the next window for one slice.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        let ArmContext { knobs, live, searched, .. } = arm_cx;
        let spine = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        if let Some(place) = self.first_place.take() {
            self.cursor = self.first_cursor(place, &spine, cx);
            self.is_partial = self.cursor > 0;
        }
        if self.cursor >= spine.end() {
            self.cursor = 0;
        }
        let lock = match self.next_window(&spine, arm_cx, cx) {
            NextWindow::Locked(lock) => lock,
            NextWindow::AlreadySearched => {
                self.advance(self.window_from(self.cursor, &spine), &spine, cx);
                return Ok(ArmSliceEnd::Skipped);
            }
            NextWindow::Blocked => return Ok(ArmSliceEnd::Blocked),
        };
        let (from, last) = (lock.pushes().start, lock.pushes().end);
        let vicinity = Vicinity::new(&self.limits, RingOrder::ALL[self.ring], knobs);
        let vicinity = if self.boxes == Boxes::Pushed { vicinity.of_pushed_boxes() } else { vicinity };
        let start = cx.ticks();
        // If only memory keeps windows short, and they are not that short, the rest of the spine is searched along.
        let in_rounds = self.longest < spine.end() && (last - from) * ROUND_PART >= spine.end();
        let search = if in_rounds { Vicinity::run_round } else { Vicinity::run_window };
        match cx.sliced(self.slice, |cx| search(&vicinity, live, &spine, from..=last, cx)) {
            Ok(Some(done)) if done.to == last && done.report.finished => {
                if !done.report.improved {
                    searched.insert(lock.content(), cx.budget().memory());
                    lock.note_searched();
                    self.advance(from..last, &spine, cx);
                }
                if cx.ticks() - start < self.slice / 3 {
                    self.length = self.length.saturating_mul(2).min(spine.end()).min(self.longest).max(self.length);
                }
                Ok(ArmSliceEnd::Finished)
            }
            cut @ (Ok(_) | Err(Stop::Memory)) => {
                let lacks_memory = !matches!(cut, Ok(None));
                if lacks_memory {
                    self.longest = ((last - from) / 2).max(MIN_LENGTH);
                }
                if self.length.min(last - from) <= MIN_LENGTH {
                    if lacks_memory {
                        cx.note_short_of_memory();
                    }
                    self.advance(from..last, &spine, cx);
                    return Ok(if last - from <= 1 { ArmSliceEnd::Hopeless } else { ArmSliceEnd::CutShort });
                }
                self.length = (self.length.min(last - from) / 2).max(MIN_LENGTH);
                Ok(ArmSliceEnd::CutShort)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Every ring order was swept without a gain.
    fn is_done(&self) -> bool {
        self.sweeps_without_gain >= self.n_rings
    }

    fn revive(&mut self) {
        self.sweeps_without_gain = 0;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::Tube(self.state())
    }

    fn restore(&mut self, saved: &SavedSearch, _: ArmContext<'_>, _: &Context<'_>) {
        let SavedSearch::Tube(saved) = saved else { return };
        if *saved != self.state() {
            self.first_place = None;
        }
        if self.varies_ring {
            self.ring = saved.ring % RingOrder::ALL.len();
        }
        (self.cursor, self.length) = (saved.cursor, saved.length.max(MIN_LENGTH));
        self.longest = saved.longest.map_or(usize::MAX, |longest| longest.max(MIN_LENGTH));
        self.slice = saved.slice.max(FIRST_SLICE);
        (self.gained, self.sweeps_without_gain) = (saved.gained, saved.sweeps_without_gain);
    }

    fn note_slice(&mut self, gain: f64, all_ticks: u64) {
        self.gained |= gain > 0.0;
        self.slice = self.slice.max(all_ticks.saturating_mul(MULTIPLE_OF_PAST).min(LONGEST_OF_PAST));
    }

    /// Where ring orders make no difference islands take the same, so that they know each other's windows.
    fn begin_at(&mut self, place: u64) {
        self.first_place = Some(place);
        if self.n_rings == 1 {
            (self.ring, self.first_ring) = (0, 0);
        }
    }

    fn n_displaced(&self) -> usize {
        self.limits.len()
    }
}

/// The next window of a sweep.
enum NextWindow<'f> {
    Locked(WindowLock<'f>),
    /// The window at the cursor was searched before.
    AlreadySearched,
    /// Other threads have locked all windows that were not searched before.
    Blocked,
}

#[cfg(test)]
mod tests;
