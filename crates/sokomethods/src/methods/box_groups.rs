//! Box groups: an exact search in which the boxes of a small group go any way, while all others keep theirs.
//!
//! ```text
//!   boxes pushed   a a c c a d d c b b a ...
//!   group a, c     ? ? ? ? ? d d ? b b ? ...     d and b are pushed as before, in their order; a and c at any time
//! ```
//!
//! The configurations are those of the solution with the boxes of the group displaced, each to any of its nearest
//! squares. So what belongs together need not lie together in time, as it has to in a window of pushes. Groups are boxes
//! that meet in the solution (see `meetings`), those that meet most often first.
//!
//! Source: windows made of the parts of a deordered plan, Siddiqui and Haslum, *Continuing Plan Quality Optimisation*,
//! JAIR 54 (2015). Here no part has to be made contiguous: the search moves the pushes of the group in time.

mod meetings;

use std::ops::Range;

use sokosearch::{Context, LiveIndex, RingOrder, Spine, Stop};

use self::meetings::Meetings;
use crate::boxes_pushed::boxes_pushed;
use crate::methods::vicinity::Vicinity;
use crate::next_start::windows;
use crate::{Knobs, Method, Piece, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "box groups",
    about: "exact search in which two or three boxes go any way and all others keep theirs",
    build: |knobs| Box::new(BoxGroups::new(knobs)),
};

/// For groups of two boxes, then of three: to how many of its nearest squares each box may be displaced.
const LIMITS: [usize; 2] = [400, 24];
/// Configurations that one piece may have, roughly: a longer solution is searched in overlapping windows.
const PIECE_CONFIGS: usize = 2_000_000;
/// Shortest window, in pushes.
const MIN_LENGTH: usize = 32;
/// Most pieces for groups of one size.
const MOST_PIECES: usize = 4096;
/// Bits of a box's number in the kind of a piece, so that three numbers fit into 32 bits. Boxes of higher numbers are
/// in no group.
const NUMBER_BITS: usize = 10;

/// One search for each group of boxes that meet.
#[derive(Clone, Debug)]
pub struct BoxGroups {
    knobs: Knobs,
}

impl BoxGroups {
    /// Makes a pass over all groups, with the engine and the store of the settings.
    #[must_use]
    pub fn new(knobs: &Knobs) -> Self {
        Self { knobs: knobs.clone() }
    }

    /// Lists the groups of so many boxes within windows, those that meet most often first.
    fn pieces_of_size(n_boxes: usize, limit: usize, spine: &Spine, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        let level = cx.level();
        let boxes = boxes_pushed(level, spine);
        let n_displaced = u32::try_from(n_boxes).expect("invariant: groups are small");
        let around = limit.saturating_pow(n_displaced) / n_boxes;
        let length = (PIECE_CONFIGS / around.max(1)).max(MIN_LENGTH);
        let mut found: Vec<(usize, Piece)> = Vec::new();
        for window in windows(level.board(), spine.pushes(), length) {
            cx.poll()?;
            let pushes = spine.pushes()[window.clone()].iter().zip(&boxes[window.clone()]);
            let meetings =
                Meetings::of(pushes.map(|(push, &n)| (push.from, n)).filter(|&(_, n)| n + 1 < 1 << NUMBER_BITS));
            let groups = meetings.groups(n_boxes).into_iter();
            found.extend(groups.map(|(worth, group)| (worth, Piece { pushes: window.clone(), kind: kind_of(&group) })));
            // The best so far, in linear memory.
            if found.len() >= 2 * MOST_PIECES {
                keep_best(&mut found);
            }
        }
        keep_best(&mut found);
        Ok(found.into_iter().map(|(_, piece)| piece).collect())
    }

    /// Searches a window with a group, or as much of it at a time as fits into memory. Returns whether that gained.
    fn search(&self, group: &[usize], pushes: Range<usize>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let Some(&limit) = group.len().checked_sub(2).and_then(|at| LIMITS.get(at)) else { return Ok(false) };
        let live = LiveIndex::new(cx.level());
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
        let starts: Vec<_> = cx.level().start().boxes.iter().collect();
        let limits = vec![limit.min(live.n_live()); group.len()];
        let group = group.iter().filter_map(|&n| starts.get(n).and_then(|&sq| live.bit(sq))).collect();
        let vicinity = Vicinity::new(&limits, RingOrder::ALL[0], &self.knobs).of_group(group);
        let before = cx.incumbent().metrics();
        let (mut from, last) = (pushes.start, pushes.end.min(spine.end()));
        while from < last && !cx.has_improved_on(&before) {
            let report = vicinity.run_window(&live, &spine, from..=last, cx)?;
            from = if report.to == last { last } else { (from + report.to).div_ceil(2).max(from + 1) };
        }
        Ok(cx.has_improved_on(&before))
    }
}

impl Method for BoxGroups {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let pieces = self.pieces(cx)?;
        pieces.iter().try_fold(false, |improved, piece| self.run_piece(piece, cx).map(|gain| improved | gain))
    }

    /// Groups of two boxes, then of three; the kind has their numbers.
    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        cx.poll()?;
        let live = LiveIndex::new(cx.level());
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
        let mut pieces = Vec::new();
        for (n_boxes, limit) in (2..).zip(LIMITS) {
            pieces.extend(Self::pieces_of_size(n_boxes, limit.min(live.n_live()), &spine, cx)?);
        }
        Ok(pieces)
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.poll()?;
        cx.working("box groups", "searching");
        self.search(&group_of(piece.kind), piece.pushes.clone(), cx)
    }
}

/// Sorts, best first, and leaves out what is too much.
fn keep_best(found: &mut Vec<(usize, Piece)>) {
    found.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    found.truncate(MOST_PIECES);
}

/// The numbers of a group as one number, which is not 0.
fn kind_of(group: &[usize]) -> usize {
    group.iter().fold(0, |kind, n| kind << NUMBER_BITS | (n + 1))
}

/// The group that [`kind_of`] made a number of.
fn group_of(kind: usize) -> Vec<usize> {
    let kinds = std::iter::successors(Some(kind), |kind| Some(kind >> NUMBER_BITS)).take_while(|&kind| kind != 0);
    kinds.map(|kind| kind % (1 << NUMBER_BITS) - 1).collect()
}

#[cfg(test)]
mod tests;
