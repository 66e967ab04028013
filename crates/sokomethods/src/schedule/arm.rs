//! One arm of the schedule: a neighborhood, swept over the spine window by window.

use std::cmp::Ordering;

use sokosearch::{Context, LiveIndex, RingOrder, Spine, Stop};

use super::searched_windows::{SearchedWindows, fingerprint, mix};
use crate::{Knobs, Vicinity};

/// Ticks of one slice.
const SLICE: u64 = 3_000_000;
/// Ticks after which an arm without a gain counts half; each rank more doubles it.
const PATIENCE: f64 = 1e6;
/// What an arm without a gain counts as having gained.
const HOPE: f64 = 1.0;
/// How much of the past counts at the next slice.
const DECAY: f64 = 0.8;
/// Shortest window worth searching, in pushes.
const MIN_LENGTH: usize = 4;

/// What became of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slice {
    /// The window was searched to its end.
    Finished,
    /// The slice was over before the window was.
    CutShort,
    /// The window was searched before.
    Skipped,
    /// Not even the shortest window can be searched.
    Hopeless,
}

/// A neighborhood, and how far its sweep over the spine has come.
#[derive(Debug)]
pub(crate) struct Arm {
    limits: Vec<usize>,
    name: String,
    patience: f64,
    ring: usize,
    /// Ring orders that make a difference: one where no ring is ever cut.
    n_rings: usize,
    /// Where the next window starts, in pushes.
    cursor: usize,
    length: usize,
    /// Whether a window of the present sweep gained.
    gained: bool,
    /// Sweeps in a row that gained nothing.
    vain_sweeps: usize,
    gain: f64,
    ticks: f64,
    hopeless: bool,
}

impl Arm {
    pub(crate) fn new(limits: Vec<usize>, rank: usize, ring: usize, n_live: usize) -> Self {
        let is_cut = limits.iter().any(|&limit| limit + 1 < n_live);
        let name: Vec<_> = limits.iter().rev().map(ToString::to_string).collect();
        // Configurations around one spine state, roughly, with a dozen boxes that matter.
        let around: f64 = limits.iter().map(|&limit| 4.0 * limit as f64).product();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a guess at a length")]
        let length = (SLICE as f64 / (10.0 * around)) as usize;
        Self {
            limits,
            name: name.join("/"),
            patience: PATIENCE * 2_f64.powi(i32::try_from(rank).unwrap_or(30)),
            ring,
            n_rings: if is_cut { RingOrder::ALL.len() } else { 1 },
            cursor: 0,
            length: length.max(16),
            gained: false,
            vain_sweeps: 0,
            gain: 0.0,
            ticks: 0.0,
            hopeless: false,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// Whether every ring order was swept in vain.
    pub(crate) const fn is_retired(&self) -> bool {
        self.hopeless || self.vain_sweeps >= self.n_rings
    }

    /// Brings the arm back: the spine has changed.
    pub(crate) const fn revive(&mut self) {
        self.vain_sweeps = 0;
    }

    /// Takes the arm out for good.
    pub(crate) const fn retire(&mut self) {
        self.hopeless = true;
    }

    /// Compares by gain per tick.
    pub(crate) fn is_worth_less(&self, other: &Self) -> Ordering {
        let worth = |arm: &Self| (arm.gain + HOPE) / (arm.ticks + arm.patience);
        worth(self).total_cmp(&worth(other)).then_with(|| other.patience.total_cmp(&self.patience))
    }

    /// Takes note of what a slice gained.
    pub(crate) fn reward(&mut self, gain: f64, ticks: u64) {
        self.gain = self.gain * DECAY + gain;
        self.ticks = self.ticks * DECAY + ticks as f64;
        self.gained |= gain > 0.0;
    }

    /// Searches the next window for one slice.
    pub(crate) fn run_slice(
        &mut self,
        knobs: &Knobs,
        live: &LiveIndex,
        searched: &mut SearchedWindows,
        cx: &mut Context<'_>,
    ) -> Result<Slice, Stop> {
        let spine = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
        if self.cursor >= spine.end() {
            self.cursor = 0;
        }
        let (from, last) = (self.cursor, spine.end().min(self.cursor + self.length));
        let salt = self.limits.iter().fold(self.ring as u64, |salt, &limit| mix(salt, limit as u64));
        let window = fingerprint(&spine, from, last, salt);
        if searched.contains(window) {
            self.advance(last, spine.end());
            return Ok(Slice::Skipped);
        }
        let vicinity = Vicinity::new(&self.limits, RingOrder::ALL[self.ring], knobs);
        let start = cx.ticks();
        match cx.sliced(SLICE, |cx| vicinity.run_window(live, &spine, from..=last, cx)) {
            Ok(Some(done)) if done.to == last && done.report.finished => {
                if !done.report.improved {
                    searched.insert(window);
                    self.advance(last, spine.end());
                }
                if cx.ticks() - start < SLICE / 3 {
                    self.length = (self.length * 2).min(spine.end().max(self.length));
                }
                Ok(Slice::Finished)
            }
            Ok(_) | Err(Stop::Memory) => {
                if self.length.min(last - from) <= MIN_LENGTH {
                    self.advance(last, spine.end());
                    return Ok(if last - from <= 1 { Slice::Hopeless } else { Slice::CutShort });
                }
                self.length = (self.length.min(last - from) / 2).max(MIN_LENGTH);
                Ok(Slice::CutShort)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Goes on to the next window, half a window farther; at the end, to the next ring order.
    fn advance(&mut self, last: usize, end: usize) {
        if last < end {
            self.cursor += ((last - self.cursor) / 2).max(1);
            return;
        }
        self.cursor = 0;
        self.ring = (self.ring + 1) % RingOrder::ALL.len();
        self.vain_sweeps = if self.gained { 0 } else { self.vain_sweeps + 1 };
        self.gained = false;
    }
}
