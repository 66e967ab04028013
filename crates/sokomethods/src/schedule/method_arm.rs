//! The arm of a whole method, which runs piece by piece and keeps its place between slices.
//!
//! Pieces that gained nothing are remembered by their content, so a gain repeats only the pieces that it has changed. A
//! piece that the end of a slice cuts off is repeated with a longer slice, and so is a method without pieces. After a gain the
//! slice continues with the rest of the pieces.

use std::collections::VecDeque;
use std::sync::Arc;

use sokosearch::{Context, LiveIndex, Spine, Stop};

use super::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use super::window_locks::{Coverage, LockRefusal, WindowLock, WindowSearch};
use crate::checkpoint::field::{Bits, fields};
use crate::fingerprints::{WindowSet, fingerprint, mix};
use crate::{CustomMethod, Knobs, Method, Piece, Spec, Technique, TechniqueSet};

/// Ticks of a first slice.
const FIRST_SLICE: u64 = 2_000_000;
/// Growth of the slice after one that was too short.
const GROWTH: u64 = 4;
/// Most pieces without a gain in a checkpoint.
const MOST_SAVED: usize = 1 << 14;

/// A method, the length of its slices, and the pieces left to do.
#[derive(Debug)]
pub(crate) struct MethodArm {
    /// The technique that it is; none for a method from outside this crate.
    techniques: TechniqueSet,
    name: Arc<str>,
    method: Arc<dyn Method>,
    slice: u64,
    is_done: bool,
    /// Fingerprint of the solution that the pieces belong to.
    laid_out: Option<u64>,
    todo: VecDeque<Piece>,
    /// Fingerprints of pieces that gained nothing.
    gainless: WindowSet,
}

/// The state of a method as a checkpoint has it. The pieces left are listed anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedMethod {
    slice: u64,
    is_done: bool,
    gainless: Vec<Bits>,
}

fields!(SavedMethod { slice, is_done, gainless });

impl SavedMethod {
    /// Lets the method go through its pieces again, but for those without a gain.
    pub(crate) const fn redo(&mut self) {
        self.is_done = false;
    }
}

impl MethodArm {
    pub(crate) fn new(technique: Technique, spec: &Spec, knobs: &Knobs) -> Self {
        Self::of(TechniqueSet::EMPTY.with(technique), spec.name.into(), (spec.build)(knobs).into())
    }

    /// Makes the arm of a method from outside this crate.
    pub(crate) fn custom(method: &CustomMethod) -> Self {
        Self::of(TechniqueSet::EMPTY, method.name().into(), Arc::new(method.clone()))
    }

    fn of(techniques: TechniqueSet, name: Arc<str>, method: Arc<dyn Method>) -> Self {
        Self {
            techniques,
            name,
            method,
            slice: FIRST_SLICE,
            is_done: false,
            laid_out: None,
            todo: VecDeque::new(),
            gainless: WindowSet::default(),
        }
    }

    /// Lists the pieces of the incumbent, unless they are listed already.
    fn lay_out(&mut self, cx: &mut Context<'_>) -> Result<Spine, Stop> {
        let spine = spine_of(cx)?;
        let whole = fingerprint(&spine, 0, spine.end(), 0);
        if self.laid_out != Some(whole) || self.todo.is_empty() {
            self.todo = self.method.pieces(cx)?.into();
            self.laid_out = Some(whole);
        }
        Ok(spine)
    }

    /// Takes and locks the first piece that may gain and that no other thread has locked.
    fn next_piece<'f>(
        &mut self,
        spine: &Spine,
        arm_cx: ArmContext<'f>,
        cx: &Context<'_>,
    ) -> Option<(Piece, WindowLock<'f>)> {
        let mut at = 0;
        while let Some(piece) = self.todo.get(at) {
            let window = self.window(spine, piece, cx);
            let content = window.content;
            if self.gainless.contains(content) {
                self.todo.remove(at);
                continue;
            }
            match arm_cx.locks.try_lock(window) {
                Ok(lock) => return self.todo.remove(at).zip(Some(lock)),
                Err(LockRefusal::Searched) => {
                    self.gainless.insert(content, cx.budget().memory());
                    self.todo.remove(at);
                }
                Err(LockRefusal::Busy) => at += 1,
            }
        }
        None
    }

    fn run_whole(
        &mut self,
        whole: WindowSearch,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<ArmSliceEnd, Stop> {
        let lock = match arm_cx.locks.try_lock(whole) {
            Ok(lock) => lock,
            Err(LockRefusal::Busy) => return Ok(ArmSliceEnd::Blocked),
            Err(LockRefusal::Searched) => {
                self.is_done = true;
                return Ok(ArmSliceEnd::Skipped);
            }
        };
        match cx.sliced(self.slice, |cx| self.method.run(cx))? {
            Some(improved) => {
                self.is_done = !improved;
                if !improved {
                    lock.note_searched();
                }
                Ok(ArmSliceEnd::Finished)
            }
            None => Ok(self.cut_short()),
        }
    }

    /// The window that a piece depends on. The content tells pieces of one kind apart.
    fn window(&self, spine: &Spine, piece: &Piece, cx: &Context<'_>) -> WindowSearch {
        let end = piece.pushes.end.min(spine.end());
        let pushes = piece.pushes.start.min(end)..end;
        let content = fingerprint(spine, pushes.start, pushes.end, mix(piece.kind as u64, 1));
        let neighborhood = self.name.bytes().fold(piece.kind as u64, |sum, letter| mix(sum, u64::from(letter)));
        let solution = self.laid_out.unwrap_or(0);
        let coverage = Coverage::Partial;
        WindowSearch { neighborhood, objective: cx.objective(), solution, content, pushes, coverage }
    }

    /// Makes the next slice longer.
    const fn cut_short(&mut self) -> ArmSliceEnd {
        self.slice = self.slice.saturating_mul(GROWTH);
        ArmSliceEnd::CutShort
    }
}

/// Lays the incumbent out.
fn spine_of(cx: &Context<'_>) -> Result<Spine, Stop> {
    Spine::new(cx.level(), &LiveIndex::new(cx.level()), &cx.incumbent(), cx.budget().memory())
}

impl SlicedSearch for MethodArm {
    fn name(&self) -> &str {
        &self.name
    }

    fn techniques(&self) -> TechniqueSet {
        self.techniques
    }

    /// Runs the method for one slice. A method that ends without a gain is done until the spine changes.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        let start = cx.ticks();
        let Some(mut spine) = cx.sliced(self.slice, |cx| self.lay_out(cx))? else { return Ok(self.cut_short()) };
        let mut has_gained = false;
        if self.todo.is_empty() {
            let whole = self.window(&spine, &Piece { pushes: 0..spine.end(), kind: 0 }, cx);
            drop(spine);
            return self.run_whole(whole, arm_cx, cx);
        }
        while let Some((piece, lock)) = self.next_piece(&spine, arm_cx, cx) {
            let spent = cx.ticks() - start;
            match cx.sliced(self.slice.saturating_sub(spent), |cx| self.method.run_piece(&piece, cx)) {
                // The rest of the pieces is done before those that have changed.
                Ok(Some(true)) => {
                    has_gained = true;
                    spine = spine_of(cx)?;
                }
                Ok(Some(false)) => {
                    self.gainless.insert(lock.content(), cx.budget().memory());
                    lock.note_searched();
                }
                Ok(None) => {
                    self.todo.push_front(piece);
                    return Ok(if spent > self.slice / 2 { ArmSliceEnd::CutShort } else { self.cut_short() });
                }
                // The other pieces may be smaller.
                Err(Stop::Memory) => cx.note_short_of_memory(),
                Err(stop) => return Err(stop),
            }
        }
        self.is_done = self.todo.is_empty() && !has_gained;
        Ok(if self.todo.is_empty() { ArmSliceEnd::Finished } else { ArmSliceEnd::Blocked })
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn revive(&mut self) {
        self.is_done = false;
    }

    fn save(&self) -> SavedSearch {
        let (slice, is_done) = (self.slice, self.is_done);
        SavedSearch::Method(SavedMethod { slice, is_done, gainless: self.gainless.save(MOST_SAVED) })
    }

    fn restore(&mut self, saved: &SavedSearch, _: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::Method(saved) = saved else { return };
        (self.slice, self.is_done) = (saved.slice.max(FIRST_SLICE), saved.is_done);
        self.gainless.restore(&saved.gainless, cx.budget().memory());
    }
}

#[cfg(test)]
mod tests;
