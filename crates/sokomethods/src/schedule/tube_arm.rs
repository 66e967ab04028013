//! An arm that searches a neighborhood, swept over the spine window by window.

use std::ops::Range;

use sokosearch::{Boxes, Context, RingOrder, Spine, Stop};

use super::arm::Slice;
use super::field::Field;
use super::windows_in_hand::{InHand, Window};
use crate::Vicinity;
use crate::fingerprints::{fingerprint, mix};
use crate::seam::seam;

/// Ticks of one slice, at first.
const FIRST_SLICE: u64 = 3_000_000;
/// A window of at least one in so many pushes of the spine may be searched as a round, which costs going along all of it.
const ROUND_PART: usize = 8;
/// How much longer windows and slices get when all of a length were searched in vain.
const GROWTH: u64 = 4;
/// Shortest window worth searching, in pushes.
const MIN_LENGTH: usize = 4;

/// A neighborhood, and how far its sweep over the spine has come.
#[derive(Debug)]
pub(crate) struct TubeArm {
    limits: Vec<usize>,
    boxes: Boxes,
    name: String,
    ring: usize,
    /// Ring orders that make a difference: one where no ring is ever cut.
    n_rings: usize,
    /// Where the next window starts, in pushes.
    cursor: usize,
    length: usize,
    /// Longest window that memory allows, as far as is known.
    longest: usize,
    /// Ticks of one slice: as many as a window of that length is worth.
    slice: u64,
    /// Whether a window of the present sweep gained.
    gained: bool,
    /// Sweeps in a row that gained nothing.
    vain_sweeps: usize,
}

impl TubeArm {
    pub(crate) fn new(limits: Vec<usize>, boxes: Boxes, ring: usize, n_live: usize) -> Self {
        let is_cut = limits.iter().any(|&limit| limit + 1 < n_live);
        let name: Vec<_> = limits.iter().rev().map(ToString::to_string).collect();
        // Configurations around one spine state, roughly, with a dozen boxes that matter.
        let around: f64 = limits.iter().map(|&limit| 4.0 * limit as f64).product();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a guess at a length")]
        let length = (FIRST_SLICE as f64 / (10.0 * around)) as usize;
        Self {
            limits,
            boxes,
            name: name.join("/") + if boxes == Boxes::Pushed { " pushed" } else { "" },
            ring,
            n_rings: if is_cut { RingOrder::ALL.len() } else { 1 },
            cursor: 0,
            length: length.max(16),
            longest: usize::MAX,
            slice: FIRST_SLICE,
            gained: false,
            vain_sweeps: 0,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Number of boxes that are displaced at once.
    pub(crate) const fn n_displaced(&self) -> usize {
        self.limits.len()
    }

    /// Whether every ring order was swept in vain.
    pub(crate) const fn is_done(&self) -> bool {
        self.vain_sweeps >= self.n_rings
    }

    pub(crate) const fn revive(&mut self) {
        self.vain_sweeps = 0;
    }

    /// Takes note of what the last slice gained.
    pub(crate) fn note_gain(&mut self, gain: f64) {
        self.gained |= gain > 0.0;
    }

    /// Searches the next window for one slice.
    pub(crate) fn run_slice(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        let Field { knobs, live, searched, .. } = field;
        let spine = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        if self.cursor >= spine.end() {
            self.cursor = 0;
        }
        let (from, last, window) = match self.next_window(&spine, field, cx) {
            Next::Search(hand) => (hand.pushes().start, hand.pushes().end, hand),
            Next::Searched => {
                self.advance(self.window_from(self.cursor, &spine), &spine, cx);
                return Ok(Slice::Skipped);
            }
            Next::Taken => return Ok(Slice::Taken),
        };
        let vicinity = Vicinity::new(&self.limits, RingOrder::ALL[self.ring], knobs);
        let vicinity = if self.boxes == Boxes::Pushed { vicinity.of_pushed_boxes() } else { vicinity };
        let start = cx.ticks();
        // Where only memory keeps windows short, and they are not that short, what lies outside is searched along.
        let in_rounds = self.longest < spine.end() && (last - from) * ROUND_PART >= spine.end();
        let search = if in_rounds { Vicinity::run_round } else { Vicinity::run_window };
        match cx.sliced(self.slice, |cx| search(&vicinity, live, &spine, from..=last, cx)) {
            Ok(Some(done)) if done.to == last && done.report.finished => {
                if !done.report.improved {
                    searched.insert(window.content(), cx.budget().memory());
                    self.advance(from..last, &spine, cx);
                }
                if cx.ticks() - start < self.slice / 3 {
                    self.length = (self.length * 2).min(spine.end()).min(self.longest).max(self.length);
                }
                Ok(Slice::Finished)
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
                    return Ok(if last - from <= 1 { Slice::Hopeless } else { Slice::CutShort });
                }
                self.length = (self.length.min(last - from) / 2).max(MIN_LENGTH);
                Ok(Slice::CutShort)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Finds the next window of the sweep that was not searched in vain and that no other thread is at, and takes it.
    fn next_window<'f>(&self, spine: &Spine, field: Field<'f>, cx: &Context<'_>) -> Next<'f> {
        let kind = self.ring as u64 + 8 * u64::from(self.boxes == Boxes::Pushed);
        let way = self.limits.iter().fold(kind, |way, &limit| mix(way, limit as u64));
        let solution = fingerprint(spine, 0, spine.end(), 0);
        let mut pushes = self.window_from(self.cursor, spine);
        loop {
            let content = fingerprint(spine, pushes.start, pushes.end, way);
            let is_searched = || field.searched.contains(content);
            let window = Window { way: (way, cx.objective()), solution, content, pushes: pushes.clone() };
            let hand = if is_searched() { None } else { field.in_hand.take(window) };
            match hand {
                // Another thread may have searched it just before.
                Some(hand) if !is_searched() => return Next::Search(hand),
                _ if pushes.start == self.cursor && is_searched() => return Next::Searched,
                _ if pushes.end == spine.end() => return Next::Taken,
                _ => pushes = self.window_from(seam(cx.level().board(), spine.pushes(), pushes), spine),
            }
        }
    }

    fn window_from(&self, from: usize, spine: &Spine) -> Range<usize> {
        from..spine.end().min(from + self.length)
    }

    /// Goes on to the window after this one, which begins at its seam; at the end, to longer windows, and when the whole
    /// was searched at once, to the next ring order. If this one was taken before its turn, those left out come first.
    fn advance(&mut self, window: Range<usize>, spine: &Spine, cx: &Context<'_>) {
        let end = spine.end();
        if window.start != self.cursor {
            return;
        }
        if window.end < end {
            self.cursor = seam(cx.level().board(), spine.pushes(), window);
            return;
        }
        let was_whole = self.cursor == 0;
        self.cursor = 0;
        if std::mem::take(&mut self.gained) {
            self.vain_sweeps = 0;
        } else if was_whole || self.length >= self.longest {
            self.ring = (self.ring + 1) % RingOrder::ALL.len();
            self.vain_sweeps += 1;
        } else {
            let growth = usize::try_from(GROWTH).unwrap_or(1);
            self.length = self.length.saturating_mul(growth).min(end).min(self.longest);
            self.slice = self.slice.saturating_mul(GROWTH);
        }
    }
}

/// What a sweep is to do next.
enum Next<'f> {
    Search(InHand<'f>),
    /// The window whose turn it is was searched before.
    Searched,
    /// All that was not searched before is in hand.
    Taken,
}

#[cfg(test)]
mod tests;
