//! The arm of deordered windows: the pushes of a few boxes are gathered from all over the solution, and replaced by fewer.
//!
//! ```text
//!   solution    a₁ d₁ b₁ e₁ a₂ f₁ b₂ d₂ c₁        pushes of the boxes a to f
//!   deordered   d₁ e₁ ┃a₁ b₁ a₂ b₂ c₁┃ f₁ d₂      those of the cluster a, b, c in one piece, if all stay possible
//!   replaced    d₁ e₁ ┃b₁ a₁ c₁ ┃     f₁ d₂       A* by pushes of the cluster, among all other boxes, which do not move
//! ```
//!
//! A window of neighboring pushes on a board with many boxes has a few pushes of each part of the board, and nothing to save in
//! any of them. Most pushes of other boxes could as well come before or after it: the order of a solution is partial, and its
//! text is one of many linear extensions. The arm draws a cluster of boxes that are near each other, moves all other pushes
//! of a window before or after those of the cluster, as far as they stay possible (`deordering.rs`), and searches the piece
//! that is left for fewer pushes between the same ends (`cluster_search.rs`).
//!
//! A cluster is passed over where its boxes, matched to the squares that they end on, need no fewer pushes by the walls
//! alone. Most searches that gain take some tens to hundreds of nodes.
//!
//! Windows over a deordered plan are those of Siddiqui and Haslum (*Continuing plan quality optimisation*, JAIR 2015). Walks
//! get longer by the new order, so the arm takes part where pushes count first. Measured: see
//! `docs/experiments/2026-11-30-deordered-windows.md`.

mod cluster_search;
mod deordering;

use sokosearch::{Context, Stop};

use super::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use super::draws::Draws;
use crate::checkpoint::field::fields;
use crate::fingerprints::{WindowSet, mix};
use crate::push_order::{EXPANDED_PER_TICK, PushOrder};
use crate::{Knobs, Technique, TechniqueSet};
use cluster_search::{ClusterSearch, MAX_CLUSTER};
use deordering::Deordering;

/// Its rank among the arms.
pub(crate) const RANK: usize = 3;
/// Fewest boxes of a level, as many as four clusters have: with few boxes a window of neighboring pushes has most pushes of a
/// cluster anyway.
const FEWEST_BOXES: usize = 4 * MAX_CLUSTER;
/// Ticks of the run from which a part of the work is reserved, and that part.
const RESERVED_FROM: u64 = 60_000_000;
const SHARE: f64 = 0.1;
/// Ticks of a slice.
const SLICE: u64 = 1_000_000;
/// Clusters in a row that are drawn without a gain before nothing is left to try.
const MAX_GAINLESS: u64 = 1 << 18;
/// Pushes that are made or moved in the time of a tick.
const PUSHES_PER_TICK: u64 = 4;
/// Names its windows in fingerprints.
const NEIGHBORHOOD: u64 = 0xde0_4de4;

/// The clusters drawn so far.
#[derive(Debug)]
pub(crate) struct DeorderedWindows {
    seed: u64,
    counts: ClusterCounts,
    /// Fingerprints of the clusters that were searched.
    searched: WindowSet,
}

/// How many clusters were drawn: the arm as a checkpoint has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClusterCounts {
    /// In all; with the seed it decides what the next one is.
    n_drawn: u64,
    /// Since the last gain.
    n_gainless: u64,
}

fields!(ClusterCounts { n_drawn, n_gainless });

impl DeorderedWindows {
    /// Makes the arm for a run from a start with pushes to spare; `None` if the run does not use it.
    pub(crate) fn within(arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        let is_used = arm_cx.uses(Technique::DeorderedWindows, cx) && cx.level().n_boxes() >= FEWEST_BOXES;
        is_used.then(|| Self::new(arm_cx.knobs))
    }

    fn new(knobs: &Knobs) -> Self {
        Self { seed: mix(knobs.seed, NEIGHBORHOOD), counts: ClusterCounts::default(), searched: WindowSet::default() }
    }

    /// Draws and searches clusters until the slice ends or nothing is left to try.
    fn improve(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let n_kept = usize::from(cx.kept_end().is_some());
        let (mut deordering, mut search) = (Deordering::new(cx.level()), ClusterSearch::new(cx.level().board()));
        let mut links = PushOrder::new(cx)?.links().to_vec();
        while !self.is_done() {
            let n_pushes = links.len().saturating_sub(n_kept);
            let mut draws = Draws::new(mix(self.seed, self.counts.n_drawn));
            self.counts.n_drawn += 1;
            self.counts.n_gainless += 1;
            let window = deordering.draw(&links, n_pushes, &mut draws);
            cx.tick_by(1 + links.len() as u64 / PUSHES_PER_TICK + deordering.take_expanded() / EXPANDED_PER_TICK)?;
            let Some(window) = window else { continue };
            if !self.searched.insert(window.cluster.fingerprint(NEIGHBORHOOD), cx.budget().memory()) {
                continue;
            }
            if let Some(fewer) = search.fewer_pushes(&window.cluster, window.range.len()) {
                let mut pushes = window.pushes;
                pushes.splice(window.range, fewer);
                if cx.found_pushes(&pushes) {
                    self.counts.n_gainless = 0;
                    links = PushOrder::new(cx)?.links().to_vec();
                }
            }
            cx.tick_by(search.take_ticks())?;
        }
        Ok(())
    }
}

impl SlicedSearch for DeorderedWindows {
    fn name(&self) -> &'static str {
        Technique::DeorderedWindows.name()
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::DeorderedWindows)
    }

    fn run_slice(&mut self, _: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        cx.working(self.name(), "gathering the pushes of a few boxes");
        let end = cx.sliced(SLICE, |cx| self.improve(cx))?;
        Ok(if end.is_some() { ArmSliceEnd::Finished } else { ArmSliceEnd::CutShort })
    }

    fn is_done(&self) -> bool {
        self.counts.n_gainless >= MAX_GAINLESS
    }

    fn revive(&mut self) {
        self.counts.n_gainless = 0;
    }

    fn save(&self) -> SavedSearch {
        SavedSearch::DeorderedWindows(self.counts)
    }

    fn restore(&mut self, saved: &SavedSearch, _: ArmContext<'_>, _: &Context<'_>) {
        let SavedSearch::DeorderedWindows(counts) = saved else { return };
        self.counts = *counts;
    }

    /// Reserves a part once other arms have saved what they can in little time.
    fn reserved_share(&self, all_ticks: u64) -> f64 {
        if all_ticks >= RESERVED_FROM { SHARE } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
